"""Names of people in a byline: cleaned of what stands around them, and told apart."""

import re
from collections.abc import Iterator

from contentbot.extract.dates import find_dates
from contentbot.extract.metadata import vocabulary
from contentbot.extract.metadata.text import clean, letters

MAX_BYLINE = 200
# a first name of more words is a sentence
_MAX_WORDS = 14

_LEAD = re.compile(
    rf"^(?:(?:{vocabulary.BYLINE_VERB}\s+)?(?:by|von)\b|{vocabulary.AUTHOR_LABEL}\s*(?:[:：]|$)|"
    rf"{vocabulary.FOREIGN_BY}\b(?=\s*:|\s+(?-i:[A-ZÀ-ÝŁŚŻА-ЯІЇЄΑ-ΩĐ]))|{vocabulary.UNCASED_BY}(?=[\s:：/／]))"
    r"\s*[:：/／\-–—]?\s*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:name|(?:view all )?(?:posts|articles) by|follow|alle beiträge von)\b\s*[:\-]?\s+", re.IGNORECASE
)
# where a byline ends and something else begins
_TAIL = re.compile(rf"\s*[|•·►›].*$|\s(?:[–—/-])\s.*$|(?:^|[\s,(]+){vocabulary.AFTER_BYLINE}\b.*$", re.IGNORECASE)
_BEFORE_DATE = re.compile(
    r"[\s,(|•·–—-]*\b(?:on|am|at|le|il|el|em|op|den|dne|pada|в|от|the|date|\w+day|\w+tag|mittwoch)?[\s,:.]*$",
    re.IGNORECASE,
)
# what is left where the date behind a name stands in an element of its own
_DANGLING = re.compile(r"\s(?:on|am|le|op|den|in)$")
_NOISE = re.compile(r"\S+@\S+\.\S+|https?://\S+|www\.\S+|\(\s*@?\w*\s*\)|[\u2190-\u2bff\U0001f000-\U0001faff]")
_URL = re.compile(r"^(?:https?:)?//|^www\.|^/\w|\.(?:com|org|net|de|html?|php)(?:/|$)", re.IGNORECASE)


def clean_byline(text: str) -> str:
    """Return a byline without label, date, address and reading time; empty when no name is left."""
    text = clean(text, MAX_BYLINE * 2)
    if _URL.search(text) and " " not in text:
        return ""
    text = _until_date(_NOISE.sub(" ", text))
    for _ in range(3):
        text = _LABEL.sub("", _LEAD.sub("", text.strip(" \t,;:|•·–—-")))
    text = clean(_TAIL.sub("", text), MAX_BYLINE + 1).strip(" \t,;:|•·–—-")
    text = _DANGLING.sub("", text)
    return text if is_name(text) else ""


def _until_date(text: str) -> str:
    found = next(find_dates(text), None)
    if found is None:
        return text
    before, after = _BEFORE_DATE.sub("", text[: found.start]), text[found.end :].lstrip(" ,)|•·–—-")
    return before if letters(before) else after


def is_name(text: str) -> bool:
    """Say whether a text can name who wrote something."""
    if (
        not text
        or len(text) > MAX_BYLINE
        or letters(text) in vocabulary.PLACEHOLDER_NAMES
        or len(text.split(",", maxsplit=1)[0].split()) > _MAX_WORDS
        or not re.search(r"[^\W\d_]", text)
    ):
        return False
    return not re.search(
        r"[{}<>=]|\w+\(\)|://|^(?:view|read|see|show|more|follow|learn|click|back to)\s|"
        r"^(?-i:[a-z_]{2,}(?:\.[a-z_]{2,}){2,}$)",
        text,
        re.IGNORECASE,
    )


# a name of two to five words with capitals, such as a person has: `Ada van der Muster`, `J. R. Muster`
_PERSON = re.compile(
    rf"^(?:[^\W\d_a-zß-öø-ÿ][\w'’.-]*|(?:{'|'.join(sorted(vocabulary.NAME_PARTICLES, key=len, reverse=True))}))"
    rf"(?:\s(?:[^\W\d_a-zß-öø-ÿ][\w'’.-]*|\([\w'’. -]+\)|(?:{'|'.join(sorted(vocabulary.NAME_PARTICLES))}))){{1,4}}$"
)


