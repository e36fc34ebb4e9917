"""What one run knows of its source's pages, and what it learns.

Reads go to the database page by page, writes are gathered: a run over a million pages needs no more memory than one
over a hundred. What is gathered is lost when the process dies, which costs a second look at those pages and nothing
else.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from contentbot.state.judgement import has_lost_its_document, judged
from contentbot.state.pages import PageState, PageStatus, PageStore

_GATHERED = 200
_RECALLED = 500

NOT_LISTED = "not_listed"
"""The reason of a page whose document went because nothing lists it any more."""

_UNLISTED_KEPT = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Removals:
    """What a run should delete.

    Attributes:
        keys: documents that no living page stands for.
        pages: URLs whose state goes, or loses its document, once those are deleted.
        missing: pages whose document the index does not have although they say so; the next run sends them again.
    """

    keys: frozenset[str] = frozenset()
    pages: tuple[PageState, ...] = ()
    missing: tuple[PageState, ...] = field(default=())


class Memory:
    """The pages of one source during one run.

    Args:
        pages: where they are kept.
        source: the source's id.
        run: the run's id.
        extraction: the fingerprint of the rules and the extractor of today.
        identity: which index is written to; empty as long as it does not exist.
        now: the time of the run, which rules about age are judged by.
        unlisted_kept: how long the document of a page stays that nothing lists any more; None for ever.
    """

    def __init__(
        self,
        pages: PageStore,
        source: str,
        run: str,
        *,
        extraction: str,
        identity: str = "",
        now: datetime | None = None,
        unlisted_kept: timedelta | None = timedelta(),
    ) -> None:
        self._pages, self.source, self.run, self._now = pages, source, run, now or datetime.now(UTC)
        self._extraction, self.identity, self._unlisted_kept = extraction, identity, unlisted_kept
        self._learnt: dict[str, PageState] = {}
        self._seen: set[str] = set()
        self._recalled: dict[str, PageState | None] = {}

    def recall(self, url: str) -> PageState | None:
        """Return what is known of a page."""
        if learnt := self._learnt.get(url):
            return learnt
        if url not in self._recalled:
            # a page is asked about a few times while it is on its way, and then no more
            if len(self._recalled) >= _RECALLED:
                del self._recalled[next(iter(self._recalled))]
            self._recalled[url] = self._pages.get(self.source, url)
        return self._recalled[url]

    def is_in_index(self, known: PageState | None) -> bool:
        """Say whether today's index has the page's document, whatever rules made it."""
        return (
            known is not None
            and bool(known.document_key)
            and bool(known.index_identity)
            and known.index_identity == self.identity
        )

    def is_current(self, known: PageState | None) -> bool:
        """Say whether a page's document is in today's index and made by today's rules."""
        return (
            known is not None
            and known.status is PageStatus.INDEXED
            and self.same_rules(known)
            and self.is_in_index(known)
            and not self.has_expired(known)
        )

    def is_refused(self, known: PageState | None) -> bool:
        """Say whether today's rules refuse the document of a page, as long as the page does not change."""
        return (
            known is not None
            and known.status is PageStatus.FILTERED
            and self.same_rules(known)
            and not self.has_expired(known)
        )

    def has_expired(self, known: PageState) -> bool:
        """Say whether a document has become too old since its page was read."""
        return known.expires is not None and known.expires <= self._now.timestamp()

    def same_rules(self, known: PageState | None) -> bool:
        """Say whether the page's document was made by today's rules and extractor."""
        return known is not None and known.extraction == self._extraction

    def has_other_pages(self, page: PageState) -> bool:
        """Say whether another page of the source is known to lead to the same document."""
        others = self._pages.of_document(self.source, page.document_key)
        return any(other.url != page.url for other in others)

    def unchanged(self, known: PageState, lastmod: str = "") -> None:
        """Note that a page is as it was, and what its sitemap says of it by now."""
        if lastmod and lastmod != known.lastmod:
            self._learnt[known.url] = replace(known, lastmod=lastmod, last_run=self.run, last_seen=None)
        else:
            self._seen.add(known.url)
        self._flush_many()

    def same_text(self, state: PageState) -> None:
        """Note a page that was read anew and gave the document that the index has."""
        self._learnt[state.url] = self._as_indexed(state, self.identity)
        self._flush_many()

    def doubt(self, urls: Collection[str]) -> None:
        """Note, before the index is changed, that it may have something else of these pages than is known.

        A process that is killed between the change and its note would leave a state that is believed and wrong.
        """
        if urls:
            self._pages.doubt(self.source, urls)
        for url in urls:
            self._recalled.pop(url, None)

    def delivered(self, states: Iterable[PageState], identity: str) -> None:
        """Note pages of earlier runs whose documents the index has confirmed only now."""
        self.identity = identity
        self._recalled.clear()
        self._pages.confirm(states, identity)

    def indexed(self, states: Iterable[PageState], identity: str) -> None:
        """Note pages whose documents the index has confirmed, and write them now."""
        moment = datetime.now(UTC)
        self.identity = identity
        for state in states:
            self._learnt[state.url] = replace(self._as_indexed(state, identity), last_indexed=moment)
        self.flush()

    def _as_indexed(self, state: PageState, identity: str) -> PageState:
        return replace(
            state,
            status=PageStatus.INDEXED,
            reason="",
            detail="",
            misses=0,
            extraction=state.extraction or self._extraction,
            index_identity=identity,
            last_run=self.run,
            last_seen=None,
        )

    def left_out(self, page: PageState) -> None:
        """Note a page that gave no document, with its reason."""
        state = judged(replace(page, source=self.source, last_run=self.run), self.recall(page.url))
        # the rules of a document that stays are those that made it
        self._learnt[page.url] = state if state.document_key else replace(state, extraction=self._extraction)
        self._flush_many()

    def refused(self, page: PageState, reason: str, detail: str) -> None:
        """Note a page whose document the rules of the source refuse: it is not read again while nothing changes."""
        known = self.recall(page.url)
        self._learnt[page.url] = replace(
            page,
            status=PageStatus.FILTERED,
            reason=reason,
            detail=detail,
            # what is in the index until the end of the run
            document_key=known.document_key if known else "",
            content_hash=known.content_hash if known else "",
            index_identity=known.index_identity if known else "",
            extraction=page.extraction or self._extraction,
            misses=known.misses + 1 if known and known.reason == reason else 1,
            last_run=self.run,
            last_seen=None,
        )
        self._flush_many()

    def _flush_many(self) -> None:
        if len(self._learnt) + len(self._seen) >= _GATHERED:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered."""
        learnt, self._learnt = self._learnt, {}
        for url in learnt:
            self._recalled.pop(url, None)
        seen, self._seen = self._seen - learnt.keys(), set()
        self._pages.put(learnt.values())
        if seen:
            self._pages.mark_seen(self.source, seen, self.run)

    def distrust_missing(self, indexed: set[str]) -> None:
        """Trust no page whose document the index does not have, whatever a run that was killed has noted of it."""
        pages = self._pages.with_document(self.source)
        self._pages.put([replace(page, index_identity="") for page in pages if page.document_key not in indexed])
        self._recalled.clear()

    def removals(self, indexed: set[str], *, complete: bool) -> Removals:
        """Compare what is known with what the index has.

        Args:
            indexed: the keys of every document that the index has of the source.
            complete: the run read everything that lists pages, to its end, and found some.
        """
        self.flush()
        lost, alive, missing = [], set(), []
        for page in self._pages.with_document(self.source):
            if has_lost_its_document(page, self.run, complete=complete, unlisted_kept=self._unlisted_kept):
                lost.append(page)
                continue
            alive.add(page.document_key)
            if page.document_key not in indexed and page.status is PageStatus.INDEXED:
                missing.append(page)
        lost_keys = {page.document_key for page in lost}
        # a document that no page stands for was left behind by a redirect that moved, or by a run that was killed
        unknown = indexed - lost_keys if complete else set()
        return Removals(frozenset(indexed & (lost_keys | unknown) - alive), tuple(lost), tuple(missing))

    def removed(self, removals: Removals) -> None:
        """Note that the documents are deleted: pages that were not met say so, the others keep their reason."""
        self._pages.put(
            _without_document(page) if page.last_run == self.run else _unlisted(page) for page in removals.pages
        )
        self._pages.forget_reason(self.source, NOT_LISTED, datetime.now(UTC) - _UNLISTED_KEPT)
        self._pages.put(replace(page, index_identity="", last_seen=None) for page in removals.missing)


def _without_document(page: PageState) -> PageState:
    return replace(page, document_key="", content_hash="", last_seen=None)


def _unlisted(page: PageState) -> PageState:
    """Return what is kept of a page that no run meets any more, so that one can say since when."""
    return replace(
        page,
        status=PageStatus.GONE,
        reason=NOT_LISTED,
        detail="",
        misses=0,
        document_key="",
        content_hash="",
        etag="",
        last_modified="",
    )
