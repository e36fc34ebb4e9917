"""Opening the state database, at the newest schema."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from contentbot.errors import ConfigError, StateUnavailable
from contentbot.resources import shipped_folder
from contentbot.state.pages import PageStore
from contentbot.state.runs import RunStore
from contentbot.state.surveys import SurveyStore
from contentbot.state.transactions import place, prepare_sqlite, reading, writing

MIGRATIONS = shipped_folder("state", "migrations")


class State:
    """The open database and what is kept in it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.pages = PageStore(engine)
        self.runs = RunStore(engine)
        self.surveys = SurveyStore(engine)

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_state(url: str) -> State:
    """Open the database at an SQLAlchemy URL and bring its schema up to date.

    Raises:
        ConfigError: the URL is none, or its driver is not installed.
        StateUnavailable: the database does not answer, or was written by a newer version.
    """
    engine = _engine(url)
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return State(engine)


@contextmanager
def reading_state(url: str) -> Iterator[State | None]:
    """Open the database for reading while the block runs: nothing is created, migrated or written.

    Gives None where no run has been recorded: there is no such file, or the database has no tables of ours.

    Raises:
        ConfigError, StateUnavailable: as `open_state`; also for a database that an older version wrote.
    """
    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite" and not (parsed.database and Path(parsed.database).is_file()):
        yield None
        return
    engine = _read_only_engine(parsed)
    try:
        yield State(engine) if _has_our_tables(engine) else None
    finally:
        engine.dispose()


def _read_only_engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return _created(url).execution_options(postgresql_readonly=True)
    file = Path(url.database or "").absolute()
    # a reader shares memory with writers through files beside it; where it may make none, nobody can write either
    settled = not os.access(file.parent, os.W_OK) and not file.with_name(f"{file.name}-wal").exists()
    options = "mode=ro&immutable=1" if settled else "mode=ro"
    engine = _created(url.set(database=f"{file.as_uri()}?{options}", query={"uri": "true"}))
    event.listen(engine, "connect", lambda connection, _record: connection.execute("PRAGMA busy_timeout=30000"))
    return engine


def _has_our_tables(engine: Engine) -> bool:
    with reading(engine) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    if found and found != (newest := ScriptDirectory(str(MIGRATIONS)).get_current_head()):
        older = found < (newest or "")
        hint = "an older version of contentbot; the next crawl brings it up to date"
        raise StateUnavailable(f"{place(engine)}: written by {hint if older else 'a newer version of contentbot'}")
    return bool(found)


def migrate(engine: Engine) -> None:
    """Apply every missing migration; several processes may do so at once."""
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with writing(engine) as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise StateUnavailable(f"{place(engine)}: written by a newer version of contentbot ({error})") from error


def _engine(url: str) -> Engine:
    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = _created(parsed)
    if engine.dialect.name == "sqlite":
        prepare_sqlite(engine)
    return engine


def _parsed(url: str) -> URL:
    with _explained():
        parsed = make_url(url)
        if parsed.drivername in {"postgres", "postgresql"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        parsed.get_dialect()  # the first that looks for it
    return parsed


def _created(url: URL) -> Engine:
    with _explained():
        return create_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite")


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise ConfigError(
            f"no database can be opened with it: {error}",
            key="CONTENTBOT_DATABASE_URL",
            hint="sqlite:///path/to/state.db or postgresql://user:password@host/name",
        ) from error
