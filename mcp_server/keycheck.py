"""No server that agents talk to holds a key that may write: whoever gets hold of it could change what they read."""

import logging
import os
import threading
import time
from collections.abc import Callable

from contentbot.errors import ConfigError, EngineRefused, EngineUnavailable
from contentbot.index import key_powers

logger = logging.getLogger(__name__)

AGAIN_AFTER = 5.0
"""Seconds until an engine that gave no answer is asked again."""


def check_key(index_url: str, *, allow_write: bool, leave: Callable[[int], object] = os._exit) -> None:
    """Refuse a key that may write; an engine that is away is asked as soon as it answers, and the process ended then.

    Args:
        allow_write: the operator wants it so; nothing is asked.
        leave: ends the process from another thread.

    Raises:
        ConfigError: the key may write.
    """
    if allow_write:
        return
    try:
        _check(index_url)
    except EngineUnavailable as error:
        logger.warning("what the index key may do is not known yet: %s", error)
        threading.Thread(target=_check_later, args=(index_url, leave), daemon=True, name="key check").start()


def _check_later(index_url: str, leave: Callable[[int], object]) -> None:
    while True:
        time.sleep(AGAIN_AFTER)
        try:
            _check(index_url)
        except EngineUnavailable:
            continue
        except ConfigError as error:
            logger.critical("the server ends: %s", error)
            leave(1)
        return


def _check(index_url: str) -> None:
    try:
        found = key_powers(index_url)
    except EngineRefused as error:
        # readiness says what is wrong with it; a key that is refused may do nothing
        logger.warning("%s", error)
        return
    if found is None:
        return
    if found.unguarded:
        logger.warning("the search engine runs without a master key: everybody who reaches it may do everything")
    elif found.writing:
        raise ConfigError(
            f"the key may do more than read ({', '.join(found.writing)})",
            key="CONTENTBOT_INDEX_KEY",
            hint="give the server the search key of `contentbot keys`, or --allow-write-key",
        )
