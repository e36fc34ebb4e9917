"""What an extraction has to be worth an answer, and what its reader should be told."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from contentbot.articles.model import Article
from contentbot.articles.words import word_count
from contentbot.errors import NoContent

if TYPE_CHECKING:
    from contentbot.articles.study import Study

MIN_WORDS = 5
"""Fewer are a heading, a notice or a picture's caption: no text to work with."""

_TOLD = {
    "is_paywalled": "The page says that readers without a subscription see a part only: this may be that part.",
    "is_truncated": "The text ends in the middle; the rest is elsewhere.",
    "is_low_content": "There are fewer than 25 words.",
    "is_link_list": "Most of the text are links: this is a list of pages rather than an article.",
    "is_garbled": "Some characters are wrong: the page does not say how it is encoded, or says it wrongly.",
}


def check(read: "Study") -> None:
    """Raise `NoContent` where there is too little text."""
    words = word_count(read.document.plain_text)
    if words < MIN_WORDS:
        raise NoContent("too_short", f"{words} words, fewer than {MIN_WORDS}")


def warnings_of(article: Article, hint: str) -> Iterator[str]:
    """Yield what a reader should know."""
    flags = article.quality_flags.model_dump()
    yield from (told for name, told in _TOLD.items() if flags[name])
    if (
        hint
        and article.language
        and article.language.partition("-")[0] != hint.lower().replace("_", "-").partition("-")[0]
    ):
        yield f"It is in {article.language}, not in {hint}."
    if article.metadata.is_noindex:
        yield "The page asks search engines not to index it."
