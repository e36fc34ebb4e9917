"""Dates that addresses spell."""

import re
from urllib.parse import unquote, urlsplit

from contentbot.extract.dates import Order, parse_timestamp
from contentbot.extract.months import MONTH_PATTERN

_YEAR_FIRST = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([/_.-]?)(0[1-9]|1[0-2]|[1-9](?=[/_-]))\2(0[1-9]|[12]\d|3[01]|[1-9](?=[/_-]|$))(?!\d)"
)
_MONTH_NAME = re.compile(rf"/((?:19|20)\d\d)/({MONTH_PATTERN})/([0-3]?\d)(?!\d)", re.IGNORECASE)
_DAY_FIRST = re.compile(r"(?<!\d)(0[1-9]|[12]\d|3[01])([-_.])(0[1-9]|1[0-2])\2((?:19|20)\d\d)(?!\d)")


def date_in_url(url: str, order: Order = Order.UNKNOWN) -> str:
    """Return the date that the path of a URL spells: `/2026/03/12/…`, `/2026-03-12-…`, `/20260312…`, `/12-03-2026…`.

    Of `12-03-2026` the order has to be known; of `12032026` it never is.
    """
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return ""
    if match := _YEAR_FIRST.search(path):
        return parse_timestamp(f"{match[1]}-{match[3]}-{match[4]}")
    if match := _MONTH_NAME.search(path):
        return parse_timestamp(f"{match[3]} {match[2]} {match[1]}")
    if match := _DAY_FIRST.search(path):
        return parse_timestamp(f"{match[1]}/{match[3]}/{match[4]}", order=order)
    return ""
