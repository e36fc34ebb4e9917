"""The HTTP cache: nothing is downloaded twice, and nothing stale is taken for the truth.

Scrapy's cache, with a storage that a kill cannot tear and a policy for crawlers. A browser's cache answers without
asking as long as a copy seems fresh, and hands out a stale copy while the server is in trouble: both would hide what a
crawler is there to see. Here every stored copy is validated (RFC 9110 section 13, `If-None-Match` and
`If-Modified-Since`), and only a 304 brings it back.
"""

import logging
import re
import time
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.extensions.httpcache import RFC2616Policy
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import BaseSettings
from scrapy.utils.request import RequestFingerprinterProtocol

from contentbot.errors import StateError
from contentbot.state.cache import CachedResponse, ResponseCache

logger = logging.getLogger(__name__)

FROM_CACHE = "from_cache"
"""A request's meta key: a stored copy is wanted as it is, without asking the server."""

WITHOUT_BODY = "without_body"
"""A request's meta key: the ETag and Last-Modified of a document; the headers of a copy that has them will do."""

VALIDATED = "validated"
"""A response's flag: the server said that the stored copy is still right."""

HEADERS_CHANGED = "headers_changed"
"""A response's flag beside `VALIDATED`: the body is as it was, but the document may not be."""

# what extraction reads beside the body
_TELLING = (b"X-Robots-Tag", b"Link", b"Content-Type", b"Content-Language")

_VALIDATORS = (b"If-None-Match", b"If-Modified-Since")
_NOINDEX = re.compile(rb"\b(?:noindex|none)\b", re.IGNORECASE)
_STORED_AT = "cache_stored_at"
_CONFIRMED_EVERY = 86_400.0  # seconds; a row written for every 304 would cost more than it tells


class CachePolicy(RFC2616Policy):
    """What is stored, and when a stored copy counts."""

    def should_cache_response(self, response: Response, request: Request) -> bool:  # noqa: ARG002 - Scrapy's interface
        """Store whole pages only, and those that may be stored (HTTPCACHE_IGNORE_RESPONSE_CACHE_CONTROLS)."""
        whole = response.status == 200 and "download_stopped" not in response.flags
        return whole and b"no-store" not in self._parse_cachecontrol(response)

    def is_cached_response_fresh(self, cachedresponse: Response, request: Request) -> bool:
        """Never, unless the request wants the copy; validators are added to the request."""
        if request.meta.get(FROM_CACHE):
            return True
        # a server may leave a header out of its 304: that noindex is gone is seen in a whole answer only
        if not _NOINDEX.search(b",".join(cachedresponse.headers.getlist(b"X-Robots-Tag"))):
            self._set_conditional_validators(request, cachedresponse)
        return False

    def is_cached_response_valid(
        self,
        cachedresponse: Response,
        response: Response,
        request: Request,  # noqa: ARG002 - Scrapy's interface
    ) -> bool:
        """Only when the server says so: a 503 is a 503."""
        if response.status != 304:
            return False
        cachedresponse.flags.append(VALIDATED)
        said = ((response.headers.getlist(name), cachedresponse.headers.getlist(name)) for name in _TELLING)
        if any(now and now != before for now, before in said):
            cachedresponse.flags.append(HEADERS_CHANGED)
        return True


