"""Pages that are empty until their scripts have run: a browser without a network of its own runs them.

Everything that a page asks for is fetched by the caller, so that robots.txt, the rate limit, the cache, the limits of
size and the guard of addresses hold for a browser as they hold for a crawler. The optional package is `playwright`; the
browser is the system's Chromium.
"""

from contentbot.rendering.browser import Browser, Fetch, RenderLimits, Resource
from contentbot.rendering.install import executable, require

__all__ = ["Browser", "Fetch", "RenderLimits", "Resource", "executable", "require"]
