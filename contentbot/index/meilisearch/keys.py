"""API keys: those that we have made with the master key, and what the one that is used may do.

A key's actions and indexes never change, and its text is derived from its uid and the master key. So a key of ours is
found again by its name, and a new one has a random uid: a text that was withdrawn does not come back.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from meilisearch.errors import MeilisearchApiError
from pydantic import SecretStr

from contentbot.errors import ConfigError, EngineRefused
from contentbot.index.meilisearch.address import STAGED, Names
from contentbot.index.meilisearch.connection import Connection, EngineClient

_PAGE = 100

_READING = frozenset(
    {
        "search",
        "*.get",
        "documents.get",
        "indexes.get",
        "settings.get",
        "stats.get",
        "stats.*",
        "tasks.get",
        "metrics.get",
        "metrics.*",
        "fields.post",
        "version",
    }
)
"""Actions that change nothing and tell no key: `keys.get` shows those that may write."""


class Role(Enum):
    """What a key is for. The values are its actions, as few as what it is for can do with."""

    SEARCH = ("search",)
    """For the MCP server, whose reads are all searches."""

    WRITE = (
        "search",
        "documents.get",
        "documents.add",
        "documents.delete",
        "indexes.get",
        "indexes.create",
        "indexes.delete",
        "indexes.swap",
        "settings.get",
        "settings.update",
        "stats.get",
        "tasks.get",
    )
    """For crawls and `contentbot reindex`, which also makes staging indexes, swaps them in and deletes the old."""

    def indexes(self, names: Names) -> list[str]:
        """Return the names, or beginnings of names (`…*`), of the indexes that the key is limited to."""
        live = [names.documents, names.chunks]
        return live if self is Role.SEARCH else [*live, *(f"{name}{STAGED}*" for name in live)]

    def title(self, names: Names) -> str:
        """Return the name that the key has at the engine."""
        return f"contentbot {self.name.lower()} {names.documents}"


@dataclass(frozen=True, slots=True)
class Issued:
    """A key: its text, its uid, and whether it was made just now."""

    role: Role
    uid: str
    text: SecretStr
    created: bool


class Keys:
    """The keys of one content index.

    Args:
        connection: to the server, with its master key.
        names: the indexes.
    """

    def __init__(self, connection: Connection, names: Names) -> None:
        self._connection, self._names = connection, names

    def issue(self, role: Role, *, fresh: bool = False) -> Issued:
        """Return the newest key of a role, or a new one where there is none that fits, or a fresh one is wanted.

        Raises:
            ConfigError: the connection has no master key, or the engine was started without one.
            EngineUnavailable: no answer.
        """
        fitting = [] if fresh else [one for one in self._of(role) if self._fits(role, one)]
        record = fitting[0] if fitting else self._create(role)
        return Issued(role, str(record["uid"]), SecretStr(str(record["key"])), created=not fitting)

    def revoke_others(self, kept: Issued) -> int:
        """Delete every key of a role but this one; return how many there were."""
        others = [one for one in self._of(kept.role) if one["uid"] != kept.uid]
        for one in others:
            self._ask(lambda client, uid=one["uid"]: client.http.delete(f"keys/{uid}"))  # type: ignore[misc]  # mypy: lambda default
        return len(others)

    def others(self, kept: Issued) -> int:
        """Count the keys of a role beside this one."""
        return sum(one["uid"] != kept.uid for one in self._of(kept.role))

    def _of(self, role: Role) -> list[Mapping[str, Any]]:
        """Return our keys of a role, newest first, as the engine lists them."""
        return [one for one in self._ask(_listed) if one.get("name") == role.title(self._names)]

    def _fits(self, role: Role, record: Mapping[str, Any]) -> bool:
        same = set(record["actions"]) == set(role.value) and set(record["indexes"]) == set(role.indexes(self._names))
        return same and record.get("expiresAt") is None

    def _create(self, role: Role) -> Mapping[str, Any]:
        wanted = {
            "name": role.title(self._names),
            "description": "made by `contentbot keys`",
            "actions": list(role.value),
            "indexes": role.indexes(self._names),
            "expiresAt": None,
        }
        created: Mapping[str, Any] = self._ask(lambda client: client.http.post("keys", wanted), repeatable=False)
        return created

    def _ask(self, question: Callable[[EngineClient], Any], *, repeatable: bool = True) -> Any:
        try:
            return self._connection.ask(question, repeatable=repeatable)
        except EngineRefused as error:
            if "missing_master_key" in str(error):
                raise ConfigError(
                    f"Meilisearch at {self._connection.url} runs without a master key, so everybody may do everything",
                    hint="start it with MEILI_MASTER_KEY, of 16 bytes or more",
                ) from None
            if "invalid_api_key" in str(error) or "missing_authorization_header" in str(error):
                raise ConfigError(
                    f"Meilisearch at {self._connection.url} does not take it for its master key",
                    key="CONTENTBOT_INDEX_MASTER_KEY",
                    hint="it is the MEILI_MASTER_KEY that the engine was started with",
                ) from None
            raise


@dataclass(frozen=True, slots=True)
class Powers:
    """What a key may do beyond reading, as the engine calls it; `unguarded` where the engine asks for no key at all."""

    writing: tuple[str, ...] = ()
    unguarded: bool = False


def powers(connection: Connection, names: Names, key: SecretStr) -> Powers:
    """Find out what a key may do beyond reading; nothing is changed.

    A key that may list keys finds itself among them, or is the master key. Any other is tried on requests that the
    engine turns down for another reason, once the key has passed: documents in a format that it does not know, and an
    index whose name cannot be one. A key for deleting in the two named indexes alone is taken for one that reads.

    Raises:
        EngineUnavailable: no answer.
        EngineRefused: the engine knows no such key.
    """
    answer = connection.ask(lambda client: _outcome(lambda: _listed(client)))
    if isinstance(answer, list):
        own = next((one for one in answer if one.get("key") == key.get_secret_value()), {"actions": ["*"]})
        return Powers(tuple(action for action in own["actions"] if action not in _READING))
    if answer == "missing_master_key":
        return Powers(unguarded=True)
    bad = f"{names.documents}{STAGED}!"
    tried: dict[str, Callable[[EngineClient], Any]] = {
        "documents.add": lambda client: client.http.post(f"indexes/{names.documents}/documents", "", "text/plain"),
        "documents.delete": lambda client: client.http.delete(f"indexes/{bad}/documents"),
        "settings.update": lambda client: client.http.delete(f"indexes/{bad}/settings"),
        "indexes.delete": lambda client: client.http.delete(f"indexes/{bad}"),
    }
    passed = {
        action: connection.ask(lambda client, question=question: _outcome(lambda: question(client)))  # type: ignore[misc]  # mypy: lambda default
        for action, question in tried.items()
    }
    return Powers(tuple(action for action, said in passed.items() if said not in _DENIED))


_DENIED = frozenset({"invalid_api_key", "missing_authorization_header"})


def _outcome(question: Callable[[], Any]) -> Any:
    """Return the answer, or the code with which the engine turned the question down; what may pass is raised."""
    try:
        return question()
    except MeilisearchApiError as error:
        if error.status_code >= 500 or error.status_code in {408, 425, 429} or not error.code:
            raise
        return error.code


def _listed(client: EngineClient) -> list[Mapping[str, Any]]:
    return list(_pages(client))


def _pages(client: EngineClient) -> Iterator[Mapping[str, Any]]:
    offset, total = 0, 1
    while offset < total:
        # not by the client's model: it refuses keys without a description
        page = client.http.get(f"keys?limit={_PAGE}&offset={offset}")
        yield from page["results"]
        offset, total = offset + _PAGE, int(page["total"])
