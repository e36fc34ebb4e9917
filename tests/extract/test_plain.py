"""Pages of plain text and Markdown."""

from contentbot.documents import Kind
from tests.extract.pages import HOME, document


def test_a_text_page_becomes_paragraphs_and_keeps_what_is_laid_out():
    text = "The mill wheel\r\n\r\nIt turns <slowly> & well,\r\nall day.\r\n\r\n  Part    Price\r\n  axle       5\r\n"
    made = document(text, f"{HOME}/docs/mill-wheel.txt", content_type="text/plain")
    assert made.kind is Kind.TEXT
    assert made.title == "mill wheel"
    assert "It turns <slowly> & well," in made.plain_text
    assert "```\n  Part    Price\n  axle       5\n```" in made.body


def test_markup_in_a_text_page_is_text():
    made = document("<script>x</script> is how scripts start, and # is no heading.", content_type="text/plain")
    assert made.plain_text == "<script>x</script> is how scripts start, and # is no heading."


def test_a_markdown_page_keeps_its_structure_and_gets_absolute_links():
    text = (
        "---\ntitle: Grease\ndescription: How to.\n---\n## Grease the axle\n\nSee [the plan](../plan.md).\n\n"
        "```sh\nturn  --slow\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    made = document(text, f"{HOME}/docs/grease.md", content_type="text/markdown; charset=utf-8")
    assert (made.kind, made.title, made.excerpt) == (Kind.MARKDOWN, "Grease", "How to.")
    assert f"[the plan]({HOME}/plan.md)" in made.body
    assert "```sh\nturn  --slow\n```" in made.body
    assert "| 1 | 2 |" in made.body
    assert [heading.title for heading in made.outline] == ["Grease the axle"]


def test_a_rule_in_the_middle_is_no_front_matter_and_a_broken_one_no_obstacle():
    assert (
        "note: not meta"
        in document("Intro\n\n---\nnote: not meta\n---\n\nEnd", content_type="text/markdown").plain_text
    )
    assert document("---\ntitle: [broken\n---\n# Head\n\nText", content_type="text/markdown").title == "Head"


def test_hidden_html_in_markdown_is_dropped():
    made = document("Shown.\n\n<div hidden>Secret</div>\n\n<!-- secret -->\n", content_type="text/markdown")
    assert made.plain_text == "Shown."
