"""What is known of each page of a source, keyed by source and listed URL."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, RowMapping, and_, bindparam, case, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from contentbot.state.schema import pages
from contentbot.state.transactions import reading, writing

_FETCH = 1_000
_ONE_PAGE = select(pages).where(pages.c.source == bindparam("source"), pages.c.url_key == bindparam("key"))


class PageStatus(StrEnum):
    """What became of a page when it was last asked for."""

    INDEXED = "indexed"
    EMPTY = "empty"
    NOINDEX = "noindex"
    EXCLUDED = "excluded"
    REDIRECTED = "redirected"
    GONE = "gone"
    DISALLOWED = "disallowed"
    FILTERED = "filtered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PageState:
    """One page as the last run left it.

    `url` is the cleaned URL that was listed, `final_url` where it ended. `extraction` is a fingerprint of the rules and
    the extractor that made the document, `index_identity` names the index that confirmed it: when either differs from
    today's, the page is made or sent again. `misses` counts runs in a row that met the same reason; `since` is when the
    page first had its present status and reason. `dropped` stands for the repeated text
    that was left out of the document. `expires` is when, in Unix seconds, the rules of the source stop
    keeping the document of an unchanged page; None for never. `lastmod` is what its list says of its
    version: the lastmod of a sitemap, or the hash of a feed's item.
    """

    source: str
    url: str
    status: PageStatus
    reason: str = ""
    detail: str = ""
    http_status: int = 0
    final_url: str = ""
    document_key: str = ""
    document_url: str = ""
    content_hash: str = ""
    extraction: str = ""
    etag: str = ""
    last_modified: str = ""
    lastmod: str = ""
    index_identity: str = ""
    misses: int = 0
    last_run: str = ""
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    last_indexed: datetime | None = None
    since: datetime | None = None
    expires: int | None = None
    dropped: str = ""


def url_key(url: str) -> str:
    """Return the fixed-length key of a URL: its SHA-256 in hex."""
    return hashlib.sha256(url.encode()).hexdigest()


class PageStore:
    """The `pages` table."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        insert = dialect.insert(pages)
        kept = {"source", "url_key", "first_seen"}
        changed = {column.name: insert.excluded[column.name] for column in pages.c if column.name not in kept}
        # a page that is written without an index date keeps the one it had
        changed["last_indexed"] = func.coalesce(insert.excluded.last_indexed, pages.c.last_indexed)
        as_before = and_(insert.excluded.status == pages.c.status, insert.excluded.reason == pages.c.reason)
        changed["since"] = case((as_before, pages.c.since), else_=insert.excluded.since)
        self._upsert = insert.on_conflict_do_update(index_elements=[pages.c.source, pages.c.url_key], set_=changed)

    def get(self, source: str, url: str) -> PageState | None:
        """Return what is known of one page of a source."""
        with reading(self._engine) as connection:
            row = connection.execute(_ONE_PAGE, {"source": source, "key": url_key(url)}).mappings().one_or_none()
        return _state(row) if row else None

    def find(self, url: str) -> list[PageState]:
        """Return what any source knows of a URL."""
        query = select(pages).where(pages.c.url_key == url_key(url)).order_by(pages.c.source)
        with reading(self._engine) as connection:
            return [_state(row) for row in connection.execute(query).mappings()]

    def put(self, states: Iterable[PageState]) -> None:
        """Write the states in one transaction: all of them or none."""
        if rows := [_row(state) for state in states]:
            with writing(self._engine) as connection:
                connection.execute(self._upsert, rows)

    def mark_seen(self, source: str, urls: Collection[str], run: str) -> None:
        """Note that these known pages were met by the run, and nothing else about them."""
        moment = datetime.now(UTC)
        keys = [url_key(url) for url in urls]
        with writing(self._engine) as connection:
            for start in range(0, len(keys), _FETCH):
                chosen = and_(pages.c.source == source, pages.c.url_key.in_(keys[start : start + _FETCH]))
                connection.execute(update(pages).where(chosen).values(last_run=run, last_seen=moment))

    def ended_on(self, source: str, url: str) -> list[PageState]:
        """Return the pages of a source whose redirects ended on a URL, or that stand there."""
        query = select(pages).where(pages.c.final_url == url, pages.c.source == source).order_by(pages.c.url)
        with reading(self._engine) as connection:
            return [_state(row) for row in connection.execute(query).mappings()]

    def sources(self) -> list[str]:
        """Return every source of which a page is known, sorted."""
        with reading(self._engine) as connection:
            return sorted(connection.execute(select(pages.c.source).distinct()).scalars())

    def doubt(self, source: str, urls: Collection[str]) -> None:
        """Note that the index may have something else of these pages than what is known."""
        keys = [url_key(url) for url in urls]
        with writing(self._engine) as connection:
            for start in range(0, len(keys), _FETCH):
                chosen = and_(pages.c.source == source, pages.c.url_key.in_(keys[start : start + _FETCH]))
                connection.execute(update(pages).where(chosen).values(index_identity=""))

    def confirm(self, states: Iterable[PageState], identity: str) -> None:
        """Write pages whose documents an index has confirmed later than in the run that met them.

        No run counts as having met them: the next one that can tell deletes what it does not meet itself.
        """
        moment = datetime.now(UTC)
        self.put(
            replace(state, status=PageStatus.INDEXED, index_identity=identity, last_run="", last_indexed=moment)
            for state in states
        )

    def with_document(self, source: str) -> Iterator[PageState]:
        """Yield the pages of a source that stand for a document."""
        query = select(pages).where(pages.c.source == source, pages.c.document_key != "").order_by(pages.c.url_key)
        yield from self._stream(query)

    def by_document(self, source: str, size: int = _FETCH) -> Iterator[Mapping[str, Sequence[PageState]]]:
        """Yield the pages of a source that stand for a document, in batches of so many documents, by its key.

        Each batch is a query of its own: whoever takes long over one keeps no transaction open.
        """
        last = ""
        keys = select(pages.c.document_key).distinct().where(pages.c.source == source).order_by(pages.c.document_key)
        while True:
            with reading(self._engine) as connection:
                found = connection.execute(keys.where(pages.c.document_key > last).limit(size)).scalars().all()
                if not found:
                    return
                chosen = and_(pages.c.source == source, pages.c.document_key.in_(found))
                rows = connection.execute(select(pages).where(chosen).order_by(pages.c.url)).mappings().all()
            batch: dict[str, list[PageState]] = {key: [] for key in found}
            for row in rows:
                batch[row["document_key"]].append(_state(row))
            yield batch
            last = found[-1]

    def of_source(self, source: str) -> Iterator[PageState]:
        """Yield every page of a source."""
        yield from self._stream(select(pages).where(pages.c.source == source).order_by(pages.c.url_key))

    def of_document(self, source: str, key: str) -> list[PageState]:
        """Return every page that led to the document."""
        query = select(pages).where(pages.c.source == source, pages.c.document_key == key).order_by(pages.c.url)
        with reading(self._engine) as connection:
            return [_state(row) for row in connection.execute(query).mappings()]

    def move(self, source: str, before: str, after: str) -> int:
        """Note that what one index has of a source is in another one now; return how many pages that concerns.

        Args:
            before: the identity of the index that had it.
            after: that of the index that has it; empty when the pages have to be sent again.
        """
        chosen = and_(pages.c.source == source, pages.c.index_identity == before)
        with writing(self._engine) as connection:
            return connection.execute(update(pages).where(chosen).values(index_identity=after)).rowcount

    def counts(self, source: str) -> Mapping[PageStatus, int]:
        """Count a source's pages by status."""
        query = select(pages.c.status, func.count()).where(pages.c.source == source).group_by(pages.c.status)
        with reading(self._engine) as connection:
            return {PageStatus(status): count for status, count in connection.execute(query)}

    def documents(self, source: str) -> int:
        """Count the distinct documents that a source's pages stand for."""
        query = select(func.count(pages.c.document_key.distinct())).where(
            pages.c.source == source, pages.c.document_key != ""
        )
        with reading(self._engine) as connection:
            return connection.execute(query).scalar_one()

    def forget(self, source: str, urls: Collection[str] | None = None) -> int:
        """Remove pages of a source, all of them when no URL is given; return how many there were."""
        removed = delete(pages).where(pages.c.source == source)
        with writing(self._engine) as connection:
            if urls is None:
                return connection.execute(removed).rowcount
            keys = [url_key(url) for url in urls]
            batches = (keys[start : start + _FETCH] for start in range(0, len(keys), _FETCH))
            return sum(connection.execute(removed.where(pages.c.url_key.in_(batch))).rowcount for batch in batches)

    def forget_reason(self, source: str, reason: str, before: datetime) -> int:
        """Remove the pages that have had a reason since before a moment; return how many there were."""
        chosen = and_(pages.c.source == source, pages.c.reason == reason, pages.c.since < before)
        with writing(self._engine) as connection:
            return connection.execute(delete(pages).where(chosen)).rowcount

    def _stream(self, query: Any) -> Iterator[PageState]:
        with reading(self._engine) as connection:
            for row in connection.execution_options(yield_per=_FETCH).execute(query).mappings():
                yield _state(row)


def _row(state: PageState) -> dict[str, Any]:
    moment = datetime.now(UTC)
    known = replace(state, first_seen=state.first_seen or moment, last_seen=state.last_seen or moment, since=moment)
    row: dict[str, Any] = {name: getattr(known, name) for name in PageState.__slots__}
    return row | {"url_key": url_key(state.url), "status": state.status.value}


def _state(row: RowMapping) -> PageState:
    values = {name: _aware(row[name]) for name in PageState.__slots__}
    return PageState(**values | {"status": PageStatus(row["status"])})


def _aware(value: Any) -> Any:
    # SQLite gives times back without their zone; every time that is stored is UTC
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


__all__: Sequence[str] = ("PageState", "PageStatus", "PageStore", "url_key")
