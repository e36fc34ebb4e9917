"""Loading a page that somebody named: guarded, polite, and bounded in time and size."""

from contentbot.loading.addresses import AddressGuard
from contentbot.loading.loader import Loaded, Loader, LoadLimits

__all__ = ["AddressGuard", "LoadLimits", "Loaded", "Loader"]
