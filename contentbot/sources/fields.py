"""The values a source file may hold: friendly spellings in, checked values out.

Each check raises an error that pydantic collects, with a `hint` in its context; the loader adds file, line and key.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, NoReturn
from urllib.parse import urlsplit

from cssselect import HTMLTranslator, SelectorError
from cssselect import parse as parse_css
from lxml.etree import XPath, XPathSyntaxError
from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from contentbot.errors import ConfigError
from contentbot.sources.cron import Cron
from contentbot.sources.globs import AntGlob
from contentbot.sources.opml import feed_address
from contentbot.sources.tags import normal_locale
from contentbot.sources.urls import clean_url

_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0}
_DAYS = {"": 1.0, "d": 1.0, "w": 7.0, "y": 365.25}
_BYTES = {"": 1, "b": 1, "kb": 1_000, "mb": 1_000_000, "kib": 1 << 10, "mib": 1 << 20}


def refuse(problem: str, hint: str = "") -> NoReturn:
    """Raise what pydantic reports as a problem of the value at hand."""
    raise PydanticCustomError("refused", "{problem}", {"problem": problem, "hint": hint})


def words_of(value: Any) -> Any:
    """Take `a, b` for `[a, b]`."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _addresses(value: Any) -> Any:
    """Take `https://one, https://two` for a list; a comma inside of an address is part of it."""
    if not isinstance(value, str):
        return value
    return [part.strip() for part in re.split(r"[,\s]\s*(?=[a-z]+:)", value, flags=re.IGNORECASE) if part.strip(" ,")]


def _selectors(value: Any) -> Any:
    """Split every text at the commas that stand outside of brackets and quotes."""
    if isinstance(value, str):
        return list(_split_selectors(value))
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return [part for one in value for part in _split_selectors(one)]
    return value


def _split_selectors(text: str) -> Iterator[str]:
    start = depth = 0
    quote = ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


def _seconds(value: Any) -> Any:
    """Take `10`, `"10s"`, `"500ms"` or `"1m"`; the result is seconds."""
    return _quantity(value, _SECONDS, "a duration", "write seconds as 30, or 500ms, 30s, 2m")


def _bytes(value: Any) -> Any:
    """Take `10485760`, `"10MB"` or `"10MiB"`; the result is bytes."""
    size = _quantity(value, _BYTES, "a size", "write bytes as 10485760, or 500KB, 10MB, 10MiB")
    return int(size) if isinstance(size, float) else size


def _days(value: Any) -> Any:
    """Take `90`, `"90d"`, `"6w"` or `"1y"`; the result is days."""
    return _quantity(value, _DAYS, "an age", "write days as 90, or 90d, 6w, 1y")


def _quantity(value: Any, units: dict[str, float] | dict[str, int], kind: str, hint: str) -> Any:
    if not isinstance(value, str):
        return (
            value
            if isinstance(value, int | float) and not isinstance(value, bool)
            else refuse(f"{value!r} is not {kind}", hint)
        )
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", value.strip().lower())
    if not match or match[2] not in units:
        refuse(f"{value!r} is not {kind}", hint)
    return float(match[1]) * units[match[2]]


def _rate(value: Any) -> Any:
    if value is False or value == "off":
        return 0.0
    if isinstance(value, bool) or (isinstance(value, str) and not re.fullmatch(r"\d+(\.\d+)?", value.strip())):
        refuse(f"{value!r} is not a rate", "write requests a second, such as 2 or 0.5, or off for no limit")
    return value


def _glob(pattern: str) -> str:
    try:
        AntGlob(pattern)
    except ConfigError as error:
        refuse(error.problem, error.hint)
    return pattern


def _selector(selector: str) -> str:
    if not selector:
        refuse("an empty selector", "remove the stray comma")
    if selector.startswith(("/", "./", "xpath:")):
        refuse(f"{selector!r} is an XPath", "write a CSS selector, such as 'main .content'")
    try:
        parsed = parse_css(selector)
        if any(one.pseudo_element for one in parsed):
            refuse(f"{selector!r} selects a piece of text, not an element", f"write {selector.partition('::')[0]!r}")
        XPath(HTMLTranslator().css_to_xpath(selector))
    except (SelectorError, XPathSyntaxError) as error:
        refuse(f"{selector!r} is no CSS selector: {error}")
    return selector


def _base_url(url: str) -> str:
    # first, so that no other message repeats them
    if "@" in url.partition("://")[2].partition("/")[0]:
        refuse("it holds credentials", "a source file is no place for secrets")
    cleaned = _web_address(url)
    if "?" in url or "#" in url:
        refuse(f"{url!r} holds a query or a fragment", "write only scheme, host and path")
    return cleaned


