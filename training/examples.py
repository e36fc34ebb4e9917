"""Pages with gold as training sees them: read by the product's own steps, without their trees."""

import json
import pickle
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from contentbot.documents import Page
from contentbot.errors import ExtractionError
from contentbot.extract.blocks.hints import Hints, read_hints
from contentbot.extract.blocks.layout import Floats, Layout
from contentbot.extract.blocks.main import read_blocks
from contentbot.extract.blocks.voters import ask_resiliparse, ask_trafilatura
from contentbot.extract.blocks.walk import Blocks
from contentbot.extract.boilerplate import remove_consent
from contentbot.extract.extractor import Reading, open_page
from contentbot.extract.hidden import remove_invisible
from contentbot.extract.rules import ExtractRules
from contentbot.sources.models import WebsiteSource
from training.labels import label

_FETCHED = datetime(2026, 11, 30, tzinfo=UTC)


@dataclass(slots=True)
class Example:
    """One page.

    Attributes:
        name: of its set and itself.
        source: where its gold comes from, which decides what it counts.
        kind: one of `contentbot.extract.blocks.pagekind.KINDS`; empty where the set does not say.
        site: pages of one site are never in two folds.
        labels: 1 for the blocks that are content.
    """

    name: tuple[str, str]
    source: str
    kind: str
    site: str
    gold: str
    blocks: Blocks
    hints: Hints
    votes: list[Floats]
    labels: Floats

    @property
    def layout(self) -> Layout:
        """The blocks as arrays."""
        return Layout(self.blocks)

    def fold(self, folds: int) -> int:
        """Return the number of the fold that the page's site belongs to."""
        return fold_of(self.site, folds)


def fold_of(site: str, folds: int) -> int:
    """Return the fold of a site; the same in every run."""
    parts = site.split(".")
    return zlib.crc32(parts[-2 if len(parts) > 1 else -1].encode()) % folds


def site_of(key: str, entry: dict[str, Any]) -> str:
    """Return the host of a page's address, or what a set names instead of it."""
    url = entry.get("url") or ""
    host = url.split("/")[2] if "//" in url else ""
    return str(entry.get("domain") or host.removeprefix("www.") or key)


def page_of(key: str, entry: dict[str, Any], folder: Path) -> Page:
    """Return a page of a set as the crawler would hand it on."""
    url = entry.get("url") or f"https://{key.lower()}.example/"
    body = (folder / "html" / f"{key}.html").read_bytes()
    return Page(url, url, body, {"content-type": "text/html; charset=utf-8"}, fetched_at=_FETCHED)


def rules() -> ExtractRules:
    """Return the rules of a source that says nothing."""
    declared = {"id": "set", "type": "website", "base-url": "https://set.example"}
    return ExtractRules(WebsiteSource.model_validate(declared))


def read_example(item: tuple[str, dict[str, Any]], folder: Path) -> Example | None:
    """Read one page; None for one that has no text or is over a limit."""
    key, entry = item
    page, reading = page_of(key, entry, folder), Reading()
    try:
        tree = open_page(page, rules(), reading)
    except ExtractionError:
        return None
    hints = read_hints(tree, page.final_url)
    remove_invisible(tree)
    remove_consent(tree)
    body = tree.find("body")
    blocks = read_blocks(tree if body is None else body)
    if not blocks.text or reading.decoded is None:
        return None
    votes = [ask_trafilatura(tree, blocks), ask_resiliparse(reading.decoded.text, blocks)]
    blocks.pieces, blocks.owner = [], []
    return Example(
        name=(folder.name, key),
        source=entry.get("source") or folder.name,
        kind=entry.get("page_type") or "article",
        site=site_of(key, entry),
        gold=entry["text"],
        blocks=blocks,
        hints=hints,
        votes=votes,
        labels=label(blocks.text, entry["text"]),
    )


def read_set(folder: Path, cache: Path | None = None, workers: int = 2) -> Sequence[Example]:
    """Read a set: `gold.json` and a folder `html`. With a `cache`, what was read is kept in that folder."""
    kept = cache / f"{folder.name}.examples" if cache else None
    if kept and kept.exists():
        found: list[Example] = pickle.loads(kept.read_bytes())  # noqa: S301 - written below, by the same user
        return found
    examples = list(_read(folder, workers))
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(examples))
    return examples


def _read(folder: Path, workers: int) -> Iterator[Example]:
    gold = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(partial(read_example, folder=folder), sorted(gold.items()), chunksize=8)
        yield from (example for example in found if example is not None)
