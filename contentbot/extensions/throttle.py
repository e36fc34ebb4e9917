"""AutoThrottle that never goes below the pause that a host asked for."""

from scrapy import Request, Spider
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response


class PoliteThrottle(AutoThrottle):
    """Scrapy's AutoThrottle, with each slot's own `delay` setting as a floor beside DOWNLOAD_DELAY.

    Scrapy's moves every slot towards the server's latency, from above as well: a Crawl-delay would be gone after a few
    fast answers.
    """

    def _response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        super()._response_downloaded(response, request, spider)
        key, slot = self._get_slot(request, spider)
        if key is not None and slot is not None:
            setting = self.crawler.engine.downloader.per_slot_settings.get(key, {})
            slot.delay = max(slot.delay, setting.get("delay", 0.0))
