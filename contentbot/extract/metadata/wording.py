"""What a text gives away about its language by its little words and its script, without a model.

Little words (articles, prepositions, conjunctions) are a fifth to a half of what people write, and hardly any of them
are those of another language. That makes them evidence of another kind than the n-grams of the detector.
"""

import re

_LITTLE = {
    "en": "the of and to in is that for it with as was on are this be by from or at an which you have not we can",
    "de": "der die und das den von zu mit ist des im für auf nicht ein eine dem sich auch werden als einer oder sie",
    "fr": "le la les des et est une dans du pour que qui sur pas au par avec plus nous vous ce cette sont ou en un il",
    "es": "el la los de y que en un una las del por con para se es su al como más lo no o este esta son",
    "it": "il di che la e per un una del non sono con della in le si da dei nel alla più gli è anche come lo",
    "pt": "de o que e do da em um para com não uma os no se na por mais as dos como é ao das pela sua",
    "nl": "de het een en van is dat op te in niet met voor zijn die ook aan wordt er door naar bij als maar om",
    "sv": "och att det som en på är av för med den till inte har ett om de kan från vi eller när så men",
    "da": "og at det som en på er af for med den til ikke har et om de kan fra vi eller når så men der",
    "nb": "og å det som en på er av for med den til ikke har et om de kan fra vi eller når så men",
    "fi": "ja on ei että oli se hän mutta joka myös kun niin ovat tai kuin jos voi sen mukaan sekä vain",
    "pl": "i w na z nie się do że jest to o jak po od za ale dla oraz przez są czy tym tego jego może",
    "cs": "a v na se že je s z do to o pro jako by i od ale po které který jsou při nebo ve však",
    "sk": "a v na sa že je s z do to o pre ako by aj od ale po ktoré ktorý sú pri alebo vo však",
    "hu": "a az és hogy nem is egy meg de van csak ez mint volt ha már vagy ki azt kell lehet még",
    "ro": "și în la cu pe de un o nu că este din care mai pentru se ca sunt au fost sau al ale prin",
    "hr": "i u je na se da su za od što kao ne s koji a sa ili bi iz će nije koja po",
    "sl": "in je v na se da so za ki pa z ne tudi s po bo bi ali kot od pri iz",
    "tr": "ve bir bu da de için ile çok olarak olan daha ne gibi kadar sonra her ama en ise veya",
    "id": "yang dan di dengan untuk dari ini pada adalah itu dalam tidak akan juga oleh atau ke sebagai bisa dapat",
    "vi": "và của là có không được cho các một trong với này những để người khi từ đã đến ở",
    "ca": "el la de que en un una per amb els les del és no i al com més o són ha es dels",
    "et": "ja on ei et see oli ta kui aga mis ka või nii ning kes oma siis välja",
    "lt": "ir yra kad su iš į tai ne bet kaip ar už nuo dėl jis buvo tik po taip",
    "lv": "un ir ka ar no uz par kas tas lai bet vai pie pēc kā arī nav tiek",
}
_OF_LANGUAGE = {language: frozenset(words.split()) for language, words in _LITTLE.items()}
# languages that share so many words, or a script, that a text in one is no contradiction of the other
_KIN = tuple(
    frozenset(group.split())
    for group in (
        "da nb nn no sv", "hr sr bs sl sh", "cs sk", "id ms", "es gl ca pt oc", "it co", "ru uk be bg mk kk ky sr mn",
        "ar fa ur ps ckb ug", "hi mr ne", "zh yue wuu ja", "et fi", "lt lv", "nl af fy", "de lb nds gsw", "ro mo",
    )
)  # fmt: skip
_SCRIPTS = {
    "ru uk be bg mk kk ky sr mn": "\u0400-\u052f",
    "el": "\u0370-\u03ff",
    "ar fa ur ps ckb ug": "\u0600-\u06ff",
    "he yi": "\u0590-\u05ff",
    "hi mr ne": "\u0900-\u097f",
    "bn": "\u0980-\u09ff",
    "th": "\u0e00-\u0e7f",
    "ko": "\uac00-\ud7a3",
    "zh yue wuu ja": "\u3040-\u30ff\u4e00-\u9fff",
    "ka": "\u10a0-\u10ff",
    "hy": "\u0530-\u058f",
}
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST_WORDS, _FEWEST_LETTERS = 60, 120
# a text hardly goes below the first share of its own language's little words, nor above the second of another's
_OWN_SHARE, _OTHER_SHARE = 0.16, 0.07


def are_kin(one: str, other: str) -> bool:
    """Say whether two languages are too much alike for a text in one to contradict the other."""
    return one == other or any(one in group and other in group for group in _KIN)


def contradicted_by(text: str, declared: str) -> str:
    """Return the language in which a text is certainly written although another was declared; empty when in doubt.

    Args:
        text: running text of the page, in the order of reading.
        declared: the primary subtag of what the page declares, such as `en`.
    """
    if other := _by_script(text, declared):
        return other
    words = _WORD.findall(text.lower())
    if declared not in _OF_LANGUAGE or len(words) < _FEWEST_WORDS:
        return ""
    # a page that is in its declared language, as nearly all are, is told by its own words and done
    if _share(words, declared) > _OTHER_SHARE:
        return ""
    found = max(_OF_LANGUAGE, key=lambda language: _share(words, language))
    return found if _share(words, found) >= _OWN_SHARE and not are_kin(found, declared) else ""


def _share(words: list[str], language: str) -> float:
    little = _OF_LANGUAGE[language]
    return sum(word in little for word in words) / len(words)


def _by_script(text: str, declared: str) -> str:
    """Return the first language of the script of most letters where the declared one is not written in it."""
    if text.isascii() or (total := sum(map(str.isalpha, text))) < _FEWEST_LETTERS:
        return ""
    for languages, letters in _SCRIPTS.items():
        if declared not in languages.split() and len(re.findall(f"[{letters}]", text)) > 0.7 * total:
            return languages.split(maxsplit=1)[0]
    return ""
