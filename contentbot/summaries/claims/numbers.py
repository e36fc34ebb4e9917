"""Numbers of a summary, and whether its article has them.

Compared are values, not spellings: `1,000`, `1.000`, `1 000`, `1'000` and `one thousand` are one number, and so are
`1.5 million`, `1,5 Mio.` and `1,500,000`. `1.234` may be read in two ways, and either will do. Signs, currencies, units
and the percent sign are not compared.
A rounded number is carried by the exact one where the summary says so ("about 1,200" for 1,234), or where it keeps two
digits of a number with a decimal point or a word for its size ("1.2 million" for 1,234,567).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal, InvalidOperation

from contentbot.index.scripts import UNSPACED
from contentbot.summaries.claims.spelled import spelled

# the values of words for sizes; a word that means different ones in different languages has all of them
_SIZES: dict[str, tuple[int, ...]] = {
    word: powers
    for powers, words in {
        (2,): "hundred hundert honderd",
        (3,): "thousand thousands k tsd tausend mille mil mila duizend тыс tys",
        (4,): "万 萬 만",
        (5,): "lakh lakhs",
        (
            6,
        ): "million millions m mn mm mio millionen millones millón milhões milhão milioni milione miljoen mln млн 百万",
        (7,): "crore crores",
        (8,): "億 亿 억",
        (9,): "bn b mrd milliarde milliarden milliard milliards miliardi miliardo miljard mld млрд",
        (9, 12): "billion billions bilhões bilhão",
        (12,): "billionen billones billón trillion trillions tn trn trilhões 兆 조",
    }.items()
    for word in words.split()
}
_SIZE = "|".join(sorted(map(re.escape, _SIZES), key=len, reverse=True))
_NUMERAL = r"\d+(?:[.,'’]\d+|[ ](?=\d{3}(?!\d))\d{3})*"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?P<number>{_NUMERAL})(?:[ -]?(?P<size>{_SIZE})(?![^\W\d_])\.?)?(?P<tail>[^\W\d_]{{0,3}})",
    re.IGNORECASE,
)
# scripts without spaces write numbers and their sizes into the middle of words
_INTO_A_WORD = re.compile(rf"(?<=[{UNSPACED}])(?=\d)|(?<=\d)(?=[{UNSPACED}])|(?<=[万萬만億亿억兆조])(?=\w)")
# GPT-4, Covid-19, A4, H2O: names, not amounts
NAMED = re.compile(r"(?<![\w-])[^\W\d_]+-?\d[\w]*(?:[.-]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:[ ]\d{3})+|(?:['’]\d{3})+)|\d{1,2}(?:,\d{2})+,\d{3}")
_DECIMAL = re.compile(r"(?P<whole>\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:[ '’]\d{3})+)|\d+)(?P<point>[.,])(?P<rest>\d+)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# "1. ", "2) ": the number of an item in a list
_ITEM = re.compile(r"(?:^|\n)\s*\d{1,2}[.)]\s")
_HEDGES = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|some|nearly|almost|over|under|above|below|"
    r"more than|less than|fewer than|at least|up to|close to|well over|just over|just under|"
    r"rund|etwa|ungefähr|knapp|fast|beinahe|gut|über|unter|mehr als|weniger als|mindestens|bis zu|"
    r"environ|près de|presque|plus de|moins de|quelque|unos|unas|cerca de|casi|más de|menos de|alrededor de|"
    r"circa|quasi|oltre|più di|meno di|ongeveer|bijna|ruim|meer dan|minder dan|mais de|quase|aproximadamente)|[~≈<>])"
    r"\s*(?:[^\w\s]{1,3}\s?)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text.

    Attributes:
        shown: as it is written.
        values: what it may mean.
        raw: what the digits alone mean, without the word for the size.
        unit: the place of its last digit that counts, such as 100000 for 1.2 million.
        digits: how many digits it has that count.
        hedged: "about" or the like stands before it.
        sized: it has a decimal point or a word for its size.
    """

    shown: str
    values: frozenset[Decimal]
    raw: frozenset[Decimal]
    unit: Decimal
    digits: int
    hedged: bool = False
    sized: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of an article. `literals` are what is no amount, such as versions."""

    values: frozenset[Decimal]
    literals: str = field(repr=False, default="")

    @classmethod
    def of(cls, text: str, language: str) -> "Numbers":
        """Read a plain text, words for numbers in its language included."""
        text = _INTO_A_WORD.sub(" ", text)
        values: set[Decimal] = set()
        for number in find_numbers(text):
            values |= number.values | number.raw
        # every run of digits, whatever stands beside it: parts of dates, names and identifiers
        values |= {Decimal(run) for run in re.findall(r"\d{1,30}", text)}
        return cls(frozenset(values | set(_spelled(text, language))), _squeezed(text))

    def carry(self, number: Number) -> bool:
        """Say whether the article has a number, exactly or, as far as its summary may round, roughly."""
        wanted = number.values if number.sized else number.values | number.raw
        if not self.values.isdisjoint(wanted) or (not number.values and _squeezed(number.shown) in self.literals):
            return True
        if not (number.hedged or (number.sized and number.digits >= 2)):
            return False
        modes = (ROUND_HALF_UP, ROUND_FLOOR, ROUND_CEILING) if number.hedged else (ROUND_HALF_UP,)
        return any(_rounded(value, number.unit, mode) in wanted for value in self.values for mode in modes)

    def name(self, token: str) -> bool:
        """Say whether the article has a name with digits, such as GPT-4, however it joins its parts."""
        return _squeezed(token) in self.literals


def find_numbers(text: str) -> Iterator[Number]:
    """Yield the numbers of a plain text that are written in digits; those within names are none."""
    blanked = _ITEM.sub(lambda match: " " * len(match[0]), _INTO_A_WORD.sub(" ", text))
    blanked = NAMED.sub(lambda match: "_" * len(match[0]), blanked)
    for match in _NUMBER.finditer(blanked):
        yield _number(match, blanked)


def _number(match: re.Match[str], text: str) -> Number:
    shown, size = match["number"], (match["size"] or match["tail"] or "").lower()
    raw = _readings(shown)
    factors = [Decimal(10) ** power for power in _SIZES.get(size, ())]
    # `5m` may be metres: both are meant then
    values = {value * factor for value in raw for factor in factors} or raw
    if factors and len(size) == 1:
        values |= raw
    unit, digits = _precision(shown)
    return Number(
        match[0].strip(),
        frozenset(values),
        frozenset(raw),
        unit * (factors[0] if factors else 1),
        digits,
        hedged=bool(_HEDGES.search(text[max(0, match.start() - 24) : match.start()])),
        sized=bool(match["size"]) or bool(_DECIMAL.fullmatch(shown) and not _GROUPED.fullmatch(shown)),
    )


def _readings(shown: str) -> set[Decimal]:
    """Return what a numeral may mean: `1.234` a thousand and some, or one and some. A version means nothing."""
    found = set()
    if shown.isdigit():
        return {Decimal(shown)}
    if _GROUPED.fullmatch(shown):
        found.add(Decimal(re.sub(r"\D", "", shown)))
    if (match := _DECIMAL.fullmatch(shown)) and match["point"] not in match["whole"]:
        found.add(Decimal(f"{re.sub(r'[^0-9]', '', match['whole'])}.{match['rest']}"))
    return found


def _precision(shown: str) -> tuple[Decimal, int]:
    """Return the place of the last digit that counts, and how many count."""
    match = _DECIMAL.fullmatch(shown)
    if match and not _GROUPED.fullmatch(shown):
        return Decimal(1).scaleb(-len(match["rest"])), len((match["whole"] + match["rest"]).lstrip("0"))
    digits = re.sub(r"\D", "", shown)
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal(1).scaleb(zeros if zeros < len(digits) else 0), max(1, len(digits.strip("0")))


def _rounded(value: Decimal, unit: Decimal, mode: str) -> Decimal | None:
    try:
        return (value / unit).quantize(Decimal(1), rounding=mode) * unit
    except InvalidOperation:  # more digits than any figure has
        return None


def _spelled(text: str, language: str) -> Iterator[Decimal]:
    words, before = spelled(language), Decimal(0)
    for match in _WORD.finditer(text.casefold()):
        value = words.get(match[0])
        powers = _SIZES.get(match[0], ()) if len(match[0]) > 2 else ()
        for power in powers:
            yield (before or Decimal(1)) * Decimal(10) ** power
        if value is not None:
            yield value
            # twenty five, veinte y cinco
            if before and before % 10 == 0 and 0 < value < 10 and before < 100:
                yield before + value
                value += before
        before = value if value is not None else before if match[0] in {"y", "e", "et", "and"} else Decimal(0)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s-]+", "", text.casefold())
