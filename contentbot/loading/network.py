"""Connections that are checked at the moment they are made, to the address that is connected to.

A name is resolved once, its addresses are checked, and the connection goes to one of these very addresses: there is no
second look-up that could answer otherwise. Every request of a load, robots.txt and redirects included, comes this way.
"""

import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence

import anyio
import httpcore2

from contentbot.errors import NotLoaded
from contentbot.loading.addresses import Address, AddressGuard
from contentbot.loading.hosts import literal_address, local_addresses, plain_address

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host name and port to addresses, as texts."""

# of the addresses of a name, so many are tried
_TRIED = 4
_REFUSED = (
    "{host} is not on the public internet; the operator can allow its network with CONTENTBOT_FETCH_ALLOW_NETWORKS"
)


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Ask the system; raises `OSError` where the name is unknown."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """A network in which only permitted addresses exist.

    Args:
        guard: says which ones.
        resolve: asked once for every connection.
    """

    def __init__(self, guard: AddressGuard, resolve: Resolver = system_resolver) -> None:
        self._guard, self._resolve = guard, resolve
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address of a host that answers.

        Raises:
            NotLoaded: `address_refused` where any address of the host is not permitted, `unknown_host`.
            httpcore2.ConnectError, httpcore2.ConnectTimeout: no answer.
        """
        failure: Exception | None = None
        for address in (await self._addresses(host, port))[:_TRIED]:
            try:
                return await self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or NotLoaded("unknown_host", f"{host} has no address")

    async def connect_unix_socket(self, *_: object, **__: object) -> httpcore2.AsyncNetworkStream:
        """Refuse: there is no web behind a file."""
        raise NotLoaded("address_refused", "only hosts are connected to")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> Sequence[Address]:
        found = await self._found(host, port)
        # one that points inside spoils the name: it is a trap, or a split view that does not belong here
        if not all(map(self._guard.permits, found)):
            raise NotLoaded("address_refused", _REFUSED.format(host=host))
        return found

    async def _found(self, host: str, port: int) -> Sequence[Address]:
        try:
            if literal := literal_address(f"[{host}]" if ":" in host else host):
                return [literal]
            if local := local_addresses(host):
                return local
            return list(dict.fromkeys(map(plain_address, await self._resolve(host, port))))
        except (OSError, UnicodeError) as error:
            lasting = isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME
            raise NotLoaded("unknown_host", f"{host} cannot be resolved", retryable=not lasting) from error
        except ValueError as error:
            raise NotLoaded("invalid_url", str(error)) from error
