import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from contentbot.state import State, open_state


def postgres_programs() -> Path | None:
    """The folder with initdb and pg_ctl: on the PATH, or where Debian keeps the newest version's."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    kept = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parts[-3]))
    return kept[-1].parent if kept else None


def run_as_server(command: list[str]) -> None:
    # PostgreSQL refuses to run as root
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    # the server inherits the output: a pipe would never close
    subprocess.run([*user, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The SQLAlchemy URL of a real server of this session's own, reached by a socket in its folder."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL here: install the package postgresql to run this on it too")
    folder = Path(subprocess.check_output(["mktemp", "-d", "/tmp/pg-test.XXXXXX"], text=True).strip())
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = str(folder / "data")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    run_as_server([f"{programs}/initdb", "-D", data, "-U", "postgres", "-A", "trust"])
    run_as_server([f"{programs}/pg_ctl", "-D", data, "-w", "-o", options, "start"])
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        run_as_server([f"{programs}/pg_ctl", "-D", data, "-m", "immediate", "stop"])
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/state.db"
    server: str = request.getfixturevalue("postgres")
    name = f"db_{os.urandom(6).hex()}"
    create_database(server, name)
    return server.replace("/postgres?", f"/{name}?")


def create_database(server: str, name: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')


@pytest.fixture
def opened(database_url: str) -> Iterator[Callable[[], State]]:
    """Opens the database as often as a test likes, and closes what it opened."""
    states: list[State] = []

    def open_again() -> State:
        states.append(open_state(database_url))
        return states[-1]

    yield open_again
    for state in states:
        state.close()


@pytest.fixture
def state(opened: Callable[[], State]) -> State:
    return opened()
