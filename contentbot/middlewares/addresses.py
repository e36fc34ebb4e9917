"""Keeps the items of feeds from leading the crawler into networks that are not public.

Whose hosts the operator has written into a source, is asked. Where an item links to is the word of a stranger: an
address that is not global (RFC 6890) is not asked, nor is one that a redirect names.
"""

import asyncio
import ipaddress
import socket
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from contentbot.equipment import Equipment
from contentbot.middlewares.redirects import Refused
from contentbot.sources.scope import Scope


class AddressGuard:
    """Refuses requests to hosts that resolve to an address inside of some network.

    Args:
        scope: knows the hosts of the source's own.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._inside: dict[str, bool] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "AddressGuard":
        """Guard a source whose pages may be anywhere; a copy is asked for nothing but what it stands for."""
        equipment = Equipment.of(crawler)
        if not equipment.source.any_host or equipment.copy:
            raise NotConfigured("every host is one that the source names")
        return cls(equipment.scope)

    async def process_request(self, request: Request) -> None:
        """Raise `Refused` where the request would leave the public network."""
        host = urlsplit(request.url).hostname or ""
        if self._scope.owns(request.url):
            return
        if host not in self._inside:
            self._inside[host] = await asyncio.to_thread(_is_inside, host)
        if self._inside[host]:
            raise Refused("private_address", host)


def _is_inside(host: str) -> bool:
    """Say whether one of a host's addresses is not public; a name that does not resolve is the downloader's to tell."""
    try:
        found = {str(one[4][0]) for one in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except OSError:
        return False
    return any(not _is_public(address) for address in found)


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        # addresses of the older kind inside of the newer: mapped, 6to4, NAT64 (RFC 6052), Teredo
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
    return address.is_global and not address.is_multicast
