"""Language tags in one spelling."""

import re

# language, script, region and variants of RFC 5646, 2.1; extensions and private use say nothing about a page's words
_TAG = re.compile(
    r"""([a-z]{2,3})\b (?: -([a-z]{4})\b )? (?: -([a-z]{2}|[0-9]{3})\b )?
        ( (?: -(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})\b )* ) (?= $ | -[a-z0-9]- )""",
    re.VERBOSE | re.ASCII,
)
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis"})


def normal_locale(tag: str) -> str:
    """Return a tag in the case of RFC 5646, 2.1.1 (`de-AT`, `zh-Hant`); `""` when it is none or names no language."""
    match = _TAG.match(tag.strip().lower().replace("_", "-"))
    if not match:
        return ""
    language, script, region, variants = match.groups()
    if language in _NO_LANGUAGE:
        return ""
    parts = [language, (script or "").title(), (region or "").upper()]
    return "-".join(part for part in parts if part) + variants
