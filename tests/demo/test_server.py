from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from contentbot.demo.server import Site, demo_site, serve

FOLDER = Path(__file__).parents[2] / "contentbot" / "demo" / "site"


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/", 200),
        ("/de", 200),
        ("/robots.txt", 200),
        ("/guide/visiting", 200),
        ("/guide/visiting?utm_source=x", 200),
        ("/de/news/2026/03/m%C3%BChlentag", 200),
        ("/en/guide/visiting", 301),
        ("/news/2025/11/the-lost-ledger", 404),
        ("/../server.py", 404),
        ("/%2e%2e/server.py", 404),
        ("/..%2fserver.py", 404),
        ("/%00", 404),
        ("/routes.json", 404),
        ("//etc/passwd", 404),
    ],
)
def test_an_address_answers_as_on_a_real_site(target: str, status: int) -> None:
    assert Site(FOLDER).answer(target).status == status


def test_validators_and_head_requests_are_answered() -> None:
    with demo_site() as origin:
        connection = HTTPConnection(urlsplit(origin).netloc, timeout=10)
        connection.request("GET", "/guide/visiting")
        first = connection.getresponse()
        body, tag = first.read(), first.headers["ETag"]
        connection.request("GET", "/guide/visiting", headers={"If-None-Match": tag})
        second = connection.getresponse()
        assert (second.status, second.read()) == (304, b"")
        connection.request("HEAD", "/guide/visiting")
        third = connection.getresponse()
        assert (third.status, third.read()) == (200, b"")
        connection.close()
    assert b"Opening hours" in body


def test_a_served_folder_may_be_empty(tmp_path: Path) -> None:
    with serve(tmp_path) as origin:
        assert origin.startswith("http://127.0.0.1:")
    assert Site(tmp_path).answer("/").status == 404
