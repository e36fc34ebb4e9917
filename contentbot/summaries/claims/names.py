"""Names of a summary, and whether its article has them.

A name is a word with a capital inside of a sentence, or one that is written like `NASA` or `OpenAI` anywhere. German
writes every noun with a capital, so there only runs of two or more such words count, and only when the article has none
of them. Scripts without capitals have no names here, and neither have titles and topics, beyond acronyms.

An article has a name when it has each of its words, in any case of letters, with or without accents, in another
inflected form (`Merkels`, `Germany` and `German`, `Путина` and `Путину`), as an acronym of words that stand there, or
under another common name (`US` and `American`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from contentbot.summaries.text import folded, plain, sentences

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_TOKEN = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W\d_](?:[\w'&-]*\w)?")
_DIGIT = re.compile(r"\d")
_CAPITAL_NOUNS = frozenset(["de", "lb", "gsw", "nds"])


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LINKS = _set("of the de del della di da do dos du des la le von van der den zu zur bin al el y")
_NO_NAMES = _set(
    """i mr mrs ms miss dr prof sir lord lady king queen pope president chancellor minister prime premier senator
    governor mayor judge justice general captain director chairman chair ceo cto cfo vp phd professor doctor chief
    officer head monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december spring summer autumn winter north south east west northern
    southern eastern western internet web ok tv pm am ad bc ce bce faq pdf url http https www id vs usd eur gbp
    chf euro dollar monsieur madame señor señora signor signora herr frau montag dienstag mittwoch donnerstag
    freitag samstag sonntag ende anfang mitte prozent millionen milliarden tausend uhr jahr jahre tage kilometer
    meter januar februar märz mai juni juli oktober dezember"""
)
# endings that tell forms of one name apart, in the languages that bend names
_ENDINGS = _set(
    """s es n en ens ns e er ern ers em a an ian ish y ie ies ese i o os as um us u ow owi owie iem om ami ach ek ka
    ke ky ou ovi isch ische ischen ischer isches ais aise ien ienne ino ina iano iana in innen ist ists
    а у ом е ы и ой ая ого ому ым ский ская ского я ю ем ь"""
) | {""}
# suffix upon suffix: whatever follows a stem of four letters is taken for one
_STACKED = frozenset(["fi", "et", "hu", "tr", "eu", "az", "kk", "uz", "ka"])
_STEM = 4
_ALIASES = tuple(
    frozenset(group.split("|"))
    for group in """us|usa|america|american|americans|united states|vereinigten staaten|amerikanisch
