"""The trace of an extraction."""

from contentbot.extract.explain import explain
from tests.extract.pages import HOME, page, rules

HTML = f"""
<html lang=en><head><meta charset=latin1><link rel=canonical href={HOME}/p><title>The Mill</title></head>
<main><div class=prose><h1>The Mill</h1><p>It grinds.</p><p hidden>X</p><aside>Bio</aside></div></main></html>
"""


def test_it_tells_how_a_document_came_about():
    source = {"content-selector": ".lead, .prose", "content-exclude": "aside, .ad", "url-include": "/p*"}
    trace = explain(page(HTML, f"{HOME}/p?x=1", content_type="text/html"), rules(**source))
    assert (trace.decision.included, trace.decision.rule) == (True, "/p*")
    assert (trace.media, trace.encoding, trace.encoding_from) == ("text/html", "cp1252", "meta")
    assert (trace.canonical, trace.url) == (f"{HOME}/p", f"{HOME}/p")
    assert trace.tried == {".lead": 0, ".prose": 1}
    assert trace.chosen_by == ".prose"
    assert trace.excluded == {"aside": 1, ".ad": 0}
    assert trace.removed["hidden"] == 1
    assert trace.evidence["title"]
    assert trace.document is not None
    assert trace.document.plain_text == "The Mill\n\nIt grinds."
    assert trace.reason == ""


def test_it_tells_as_much_as_it_knows_about_a_page_without_a_document():
    trace = explain(page("<meta name=robots content=noindex><p>Text</p>"), rules())
    assert (trace.reason, trace.document, trace.media) == ("noindex", None, "text/html")
    refused = explain(page(b"%PDF-1.7", content_type="application/pdf"), rules())
    assert (refused.reason, refused.media) == ("unsupported_media", "")
