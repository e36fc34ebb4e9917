"""The language of a page: as declared, unless its text is plainly in another one, else as its text reads.

Many sites declare the language that their software came with. Such a declaration is overruled by a text that is long
enough, has the little words of another language and hardly any of the declared one, and is read alike by the detector.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from contentbot.extract.metadata.head import Head
from contentbot.extract.metadata.survey import Survey
from contentbot.extract.metadata.titles import Title
from contentbot.extract.metadata.wording import are_kin, contradicted_by

_TAG = re.compile(r"^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?:[-_.@].*)?$")
_NO_LANGUAGE = frozenset({"und", "zxx", "mul", "mis", "xx", "nul"})
# names and codes that pages write where a tag belongs
_SPELLED = {
    "english": "en", "german": "de", "deutsch": "de", "french": "fr", "français": "fr", "spanish": "es",
    "español": "es", "italian": "it", "portuguese": "pt", "dutch": "nl", "eng": "en", "deu": "de", "ger": "de",
    "fra": "fr", "fre": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "dut": "nl", "iw": "he",
    "in": "id", "ji": "yi",
}  # fmt: skip
_MIN_SAMPLE, _MAX_SAMPLE = 80, 2_000
_SURE = 0.9


def normalise_tag(value: str) -> str:
    """Return a BCP 47 tag in its usual spelling (`de`, `pt-BR`, `zh-Hant-TW`); empty when it names no language."""
    first = re.split(r"[,;\s]", value.strip(), maxsplit=1)[0]
    primary = _SPELLED.get(first.lower())
    if primary:
        return primary
    match = _TAG.match(first)
    if not match or match[1].lower() in _NO_LANGUAGE:
        return ""
    language = _SPELLED.get(match[1].lower(), match[1].lower())
    script, region = (match[2] or "").title(), (match[3] or "").upper()
    return "-".join(part for part in (language, script, region) if part)


def read_language(head: Head, headers: Mapping[str, str], survey: Survey) -> Title:
    """Return the language tag and where it came from: declarations first, then the text itself."""
    tags = [Title(tag, origin) for origin, value in _declared(head, headers) if (tag := normalise_tag(value))]
    text = " ".join(_sample(survey))
    if not tags:
        tag = detect(text)
        return Title(tag, "text" if tag else "")
    spoken = contradicted_by(text, _primary(tags[0].text))
    if not spoken or not are_kin(detected := detect(text), spoken):
        return tags[0]
    # another declaration may agree with the text, and add the region
    return next((one for one in tags if _primary(one.text) == detected), Title(detected, "text"))


def _primary(tag: str) -> str:
    return tag.partition("-")[0]


def _declared(head: Head, headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "html lang", head.lang
    yield "content-language header", headers.get("content-language", "")
    for name in ("content-language", "og:locale", "language", "dc.language", "dcterms.language", "itemprop:inlanguage"):
        yield name, head.first(name)


def _sample(survey: Survey) -> Iterator[str]:
    taken = 0
    for block in survey.blocks:
        if not block.foreign and len(block.text) > 30:
            taken += len(block.text)
            yield block.text
        if taken > _MAX_SAMPLE:
            return


@lru_cache(maxsize=1)
def _identifier() -> Any:
    # loading the model takes longer than a page: once a process, and only when a page declares nothing
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect(text: str) -> str:
    """Return the language that a text is written in; empty when there is too little of it to be sure."""
    sample = text[:_MAX_SAMPLE]
    if len(sample) < _MIN_SAMPLE:
        return ""
    language, probability = _identifier().classify(sample)
    return str(language) if probability >= _SURE else ""
