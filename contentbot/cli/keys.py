"""`contentbot keys`."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contentbot.cli.console import AsJson, note, print_json
from contentbot.config import get_settings
from contentbot.errors import ConfigError
from contentbot.index import open_keys

if TYPE_CHECKING:
    from contentbot.index.meilisearch.keys import Issued, Keys

_VARIABLES = {"SEARCH": "CONTENT_SEARCH_KEY", "WRITE": "CONTENT_WRITE_KEY"}
_FOR = {
    "SEARCH": "the MCP server's CONTENTBOT_INDEX_KEY: it may only search",
    "WRITE": "the CONTENTBOT_INDEX_KEY of crawls and of `contentbot reindex`",
}


def keys(
    search_file: Annotated[str, typer.Option(help="Write the search key to this file, and do not print it.")] = "",
    write_file: Annotated[str, typer.Option(help="Write the write key to this file, and do not print it.")] = "",
    rotate: Annotated[bool, typer.Option("--rotate", help="Make new keys beside those that there are.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Withdraw all of our keys but the newest of each.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make or find the two API keys at Meilisearch, with its master key from CONTENTBOT_INDEX_MASTER_KEY.

    One may only search, the other may write; both are limited to the indexes of CONTENTBOT_INDEX_PREFIX.
    """
    from contentbot.index.meilisearch.keys import Role  # noqa: PLC0415 - the embedded engine needs no HTTP client

    settings = get_settings()
    if not settings.index_master_key.get_secret_value():
        raise ConfigError("it is empty", key="CONTENTBOT_INDEX_MASTER_KEY", hint="the engine's MEILI_MASTER_KEY")
    ring = open_keys(settings.index_url, settings.index_master_key)
    issued = [ring.issue(role, fresh=rotate) for role in Role]
    files = {"SEARCH": search_file, "WRITE": write_file}
    for one in issued:
        if file := files[one.role.name]:
            _write(Path(file), one.text.get_secret_value())
    if as_json:
        print_json({"keys": [_as_data(one, files[one.role.name]) for one in issued]})
    else:
        _print([one for one in issued if not files[one.role.name]])
    for one in issued:
        _tell(ring, one, revoke=revoke)


def _print(issued: "list[Issued]") -> None:
    for one in issued:
        name = one.role.name
        # not by the console, which folds lines and colours words
        typer.echo(f"# {_FOR[name]}\n{_VARIABLES[name]}={one.text.get_secret_value()}")


def _as_data(one: "Issued", file: str) -> dict[str, Any]:
    told = {"role": one.role.name.lower(), "uid": one.uid, "created": one.created}
    return {**told, "file": file} if file else {**told, "key": one.text.get_secret_value()}


def _tell(ring: "Keys", one: "Issued", *, revoke: bool) -> None:
    role = one.role.name.lower()
    note(f"{role} key: {'made' if one.created else 'found'} ({one.uid})")
    if revoke:
        if gone := ring.revoke_others(one):
            note(f"{role} key: {gone} older ones withdrawn")
    elif others := ring.others(one):
        note(f"{role} key: {others} older ones still work; --revoke withdraws them once the new one is in use")


def _write(file: Path, text: str) -> None:
    """Write a file that only its owner can read, in one step."""
    fresh = file.with_name(f"{file.name}.new")
    try:
        with suppress(FileNotFoundError):
            fresh.unlink()
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(f"{text}\n")
        fresh.replace(file)
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be written: {error.strerror}", hint="name a file in a folder of yours"
        ) from error
