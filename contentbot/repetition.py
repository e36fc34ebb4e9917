"""The text that repeats in a source, during one run: what is known of it, what is surveyed, what is to be corrected.

Documents are written by what is known when their page is read. When all pages were read, it is learned anew from all of
them, and pages whose text it changes are read again, from the cache. What a document was written by is noted page by
page, with the index's confirmation: a run that is killed in between leaves the rest to the next one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from contentbot.extract import Extraction
from contentbot.extract.repeated import PageBlocks, Surveyed, Template, decide, digest_of, learn
from contentbot.sources.models import Source, WebsiteSource
from contentbot.state.surveys import Survey, SurveyStore

SAMPLE = 1_000
"""Documents of a source that are compared with one another; of a larger one always the same."""

EARLY = frozenset({100, 300, 1_000})
"""Surveyed pages of a run after which it is learned for the time being: fewer documents have to be corrected then."""

_GATHERED = 100


@dataclass(frozen=True, slots=True)
class Correction:
    """A page whose document has text that repeats, or lacks some that does not.

    Attributes:
        url: where it was listed.
        published: what its sitemap said.
    """

    url: str
    published: str = ""


class Repetition:
    """What repeats in one source.

    Args:
        source: the source as this run has it.
        store: where surveys are kept.

    Attributes:
        template: what pages are read by; None where repeated text is kept.
    """

    def __init__(self, source: Source, store: SurveyStore) -> None:
        self._source, self._store = source.id, store
        # an item of a feed is more than its page, and cannot be made again from the page alone
        learns = isinstance(source, WebsiteSource) and source.repeated_text != "keep"
        known, self._stale = store.template(self._source) if learns else (b"", False)
        # what another version has learned is learned anew
        self._stale |= bool(known) and not Template.is_readable(known)
        self.template = Template.unpack(known) if learns else None
        self._gathered: dict[str, Survey] = {}
        self._noted = 0

    @property
    def is_stale(self) -> bool:
        """Whether surveys have changed since the template was learned."""
        if self.template is not None and not self._stale:
            self.flush()
        return self._stale

    def note(self, made: Extraction, published: str = "") -> None:
        """Keep the survey of a page that was read."""
        if self.template is None:
            return
        document = made.document
        self._gathered[document.key] = Survey(document.key, document.locale, made.blocks, published)
        self._noted += 1
        if len(self._gathered) >= _GATHERED:
            self.flush()
        if self._noted in EARLY and self._stale:
            self.template = self._learned()

    def flush(self) -> None:
        """Write what was gathered."""
        gathered, self._gathered = self._gathered, {}
        self._stale |= self._store.put(self._source, gathered.values())

    def forget_gone(self) -> None:
        """Forget the documents that were deleted; the next run learns without them."""
        if self.template is not None:
            self._store.forget_gone(self._source)

    def learn(self) -> list[Correction]:
        """Learn from all surveys; return the pages that have to be read again."""
        self.flush()
        self._stale = False
        self._store.forget_gone(self._source)
        self.template = self._learned()
        return list(self._corrections(self.template))

    def _learned(self) -> Template:
        sample = self._store.sample(self._source, SAMPLE)
        return learn([Surveyed(one.locale, PageBlocks.unpack(one.survey)) for one in sample])

    def _corrections(self, template: Template) -> Iterator[Correction]:
        for page in self._store.surveyed(self._source):
            if page.dropped != digest_of(decide(PageBlocks.unpack(page.survey), template)):
                yield Correction(page.url, page.published)

    def settle(self) -> None:
        """Note that every document is as what was learned wants it.

        A page that reads otherwise than before, because the extractor does, is learned from by the next run.
        """
        if self.template is not None:
            self.flush()
            self._store.learned(self._source, self.template.pack(), stale=self._stale)
