"""One countable word for every way in which a download fails."""

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from twisted.internet.error import ConnectError, ConnectionLost

from contentbot.middlewares.inflate import BodyTooLarge, BrokenEncoding
from contentbot.sitecopy import NotInCopy

_WORDS: list[tuple[type[BaseException], str]] = [
    (BodyTooLarge, "body_too_large"),
    (BrokenEncoding, "broken_encoding"),
    (NotInCopy, "not_in_copy"),
    (DownloadTimeoutError, "timeout"),
    (DownloadCancelledError, "body_too_large"),
    (CannotResolveHostError, "unknown_host"),
    (DownloadConnectionRefusedError, "connection_refused"),
    (ResponseDataLossError, "truncated"),
    (UnsupportedURLSchemeError, "bad_url"),
    (ConnectError, "connection_failed"),
    (ConnectionLost, "connection_lost"),
    (DownloadFailedError, "connection_lost"),
    (IgnoreRequest, "refused"),
    (OSError, "connection_failed"),
]


def why(error: BaseException) -> tuple[str, str]:
    """Return the reason of a failed download, and its detail for a person.

    An error that names its own `reason`, as a refused redirect does, is taken at its word.
    """
    own = getattr(error, "reason", "")
    if isinstance(own, str) and own:
        return own, str(getattr(error, "detail", ""))
    # the handler wraps what OpenSSL says; it is worth a word of its own, for a retry does not help
    if isinstance(error, DownloadFailedError) and "SSL" in str(error):
        return "tls_failed", str(error)
    word = next((word for kind, word in _WORDS if isinstance(error, kind)), "download_error")
    return word, f"{type(error).__name__}: {error}" if word == "download_error" else str(error)
