"""Loading from a served site: robots, redirects, limits, manners, and what is kept."""

import gzip
import socket
import ssl
import threading
import time

import anyio
import pytest

from contentbot.errors import NotLoaded
from contentbot.loading import AddressGuard, Loader, exchange
from contentbot.loading.turns import Turns
from tests.loading.sites import LOOPBACK, Names, local, quick
from tests.site.server import Answer, Website, self_signed

pytestmark = pytest.mark.anyio


async def refusal(loader: Loader, url: str) -> NotLoaded:
    with pytest.raises(NotLoaded) as refused:
        await loader.load(url)
    return refused.value


async def test_a_page_comes_with_its_addresses_headers_and_inflated_body(website):
    website.redirect("/old", "/new")
    body = gzip.compress("<p>Das Rad der Mühle".encode())
    website.answer("/new", Answer(body, headers={"Content-Encoding": "gzip", "X-Note": "M\xfchle"}))

    loaded = await local().load(f"{website.origin}/old#part")

    assert loaded.hops == (f"{website.origin}/old", f"{website.origin}/new")
    assert (loaded.page.url, loaded.page.final_url) == loaded.hops
    assert loaded.page.body.decode() == "<p>Das Rad der Mühle"
    assert loaded.page.headers["x-note"] == "M\xfchle"
    assert not loaded.kept


async def test_robots_txt_is_asked_first_once_an_origin_and_obeyed(website):
    website.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /private", content_type="text/plain"))
    website.page("/a")
    website.page("/b")
    loader = local()

    await loader.load(f"{website.origin}/a")
    await loader.load(f"{website.origin}/b")
    refused = await refusal(loader, f"{website.origin}/private/a")

    assert [asked.path for asked in website.asked] == ["/robots.txt", "/a", "/b"]
    assert (refused.kind, refused.retryable) == ("robots_disallowed", False)


async def test_a_redirect_into_what_robots_txt_closes_is_not_followed(website):
    website.answer("/robots.txt", Answer(b"User-agent: *\nDisallow: /private", content_type="text/plain"))
    website.redirect("/a", "/private")

    assert (await refusal(local(), f"{website.origin}/a")).kind == "robots_disallowed"
    assert website.paths() == ["/a"]


async def test_a_host_whose_robots_txt_fails_is_left_alone_for_now(website):
    website.answer("/robots.txt", Answer(b"", 503))

    refused = await refusal(local(), f"{website.origin}/a")

    assert (refused.kind, refused.retryable) == ("robots_unreachable", True)
    assert website.paths() == []


