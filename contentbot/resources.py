"""Folders that ship inside of the package, also where the package is an egg: a zip file, as scrapyd runs it."""

import atexit
import shutil
import tempfile
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

SOURCES = "declared"
"""The folder of the source files that an egg carries; in a checkout it is a link to `sources`."""


def in_archive() -> bool:
    """Say whether the package is imported from an archive, so that its files have no paths."""
    return not isinstance(files("contentbot"), Path)


@cache
def shipped_folder(*names: str) -> Path:
    """Return a folder of the package by its path in it; out of an archive it is copied, until the process ends."""
    folder = files("contentbot").joinpath(*names)
    if isinstance(folder, Path):
        return folder
    copy = Path(tempfile.mkdtemp(prefix="contentbot-"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    _copy(folder, copy)
    return copy


def _copy(folder: Traversable, to: Path) -> None:
    to.mkdir(exist_ok=True)
    for one in folder.iterdir():
        if one.is_dir():
            _copy(one, to / one.name)
        else:
            (to / one.name).write_bytes(one.read_bytes())