us|usa|etats-unis|estados unidos|stati uniti
uk|britain|british|united kingdom|great britain|grossbritannien|britisch|royaume-uni|reino unido
eu|european union|europaische union|europaischen union|union europeenne|union europea
un|united nations|vereinte nationen|vereinten nationen|nations unies|naciones unidas|onu|uno
ai|artificial intelligence|ki|kunstliche intelligenz|kunstlicher intelligenz|ia|intelligence artificielle
ia|inteligencia artificial|intelligenza artificiale
dutch|netherlands|holland
french|france|frankreich
swiss|switzerland|schweiz|suisse
spanish|spain|spanien
polish|poland|poles
danish|denmark|danes
greek|greece|greeks
irish|ireland
turkish|turkey|turkiye
swedish|sweden|swedes
finnish|finland|finns
norwegian|norway|norwegians
welsh|wales
scottish|scotland|scots
german|germany|deutschland|deutsch""".splitlines()
)


@dataclass(frozen=True)
class Names:
    """The words of an article, as names are looked for in them."""

    text: str
    language: str = ""
    _folded: str = field(init=False, default="")

    @cached_property
    def _flat(self) -> str:
        return f" {' '.join(_WORD.findall(folded(self.text)))} "

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(part for word in self._flat.split() for part in (word, *word.split("'")) if part)

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        stems: dict[str, list[str]] = {}
        for word in self._words:
            stems.setdefault(word[:_STEM], []).append(word)
        return stems

    @cached_property
    def _initials(self) -> str:
        """The first letters of all words, those of small words left out."""
        return "".join(word[0] for word in self._flat.split() if word not in _LINKS and word != "and")

    @cached_property
    def _capital_initials(self) -> str:
        """The first letters of all words with a capital, a space where another word stands between them."""
        words = [word for word in _TOKEN.findall(plain(self.text)) if word.casefold() not in _LINKS]
        return folded("".join(word[0] if word[0].isupper() else " " for word in words))

    @cached_property
    def _acronyms(self) -> frozenset[str]:
        tokens = _TOKEN.findall(plain(self.text))
        return frozenset(folded(one).replace(".", "") for one in tokens if len(one) > 1 and one.isupper())

    def missing(self, name: str, language: str) -> list[str]:
        """Return the words of a summary's name that the article does not have; none where it has the name in short."""
        # a word with a digit, such as GPT-5, is looked for as a whole, by contentbot.summaries.claims.numbers
        words = [word for word in _TOKEN.findall(plain(name)) if word not in _LINKS and not _DIGIT.search(word)]
        if len(words) > 1 and folded("".join(word[0] for word in words)) in self._acronyms:
            return []
        absent = [word for word in words if not self.has(word)]
        # where every noun has a capital, a run of them is a name at most when all of it is new
        return absent if len(absent) == len(words) or language.partition("-")[0] not in _CAPITAL_NOUNS else []

    def has(self, word: str) -> bool:
        """Say whether the article has a word, in whatever form."""
        wanted = folded(word).replace(".", "")
        base = wanted.partition("'")[0] if wanted.endswith(("'s", "'")) else wanted
        if "-" in base:
            return all(self.has(part) for part in word.split("-") if part)
        if not base or base in self._words or base in _NO_NAMES or self._has_alias(base):
            return True
        if any(_one_name(base, other, self.language) for other in self._by_stem.get(base[:_STEM], ())):
            return True
        # three letters and fewer stand side by side in any text
        return word.isupper() and (base in self._acronyms or (len(base) > 2 and self._stands_for_words(base)))

    def _has_alias(self, word: str) -> bool:
        return any(word in group and any(f" {other} " in self._flat for other in group) for group in _ALIASES)

    def _stands_for_words(self, acronym: str) -> bool:
        if len(acronym) > 3:
            return acronym in self._initials
        return acronym in self._capital_initials


def find_names(text: str, language: str, *, acronyms_only: bool = False) -> Iterator[str]:
    """Yield what is written like a name in a text of a language, each once."""
    seen: set[str] = set()
    for sentence in sentences(plain(text)):
        tokens = _tokens(sentence)
        # a line in capitals says nothing about names
        if 2 * sum(token.word.isupper() for token in tokens) > len(tokens) > 3:
            continue
        marked = [token.word for token in tokens if _is_marked(token.word)]
        for name in [*marked, *([] if acronyms_only else _runs(tokens, language))]:
            if name not in seen:
                seen.add(name)
                yield name


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of a sentence; `first` says that its capital may come from where it stands."""

    word: str
    start: int
    end: int
    first: bool


def _tokens(sentence: str) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(sentence):
        before = sentence[: match.start()].rstrip()
        found.append(_Token(match[0], match.start(), match.end(), first=not before or before[-1] in ':"(-*'))
    return found


def _is_marked(word: str) -> bool:
    """Say whether a word is written like a name wherever it stands: `NASA`, `U.S.`, `OpenAI`, `eBay`."""
    letters = [sign for sign in word.removesuffix("'s") if sign.isalpha()]
    if len(letters) < 2 or "-" in word:
        return False
    return all(map(str.isupper, letters)) or (any(map(str.islower, letters)) and any(map(str.isupper, letters[1:])))


def _runs(tokens: list[_Token], language: str) -> Iterator[str]:
    """Yield runs of words with capitals, small words such as `of` between them."""
    fewest = 2 if language.partition("-")[0].lower() in _CAPITAL_NOUNS else 1
    run: list[_Token] = []
    for token in (*tokens, None):
        if token and run and token.start - run[-1].end <= 1 and (token.word[0].isupper() or token.word in _LINKS):
            run.append(token)
            continue
        words = [one.word for one in run if one.word[0].isupper() and one.word.casefold() not in _NO_NAMES]
        if len(words) >= fewest:
            yield " ".join(words)
        run = [token] if token and token.word[0].isupper() and not token.first else []


def _one_name(one: str, other: str, language: str) -> bool:
    """Say whether two words are forms of one name."""
    stem = next(
        (at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), min(len(one), len(other))
    )
    if stem < _STEM:
        return False
    if language.partition("-")[0].lower() in _STACKED:
        return True
    return one[stem:] in _ENDINGS and other[stem:] in _ENDINGS
