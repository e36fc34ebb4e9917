"""What several subcommands need: the declared sources, the index, a page's filter."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from rapidfuzz import process

from contentbot.access import PUBLIC
from contentbot.config import get_settings
from contentbot.errors import ConfigError, InvalidQuery, NotFound
from contentbot.index import Index, open_index
from contentbot.index.query import And, Between, Equals, Filter
from contentbot.sources.loader import load_sources
from contentbot.sources.models import Source

T = TypeVar("T")

_SPAN_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30.44, "y": 365.25}


def declared_sources() -> dict[str, Source]:
    """Return the sources of the configured folder."""
    return load_sources(get_settings().sources_dir)


def pick_source(sources: Mapping[str, T], name: str) -> T:
    """Return one source; raises `ConfigError` with the nearest id."""
    if name in sources:
        return sources[name]
    near = process.extractOne(name, list(sources), score_cutoff=60)
    known = f"there are: {', '.join(sources) or 'none'}"
    raise ConfigError(f"no source {name!r}", hint=f"did you mean {near[0]}?" if near else known)


def reading() -> Index:
    """Open the configured index for reading."""
    return open_index(get_settings().index_url, read_only=True)


def narrowed(index: Index, *, source: str = "", locale: str = "", category: str = "", since: str = "") -> Filter:
    """Return the filter of these values as the index spells them; raises `NotFound` with near matches."""
    parts: list[Filter] = []
    for field, value in (("source", source), ("locale", locale), ("category", category)):
        if value:
            parts.append(Equals(field, _required(index, field, value)))
    if since:
        parts.append(Between("published", low=since_seconds(since, datetime.now(UTC))))
    return And(tuple(parts))


def _required(index: Index, field: str, value: str) -> str:
    try:
        return index.require(field, value, principal=PUBLIC)
    except NotFound as error:
        if error.near:
            raise
        known = index.facets(field, principal=PUBLIC)
        raise NotFound(error.kind, value, list(known)[:5]) from error


def since_seconds(text: str, now: datetime) -> int:
    """Return Unix seconds of `2026`, `2026-03`, `2026-03-12`, a full time, or a span back such as `30d`."""
    unit = text[-1:].lower()
    try:
        if unit in _SPAN_DAYS and text[:-1].isdecimal():
            return int((now - timedelta(days=int(text[:-1]) * _SPAN_DAYS[unit])).timestamp())
        moment = datetime.fromisoformat(text + {4: "-01-01", 7: "-01"}.get(len(text), ""))
    except (ValueError, OverflowError) as error:
        hint = "write 2026, 2026-03, 2026-03-12, or a span back such as 24h, 30d, 6w, 3m, 1y"
        raise InvalidQuery(f"--since: {text!r} is no date; {hint}") from error
    return int(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp())
