"""Where the engine listens, and what our indexes are called there."""

import re
import secrets
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from contentbot.errors import ConfigError

_PREFIX = re.compile(r"[A-Za-z0-9_-]{0,100}")
STAGED = "_staged_"
"""What stands between the name of an index and the mark of one that is filled beside it."""


def server_address(url: str) -> str:
    """Return the address of the engine without a slash at its end.

    Raises:
        ConfigError: it holds credentials (they belong into CONTENTBOT_INDEX_KEY), or is no address of a server.
    """
    parts = urlsplit(url)
    # neither message repeats the URL: it may hold a secret
    if "@" in parts.netloc:
        raise ConfigError("holds credentials", key="index_url", hint="put the key into CONTENTBOT_INDEX_KEY")
    if not parts.hostname or parts.query or parts.fragment:
        raise ConfigError("is no address of a server", key="index_url", hint="such as http://localhost:7700")
    return url.rstrip("/")


@dataclass(frozen=True, slots=True)
class Names:
    """The two indexes of one content index. A key for them may be limited to the pattern `PREFIXcontent_*`."""

    documents: str
    chunks: str

    @classmethod
    def live(cls, prefix: str) -> Self:
        """Return the names under which the live indexes are searched.

        Raises:
            ConfigError: the prefix has characters that the engine does not take.
        """
        if not _PREFIX.fullmatch(prefix):
            raise ConfigError(
                f"{prefix!r} does not fit {_PREFIX.pattern}", key="CONTENTBOT_INDEX_PREFIX", hint="such as staging_"
            )
        return cls(f"{prefix}content_documents", f"{prefix}content_chunks")

    def staged(self) -> Self:
        """Return names of their own for indexes that are filled beside these."""
        mark = f"{STAGED}{secrets.token_hex(8)}"
        return type(self)(f"{self.documents}{mark}", f"{self.chunks}{mark}")

    def is_staged_beside(self, name: str) -> bool:
        """Say whether this is the name of an index that was staged beside these."""
        return name.startswith((f"{self.documents}{STAGED}", f"{self.chunks}{STAGED}"))
