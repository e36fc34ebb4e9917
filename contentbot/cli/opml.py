"""From a list of feeds to source files."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pydantic_core import PydanticCustomError

from contentbot.errors import ConfigError
from contentbot.sources.fields import feed_url
from contentbot.sources.models import FeedSource, Source
from contentbot.sources.opml import Outline, read_opml
from contentbot.sources.urls import clean_url

MAX_ID = 40


@dataclass(slots=True)
class Imported:
    """What an import gives: the texts of new files by name, and the feeds that were left out."""

    files: dict[str, str] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def imported_feeds(file: Path, declared: Mapping[str, Source], together: str = "") -> Imported:
    """Return source files for the feeds of a list.

    Args:
        file: the list.
        declared: the sources that there are: neither their feeds nor their ids are used again.
        together: the id of one source for all feeds; empty for one each.

    Raises:
        ConfigError: the list cannot be read, or `together` is taken.
    """
    try:
        outlines = read_opml(file.read_bytes())
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot be read: {getattr(error, 'strerror', error) or error}", file=file) from error
    done = Imported()
    fresh = list(_fresh(outlines, declared, done))
    if together:
        if together in declared:
            raise ConfigError(f"there is a source {together!r}", key="--together", hint="give another id")
        done.files = {f"{together}.yaml": _text(together, "", fresh)} if fresh else {}
        return done
    taken = set(declared) | {"site"}
    for outline in fresh:
        name = _free_id(outline, taken)
        taken.add(name)
        done.files[f"{name}.yaml"] = _text(name, outline.title, [outline])
    return done


def _fresh(outlines: Iterable[Outline], declared: Mapping[str, Source], done: Imported) -> Iterable[Outline]:
    known = {clean_url(url) for one in declared.values() if isinstance(one, FeedSource) for url in one.feeds}
    for outline in outlines:
        try:
            key = clean_url(feed_url(outline.url))
        except PydanticCustomError as error:
            done.refused[outline.url] = error.message()
            continue
        if key in known:
            done.known.append(outline.url)
        else:
            known.add(key)
            yield outline


def _free_id(outline: Outline, taken: set[str]) -> str:
    host = (urlsplit(outline.url).hostname or "feed").removeprefix("www.")
    stem = slug(outline.title) or slug(host) or "feed"
    return next(
        name
        for number in range(1, len(taken) + 2)
        if (name := stem if number == 1 else f"{stem}-{number}") not in taken
    )


def slug(text: str) -> str:
    """Return a text as an id of a source can be written; empty when nothing of it is left."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_ID].strip("-")


def _text(name: str, title: str, outlines: Iterable[Outline]) -> str:
    """Return a source file; a JSON string is one of YAML too, whatever characters it holds."""
    lines = [f"id: {name}", "type: feed"]
    if title:
        lines.append(f"title: {json.dumps(title, ensure_ascii=False)}")
    lines.append("feeds:")
    for outline in outlines:
        if outline.folders:
            lines.append(f"  # {' / '.join(outline.folders)}".rstrip())
        lines.append(f"  - {json.dumps(outline.url, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
