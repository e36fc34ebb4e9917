"""What may be asked for: schemes, ports, credentials, and the many spellings of a host."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.errors import NotLoaded
from contentbot.loading.hosts import literal_address, local_addresses
from contentbot.loading.targets import target_of

SPELLINGS = [
    "2130706433", "017700000001", "0x7f000001", "0x7F.1", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0.0.0x1",
    "127.0.0.1.", "00000177.0.0.1", "0x7f.0x1",
]  # fmt: skip


@pytest.mark.parametrize("host", SPELLINGS)
def test_every_spelling_of_an_address_is_read_as_that_address(host):
    assert str(literal_address(host)) == "127.0.0.1"
    assert target_of(f"http://{host}/a").url == "http://127.0.0.1/a"


@pytest.mark.parametrize("host", ["256.1", "1.2.3.4.5", "09.1", "1.2.3.999", "4294967296", "a.0x1", "a.1"])
def test_a_host_that_ends_in_a_number_and_is_no_address_is_refused(host):
    with pytest.raises(NotLoaded, match="invalid_url"):
        target_of(f"http://{host}/")


@given(st.ip_addresses(v=4), st.sampled_from(["{}", "{:#x}", "{:#o}"]))
def test_an_address_as_one_number_is_that_address(address, form):
    written = form.format(int(address)).replace("0o", "0")

    assert literal_address(written) == address


@given(st.text(max_size=40))
def test_whatever_is_asked_for_is_a_clean_web_address_or_refused(text):
    try:
        target = target_of(text)
    except NotLoaded as error:
        assert error.kind == "invalid_url"
    else:
        assert target.scheme in ("http", "https")
        assert target.url.startswith(f"{target.scheme}://")
        assert "@" not in target.url.partition("//")[2].partition("/")[0]
        assert target_of(target.url) == target


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hosts", "ftp://mill.example/", "gopher://mill.example/_", "jar:https://mill.example!/a",
        "data:text/html,<p>a", "javascript:alert(1)", "view-source:https://mill.example/", "dict://mill.example:11211/",
        "ldap://mill.example/", "blob:https://mill.example/1", "//mill.example/", "/etc/hosts", "", "mill.example", "http://",
        "https://?", "http:///a", "unix:///run/docker.sock", "http+unix://%2Frun%2Fsock/a",
    ],
)  # fmt: skip
def test_only_http_and_https_are_asked_for(url):
    with pytest.raises(NotLoaded, match="invalid_url"):
        target_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://ada:geheim@mill.example/",
        "https://geheim@mill.example/",
        "https:\\\\ada:geheim@mill.example/",
        "https://a\tda:geheim@mill.example/",
        "https://mill.example:geheim@other.example/",
        "//ada:geheim@mill.example/",
    ],
)
def test_credentials_are_refused_and_not_repeated(url):
    with pytest.raises(NotLoaded, match="user name or password") as refused:
        target_of(url, "https://mill.example/")

    assert "geheim" not in str(refused.value)


def test_an_at_sign_in_the_path_is_none_of_credentials():
    assert target_of("https://mill.example/@ada?to=a@b.example").url == "https://mill.example/@ada?to=a@b.example"


@pytest.mark.parametrize("port", [22, 25, 53, 6379, 11211, 5432, 9200, 2375, 6667, 10250, 1, 0, 65536, 99999])
def test_ports_of_other_protocols_are_refused(port):
    with pytest.raises(NotLoaded, match="invalid_url"):
        target_of(f"http://mill.example:{port}/")


@pytest.mark.parametrize("port", [80, 443, 8080, 8443, 3000, 49152])
def test_ports_that_serve_the_web_are_not(port):
    assert target_of(f"http://mill.example:{port}/").port == port


def test_a_name_of_another_script_is_asked_for_in_ascii():
    assert target_of("https://Mühle.example/Rad").url == "https://xn--mhle-0ra.example/Rad"
    assert target_of("https://例え.jp").host == "xn--r8jz45g.jp"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "localhost.", "db.localhost", "a.b.localhost."])
def test_names_of_this_machine_lead_to_it_without_asking_anybody(host):
    assert [str(one) for one in local_addresses(host)] == ["127.0.0.1", "::1"]
    assert not local_addresses("localhost.mill.example")
