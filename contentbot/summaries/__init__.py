"""Summaries of articles by a language model, and the check that they say nothing the article does not.

    article -> messages -> the model's draft -> validate -> findings back to the model, a few times -> SummaryResult

`validate` needs no model: an agent that writes a summary itself can have it checked.
"""

from contentbot.summaries.article import Article, of_document, of_extraction
from contentbot.summaries.endpoint import Endpoint
from contentbot.summaries.findings import Code, Finding, Severity
from contentbot.summaries.model import Draft, Quote, SummaryOutput, SummaryResult
from contentbot.summaries.prompt import messages
from contentbot.summaries.validator import Wishes, validate
from contentbot.summaries.writing import summarise

__all__ = [
    "Article",
    "Code",
    "Draft",
    "Endpoint",
    "Finding",
    "Quote",
    "Severity",
    "SummaryOutput",
    "SummaryResult",
    "Wishes",
    "messages",
    "of_document",
    "of_extraction",
    "summarise",
    "validate",
]
