"""Reading and writing transactions, the same on both databases."""

from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection, Engine, event

_WRITES = "contentbot_writes"


def writing(engine: Engine) -> AbstractContextManager[Connection]:
    """Open a transaction that writes: all of it happens, or nothing."""
    return engine.execution_options(**{_WRITES: True}).begin()


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
    # a writer takes its place in the queue at once: one that reads first could not wait any more
    immediate = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
