"""Text that repeats across the pages of a source: bios, tag lines, teasers, calls to action.

A page alone cannot tell its author box from its text; a hundred pages can. Three steps, none of which knows Scrapy, the
network or a database:

    survey   a page's blocks of text, as fingerprints of where they stand and what they say
    learn    from the surveys of a source: where text repeats, and which text does
    decide   which blocks of a page go, from its survey alone; `Sieve` takes them out of its tree

What is learned depends on the set of pages only, not on the order in which they came, and what is kept of a page does
not depend on what was learned: applying it once is enough.
"""

from contentbot.extract.repeated.blocks import PageBlocks
from contentbot.extract.repeated.copies import Surveyed
from contentbot.extract.repeated.decide import decide, digest_of
from contentbot.extract.repeated.learn import learn
from contentbot.extract.repeated.sieve import Sieve
from contentbot.extract.repeated.template import Template

__all__ = ["PageBlocks", "Sieve", "Surveyed", "Template", "decide", "digest_of", "learn"]
