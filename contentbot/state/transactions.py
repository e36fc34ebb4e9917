"""Reading and writing transactions, the same on both databases; their errors are translated here and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError

from contentbot.errors import StateUnavailable

_WRITES = "contentbot_writes"


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that writes: all of it happens, or nothing."""
    with translated(engine), engine.execution_options(**{_WRITES: True}).begin() as connection:
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a connection that only reads."""
    with translated(engine), engine.connect() as connection:
        yield connection


@contextmanager
def translated(engine: Engine) -> Iterator[None]:
    """Turn the database's own errors into ours, without its password."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise StateUnavailable(f"{place(engine)}: {cause}") from error


def place(engine: Engine) -> str:
    """Name the database for a message."""
    return engine.url.render_as_string(hide_password=True)


def prepare_sqlite(engine: Engine) -> None:
    """Give an SQLite engine real transactions and readers that never wait for the writer."""
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)


def _on_connect(connection: Any, _record: Any) -> None:
    # the driver's own transactions leave out DDL and begin too late: SQLAlchemy begins them instead
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Connection) -> None:
    # a writer takes its place in the queue at once: one that reads first could not wait any more; a single query that
    # only reads is a transaction of its own
    if connection.get_execution_options().get(_WRITES):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
