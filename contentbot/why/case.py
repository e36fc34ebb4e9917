"""One page in one source: what is known of it, looked up once, with what the caller may not see left out."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from contentbot.access import Principal, allows
from contentbot.documents import ContentDocument, document_key
from contentbot.errors import NotFound
from contentbot.filtering import Refusal, refusal
from contentbot.runs import RunRecord
from contentbot.sources.models import Source
from contentbot.sources.scope import Decision, Scope
from contentbot.state import PageState
from contentbot.state.outbox import Letter, look_up
from contentbot.why.explanation import Records

_RUNS = (1, 10, 500)


@dataclass
class Case:
    """Answers single questions about `url`, a cleaned address, in the source of this id."""

    url: str
    source: str
    records: Records
    principal: Principal

    @cached_property
    def declared(self) -> Source | None:
        """The source as its file has it."""
        return self.records.sources.get(self.source)

    @cached_property
    def document(self) -> ContentDocument | None:
        """The document that stands for the page."""
        return self._get(self.url)

    @cached_property
    def page(self) -> PageState | None:
        """What is known of the page: as it is listed, or as the end of a listed page's redirects."""
        state = self.records.state
        if state is None:
            return None
        listed = state.pages.get(self.source, self.url)
        found = [listed] if listed else state.pages.ended_on(self.source, self.url)
        return next((page for page in found if not self._is_hidden(page)), None)

    @property
    def is_withheld(self) -> bool:
        """Whether there is a document that the caller may not read."""
        return self.document is None and self.records.index.holds(document_key(self.source, self.url))

    @cached_property
    def pages_of_document(self) -> list[PageState]:
        """The listed pages that lead to the document."""
        state = self.records.state
        return state.pages.of_document(self.source, self.document.key) if state and self.document else []

    @cached_property
    def letter(self) -> Letter | None:
        """What of the page waits in the outbox, or was set aside there."""
        outbox = self.records.outbox
        letter = look_up(outbox, self.source, self.url) if outbox else None
        if letter is None or letter.document is None:
            return None
        document = ContentDocument.model_validate(letter.document)
        return letter if allows(document.access, self.principal) else None

    @cached_property
    def last_run(self) -> RunRecord | None:
        """The newest run."""
        return next(iter(self._runs(1)), None)

    @cached_property
    def last_complete_run(self) -> RunRecord | None:
        """The newest run that read everything that lists pages."""
        # records are long, and mostly the first is the one
        found = (run for runs in map(self._runs, _RUNS) for run in runs if run.discovery_complete)
        return next(found, None)

    def _runs(self, limit: int) -> list[RunRecord]:
        state = self.records.state
        return state.runs.latest(self.source, limit) if state else []

    def decision(self, listed: str, final: str = "") -> Decision:
        """Decide by today's rules; a source without a file takes everything in."""
        return Scope(self.declared).decide(listed, final) if self.declared else Decision(True, "included")

    @property
    def refusal(self) -> Refusal | None:
        """Which of today's rules refuses the document, if one does."""
        if self.document is None or self.declared is None:
            return None
        return refusal(self.document, self.declared.rules, datetime.now(UTC))

    def was_not_met(self, page: PageState) -> bool:
        """Say whether a complete run has come to its end since a run last met the page."""
        # the names of a source's runs sort by time
        return self.last_complete_run is not None and page.last_run < self.last_complete_run.id

    def near(self) -> tuple[str, ...]:
        """Return addresses that were perhaps meant: other spellings that are known, else similar documents."""
        if known := [url for url in _spellings(self.url) if self._knows(url)]:
            return tuple(known)
        try:
            self.records.index.get(self.url, principal=self.principal, source=self.source)
        except NotFound as error:
            return error.near
        return ()

    def _knows(self, url: str) -> bool:
        if self._get(url):
            return True
        page = self.records.state.pages.get(self.source, url) if self.records.state else None
        return page is not None and not self._is_hidden(page)

    def _get(self, reference: str) -> ContentDocument | None:
        try:
            return self.records.index.get(reference, principal=self.principal, source=self.source)
        except NotFound:
            return None

    def _is_hidden(self, page: PageState) -> bool:
        key = page.document_key
        return bool(key) and self._get(key) is None and self.records.index.holds(key)


def _spellings(url: str) -> list[str]:
    """Return the address with and without `www.`, a final slash, and TLS; itself left out."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    twin = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    other = path.removesuffix("/") if path.endswith("/") else f"{path}/" if path else ""
    return [
        spelled
        for schemes in (scheme, "http" if scheme == "https" else "https")
        for name in (host, twin)
        for end in dict.fromkeys((path, other))
        if (spelled := f"{schemes}://{name}{slash}{end}") != url
    ]