class CacheStorage:
    """Scrapy's storage interface over a source's `ResponseCache`."""

    def __init__(self, settings: BaseSettings) -> None:
        self._folder = Path(settings["CONTENTBOT_DATA_DIR"]) / "cache"
        self._max_age = settings.getfloat("CONTENTBOT_CACHE_DAYS") * 86_400
        self._fingerprinter: RequestFingerprinterProtocol | None = None
        self._cache: ResponseCache | None = None

    def open_spider(self, spider: Spider) -> None:
        """Open the source's file."""
        self._fingerprinter = spider.crawler.request_fingerprinter
        self._cache = ResponseCache(self._folder / f"{spider.name}.db")

    def close_spider(self, spider: Spider) -> None:  # noqa: ARG002 - Scrapy's interface
        """Drop what no run has asked for in a long time, and close."""
        if self._cache:
            self._cache.trim(time.time() - self._max_age)
            self._cache.close()

    def retrieve_response(self, spider: Spider, request: Request) -> Response | None:  # noqa: ARG002 - Scrapy's interface
        """Return the stored copy of a request's response."""
        if self._cache is None:
            return None
        stored = self._cache.get(self._key(request), body=WITHOUT_BODY not in request.meta)
        if stored is None:
            return None
        request.meta[_STORED_AT] = stored.stored_at
        headers = Headers()
        for name, value in stored.headers:
            headers.appendlist(name.encode("latin-1"), value.encode("latin-1"))
        kind = responsetypes.from_args(headers=headers, url=stored.url, body=stored.body)
        return kind(url=stored.url, status=stored.status, headers=headers, body=stored.body)

    def store_response(self, spider: Spider, request: Request, response: Response) -> None:  # noqa: ARG002 - Scrapy's interface
        """Store a response, or note that the stored one was confirmed."""
        if self._cache is None:
            return
        try:
            self._store(self._cache, request, response)
        except StateError as error:
            # a page that was fetched is worth more than its copy
            logger.error("responses are not stored any more in this run: %s", error)  # noqa: TRY400 - it says all
            self._cache.close()
            self._cache = None

    def _store(self, cache: ResponseCache, request: Request, response: Response) -> None:
        key = self._key(request)
        if VALIDATED in response.flags:
            age = time.time() - request.meta.get(_STORED_AT, 0.0)
            if age >= _CONFIRMED_EVERY or HEADERS_CHANGED in response.flags:
                cache.confirm(key, _pairs(response.headers), time.time())
            return
        stored = CachedResponse(response.url, response.status, _pairs(response.headers), response.body, time.time())
        cache.put(key, stored)

    def _key(self, request: Request) -> bytes:
        if self._fingerprinter is None:
            raise RuntimeError("the storage was not opened")
        return self._fingerprinter.fingerprint(request)


class CacheMiddleware(HttpCacheMiddleware):
    """Scrapy's, without its habit of answering a failed download with the stored copy."""

    def process_request(self, request: Request, spider: Spider | None = None) -> Any:  # noqa: ARG002 - as Scrapy declares it
        """Answer from the cache, or add the validators of this address: a redirect brings those of another along."""
        for name in _VALIDATORS:
            request.headers.pop(name, None)
        return super().process_request(request)

    def process_response(self, request: Request, response: Response, spider: Spider | None = None) -> Any:  # noqa: ARG002
        """Return the answer, or the stored copy that it confirms; with its body where that has to be read after all."""
        answer = super().process_response(request, response)
        if not isinstance(answer, Response) or VALIDATED not in answer.flags or WITHOUT_BODY not in request.meta:
            return answer
        if HEADERS_CHANGED not in answer.flags and has_validators(answer, *request.meta[WITHOUT_BODY]):
            return answer
        del request.meta[WITHOUT_BODY]
        stored = self.storage.retrieve_response(self.crawler.spider, request)
        return answer.replace(body=stored.body) if stored else response

    def process_exception(self, request: Request, exception: Exception, spider: Spider | None = None) -> Any:  # noqa: ARG002
        """Let the failure be seen; a retry starts without what this request had of the cache."""
        request.meta.pop("cached_response", None)


def has_validators(response: Response, etag: str, last_modified: str) -> bool:
    """Say whether a response is the one that these validators came with; an ETag is the better one of the two."""
    name, value = (b"ETag", etag) if etag else (b"Last-Modified", last_modified)
    return b", ".join(response.headers.getlist(name)).decode("latin-1") == value


def _pairs(headers: Headers) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values
    )
