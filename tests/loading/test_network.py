"""The check is made on the address that is connected to, once, at that moment."""

import anyio
import pytest

from contentbot.errors import NotLoaded
from contentbot.loading import AddressGuard, Loader, LoadLimits
from contentbot.loading.network import GuardedNetwork
from tests.loading.sites import Names, quick

pytestmark = pytest.mark.anyio


async def connect(host: str, *answers: list[str], allowed: tuple[str, ...] = ()) -> Names:
    names = Names(*answers)
    stream = await GuardedNetwork(AddressGuard(allowed), names).connect_tcp(host, 80)
    await stream.aclose()
    return names


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1"], ["::1"], ["169.254.169.254"], ["10.0.0.7"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"],
        ["93.184.216.34", "127.0.0.1"], ["2606:2800:220:1::1", "fd00::1"], ["fe80::1%lo"], ["0.0.0.0"],
    ],
)  # fmt: skip
async def test_a_name_with_any_inner_address_is_refused(answers):
    with pytest.raises(NotLoaded, match="address_refused"):
        await connect("trap.example", answers)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.1", "0x7f000001", "::1", "::ffff:10.0.0.1", "localhost", "db.localhost", "fe80::1"]
)
async def test_an_inner_address_is_refused_however_it_is_written_and_nobody_is_asked(host):
    names = Names(["93.184.216.34"])

    with pytest.raises(NotLoaded, match="address_refused"):
        await GuardedNetwork(AddressGuard(), names).connect_tcp(host, 80)

    assert names.asked == []


async def test_a_name_that_answers_otherwise_the_second_time_is_asked_once_a_connection(website):
    # public first, inner then: what a rebinding host does to those who check and connect in two look-ups
    website.page("/a", "The wheel turns at noon. " * 20)
    port = int(website.origin.rpartition(":")[2])
    names = Names(["127.0.0.2"], ["127.0.0.1"])
    loader = Loader(AddressGuard(["127.0.0.2/32"]), quick(), resolve=names)

    with pytest.raises(NotLoaded) as refused:
        await loader.load(f"http://flip.example:{port}/a")

    # the first address has no server here, and the second answer of the name is never connected to
    assert refused.value.kind in ("robots_unreachable", "address_refused")
    assert website.asked == []


async def test_robots_txt_is_asked_for_through_the_same_guard(website):
    port = int(website.origin.rpartition(":")[2])

    with pytest.raises(NotLoaded, match="address_refused"):
        await Loader(limits=quick(), resolve=Names(["127.0.0.1"])).load(f"http://trap.example:{port}/a")

    assert website.asked == []


@pytest.mark.parametrize(
    "location", ["http://127.0.0.1:{port}/secret", "http://localhost:{port}/secret", "http://2130706433:{port}/secret"]
)
async def test_a_redirect_to_an_inner_address_is_refused(website, location):
    port = int(website.origin.rpartition(":")[2])
    website.redirect("/a", location.format(port=port))
    website.page("/secret", "The key is under the stone.")
    # the public host of this test is a second address of this machine, which only its name leads to
    loader = Loader(AddressGuard(["127.0.0.0/8"]), quick(), resolve=Names(["127.0.0.1"]))
    loader._network._guard = OnlyByName()

    with pytest.raises(NotLoaded, match="address_refused") as refused:
        await loader.load(f"http://ok.example:{port}/a")

    assert website.paths() == ["/a"]
    assert "stone" not in str(refused.value)


async def test_a_stub_that_leads_inside_is_refused(website):
    port = int(website.origin.rpartition(":")[2])
    website.page("/a", f'<meta http-equiv="refresh" content="0; url=http://127.0.0.1:{port}/secret">')
    loader = Loader(AddressGuard(["127.0.0.0/8"]), quick(), resolve=Names(["127.0.0.1"]))
    loader._network._guard = OnlyByName()

    with pytest.raises(NotLoaded, match="address_refused"):
        await loader.load(f"http://ok.example:{port}/a")

    assert website.paths() == ["/a"]


class OnlyByName(AddressGuard):
    """Permits one connection: that of robots.txt and of the page that redirects."""

    left = 1

    def permits(self, _address: object) -> bool:
        self.left -= 1
        return self.left >= 0


async def test_an_unknown_name_is_told_from_one_that_cannot_be_asked_for_now():
    async def failing(host: str, port: int) -> list[str]:
        raise OSError("the resolver is away")

    with pytest.raises(NotLoaded, match="unknown_host") as away:
        await GuardedNetwork(AddressGuard(), failing).connect_tcp("mill.example", 80)

    assert away.value.retryable


async def test_there_is_no_way_to_a_socket_file():
    with pytest.raises(NotLoaded, match="address_refused"):
        await GuardedNetwork(AddressGuard()).connect_unix_socket("/run/docker.sock")


async def test_the_next_address_is_tried_where_one_does_not_answer(website):
    website.page("/a", "The wheel turns at noon. " * 20)
    port = int(website.origin.rpartition(":")[2])
    loader = Loader(AddressGuard(["127.0.0.0/8"]), quick(), resolve=Names(["127.0.0.9", "127.0.0.1"]))

    loaded = await loader.load(f"http://mill.example:{port}/a")

    assert loaded.page.url == f"http://mill.example:{port}/a"


async def test_a_name_that_is_never_resolved_ends_with_the_time_of_the_load():
    async def never(host: str, port: int) -> list[str]:
        await anyio.sleep_forever()
        return []

    with pytest.raises(NotLoaded, match="too_slow"):
        await Loader(limits=LoadLimits(seconds=0.2), resolve=never).load("http://mill.example/")
