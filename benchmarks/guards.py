"""What hostile and broken pages cost, and what becomes of them.

    python benchmarks/guards.py [NAME ...] [--json]
    python benchmarks/guards.py --memory 5000

Each input is extracted by a process of its own, without a selector, as a crawl does: with the survey of what repeats,
and for no longer than a worker may take.
Printed are the seconds of CPU, the memory on top of what the process had before, in MiB, and the outcome: the words of
the document, or the reason why there is none. The inputs are small where they can be; what matters is how the cost of
their kind grows. `--memory N` extracts N pages in one process and prints its memory after every tenth of them: what
grows is a leak.
"""

import argparse
import json
import multiprocessing
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from contentbot.documents import Page
from contentbot.errors import ExtractionError
from contentbot.extract import ExtractRules, extract_surveyed
from contentbot.extract.repeated import Template
from contentbot.sources.models import WebsiteSource

URL = "https://hostile.example/a"
TEXT = "<p>The mill stands by the river, and its wheel has turned for three hundred years without a rest.</p>"
RULES = ExtractRules(
    WebsiteSource.model_validate({"id": "hostile", "type": "website", "base-url": "https://hostile.example"}),
    template=Template(),
)


def _page(body: str, head: str = "") -> bytes:
    return f"<html lang=en><head><title>The mill</title>{head}</head><body>{body}</body></html>".encode()


def _article(middle: str) -> bytes:
    return _page(f"<article><h1>The mill</h1>{TEXT}{middle}{TEXT}</article>")