def looks_like_person(text: str) -> bool:
    """Say whether a text is written as a person's name is, with capitals and without figures."""
    return bool(_PERSON.match(text)) and len(text) <= 40 and not _NO_PERSON.search(text) and not _ROLE.search(text)


# words that headings and links have, and hardly a name
_NO_PERSON = re.compile(
    r"\b(?:the|and|of|for|to|in|on|your|our|how|why|what|best|top|tips|guide|news|blog|read|more|min|minutes?|share|"
    r"table|contents?|home|about|contact|posts?|articles?|category|categories|topics?|tags?|sign|log|free|download|"
    r"watch|listen|learn|view|get|start|try|press|release|company|team|inc|llc|gmbh|ltd|podcast|video|photo|log|"
    r"marketing|business|management|insights?|resources?|updates?|events?|products?|services?|privacy|policy|"
    r"january|february|march|april|june|july|august|september|october|november|december|updated|published|posted|"
    r"last|reading|time|estimated|comments?|lesezeit|uhr|minuten)\b",
    re.IGNORECASE,
)


# --- several names ---------------------------------------------------------------------------------------------

# CFP, MD, RYT 200: what stands behind a name in capitals
_CAPITALS = re.compile(r"^[A-Z][A-Z.®-]{1,7}(?:\s+\d{1,3})?$|^[A-Z]\.[A-Z]\.\s[A-Z]{2,6}$")
_ROLE = re.compile(rf"\b{vocabulary.ROLE}\b", re.IGNORECASE)
_COMPANY = re.compile(
    r"\s+(?:in collaboration with|in cooperation with|in zusammenarbeit mit|edited by|for|of|at|from|photos? by)\s.*$",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"\s*(?:;|,|[、，；]|\s&\s|\s\+\s|\s(?:and|und|et|och|og|en|with|mit|ve|és|ja|dan|sowie|и|і|та|και)\s)\s*"
    r"(?:(?:and|und|et)\s+|&\s*)?",
    re.IGNORECASE,
)


def split_names(byline: str) -> list[str]:
    """Return the names in a byline, roles and academic degrees left out.

    `Ann Low, Ben High and Cy Mid` is three; `Ann Low, PhD` is one; `Low, Ann` is one, the other way round.
    """
    text = _COMPANY.sub("", byline).strip() or byline
    if turned := _inverted(text):
        return [turned]
    parts = [
        part.strip(" .,") if part.strip(" .,").isupper() else part.strip(" ,")
        for part in _SPLIT.split(text)
        if part.strip(" .,")
    ]
    if not _all_may_be_names(parts):
        return [text]
    names: list[str] = []
    for part in parts:
        if names and (_is_credential(part) or _ROLE.search(part)):
            continue
        names.append(part)
    return names


def _is_credential(part: str) -> bool:
    return letters(part) in vocabulary.DEGREES or bool(_CAPITALS.match(part))


def _inverted(text: str) -> str:
    """Return `First Last` for `Last, First`; empty when the text is not of that form."""
    family, comma, given = (part.strip() for part in text.partition(","))
    if (
        not comma
        or " " in family
        or "," in given
        or not 1 <= len(given.split()) <= 2
        or _is_credential(given)
        or _ROLE.search(given)
    ):
        return ""
    second = given.split()
    looks_given = len(second) == 1 or len(second[1].strip(".")) == 1
    return f"{given} {family}" if looks_given and family[:1].isupper() and given[:1].isupper() else ""


def _all_may_be_names(parts: list[str]) -> bool:
    """Say whether every part may be a name of its own: `Center for Drug Evaluation and Research` has none."""
    return all(_may_be_name(part) for part in parts) and all(len(part) > 1 for part in parts)


def _may_be_name(part: str) -> bool:
    tokens = part.split()
    if _is_credential(part) or _ROLE.search(part):
        return True
    return len(tokens) <= 5 and all(
        not token[0].islower() or token.lower() in vocabulary.NAME_PARTICLES or len(tokens) == 1 for token in tokens
    )


def unique(names: Iterator[str]) -> tuple[str, ...]:
    """Return the names without repetitions, the first spelling kept."""
    seen: dict[str, str] = {}
    for name in names:
        seen.setdefault(letters(name), name)
    return tuple(seen.values())
