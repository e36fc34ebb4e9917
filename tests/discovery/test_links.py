"""Links of HTML pages, as a browser would resolve them."""

from contentbot.discovery.links import meta_refresh, page_links

URL = "https://shop.example/teas/green"


def links(html: str) -> list[str]:
    return list(page_links(html.encode(), URL, "text/html; charset=utf-8"))


def test_only_a_real_base_element_counts() -> None:
    html = """<!-- <base href="https://evil.example/"> --><script>'<base href="https://evil.example/">'</script>
        <textarea><base href="https://evil.example/"></textarea>
        <base href="/v2/"><base href="/v3/"><a href="oolong">o</a>"""
    assert links(html) == ["https://shop.example/v2/oolong"]


def test_a_refresh_is_resolved_against_the_base() -> None:
    html = b'<base href="/v2/"><meta http-equiv="Refresh" content="0; URL=\'start\'">'
    assert meta_refresh(html, URL) == "https://shop.example/v2/start"
