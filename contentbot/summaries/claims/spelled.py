"""Numbers that are written as words, in the languages that articles are summarised from most.

They count as evidence only: an article that says "twelve" carries a summary's 12. A summary's own words are no claims,
because small numbers are as often counts of the writer's ("two reasons") as figures of the article.
"""

from decimal import Decimal
from functools import lru_cache

_UNITS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen",
    "de": "null ein|eins|eine|einen|einem|einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn "
    "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "fr": "zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
    "dix-huit dix-neuf",
    "es": "cero un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve",
    "it": "zero un|uno|una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici "
    "sedici diciassette diciotto diciannove",
    "nl": "nul een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien "
    "zeventien achttien negentien",
    "pt": "zero um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze "
    "dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante septante nonante|quatre-vingt|quatre-vingts quatre-vingt-dix",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
}
_FURTHER = {
    "en": {"hundred": 100, "dozen": 12, "half": 50, "quarter": 25, "twice": 2, "first": 1, "second": 2, "third": 3,
           "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11,
           "twelfth": 12},
    "de": {"hundert": 100, "dutzend": 12, "hälfte": 50, "viertel": 25, "drittel": 33, "erste": 1, "ersten": 1,
           "zweite": 2, "zweiten": 2, "dritte": 3, "dritten": 3, "vierte": 4, "vierten": 4, "fünfte": 5,
           "fünften": 5, "zehnte": 10, "zehnten": 10},
    "fr": {"cent": 100, "cents": 100, "douzaine": 12, "moitié": 50, "premier": 1, "première": 1, "deuxième": 2,
           "troisième": 3, "quatre-vingts": 80, "quatre-vingt": 80},
    "es": {"cien": 100, "ciento": 100, "docena": 12, "mitad": 50, "primer": 1, "primero": 1, "primera": 1,
           "segundo": 2, "segunda": 2, "tercer": 3, "tercera": 3, "veintiuno": 21, "veintidós": 22, "veintitrés": 23,
           "veinticuatro": 24, "veinticinco": 25},
    "it": {"cento": 100, "dozzina": 12, "metà": 50, "primo": 1, "prima": 1, "secondo": 2, "seconda": 2, "terzo": 3},
    "nl": {"honderd": 100, "dozijn": 12, "helft": 50, "eerste": 1, "tweede": 2, "derde": 3},
    "pt": {"cem": 100, "cento": 100, "dúzia": 12, "metade": 50, "primeiro": 1, "primeira": 1, "segundo": 2,
           "segunda": 2, "terceiro": 3},
}  # fmt: skip


@lru_cache(maxsize=16)
def spelled(language: str) -> dict[str, Decimal]:
    """Return the value by word of a language, given as BCP 47 tag; of every known language where it is another one."""
    primary = language.partition("-")[0].lower()
    known = [primary] if primary in _UNITS else list(_UNITS)
    return {word: value for one in known for word, value in _table(one).items()}


def _table(language: str) -> dict[str, Decimal]:
    units = [one.split("|") for one in _UNITS[language].split()]
    tens = [one.split("|") for one in _TENS[language].split()]
    table = {word: value for value, words in enumerate(units) for word in words}
    for place, words in enumerate(tens, 2):
        table |= dict.fromkeys(words, 10 * place)
        for digit in range(1, 10):
            table |= {
                form: 10 * place + digit
                for ten in words
                for unit in units[digit]
                for form in _joined(language, ten, unit)
            }
    return {word: Decimal(value) for word, value in (table | _FURTHER[language]).items()}


def _joined(language: str, ten: str, unit: str) -> list[str]:
    if language in {"de", "nl"}:
        middle = "und" if language == "de" else ("ën" if unit.endswith("e") else "en")
        return [f"{unit}{middle}{ten}"]
    if language == "it":
        return [f"{ten[:-1] if unit[0] in 'uo' else ten}{unit}"]
    # the parts of Spanish and Portuguese compounds stand apart, with a word between them
    return [f"{ten}-{unit}"] if language in {"en", "fr"} else []
