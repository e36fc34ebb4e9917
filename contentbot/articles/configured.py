"""The service as the settings have it."""

from contentbot.articles.service import ArticleService
from contentbot.articles.wishes import DeclaredWishes
from contentbot.config import Settings, get_settings
from contentbot.loading import AddressGuard, Loader, LoadLimits
from contentbot.sources.loader import load_sources
from contentbot.sources.models import USER_AGENT


def configured_loader(settings: Settings) -> Loader:
    """Return a loader with the limits and networks of the settings."""
    limits = LoadLimits(
        seconds=settings.fetch_seconds,
        max_bytes=settings.fetch_max_bytes,
        pause=1 / settings.fetch_rate if settings.fetch_rate else 0.0,
        kept_seconds=settings.fetch_cache_seconds,
    )
    guard = AddressGuard(settings.fetch_allow_networks)
    return Loader(guard, limits, user_agent=settings.fetch_user_agent.strip() or USER_AGENT)


def configured_service(settings: Settings | None = None) -> ArticleService:
    """Return a service with the loader, the workers and the declared sources of the settings."""
    settings = settings or get_settings()
    wishes = DeclaredWishes(lambda: load_sources(settings.sources_dir))
    return ArticleService(configured_loader(settings), wishes=wishes, workers=settings.fetch_workers)
