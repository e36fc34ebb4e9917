"""Help for the tests: HTML in, Markdown out."""

import lxml.html

from contentbot.extract.markdown import Rendering, render

PAGE = "https://garden.example/notes/tools"


def render_html(html: str) -> Rendering:
    """Render a piece of a page that stands at `PAGE`."""
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    return render([lxml.html.document_fromstring(f"<body>{html}</body>".encode(), parser=parser).body], base_url=PAGE)


def markdown(html: str) -> str:
    """Return the Markdown of a piece of a page."""
    return render_html(html).markdown
