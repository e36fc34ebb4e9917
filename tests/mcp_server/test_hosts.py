import pytest

from mcp_server.hosts import host_allowed, origin_allowed


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:41", "[::1]:8000", "[::1]", "LOCALHOST:80"])
def test_this_machine_is_always_let_in(host):
    assert host_allowed(host, [])


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("docs.mill.example", ["docs.mill.example"]),
        ("Docs.Mill.Example:443", ["docs.mill.example"]),
        ("docs.mill.example:8443", ["docs.mill.example:8443"]),
        ("docs.mill.example:8443", ["docs.mill.example:*"]),
        ("anything.example", ["*"]),
    ],
)
def test_a_listed_host_is_let_in(host, allowed):
    assert host_allowed(host, allowed)


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("docs.mill.example", []),
        ("", ["docs.mill.example"]),
        ("evil-docs.mill.example", ["docs.mill.example"]),
        ("docs.mill.example.evil.example", ["docs.mill.example"]),
        ("docs.mill.example:81", ["docs.mill.example:80"]),
        ("localhost.evil.example", []),
        ("127.0.0.1.evil.example:8000", []),
    ],
)
def test_another_host_is_kept_out(host, allowed):
    assert not host_allowed(host, allowed)


def test_no_origin_is_no_browser():
    assert origin_allowed("", [], [])


def test_pages_of_this_machine_and_of_the_listed_hosts_may_call():
    assert origin_allowed("http://localhost:6274", [], [])
    assert origin_allowed("https://docs.mill.example", ["docs.mill.example"], [])
    assert origin_allowed("https://app.example", [], ["https://app.example/"])
    assert origin_allowed("https://app.example", [], ["*"])


@pytest.mark.parametrize(
    "origin", ["https://app.example", "null", "http://localhost.evil.example", "https://app.example:444"]
)
def test_pages_of_others_may_not(origin):
    assert not origin_allowed(origin, [], ["https://app.example:443"])


def test_any_host_does_not_mean_any_origin():
    assert not origin_allowed("https://evil.example", ["*"], [])