def _web_address(url: str) -> str:
    try:
        return clean_url(url)
    except ValueError as error:
        hint = f"write {'https://' + url.strip()!r}" if re.match(r"[\w-]+(\.[\w-]+)+(?:[:/]|$)", url.strip()) else ""
        refuse(f"{url!r}: {error}", hint or "write it as https://www.example.org")


def _host(host: str) -> str:
    if "/" in host:
        refuse(f"{host!r} is not a host", f"write {urlsplit(host).netloc or host.partition('/')[0]!r}")
    if "*" in host:
        refuse(f"{host!r}: wildcards are not understood", "list each host")
    try:
        return urlsplit(clean_url(f"https://{host}")).netloc
    except ValueError as error:
        refuse(f"{host!r}: {error}", "write it as docs.example.org")


def _locale_tag(tag: str) -> str:
    if not tag:
        return tag
    normal = normal_locale(tag)
    if normal.lower() != tag.strip().replace("_", "-").lower():
        refuse(f"{tag!r} is no language tag", "write a BCP 47 tag such as en, de or pt-BR")
    return normal


def _path_prefix(prefix: str) -> str:
    if not prefix.startswith("/"):
        refuse(f"the prefix {prefix!r} does not start with '/'", f"write {'/' + prefix!r}")
    if re.search(r"[*?#\s]", prefix):
        refuse(f"the prefix {prefix!r} is not a plain path", "no wildcards: '/de' takes in everything below it")
    return prefix


def _user_agent(name: str) -> str:
    if not name.strip() or re.search(r"[^\x20-\x7e]", name):
        refuse("not a User-Agent header", "write one line of ASCII, such as 'MyBot/1.0 (+https://example.org/bot)'")
    return name.strip()


def _cron(text: str) -> str:
    if not text.strip():
        return ""
    try:
        return Cron(text).text
    except ValueError as error:
        hint = "write minute, hour, day of month, month and day of week in quotes, such as '15 * * * *'"
        refuse(f"{text!r} is no schedule: {error}", hint)


def feed_url(url: str) -> str:
    """Return a feed's address as it is asked for; `feed:` in front of it goes."""
    address = feed_address(url)
    try:
        clean_url(address)
    except ValueError as error:
        refuse(f"{url!r}: {error}", "write it as https://www.example.org/feed.xml")
    if "@" in urlsplit(address).netloc:
        refuse("it holds credentials", "a source file is no place for secrets")
    return address


def _keep(value: Any) -> Any:
    """Take `true` for ever, `false` for no time, and days as `90`, `90d`, `12w` or `1y`; the result is days or None."""
    if value is None or value is True or value in ("true", "True"):
        return None
    if value is False or value in ("false", "False"):
        return 0.0
    days = _quantity(value, _DAYS, "a time", "write true, false, or days as 90, 90d, 12w or 1y")
    return float(days)


Text = Annotated[str, Field(strict=True)]
Glob = Annotated[str, AfterValidator(_glob)]
Selector = Annotated[str, AfterValidator(_selector)]
Host = Annotated[str, AfterValidator(_host)]
LocaleTag = Annotated[str, AfterValidator(_locale_tag)]
PathPrefix = Annotated[str, AfterValidator(_path_prefix)]
BaseUrl = Annotated[str, AfterValidator(_base_url)]
UserAgent = Annotated[str, AfterValidator(_user_agent)]
Schedule = Annotated[str, AfterValidator(_cron)]

Words = Annotated[list[str], BeforeValidator(words_of, json_schema_input_type=list[str] | str)]
FeedAddresses = Annotated[
    list[Annotated[str, AfterValidator(feed_url)]],
    BeforeValidator(_addresses, json_schema_input_type=list[str] | str),
]
Globs = Annotated[list[Glob], BeforeValidator(words_of, json_schema_input_type=list[str] | str)]
Hosts = Annotated[list[Host], BeforeValidator(words_of, json_schema_input_type=list[str] | str)]
Selectors = Annotated[list[Selector], BeforeValidator(_selectors, json_schema_input_type=list[str] | str)]
Seconds = Annotated[float, Field(gt=0, le=3600), BeforeValidator(_seconds, json_schema_input_type=float | str)]
Days = Annotated[float, Field(ge=0, le=36_525), BeforeValidator(_days, json_schema_input_type=float | str)]
Bytes = Annotated[int, Field(gt=0), BeforeValidator(_bytes, json_schema_input_type=int | str)]
RequestRate = Annotated[float, Field(ge=0, le=1000), BeforeValidator(_rate, json_schema_input_type=float | str)]
Keep = Annotated[
    float | None, Field(ge=0, le=36_500), BeforeValidator(_keep, json_schema_input_type=bool | float | str)
]
