"""Every error this project raises on purpose.

    ContentBotError
    ├── ConfigError              a source file or a setting is wrong; names file, key path and the way out
    │   └── ConfigErrors         several of them, found in one go
    ├── ExtractionError          a page gives no document; `reason` is a stable, countable word
    │   ├── LimitExceeded        the page is over a byte, node, depth or time limit
    │   ├── UnsupportedMedia     the media type is none that can be read
    │   └── NoContent            nothing is left after boilerplate, or the page belongs to another address
    │       └── NeedsScripts     it shows no text, and has scripts that may bring it
    ├── NotLoaded                an address that was asked for on demand gives no page; `kind` is a stable word
    ├── NotASitemap              what stands at a sitemap's address lists no pages; `reason` as above
    ├── NotAFeed                 what stands at a feed's address is none; `reason` as above
    ├── SearchIndexError         the search index could not do its part
    │   ├── EngineUnavailable    no answer: worth a retry
    │   ├── EngineRefused        the engine answered and said no: a retry changes nothing
    │   ├── RebuildFailed        a new index could not be filled; the one that is searched is as it was
    │   └── InvalidQuery         the caller's filter, sort or page is not a thing that can be asked
    ├── StateError               what the crawler remembers cannot be used now
    │   ├── StateUnavailable     the state database gives no answer
    │   └── AlreadyRunning       another process holds the lock of the source or of its host
    ├── ModelError               a language model gave no summary
    │   ├── ModelUnavailable     no usable answer: worth a retry
    │   └── ModelRefused         the endpoint or the model said no: a retry changes nothing
    └── NotFound                 no such source, document, category or locale; carries near matches

Errors of libraries are translated once, in the adapter that calls the library; above it only these are seen.
"""

from collections.abc import Sequence
from pathlib import Path


class ContentBotError(Exception):
    """The root: whatever derives from it has a message that a user can act on."""


class ConfigError(ContentBotError):
    """A configuration that cannot be used.

    The message reads `FILE: KEY.PATH: PROBLEM (HINT)`; the parts stay readable as attributes.
    """

    def __init__(self, problem: str, *, file: Path | str = "", key: str = "", hint: str = "") -> None:
        self.problem, self.file, self.key, self.hint = problem, str(file), key, hint
        place = ": ".join(part for part in (self.file, key) if part)
        super().__init__(f"{place}: {problem}" if place else problem)

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} ({self.hint})" if self.hint else message


class ConfigErrors(ConfigError):
    """Several problems at once, so that they can be mended in one go; the message has one line for each."""

    def __init__(self, problems: Sequence[ConfigError]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class ExtractionError(ContentBotError):
    """A page that gives no document.

    Args:
        reason: one word that runs can count and compare, such as `too_many_nodes` or `empty_text`.
        detail: what a person needs beside it, such as the measured value and the limit.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}" if detail else reason)

    def __reduce__(self) -> tuple[type["ExtractionError"], tuple[str, str]]:
        # raised in a worker process: both parts have to survive the way back
        return type(self), (self.reason, self.detail)


class LimitExceeded(ExtractionError):
    """The page is over one of the limits of `extract.limits`."""


class UnsupportedMedia(ExtractionError):
    """The answer is neither HTML nor text."""


class NoContent(ExtractionError):
    """Nothing is left to index, or the page says that it belongs to another address."""


class NotLoaded(ContentBotError):
    """An address that somebody asked for gives no page.

    Args:
        kind: one stable word, such as `invalid_url`, `address_refused`, `http_status` or `too_slow`.
        detail: what a person needs beside it. It never repeats credentials, nor says what was found at an address that
            is not public.
        retryable: whether the same request may succeed later.
        status: the HTTP status that was answered; 0 where none was.
        retry_after: seconds that the host asks to wait; 0 where it does not.
    """

    def __init__(
        self, kind: str, detail: str = "", *, retryable: bool = False, status: int = 0, retry_after: int = 0
    ) -> None:
        self.kind, self.detail, self.retryable = kind, detail, retryable
        self.status, self.retry_after = status, retry_after
        super().__init__(f"{kind}: {detail}" if detail else kind)


class NeedsScripts(NoContent):
    """The page shows no text, and has scripts that may bring it."""


class NotASitemap(ContentBotError):
    """What was fetched as a sitemap is none: an error page, a block page, a file of another kind.

    Args:
        reason: one word that runs can count and compare, such as `html` or `empty`.
        detail: what a person needs beside it, such as the root element that was found.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}" if detail else reason)


class NotAFeed(ContentBotError):
    """What was fetched as a feed is none.

    Args:
        reason: one word that runs can count and compare, such as `not_a_feed`.
        detail: what a person needs beside it.
        feeds: the feeds that a web page names, which stands in its place.
    """

    def __init__(self, reason: str, detail: str = "", feeds: Sequence[str] = ()) -> None:
        self.reason, self.detail, self.feeds = reason, detail, tuple(feeds)
        super().__init__(f"{reason}: {detail}" if detail else reason)


class SearchIndexError(ContentBotError):
    """The search index could not do its part."""


class EngineUnavailable(SearchIndexError):
    """The engine gave no answer; the same call may succeed later."""


class EngineRefused(SearchIndexError):
    """The engine answered and refused, with its own reason in the message."""


class RebuildFailed(SearchIndexError):
    """A new index could not be filled; the one that is searched is as it was."""


class InvalidQuery(SearchIndexError):
    """A filter, sort or page that cannot be asked."""


class StateError(ContentBotError):
    """What the crawler remembers cannot be used now."""


class StateUnavailable(StateError):
    """The state database gives no answer."""


class AlreadyRunning(StateError):
    """Another process holds the lock of the source or of its host."""


class ModelError(ContentBotError):
    """A language model gave no summary."""


class ModelUnavailable(ModelError):
    """The endpoint gave no usable answer; the same call may succeed later."""


class ModelRefused(ModelError):
    """The endpoint or its model answered and refused, with the reason in the message."""


class NotFound(ContentBotError):
    """Something that was named does not exist.

    Args:
        kind: `source`, `document`, `category`, `locale` …
        name: what was asked for.
        near: existing names that are close to it, best first.
    """

    def __init__(self, kind: str, name: str, near: Sequence[str] = ()) -> None:
        self.kind, self.name, self.near = kind, name, tuple(near)
        hint = f"; did you mean {' or '.join(repr(one) for one in self.near)}?" if self.near else ""
        super().__init__(f"no {kind} {name!r}{hint}")
