"""Every failure as one of the five codes, with words that say what to do."""

from contentbot.articles.model import ErrorCode, ErrorDetails, ErrorInfo, Stage
from contentbot.errors import ContentBotError, ExtractionError, NotLoaded

_OF_THE_PAGE = frozenset({"unsupported_media", "broken_encoding"})
_ADVICE = {
    "robots_disallowed": "the site does not want this page to be read by programs: read it in a browser",
    "http_status": "check the address, or try again later",
    "empty_text": "the page may need a browser to show its text",
    "noindex": "the page asks not to be indexed",
    "unsupported_media": "only HTML, plain text and Markdown are read",
}


class Failed(ContentBotError):
    """An extraction that ends without an article.

    Args:
        code: what kind of failure it is.
        stage: the layer that failed.
        message: what happened, and what to do about it.
        kind: one stable word.
    """

    def __init__(
        self,
        code: ErrorCode,
        stage: Stage,
        message: str,
        *,
        kind: str,
        retryable: bool = False,
        url: str = "",
        http_status: int = 0,
        retry_after: int = 0,
    ) -> None:
        details = ErrorDetails(reason=kind, url=url, http_status=http_status, retry_after=retry_after)
        self.info = ErrorInfo(code=code, message=message, retryable=retryable, stage=stage, details=details)
        super().__init__(f"{code}: {message}")


def not_loaded(error: NotLoaded, stage: Stage, url: str = "") -> Failed:
    """Return the failure that an address without a page is."""
    if stage is Stage.NORMALISE:
        code = ErrorCode.INVALID_INPUT
    elif error.kind in _OF_THE_PAGE:
        code = ErrorCode.CONTENT_EXTRACTION_FAILED
    else:
        code = ErrorCode.CONTENT_FETCH_FAILED
    return Failed(
        code,
        stage,
        _sentence(error.kind, error.detail),
        kind=error.kind,
        retryable=error.retryable,
        url=url,
        http_status=error.status,
        retry_after=error.retry_after,
    )


def not_extracted(error: ExtractionError, url: str = "") -> Failed:
    """Return the failure that a page without text is."""
    short = error.reason == "too_short"
    code = ErrorCode.CONTENT_TOO_SHORT if short else ErrorCode.CONTENT_EXTRACTION_FAILED
    stage = Stage.CHECK if short else Stage.EXTRACT
    retryable = error.reason == "closed"
    message = _sentence(error.reason, error.detail)
    return Failed(code, stage, message, kind=error.reason, retryable=retryable, url=url)


def no_worker(url: str) -> Failed:
    """Return the failure of a page that no worker had time for."""
    message = "no worker was free in time: try again later"
    code = ErrorCode.CONTENT_EXTRACTION_FAILED
    return Failed(code, Stage.EXTRACT, message, kind="busy", retryable=True, url=url)


def no_turn() -> Failed:
    """Return the failure of an extraction that too many others were before."""
    message = "too many extractions are under way: try again later"
    return Failed(ErrorCode.CONTENT_FETCH_FAILED, Stage.LOAD, message, kind="busy", retryable=True)


def too_long(stage: Stage) -> Failed:
    """Return the failure of an extraction that took longer than a caller waits."""
    code = ErrorCode.CONTENT_FETCH_FAILED if stage is Stage.LOAD else ErrorCode.CONTENT_EXTRACTION_FAILED
    message = f"the {stage} stage took too long: try again later"
    return Failed(code, stage, message, kind="too_slow", retryable=True)


def unknown(error: Exception, stage: Stage) -> Failed:
    """Return the failure that nobody has thought of; the log has the rest."""
    message = f"the {stage} stage failed in a way that was not foreseen ({type(error).__name__}); the log says more"
    return Failed(ErrorCode.UNKNOWN_ERROR, stage, message, kind="unforeseen")


def _sentence(kind: str, detail: str) -> str:
    said = f"{kind.replace('_', ' ')}: {detail}" if detail else kind.replace("_", " ")
    return f"{said}; {_ADVICE[kind]}" if kind in _ADVICE else said
