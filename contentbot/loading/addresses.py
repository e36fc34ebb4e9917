"""Which network addresses may be spoken to: public ones, and what the operator has allowed.

A deny list is never complete, so this is the other way round: IPv6 is open in the global unicast range only, IPv4 where
no registry entry says otherwise (IANA special-purpose registries, RFC 6890 and its successors). An IPv6 address that
carries an IPv4 one is judged by what it carries, because a gateway may send it there.
"""

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_V4_CLOSED = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT; also metadata at 100.100.100.200
            "127.0.0.0/8",
            "169.254.0.0/16",  # link-local; metadata at 169.254.169.254
            "172.16.0.0/12",
            "192.0.0.0/24",  # IETF protocols; also metadata at 192.0.0.192
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # multicast, reserved, broadcast
            "168.63.129.16/32",  # a cloud's host agent, at a public address
        ),
    )
)
_V6_OPEN = IPv6Network("2000::/3")
_V6_CLOSED = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # IETF protocols: Teredo, ORCHID, benchmarks
            "2001:db8::/32",
            "2620:4f:8000::/48",
            "3fff::/20",  # documentation
        ),
    )
)
_6TO4 = IPv6Network("2002::/16")
_NAT64 = IPv6Network("64:ff9b::/96")
_MAPPED = IPv6Network("::ffff:0:0/96")
_TRANSLATED = IPv6Network("::ffff:0:0:0/96")
_COMPATIBLE = IPv6Network("::/96")
_ISATAP = 0x5EFE
_LAST_32 = 0xFFFF_FFFF


class AddressGuard:
    """Says which addresses may be connected to.

    Args:
        allowed: networks that are open although they are not public, such as `127.0.0.0/8`; the operator's choice.
    """

    def __init__(self, allowed: Iterable[str | Network] = ()) -> None:
        self._allowed = tuple(ipaddress.ip_network(one) if isinstance(one, str) else one for one in allowed)

    def permits(self, address: Address) -> bool:
        """Say whether the address may be connected to."""
        forms = (address, *embedded(address))
        if any(form in network for form in forms for network in self._allowed if form.version == network.version):
            return True
        return is_public(address)


def is_public(address: Address) -> bool:
    """Say whether an address belongs to the public internet, whatever form it is written in."""
    if isinstance(address, IPv4Address):
        return address.is_global and not any(address in network for network in _V4_CLOSED)
    carried = embedded(address)
    if not all(is_public(one) for one in carried):
        return False
    if address.scope_id is not None:
        return False
    if address in _NAT64 or address in _MAPPED:
        return True
    return address in _V6_OPEN and not any(address in network for network in _V6_CLOSED)


def embedded(address: Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that an IPv6 address carries: what a gateway on the way may turn it into."""
    if isinstance(address, IPv4Address):
        return ()
    number = int(address)
    low = IPv4Address(number & _LAST_32)
    found = []
    if any(address in network for network in (_MAPPED, _TRANSLATED, _COMPATIBLE, _NAT64)):
        found.append(low)
    if address in _6TO4:
        found.append(IPv4Address(number >> 80 & _LAST_32))
    if number >> 32 & 0xFFFF == _ISATAP and number >> 48 & 0xFCFF == 0:
        found.append(low)
    return tuple(found)
