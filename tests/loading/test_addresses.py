"""Which addresses are open: no form of an inner one is, every public one is."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.loading.addresses import AddressGuard, embedded, is_public

INNER = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4",
]  # fmt: skip


def inside(network: str) -> st.SearchStrategy[IPv4Address]:
    block = IPv4Network(network)
    return st.integers(int(block[0]), int(block[-1])).map(IPv4Address)


inner = st.one_of(*map(inside, INNER))
# as a gateway, a tunnel or a socket of both families would write them
FORMS = {
    "mapped": lambda number: IPv6Address(0xFFFF << 32 | number),
    "translated": lambda number: IPv6Address(0xFFFF << 48 | number),
    "compatible": IPv6Address,
    "nat64": lambda number: IPv6Address(0x64FF9B << 96 | number),
    "local nat64": lambda number: IPv6Address(0x64FF9B0001 << 80 | number),
    "6to4": lambda number: IPv6Address(0x2002 << 112 | number << 80 | 1),
    "isatap": lambda number: IPv6Address(0x2A00_1450_4001_0800 << 64 | 0x5EFE << 32 | number),
    "teredo": lambda number: IPv6Address(0x20010000 << 96 | (number ^ 0xFFFF_FFFF)),
}


@given(inner)
def test_no_address_of_an_inner_network_is_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("form", FORMS)
@given(address=inner)
def test_no_form_that_carries_an_inner_address_is_public(form, address):
    assert not is_public(FORMS[form](int(address)))


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_an_address_that_the_standard_library_calls_private_is_never_public(address):
    if is_public(address):
        assert address.is_global
        assert not (address.is_private or address.is_multicast or address.is_reserved or address.is_loopback)


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_of_ipv6_only_global_unicast_and_gateways_to_it_are_public(address):
    if is_public(address):
        assert address in IPv6Network("2000::/3") or embedded(address)


@given(st.one_of(inside("8.0.0.0/7"), inside("93.184.0.0/16"), inside("216.0.0.0/7")))
def test_a_public_address_is_public_as_mapped_and_by_nat64(address):
    assert is_public(address)
    assert is_public(FORMS["mapped"](int(address)))
    assert is_public(FORMS["nat64"](int(address)))


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450::1"])
def test_addresses_of_the_public_internet_are_open(address):
    assert AddressGuard().permits(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fe80::1",
        "fe80::1%eth0", "::", "::1", "ff02::1", "fec0::1", "2001:db8::1", "3fff::1", "5f00::1", "100::1", "fd12::1",
        "255.255.255.255", "2a00:1450::1%1",
    ],
)  # fmt: skip
def test_addresses_of_machines_neighbours_and_clouds_are_closed(address):
    assert not AddressGuard().permits(ip_address(address))


@given(inside("10.0.0.0/8"))
def test_an_allowed_network_is_open_in_every_form_and_no_other_one_is(address):
    guard = AddressGuard(["10.0.0.0/8"])

    assert guard.permits(address)
    assert guard.permits(FORMS["mapped"](int(address)))
    assert not guard.permits(IPv4Address("192.168.0.1"))
    assert not guard.permits(IPv6Address("::1"))
