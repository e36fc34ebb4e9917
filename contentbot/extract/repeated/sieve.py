"""The three steps on one page, as extraction goes along."""

from collections.abc import Sequence

from lxml.html import HtmlElement

from contentbot.extract.repeated.blocks import PageBlocks
from contentbot.extract.repeated.decide import Key, decide
from contentbot.extract.repeated.strip import strip
from contentbot.extract.repeated.survey import Surveyor, survey
from contentbot.extract.repeated.template import Template


class Sieve:
    """Reads a page before its region is chosen, and takes out of the region what repeats.

    Args:
        body: what a reader of the page sees; it may be used up afterwards.
        url: the page's address.
        template: what is known of its source so far.

    Attributes:
        blocks: the page's survey, once the region was sieved.
        dropped: what went.
    """

    def __init__(self, body: HtmlElement, url: str, template: Template) -> None:
        self._template, self._surveyor = template, Surveyor(url)
        self._around = list(self._surveyor.runs(body))
        self.blocks = PageBlocks((), (), ())
        self.dropped: frozenset[Key] = frozenset()

    def sieve(self, region: Sequence[HtmlElement], title: str) -> list[HtmlElement]:
        """Return the elements of the region that are left; they are changed.

        Args:
            region: elements in document order, none inside of another.
            title: the document's title.
        """
        kept = [run for element in region for run in self._surveyor.runs(element)]
        self.blocks = survey(self._around, kept, self._surveyor.places, title)
        self.dropped = decide(self.blocks, self._template)
        if not self.dropped:
            return list(region)
        going = self._template.frame | self._template.boxes
        return strip(region, kept, self.dropped, lambda element: self._surveyor.is_inside(element, going))
