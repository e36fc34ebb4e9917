"""The documents of one source, made anew from its stored pages, or taken as the index has them."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from contentbot.documents import ContentDocument, Page
from contentbot.errors import ExtractionError, RebuildFailed
from contentbot.extract import Extraction, extract_surveyed
from contentbot.extract.rules import ExtractRules
from contentbot.extract.workers import ExtractionPool
from contentbot.filtering import keeps_until, refusal
from contentbot.middlewares.stored import StoredPages
from contentbot.pipelines.validate import normalised, problem_of
from contentbot.state import PageState, PageStatus, PageStore

START_SECONDS = 120.0  # for the first page of all; a worker takes about two to start


@dataclass(frozen=True, slots=True)
class Known:
    """One document as state and index know it: its key, its pages, and itself where the index has it."""

    key: str
    pages: Sequence[PageState] = ()
    indexed: ContentDocument | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """One document for the new index, `anew` or as it was, with its pages as the state is to know them."""

    document: ContentDocument
    pages: tuple[PageState, ...] = ()
    anew: bool = True


@dataclass(slots=True)
class Attempt:
    """A document on its way: the pages that may still give it, and the one that is being extracted."""

    known: Known
    left: list[PageState] = field(default_factory=list)
    page: PageState | None = None
    outcome: "Future[Extraction] | None" = None


class Workers:
    """The extraction workers of a rebuild, started by the first page. Use it as a context manager, or close it.

    Args:
        count: processes; 0 means one per CPU.
    """

    def __init__(self, count: int = 0) -> None:
        self._count = count
        self._pool: ExtractionPool | None = None
        self._answered = False

    def submit(self, page: Page, rules: ExtractRules) -> "Future[Extraction]":
        """Extract a page in a worker, as `ExtractionPool.run`."""
        self._pool = self._pool or ExtractionPool(self._count)
        return self._pool.run(extract_surveyed, page, rules)

    def result(self, outcome: "Future[Extraction]") -> Extraction:
        """Return what a page gives, or raise its error.

        Raises:
            RebuildFailed: no worker has answered at all.
        """
        try:
            done = outcome.result(None if self._answered else START_SECONDS)
        except TimeoutError as error:
            raise RebuildFailed("no extraction worker has answered: their processes cannot start") from error
        finally:
            self._answered |= outcome.done()
        return done

    def close(self) -> None:
        """End the processes."""
        if self._pool:
            self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Maker:
    """Makes the documents of one source anew.

    Args:
        stored: the source's pages.
        rules: how they are read.
        workers: where.
        pages: what is known of other pages of the source.
    """

    def __init__(self, stored: StoredPages, rules: ExtractRules, workers: Workers, pages: PageStore) -> None:
        self._stored, self._rules, self._workers, self._pages = stored, rules, workers, pages
        self._fingerprint, self._now = rules.fingerprint, datetime.now(UTC)

    def begin(self, known: Known) -> Attempt:
        """Hand the likeliest page of a document to a worker; blocks while too many wait."""
        attempt = Attempt(known, _likeliest_first(known.pages))
        self._next(attempt)
        return attempt

    def finish(self, attempt: Attempt) -> Iterator[Made]:
        """Yield what the pages of a document give: usually one document, under its own key.

        Yields nothing where no page of it is stored.

        Raises:
            ExtractionError: why a stored page gives no document.
        """
        while attempt.page and attempt.outcome:
            made = self._made(attempt.known, attempt.page, self._result(attempt.outcome))
            yield made
            if made.document.key == attempt.known.key:
                return
            # the rules have moved this page to a document of its own: others may still stand for the first
            attempt.left = [page for page in attempt.left if page.final_url != attempt.page.final_url]
            self._next(attempt)

    def _next(self, attempt: Attempt) -> None:
        attempt.page = attempt.outcome = None
        while attempt.left and attempt.outcome is None:
            candidate = attempt.left.pop(0)
            if page := self._stored.page(candidate):
                attempt.page, attempt.outcome = candidate, self._workers.submit(page, self._rules)

    def _result(self, outcome: "Future[Extraction]") -> Extraction:
        made = self._workers.result(outcome)
        document = normalised(made.document)
        if problem := problem_of(document):
            raise ExtractionError("invalid_document", problem)
        if refused := refusal(document, self._rules.source.rules, self._now):
            raise ExtractionError(refused.reason, str(refused))
        return replace(made, document=document)

    def _made(self, known: Known, page: PageState, made: Extraction) -> Made:
        document = made.document
        stays = document.key == known.key
        pages = [one for one in known.pages if stays or one.final_url == page.final_url]
        urls = [url for one in pages for url in (one.url, one.final_url)]
        if stays and known.indexed:
            document = _with_date(document, known.indexed)
            urls += [url for url in known.indexed.additional_urls if not self._is_a_page_of_its_own(url, known)]
        document = with_urls(document, urls)
        return Made(document, tuple(self._as_read(one, document, made.dropped) for one in pages))

    def _as_read(self, page: PageState, document: ContentDocument, dropped: str) -> PageState:
        """Return a page as the state is to know it; how it was last met stays as it is."""
        return replace(
            page,
            document_key=document.key,
            document_url=document.url,
            content_hash=document.content_hash,
            extraction=self._fingerprint,
            dropped=dropped,
            expires=keeps_until(document, self._rules.source.rules),
        )

    def _is_a_page_of_its_own(self, url: str, known: Known) -> bool:
        page = self._pages.get(self._rules.source.id, url)
        return page is not None and page.document_key not in {"", known.key}


def with_urls(document: ContentDocument, urls: Iterable[str]) -> ContentDocument:
    """Return the document with these further addresses, each once, its own left out."""
    merged = [url for url in dict.fromkeys([*document.additional_urls, *urls]) if url != document.url]
    return document.model_copy(update={"additional_urls": merged}) if merged != document.additional_urls else document


def _with_date(document: ContentDocument, before: ContentDocument) -> ContentDocument:
    # what only a feed has said of the page is not stored with it
    if document.published_date or not before.published_date:
        return document
    return document.model_copy(update={"published_date": before.published_date})


def _likeliest_first(pages: Sequence[PageState]) -> list[PageState]:
    """Return a page of each place where the document was found: first the one that stands at its own address."""

    def rank(page: PageState) -> tuple[bool, bool, float]:
        seen = page.last_seen.timestamp() if page.last_seen else 0.0
        return (page.final_url != page.document_url, page.status is not PageStatus.INDEXED, -seen)

    places: dict[str, PageState] = {}
    for page in sorted(pages, key=rank):
        places.setdefault(page.final_url, page)
    return list(places.values())
