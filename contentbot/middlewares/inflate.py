"""Compressed answers, with a limit that counts while inflating."""

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.statscollectors import DummyStatsCollector

from contentbot.middlewares.cache import VALIDATED


class BodyTooLarge(IgnoreRequest):
    """The body is over the source's `max-body-bytes` once it is inflated."""


class BrokenEncoding(IgnoreRequest):
    """The body is not compressed as its header says."""


class InflateMiddleware(HttpCompressionMiddleware):
    """Scrapy's own inflating, which stops at the limit, with an error that can be told from others."""

    @classmethod
    def outside_of_a_crawl(cls, max_bytes: int) -> "InflateMiddleware":
        """Return one for responses that no crawl has just fetched, with the limit for an inflated body."""
        crawler = Crawler(Spider, {"DOWNLOAD_MAXSIZE": max_bytes})
        crawler.stats = DummyStatsCollector(crawler)
        return cls(crawler=crawler)

    def process_response(
        self,
        request: Request,
        response: Response,
        spider: Spider | None = None,  # noqa: ARG002 - as Scrapy declares it, and never passes it
    ) -> Request | Response:
        """Inflate the body; raises `BodyTooLarge` as soon as the limit is reached."""
        if VALIDATED in response.flags and not response.body:
            return response  # only its headers were asked for
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            limit = request.meta.get("download_maxsize", self._max_size)
            raise BodyTooLarge(f"inflates to more than {limit} bytes") from error
        except Exception as error:  # each of the four decoders has errors of its own
            return _as_it_came(response, error)


def _as_it_came(response: Response, error: Exception) -> Response:
    """Return a body that was never compressed, whatever its header says; raises `BrokenEncoding` for any other."""
    if not response.body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise BrokenEncoding(f"{type(error).__name__}: {error}") from error
    plain = response.headers.copy()
    plain.pop(b"Content-Encoding", None)
    return response.replace(headers=plain)
