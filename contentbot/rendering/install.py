"""Which browser there is, and what to do where there is none."""

import importlib.util
import os
import shutil

from contentbot.errors import ConfigError

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge")

_PACKAGE = "the package: pip install 'contentbot[render]'"
_BROWSER = "the browser: apt-get install chromium, or name one in CONTENTBOT_BROWSER"


def executable(named: str = "") -> str:
    """Return the path of the browser that is named, else of the first one that is installed.

    Raises:
        ConfigError: there is none, or the one that is named is no program.
    """
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        problem = f"{named!r} is no program" if named else "no Chromium is installed"
        raise ConfigError(f"{problem}, pages cannot be rendered", key="CONTENTBOT_BROWSER", hint=f"install {_BROWSER}")
    return found


def require(named: str = "") -> str:
    """Return the browser's path once package and browser are both there.

    Raises:
        ConfigError: says which of them is missing, and how to get both.
    """
    if importlib.util.find_spec("playwright") is None:
        hint = f"install {_PACKAGE}; and {_BROWSER}"
        raise ConfigError("the package playwright is not installed, pages cannot be rendered", key="render", hint=hint)
    return executable(named)


def flags() -> list[str]:
    """Return what the browser is started with: no call home, no screen, and no way into the network."""
    quiet = (
        "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
        "--disable-sync --disable-extensions --disable-default-apps --mute-audio --disable-dev-shm-usage "
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp "
        # every request is answered by the caller; what finds a way past that ends at a closed port
        "--proxy-server=http://127.0.0.1:9 --proxy-bypass-list=<-loopback>"
    )
    # the sandbox needs a user of its own; Chromium refuses to start as root with it
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    return [*quiet.split(" "), *as_root]
