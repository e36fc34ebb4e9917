"""What is doubtful about a document: flags for those who rank, filter or mend, none of which drops it.

low_content      fewer than 25 words
truncated        the text ends in the middle, with a link to go on
paywalled        the page says that readers without a subscription see a part only
link_list        more than two thirds of the text are links
mojibake         characters that come of a wrong encoding, or stand for bytes that mean nothing
selector_missed  the source has content selectors and none matched any text; the choice was automatic
"""

import re
from collections.abc import Sequence

from lxml import etree
from lxml.html import HtmlElement

from contentbot.extract.tree import text_length

FEW_WORDS = 25
MOSTLY_LINKS = 2 / 3

_WORD = re.compile(r"\w+")
_CUT_OFF = re.compile(
    r"(?:…|\.\.\.|\[…\]|\[\.\.\.\])\W*$"
    r"|(?:read (?:more|on|the full (?:article|story|post))|continue reading)\W*$"
    r"|(?:(?:artikel |jetzt )?weiterlesen|mehr lesen)\W*$",
    re.IGNORECASE,
)
_NOT_FREE = re.compile(r"\"isAccessibleForFree\"\s*:\s*\"?false", re.IGNORECASE)
_TIER = etree.XPath("string(//meta[@property='article:content_tier' or @name='article:content_tier'][1]/@content)")
# UTF-8 that was read as Latin-1, such as `Ã¤` and `â€™`
_MOJIBAKE = re.compile("[ÂÃ][\u0080-\u00bf]|â€[\u0080-\u00bfœ™š˜“”]|\ufffd")


def is_paywalled(tree: HtmlElement) -> bool:
    """Say whether a page declares that it is not free to read; the tree still has its structured data."""
    if str(_TIER(tree)).lower() in {"locked", "metered"}:
        return True
    return any(
        _NOT_FREE.search(script.text or "") for script in tree.iter("script") if "json" in script.get("type", "")
    )


def link_share(nodes: Sequence[HtmlElement]) -> float:
    """Return the share of the nodes' text that is inside of links, from 0 to 1."""
    whole = sum(map(text_length, nodes))
    linked = sum(text_length(link) for node in nodes for link in node.iter("a") if link.get("href"))
    return linked / whole if whole else 0.0


def text_flags(plain_text: str) -> list[str]:
    """Return the flags that the text alone decides."""
    checks = {
        "low_content": len(_WORD.findall(plain_text)) < FEW_WORDS,
        "truncated": bool(_CUT_OFF.search(plain_text[-200:].rstrip())),
        "mojibake": len(_MOJIBAKE.findall(plain_text)) * 500 > len(plain_text),
    }
    return [flag for flag, holds in checks.items() if holds]
