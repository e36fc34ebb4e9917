"""The extraction service: an address, an item or a file to an article.

    normalise -> load -> extract -> check -> map

Each layer is a module of its own; here they are put in a row, and every failure becomes an output.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from contentbot.articles.checks import check, warnings_of
from contentbot.articles.inline import SELECTOR, Verdict, inline_html, judge
from contentbot.articles.items import Item, item_of
from contentbot.articles.mapping import Source, article_of, debug_of
from contentbot.articles.model import Debug, ErrorCode, ErrorDetails, ErrorInfo, ExtractionOutput, Stage
from contentbot.articles.own_markdown import with_own_markdown
from contentbot.articles.trouble import (
    Failed,
    no_turn,
    no_worker,
    not_extracted,
    not_loaded,
    too_long,
    unknown,
)
from contentbot.articles.wishes import HOME, Wishes, without_rules
from contentbot.documents import Page
from contentbot.errors import ExtractionError, NotLoaded
from contentbot.loading import Loaded, Loader
from contentbot.loading.targets import target_of
from contentbot.sources.models import WebsiteSource
from contentbot.sources.tags import normal_locale

if TYPE_CHECKING:
    from contentbot.articles.study import Study
    from contentbot.extract.workers import ExtractionPool

MAX_BATCH = 50
BATCH_SECONDS = 45.0
"""After it a batch answers with what it has: clients wait for a minute."""

# of all callers together, and of one batch; hosts keep their own distance
_AT_ONCE, _OF_A_BATCH = 32, 8
_TURN_SECONDS = 10.0
# all of one extraction; the first of a process may take as long as a worker takes to start
_LONGEST = 45.0
_READ_SECONDS = 10.0
# for a worker to be free; the first of all starts one, which takes about two
_BUSY_SECONDS = 15.0
_START_SECONDS = 60.0

logger = logging.getLogger(__name__)

Done = Callable[[ExtractionOutput], Awaitable[None]]


@dataclass(slots=True)
class _Way:
    """One extraction on its way: what it is about, where it is, and how long each stage took."""

    hint: str = ""
    item: Item | None = None
    stage: Stage = Stage.NORMALISE
    stage_ms: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def enter(self, stage: Stage) -> None:
        self._note()
        self.stage = stage

    def end(self) -> Mapping[str, float]:
        self._note()
        return self.stage_ms

    def _note(self) -> None:
        now = time.perf_counter()
        spent = self.stage_ms.get(self.stage, 0.0) + (now - self._since) * 1000
        self.stage_ms[self.stage], self._since = round(spent, 1), now


class ArticleService:
    """Turns addresses, items and files into articles. Use it as a context manager, or call `close`.

    It belongs to one event loop. No method raises for what it is given: the output says what went wrong.

    Args:
        loader: loads pages.
        wishes: by whose rules the page of an address is read.
        workers: worker processes; they start with the first page.
    """

    def __init__(self, loader: Loader | None = None, *, wishes: Wishes = without_rules, workers: int = 2) -> None:
        self._loader, self._wishes, self._workers = loader or Loader(), wishes, workers
        self._pool: ExtractionPool | None = None
        self._answered = False
        self._starting = asyncio.Lock()
        self._at_once = asyncio.Semaphore(_AT_ONCE)

    def __enter__(self) -> "ArticleService":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers; what still waits fails as `closed`."""
        if self._pool:
            self._pool.close()

    async def extract_url(self, url: str, language_hint: str = "") -> ExtractionOutput:
        """Load a page and extract its article.

        Args:
            url: http or https.
            language_hint: BCP 47; this version is asked for where there are several.
        """
        way = _Way(hint=language_hint)
        return await self._output(way, lambda: self._of_url(url, way))

    async def extract_item(self, item: Item | Mapping[str, Any], language_hint: str = "") -> ExtractionOutput:
        """Extract the article of a feed item: its inline content where that is whole, else its page."""
        way = _Way(hint=language_hint)
        return await self._output(way, lambda: self._of_item(item, way))

    async def extract_page(self, page: Page, language_hint: str = "") -> ExtractionOutput:
        """Extract the article of a page that is at hand; its address may be empty."""
        way = _Way(hint=language_hint)
        return await self._output(way, lambda: self._of_file(page, way))

    async def extract_many(
        self, urls: Sequence[str], language_hint: str = "", *, done: Done | None = None, seconds: float = BATCH_SECONDS
    ) -> list[ExtractionOutput]:
        """Extract the articles of several addresses, in their order; an address that stands there twice is loaded once.

        Args:
            done: told of each one as it comes.
            seconds: after them, what has not come is answered as a failure that is worth another try.
        """
        turns = asyncio.Semaphore(_OF_A_BATCH)
        tasks = {url: asyncio.ensure_future(self._one(url, language_hint, done, turns)) for url in dict.fromkeys(urls)}
        try:
            if tasks:
                await asyncio.wait(tasks.values(), timeout=seconds)
            return [task.result() if (task := tasks[url]).done() else _too_late(url, seconds) for url in urls]
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    async def _one(self, url: str, hint: str, done: Done | None, turns: asyncio.Semaphore) -> ExtractionOutput:
        async with turns:
            output = await self.extract_url(url, hint)
        if done:
            await done(output)
        return output

    async def _output(self, way: _Way, work: Callable[[], Awaitable[ExtractionOutput]]) -> ExtractionOutput:
        """Do the work; the one place where whatever goes wrong becomes an output."""
        try:
            async with asyncio.timeout(_LONGEST if self._answered else _LONGEST + _START_SECONDS):
                return await self._in_turn(work)
        except Failed as error:
            failed = error
        except TimeoutError:
            failed = too_long(way.stage)
        except Exception as error:
            logger.exception("an extraction failed in its %s stage", way.stage)
            failed = unknown(error, way.stage)
        return ExtractionOutput(success=False, error=failed.info, debug=Debug(stage_ms=dict(way.end())))

    async def _in_turn(self, work: Callable[[], Awaitable[ExtractionOutput]]) -> ExtractionOutput:
        try:
            async with asyncio.timeout(_TURN_SECONDS):
                await self._at_once.acquire()
        except TimeoutError as error:
            raise no_turn() from error
        try:
            return await work()
        finally:
            self._at_once.release()

    async def _of_url(self, url: str, way: _Way) -> ExtractionOutput:
        return await self._of_page(_checked(url), way)

    async def _of_page(self, url: str, way: _Way, inline: str = "") -> ExtractionOutput:
        loaded = await self._load(url, way)
        source = self._wishes(loaded.page.final_url)
        page = await with_own_markdown(loaded.page, source, self._loader)
        read = await self._read(page, source, way)
        return self._mapped(read, way, "page", loaded, inline)

    async def _of_item(self, given: Item | Mapping[str, Any], way: _Way) -> ExtractionOutput:
        way.item = item = item_of(given)
        way.hint = way.hint or item.language
        inline, verdict = await self._inline(item, way)
        if inline is not None and (verdict.whole or not item.url.strip()):
            return self._inlined(inline, way, verdict.why)
        way.enter(Stage.NORMALISE)
        return await self._of_page(_checked(item.url), way, verdict.why)

    async def _of_file(self, page: Page, way: _Way) -> ExtractionOutput:
        at = Page(page.url or HOME, page.final_url or HOME, page.body, page.headers, fetched_at=page.fetched_at)
        read = await self._read(at, self._wishes(page.url) if page.url else without_rules(), way)
        return self._mapped(read, way, "file", Loaded(page))

    async def _inline(self, item: Item, way: _Way) -> "tuple[Study | None, Verdict]":
        html, named = inline_html(item)
        if named is None:
            return None, Verdict(False, "the item has no content of its own")
        url = _address(item.url) or HOME
        page = Page(url, url, html.encode(), {"content-type": "text/html; charset=utf-8"})
        try:
            read = await self._read(page, without_rules(url, **{"content-selector": [SELECTOR]}), way, checked=False)
        except Failed as error:
            if not item.url.strip():
                raise
            return None, Verdict(False, error.info.message)
        return read, judge(item, read, named)

    def _inlined(self, read: "Study", way: _Way, why: str) -> ExtractionOutput:
        _sized(read, way)
        return self._mapped(read, way, "inline", None, why)

    async def _load(self, url: str, way: _Way) -> Loaded:
        way.enter(Stage.LOAD)
        try:
            return await self._loader.load(url, language=normal_locale(way.hint))
        except NotLoaded as error:
            raise not_loaded(error, Stage.LOAD, url) from error

    async def _read(self, page: Page, source: WebsiteSource, way: _Way, *, checked: bool = True) -> "Study":
        from contentbot.articles.study import study  # noqa: PLC0415 - its libraries cost most of a second to import
        from contentbot.extract.rules import ExtractRules, Limits  # noqa: PLC0415 - as above

        way.enter(Stage.EXTRACT)
        rules = ExtractRules(source, Limits(max_seconds=_READ_SECONDS), obey_noindex=False)
        pool = await self._workers_ready()
        try:
            outcome = asyncio.wrap_future(await to_thread.run_sync(pool.run, study, page, rules))
            async with asyncio.timeout(_READ_SECONDS + (_BUSY_SECONDS if self._answered else _START_SECONDS)):
                read = await outcome
        except TimeoutError as error:
            raise no_worker(page.url) from error
        except ExtractionError as error:
            raise not_extracted(error, page.url) from error
        self._answered = True
        if checked:
            _sized(read, way)
        return read

    async def _workers_ready(self) -> "ExtractionPool":
        async with self._starting:
            if self._pool is None:
                from contentbot.extract.workers import ExtractionPool  # noqa: PLC0415 - only who extracts needs them

                self._pool = await to_thread.run_sync(ExtractionPool, self._workers)
        return self._pool

    def _mapped(
        self, read: "Study", way: _Way, source: Source, loaded: Loaded | None, inline: str = ""
    ) -> ExtractionOutput:
        way.enter(Stage.MAP)
        item = way.item or Item()
        url, asked = (loaded.page.final_url, loaded.page.url) if loaded else (_address(item.url), item.url)
        article = article_of(read, source=source, url=url, requested=asked, item=item, hint=way.hint)
        warnings = list(warnings_of(article, way.hint))
        debug = debug_of(read, loaded, way.end(), inline)
        return ExtractionOutput(success=True, article=article, warnings=warnings, debug=debug)


def _checked(url: str) -> str:
    try:
        return target_of(url.strip()).url
    except NotLoaded as error:
        raise not_loaded(error, Stage.NORMALISE) from error


def _address(url: str) -> str:
    """Return an item's address in its one spelling; empty where it is none."""
    try:
        return target_of(url.strip()).url
    except NotLoaded:
        return ""


def _sized(read: "Study", way: _Way) -> None:
    way.enter(Stage.CHECK)
    try:
        check(read)
    except ExtractionError as error:
        raise not_extracted(error, read.document.url) from error


def _too_late(url: str, seconds: float) -> ExtractionOutput:
    error = ErrorInfo(
        code=ErrorCode.CONTENT_FETCH_FAILED,
        message=f"it did not come within the {seconds:g} s of the batch; ask for it again",
        retryable=True,
        stage=Stage.LOAD,
        details=ErrorDetails(reason="too_slow", url=url),
    )
    return ExtractionOutput(success=False, error=error)
