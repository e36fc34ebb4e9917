"""From an article to a checked summary: the model writes, the check answers, a few times."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from contentbot.errors import ModelError, ModelUnavailable
from contentbot.summaries.article import Article
from contentbot.summaries.endpoint import Reply
from contentbot.summaries.findings import Code, Finding, error, errors, warning
from contentbot.summaries.model import Draft, SummaryError, SummaryOutput, SummaryResult, draft_schema
from contentbot.summaries.prompt import MAX_CHARS, Message, is_cut, messages, repair
from contentbot.summaries.validator import Evidence, Wishes, check

TRIES = 3
_SHOWN_AGAIN = 20_000  # characters of a bad answer that are shown to the model again
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


class Writer(Protocol):
    """What writes: `Endpoint`, or whatever else answers messages."""

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Reply:
        """Answer messages in the form of a JSON schema."""


def summarise(article: Article, writer: Writer, wishes: Wishes | None = None, *, tries: int = TRIES) -> SummaryOutput:
    """Have an article summarised, and its summary checked; a draft with errors goes back with the findings.

    Never raises for what a model or an endpoint does: the output says it.
    """
    if not article.text.strip():
        return failed(article, "INVALID_INPUT", "the article has no text", stage="input")
    wanted, evidence = wishes or Wishes(), Evidence(article)
    asked = messages(article, wanted, language=evidence.language)
    conversation, findings = asked, list[Finding]()
    for number in range(1, tries + 1):
        try:
            reply = writer.complete(conversation, draft_schema())
        except ModelError as problem:
            return _unanswered(article, problem, findings, number - 1)
        draft, findings = _checked(reply, evidence, wanted)
        if draft and not errors(findings):
            return _done(article, draft, reply, [*findings, *_about(article)], number)
        conversation = [*asked, *repair(reply.text[:_SHOWN_AGAIN], errors(findings))]
    told = "; ".join(f"{one.place}: {one.found!r}, {one.message}" for one in errors(findings)[:3])
    message = f"the draft still has {len(errors(findings))} errors after {tries} tries: {told}"
    return failed(article, "SUMMARY_INVALID", message, stage="validate", retryable=True, findings=findings, tries=tries)


def _checked(reply: Reply, evidence: Evidence, wishes: Wishes) -> tuple[Draft | None, list[Finding]]:
    data = parsed(reply.text)
    if data is None:
        message = "it is no JSON object" if reply.complete else "it was cut off before its end"
        fix = "answer with the JSON object only" if reply.complete else "write less: fewer key points, no quotes"
        return None, [error(Code.SCHEMA, "summary", reply.text, message, fix)]
    return check(data, evidence, wishes)


def parsed(text: str) -> dict[str, Any] | None:
    """Return the JSON object that an answer holds: bare, in a code fence, or among words; None when there is none.

    An object inside of one that is cut off is none: only the outermost counts, or one that has a summary.
    """
    answer = _THOUGHT.sub("", text)
    for number, start in enumerate(_openings(answer)):
        try:
            found, _ = json.JSONDecoder().raw_decode(answer, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and (not number or "summary" in found):
            return found
    return None


def _openings(text: str) -> Iterator[int]:
    """Yield where an object may begin; a few places are enough, and a hostile answer has thousands."""
    at = text.find("{")
    for _ in range(20):
        if at < 0:
            return
        yield at
        at = text.find("{", at + 1)


def _about(article: Article) -> Iterator[Finding]:
    if is_cut(article):
        message = f"the model was shown the first {MAX_CHARS:,} characters of {len(article.text):,}"
        yield warning(Code.ARTICLE_CUT, "summary", "", message, "read the end of the article for yourself")


def _done(article: Article, draft: Draft, reply: Reply, warnings: list[Finding], tries: int) -> SummaryOutput:
    result = SummaryResult(
        **draft.model_dump(),
        document_id=article.document_id,
        source_id=article.source_id,
        extract_id=article.extract_id,
        url=article.url,
        published_at=article.published_at,
        text_hash=hashlib.sha256(article.text.encode("utf-8", "replace")).hexdigest(),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        model=reply.model,
        tries=tries,
        warnings=warnings,
    )
    return SummaryOutput(
        success=True, document_id=article.document_id, url=article.url, summary=result, findings=warnings, tries=tries
    )


def _unanswered(article: Article, problem: ModelError, findings: list[Finding], tries: int) -> SummaryOutput:
    away = isinstance(problem, ModelUnavailable)
    code: Literal["MODEL_UNAVAILABLE", "MODEL_REFUSED"] = "MODEL_UNAVAILABLE" if away else "MODEL_REFUSED"
    return failed(article, code, str(problem), stage="model", retryable=away, findings=findings, tries=tries)


def failed(
    article: Article | None,
    code: Literal["INVALID_INPUT", "MODEL_UNAVAILABLE", "MODEL_REFUSED", "SUMMARY_INVALID"],
    message: str,
    *,
    stage: Literal["input", "model", "validate"],
    retryable: bool = False,
    findings: Sequence[Finding] = (),
    tries: int = 0,
) -> SummaryOutput:
    """Return the output that says why there is no summary."""
    return SummaryOutput(
        success=False,
        document_id=article.document_id if article else "",
        url=article.url if article else "",
        error=SummaryError(code=code, message=message, retryable=retryable, stage=stage),
        findings=list(findings),
        tries=tries,
    )