INPUTS: dict[str, Callable[[], bytes]] = {
    "10,000 nested divs": lambda: _page("<div>" * 10_000 + TEXT + "</div>" * 10_000),
    "10,000 divs, none closed": lambda: _page("<div>" * 10_000 + TEXT),
    "10,000 nested spans": lambda: _article("<p>" + "<span>" * 10_000 + "deep" + "</span>" * 10_000 + "</p>"),
    "10,000 nested lists": lambda: _article("<ul><li>" * 10_000 + "deep" + "</li></ul>" * 10_000),
    "10,000 nested tables": lambda: _article("<table><tr><td>" * 10_000 + "deep" + "</table>" * 10_000),
    "350 nested quotes": lambda: _article("<blockquote>" * 350 + "<p>deep</p>" + "</blockquote>" * 350),
    "20,000 tags that close wrongly": lambda: _article("<b><i><p>one</b></i>" * 20_000),
    "200,000 links": lambda: _article("".join(f'<a href="/{n}">link {n}</a> ' for n in range(200_000))),
    "60,000 links": lambda: _article("".join(f'<a href="/{n}">link {n}</a> ' for n in range(60_000))),
    "50,000 links in a list": lambda: _article(
        "<ul>" + "".join(f'<li><a href="/{n}">link {n}</a></li>' for n in range(50_000)) + "</ul>"
    ),
    "a table of 50,000 rows": lambda: _article(
        "<table>" + "".join(f"<tr><td>{n}</td><td>value</td></tr>" for n in range(50_000)) + "</table>"
    ),
    "a table of 4,900 rows": lambda: _article(
        "<table>" + "".join(f"<tr><td>{n}</td><td>value</td></tr>" for n in range(4_900)) + "</table>"
    ),
    "a row of 20,000 cells": lambda: _article("<table><tr>" + "<td>x</td>" * 20_000 + "</tr></table>"),
    "a cell that spans a million columns": lambda: _article(
        '<table><tr><td colspan="1000000" rowspan="1000000">x</td></tr><tr><td>y</td></tr></table>'
    ),
    "100,000 headings": lambda: _article("".join(f"<h2>Part {n}</h2>" for n in range(100_000))),
    "20,000 sections": lambda: _article("".join(f"<h2>Part {n}</h2><p>text {n}</p>" for n in range(20_000))),
    "a million tiny pieces of text": lambda: _article("a<br>" * 1_000_000),
    "100,000 tiny pieces of text": lambda: _article("a<br>" * 100_000),
    "40,000 pieces in bold and italics": lambda: _article("<p>" + "<b>a</b> <i>b</i> " * 20_000 + "</p>"),
    "8 MiB in one piece of text": lambda: _article("<p>" + "mill " * (8 << 20 >> 3) + "</p>"),
    "8 MiB without a space": lambda: _article("<p>" + "m" * (8 << 20) + "</p>"),
    "8 MiB of code": lambda: _article("<pre><code>" + "x = 1\n" * (8 << 20 >> 3) + "</code></pre>"),
    "an attribute of 8 MiB": lambda: _article(f'<p class="{"a" * (8 << 20)}" title="x">named</p>'),
    "100,000 attributes": lambda: _article("<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">named</p>"),
    "a class of 200,000 names": lambda: _article(f'<div class="{"name " * 200_000}">named</div>'),
    "12 MiB of script": lambda: _page(f"<main><h1>T</h1>{TEXT}</main>", f"<script>S='{'a' * (12 << 20)}'</script>"),
    "an unclosed script of 5 MiB": lambda: _page(TEXT + "<script>" + "a<b " * (5 << 20 >> 2)),
    "an unclosed comment of 5 MiB": lambda: _page(TEXT + "<!--" + "a-- " * (5 << 20 >> 2)),
    "200,000 comments": lambda: _article("<!-- x -->" * 200_000),
    "entities that would multiply": lambda: (
        b'<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>' + _article("<p>" + "&c;" * 100_000 + "</p>")
    ),
    "1,000,000 references": lambda: _article("<p>" + "&amp;" * 1_000_000 + "</p>"),
    "8 MiB of left angles": lambda: _article("<" * (8 << 20)),
    "2 MiB of null bytes": lambda: _article("<p>a\0b</p>" + "\0" * (2 << 20)),
    "JSON-LD of 5 MiB": lambda: _page(
        TEXT, '<script type="application/ld+json">' + '{"a":[' * 200_000 + "x" * (4 << 20) + "</script>"
    ),
    "a style sheet of 5 MiB": lambda: _page(TEXT, "<style>" + ".a .b{display:none}" * 270_000 + "</style>"),
    "100,000 pictures": lambda: _article("".join(f'<img src="/{n}.jpg" alt="Mill {n}">' for n in range(100_000))),
    "30,000 notes at the foot": lambda: _article(
        "".join(f'<sup><a href="#fn{n}">{n}</a></sup>' for n in range(30_000))
        + "<ol>"
        + "".join(f'<li id="fn{n}">note {n}</li>' for n in range(30_000))
        + "</ol>"
    ),
    "asterisks and underscores": lambda: _article("<p>" + "*_`[<" * 200_000 + "</p>"),
    "UTF-8 declared Latin-1": lambda: _page(
        "<article><p>" + "Die Mühle am Fluss mahlt für alle, größer als je zuvor. " * 5 + "</p></article>",
        "<meta charset=iso-8859-1>",
    ),
    "random bytes": lambda: random.Random(7).randbytes(2 << 20),
}


def outcome(body: bytes) -> str:
    """Return the words of the document that a page gives, or why it gives none."""
    try:
        made = extract_surveyed(Page(URL, URL, body, {"content-type": "text/html"}), RULES)
    except ExtractionError as error:
        return f"{error.reason}: {error.detail}"[:160]
    return f"{len(made.document.plain_text.split()):,} words"


def measured(name: str) -> dict[str, Any]:
    """Extract an input in a process of its own, which is ended after the time that a worker has for a page."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_measure, args=(name, sending))
    child.start()
    try:
        while not receiving.poll(0.05):
            if (seconds := psutil.Process(child.pid).cpu_times().user) > RULES.limits.max_seconds:
                told = f"too_slow: over the limit of {RULES.limits.max_seconds:g} s"
                return {"input": name, "KiB": 0, "seconds": round(seconds, 2), "MiB": 0, "outcome": told}
        found: dict[str, Any] = receiving.recv()
        return found
    finally:
        child.kill()
        child.join()


def _measure(name: str, answer: Any) -> None:
    body = INPUTS[name]()
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    told = outcome(body)
    seconds = time.process_time() - start
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    row = {"input": name, "KiB": len(body) >> 10, "seconds": round(seconds, 2), "MiB": grown >> 10, "outcome": told}
    answer.send(row)


def memory(pages: int) -> Iterator[dict[str, Any]]:
    """Extract so many pages in this process; yield its memory after every tenth of them."""
    for number in range(pages):
        parts = "".join(f"<h2>Part {number}-{n}</h2>{TEXT}<ul><li>{number * n}</li></ul>" for n in range(20))
        outcome(_page(f'<div class="c{number}"><article><h1>Mill {number}</h1>{parts}</article></div>'))
        if (number + 1) % max(pages // 10, 1) == 0:
            yield {"pages": number + 1, "MiB": round(_resident(), 1)}


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize() / (1 << 20)


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="inputs; all of them by default")
    parser.add_argument("--memory", type=int, default=0, metavar="N", help="extract N pages in one process")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    outcome(_article(""))  # tables that are loaded late are there before anything counts
    found = memory(arguments.memory) if arguments.memory else map(measured, arguments.names or INPUTS)
    if arguments.json:
        print(json.dumps(list(found), indent=1))
        return
    for row in found:
        print("  ".join(f"{value!s:>{_WIDTHS.get(key, 8)}}" for key, value in row.items()), flush=True)


_WIDTHS = {"input": 36, "outcome": 1}

if __name__ == "__main__":
    main()