async def test_who_asks_says_so_and_sends_neither_cookies_nor_anything_of_the_environment(website, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    website.answer("/a", Answer(b"", 302, headers={"Location": "/b", "Set-Cookie": "seen=1; Path=/"}))
    website.page("/b")

    await local().load(f"{website.origin}/a", language="de")

    sent = website.asked[-1].headers
    assert set(sent) == {"host", "user-agent", "accept", "accept-encoding", "accept-language"}
    assert sent["user-agent"].startswith("OpenElementsContentBot/")
    assert sent["accept-language"] == "de, *;q=0.5"


@pytest.mark.parametrize(
    ("status", "retryable"), [(404, False), (410, False), (403, False), (500, True), (503, True), (429, True)]
)
async def test_an_error_status_says_whether_it_is_worth_another_try(website, status, retryable):
    website.answer("/a", Answer(b"no", status, headers={"Retry-After": "7"}))

    refused = await refusal(local(), f"{website.origin}/a")

    assert (refused.kind, refused.status, refused.retryable) == ("http_status", status, retryable)
    assert refused.retry_after == 7


async def test_a_host_that_wants_no_more_is_not_asked_before_its_time(website):
    website.answer("/a", Answer(b"", 429, headers={"Retry-After": "600"}))
    loader = local()
    await refusal(loader, f"{website.origin}/a")

    refused = await refusal(loader, f"{website.origin}/b")

    assert (refused.kind, refused.retryable) == ("host_busy", True)
    assert refused.retry_after > 500
    assert website.paths() == ["/a"]


async def test_redirects_that_lead_round_or_on_and_on_end(website):
    website.redirect("/a", "/b")
    website.redirect("/b", "/a")
    website.answer("/n", lambda asked: Answer(b"", 302, headers={"Location": f"{asked.path}?{time.monotonic_ns()}"}))

    assert (await refusal(local(), f"{website.origin}/a")).kind == "redirect_loop"
    assert (await refusal(local(), f"{website.origin}/n")).kind == "redirect_loop"
    assert len(website.paths()) < 12


async def test_the_stub_of_a_moved_page_leads_on_and_a_page_that_renews_itself_stays(website):
    website.page("/old", '<html><head><meta http-equiv="refresh" content="0; url=/new"></head></html>')
    website.page("/new", '<html><head><meta http-equiv="refresh" content="0; url=/new"></head><p>Here</p></html>')
    website.page("/trap", '<meta http-equiv="refresh" content="0; url=file:///etc/hosts"><p>Here</p>')

    assert (await local().load(f"{website.origin}/old")).hops == (f"{website.origin}/old", f"{website.origin}/new")
    assert (await local().load(f"{website.origin}/trap")).page.final_url == f"{website.origin}/trap"


@pytest.mark.parametrize("to", ["file:///etc/hosts", "ftp://mill.example/", "http://a:b@mill.example/", "gopher://x/"])
async def test_a_redirect_to_what_is_no_web_address_is_not_followed(website, to):
    website.redirect("/a", to)

    assert (await refusal(local(), f"{website.origin}/a")).kind == "invalid_url"


async def test_a_body_over_the_limit_ends_its_download(website):
    sent = []

    def endless():
        while len(sent) < 4_000:
            sent.append(1)
            yield bytes(64 << 10)

    website.answer("/declared", Answer(bytes(3 << 20)))
    website.answer("/chunked", Answer(endless()))
    loader = local(max_bytes=1 << 20)

    assert (await refusal(loader, f"{website.origin}/declared")).kind == "body_too_large"
    assert (await refusal(loader, f"{website.origin}/chunked")).kind == "body_too_large"
    assert len(sent) < 1_000


async def test_a_small_body_that_inflates_without_end_is_refused(website):
    website.answer("/a", Answer(gzip.compress(bytes(60 << 20)), headers={"Content-Encoding": "gzip"}))

    assert (await refusal(local(max_bytes=1 << 20), f"{website.origin}/a")).kind == "body_too_large"


async def test_a_picture_is_not_downloaded(website):
    website.answer("/a", Answer(b"\x89PNG", content_type="image/png"))

    assert (await refusal(local(), f"{website.origin}/a")).kind == "unsupported_media"


async def test_a_connection_that_breaks_is_worth_another_try(website):
    website.answer("/a", Answer(b"", drop=True))

    refused = await refusal(local(), f"{website.origin}/a")

    assert refused.kind in ("broken_answer", "no_answer")
    assert refused.retryable


async def test_a_certificate_that_nobody_has_signed_is_not_trusted(tmp_path):
    with Website(self_signed(tmp_path)) as site:
        refused = await refusal(local(), f"{site.origin}/robots.txt")

    assert "robots" in refused.kind or refused.kind == "no_answer"
    assert site.asked == []


async def test_a_certificate_has_to_be_for_the_name_that_was_asked_for_whatever_address_is_connected_to(
    tmp_path, monkeypatch
):
    certificate = self_signed(tmp_path, "mill.example")
    monkeypatch.setattr(exchange, "_tls", lambda: ssl.create_default_context(cafile=str(certificate)))
    with Website(certificate) as site:
        site.page("/a")
        port = site.origin.rpartition(":")[2]
        loader = Loader(AddressGuard(LOOPBACK), quick(), resolve=Names(["127.0.0.1"]))

        loaded = await loader.load(f"https://mill.example:{port}/a")
        refused = await refusal(loader, f"https://weir.example:{port}/a")

    assert loaded.page.final_url == f"https://mill.example:{port}/a"
    assert site.asked[-1].headers["host"] == f"mill.example:{port}"
    assert refused.kind in ("robots_unreachable", "no_answer")


@pytest.mark.parametrize(
    ("pieces", "kinds"),
    [
        ([b"HTTP/1.1 200 OK\r\n"] + [b"X-A: %s\r\n" % (b"a" * 1000)] * 400, {"broken_answer"}),
        ([b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * (1 << 20)], {"broken_answer"}),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n"], {"broken_answer"}),
        ([b"SSH-2.0-OpenSSH_9.6\r\n"], {"broken_answer"}),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nshort"], {"broken_answer"}),
    ],
)
async def test_headers_without_end_and_broken_answers_are_refused(pieces, kinds):
    with raw_server(pieces) as origin:
        assert (await refusal(local(), f"{origin}/a")).kind in kinds


async def test_bytes_that_trickle_end_with_the_time_of_the_load():
    trickle = [b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", *[b"a"] * 500]

    with raw_server(trickle, pause=0.05) as origin:
        refused = await refusal(local(seconds=1.0), f"{origin}/a")

    assert (refused.kind, refused.retryable) == ("too_slow", True)


async def test_a_page_is_kept_for_a_while_and_asked_again_when_it_has_to_be_fresh(website):
    website.page("/a")
    loader = local()

    first = await loader.load(f"{website.origin}/a")
    again = await loader.load(f"{website.origin}/a?utm_source=x")
    fresh = await loader.load(f"{website.origin}/a", fresh=True)

    assert (first.kept, again.kept, fresh.kept) == (False, True, False)
    assert website.paths() == ["/a", "/a"]


async def test_a_page_that_is_not_to_be_stored_is_not_kept(website):
    website.answer("/a", Answer(b"<p>a", headers={"Cache-Control": "private, no-store"}))
    loader = local()

    await loader.load(f"{website.origin}/a")
    await loader.load(f"{website.origin}/a")

    assert website.paths() == ["/a", "/a"]


async def test_what_is_kept_stays_below_its_bytes(website):
    website.page("/a", "<p>" + "a" * 3_000)
    website.page("/b", "<p>" + "b" * 3_000)
    loader = local(kept_bytes=5_000)
    await loader.load(f"{website.origin}/a")

    assert not (await loader.load(f"{website.origin}/a")).kept


async def test_requests_to_a_host_keep_their_distance_however_many_ask():
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    turns = Turns(0.5, lambda: 100.0, sleep)
    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(turns.wait, "mill.example", 20)
    await turns.wait("weir.example", 20)
    await turns.wait("mill.example", 20, 3.0)
    await turns.wait("mill.example", 20)

    assert waited == [0.0, 0.5, 1.0, 1.5, 0.0, 2.0, 5.0]


async def test_a_turn_that_comes_too_late_is_given_back_and_says_when():
    now = 0.0
    turns = Turns(30.0, lambda: now)
    await turns.wait("mill.example", 20)

    for _ in range(3):
        with pytest.raises(NotLoaded, match="host_busy") as refused:
            await turns.wait("mill.example", 20)
        assert refused.value.retry_after == 30
    await turns.wait("weir.example", 20)


class raw_server:  # noqa: N801 - used like a function
    """A server that sends these pieces to whoever asks for a page, and 404 for robots.txt."""

    def __init__(self, pieces: list[bytes], pause: float = 0.0) -> None:
        self._pieces, self._pause = pieces, pause
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._ended = threading.Event()

    def __enter__(self) -> str:
        threading.Thread(target=self._serve, daemon=True).start()
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._socket.close()

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        try:
            asked = connection.recv(65536)
            if b"GET /robots.txt" in asked:
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            for piece in self._pieces:
                connection.sendall(piece)
                if self._ended.wait(self._pause):
                    return
        except OSError:
            return
