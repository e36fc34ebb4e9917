"""Our Markdown beside markdownify's, on the same pages in the same run.

    python benchmarks/markdown.py FOLDER [--selector CSS] [--json]

FOLDER holds `*.html`, at any depth. The content is the first match of the selector, else the body. Both read the same
parsed tree's HTML; times are CPU milliseconds a page. `code languages` counts fenced blocks that name their language,
`words` the words that a reader sees in the Markdown once it is rendered again, as a share of those on the page.
"""

import argparse
import copy
import html as entities
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import html
from lxml.html import HtmlElement
from markdown_it import MarkdownIt
from markdownify import markdownify

from contentbot.extract.markdown import render

WORD = re.compile(r"\w+")
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
Converter = Callable[[HtmlElement], str]


def regions(folder: Path, selector: str) -> Iterator[HtmlElement]:
    """Yield the content of every page."""
    for file in sorted(folder.rglob("*.html")):
        tree = html.fromstring(file.read_bytes())
        for machinery in tree.xpath("//script|//style|//noscript|//template|//svg"):
            machinery.drop_tree()
        if found := tree.cssselect(selector):
            yield found[0]


def ours(region: HtmlElement) -> str:
    """Render with contentbot."""
    return render([region], base_url="https://example.org/").markdown


def theirs(region: HtmlElement) -> str:
    """Render with markdownify."""
    return str(markdownify(html.tostring(region, encoding="unicode"), heading_style="ATX"))


def words_of(text: str) -> Counter[str]:
    """Count the words of a text."""
    return Counter(WORD.findall(text.lower()))


def measure(pages: list[HtmlElement], convert: Converter) -> dict[str, float]:
    """Convert every page once; `convert` may use up its copy."""
    seconds, languages, kept, wanted = 0.0, 0, 0, 0
    for page in pages:
        mine = copy.deepcopy(page)
        started = time.process_time()
        markdown = convert(mine)
        seconds += time.process_time() - started
        languages += len(re.findall(r"^\s*```+\w", markdown, re.MULTILINE))
        shown = words_of(entities.unescape(re.sub(r"<[^>]*>", " ", RENDERER.render(markdown))))
        visible = words_of(page.text_content())
        kept, wanted = kept + (shown & visible).total(), wanted + visible.total()
    return {
        "pages": len(pages),
        "ms a page": round(seconds / len(pages) * 1000, 2),
        "code languages": languages,
        "words": round(kept / (wanted or 1), 4),
    }


def main() -> None:
    """Print one line per converter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--selector", default="body")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    pages = list(regions(args.folder, args.selector))
    if not pages:
        parser.error(f"no page below {args.folder} has {args.selector!r}")
    figures = {name: measure(pages, convert) for name, convert in (("contentbot", ours), ("markdownify", theirs))}
    if args.json:
        print(json.dumps(figures))
        return
    for name, row in figures.items():
        print(f"{name:12}" + "".join(f"  {key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
