"""Opening the state database, at the newest schema."""

import logging
from pathlib import Path
from types import TracebackType
from typing import Self

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from contentbot.errors import ConfigError, StateUnavailable
from contentbot.state.pages import PageStore
from contentbot.state.runs import RunStore
from contentbot.state.transactions import place, prepare_sqlite, writing

MIGRATIONS = Path(__file__).parent / "migrations"


class State:
    """The open database and what is kept in it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.pages = PageStore(engine)
        self.runs = RunStore(engine)

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
    try:
        parsed = make_url(url)
        if parsed.drivername in {"postgres", "postgresql"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() == "sqlite" and parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(parsed, pool_pre_ping=parsed.get_backend_name() != "sqlite")
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise ConfigError(
            f"no database can be opened with it: {error}",
            key="CONTENTBOT_DATABASE_URL",
            hint="sqlite:///path/to/state.db or postgresql://user:password@host/name",
        ) from error
    if engine.dialect.name == "sqlite":
        prepare_sqlite(engine)
    return engine
