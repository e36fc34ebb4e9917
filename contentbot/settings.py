"""Scrapy settings of the project; our own names start with CONTENTBOT_.

What belongs to one source (user agent, rate, timeout, body limit, the copy it is crawled from) is set by its spider.
"""

from contentbot.config import get_settings

_config = get_settings()

BOT_NAME = "contentbot"
SPIDER_LOADER_CLASS = "contentbot.spiderloader.SourceSpiderLoader"
SPIDER_MODULES: list[str] = []
COMMANDS_MODULE = "contentbot.commands"

CONTENTBOT_SOURCES_DIR = str(_config.sources_dir)
CONTENTBOT_DATA_DIR = str(_config.data_dir)
CONTENTBOT_INDEX_URL = _config.index_url
CONTENTBOT_DATABASE_URL = _config.database_url.get_secret_value()
CONTENTBOT_EXTRACT_WORKERS = 0  # processes; 0 means one per CPU
CONTENTBOT_EXTRACT_START_SECONDS = 120.0  # for the first page of all; then the workers count as dead
CONTENTBOT_BATCH_DOCUMENTS = 100
CONTENTBOT_BATCH_BYTES = 4 << 20
CONTENTBOT_BATCH_SECONDS = 5.0
CONTENTBOT_PROGRESS_SECONDS = 30.0  # between two lines of the log
CONTENTBOT_MAX_SITEMAPS = 10_000  # read in one run; the protocol allows an index 50,000
CONTENTBOT_SITEMAP_DEPTH = 5  # indexes below indexes
CONTENTBOT_KEEP_RUNS = 500  # of each source, in the history
CONTENTBOT_RENDER_HOURS = 24.0  # until a rendered page is rendered again, although the page itself has not changed
CONTENTBOT_CACHE_DAYS = 90.0  # without being asked for, until a stored response goes

# Nothing listens, nothing remembers who we are, nothing is filtered behind the frontier's back.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
COOKIES_ENABLED = False
REFERER_ENABLED = False
HTTPERROR_ALLOW_ALL = True  # the spider counts every status by its reason
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"
DOWNLOAD_VERIFY_CERTIFICATES = True
WARN_ON_GENERATOR_RETURN_VALUE = False  # it reads the source of every callback, for a mistake that mypy finds
URLLENGTH_LIMIT = 0  # cleaned addresses have a limit of their own, and what is over it is counted
# no Accept-Language: a page is read in the language of its address, not in ours
DEFAULT_REQUEST_HEADERS = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"}

# Manners. The spider sets DOWNLOAD_DELAY from the source's rate limit, AutoThrottle only ever adds to it.
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 8
DOWNLOAD_DELAY_JITTER = 0  # half of the requests would come sooner than the rate limit promises
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0
CONTENTBOT_MAX_CRAWL_DELAY = 60.0  # seconds; what robots.txt asks for beyond it is logged and cut
CONTENTBOT_BACKOFF_SECONDS = 1.0  # before a first retry, and after a first 503 without Retry-After; doubles each time
CONTENTBOT_MAX_RETRY_AFTER = 300.0  # seconds; a host that asks for more gets no further request in this run
RETRY_TIMES = 3
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # the run record names the page

# Broad before deep, and in the order of the list: what a site puts first comes first.
DEPTH_PRIORITY = 1
SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"
SCHEDULER_DISK_QUEUE = "scrapy.squeues.PickleFifoDiskQueue"

DOWNLOADER_MIDDLEWARES = {
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "contentbot.middlewares.addresses.AddressGuard": 50,
    "contentbot.middlewares.robots.RobotsMiddleware": 100,
    "contentbot.middlewares.turns.HostTurns": 550,
    "contentbot.middlewares.backoff.BackOff": 560,
    # nearest to the network first: inflate, then name things as the site does, then follow
    "contentbot.middlewares.redirects.RedirectMiddleware": 570,
    "contentbot.middlewares.copy.CopyMiddleware": 580,
    "contentbot.middlewares.inflate.InflateMiddleware": 590,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    "contentbot.middlewares.cache.CacheMiddleware": 900,
}
ITEM_PIPELINES = {
    "contentbot.pipelines.extract.ExtractPipeline": 100,
    "contentbot.pipelines.validate.ValidatePipeline": 200,
    "contentbot.pipelines.rules.RulesPipeline": 300,
    "contentbot.pipelines.index.IndexPipeline": 900,
}
EXTENSIONS = {
    "scrapy.extensions.logstats.LogStats": None,
    "scrapy.extensions.throttle.AutoThrottle": None,
    "contentbot.extensions.throttle.PoliteThrottle": 0,
    "contentbot.extensions.headers.HeaderGuard": 100,
    "contentbot.extensions.progress.ProgressReporter": 800,
    "contentbot.extensions.runrecord.RunRecorder": 900,
    "contentbot.extensions.metrics.MetricsExporter": 910,
}

# Every page is asked for, and sent again only when it has changed.
HTTPCACHE_ENABLED = True
HTTPCACHE_POLICY = "contentbot.middlewares.cache.CachePolicy"
HTTPCACHE_STORAGE = "contentbot.middlewares.cache.CacheStorage"
HTTPCACHE_IGNORE_RESPONSE_CACHE_CONTROLS = ["no-cache", "no-store"]  # we validate always, and show nobody the copy

# The run record names every page that was skipped, and the statistics are in it.
LOG_LEVEL = _config.log_level
CONTENTBOT_BROWSER = _config.browser
CONTENTBOT_METRICS_PORT = _config.metrics_port
CONTENTBOT_METRICS_HOST = _config.metrics_host
CONTENTBOT_METRICS_FILE = _config.metrics_file
CONTENTBOT_LOG_FORMAT = _config.log_format
LOG_FORMATTER = "contentbot.extensions.logformatter.ShortLogFormatter"
LOG_VERSIONS: list[str] = []
STATS_DUMP = False
