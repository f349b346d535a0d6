"""Decides which addresses of the web may be fetched: only those in the public net.

They are http or https at standard ports, and every address of the host is public.

A host is looked up once, and what is fetched goes to the address that was checked, so that a second
answer of the name service cannot lead elsewhere. It opens no connection.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx  # whether a model can run is asked without it

PUBLIC = "HALLASCOPE_PUBLIC"
Resolve = Callable[[str], Sequence[str]]
_PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network(
    "64:ff9b::/96"
)  # an IPv4 address behind a gateway, in the last 32 bits
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenAddress(ValueError):
    """The address may not be fetched; the message is the second half of a sentence."""


@dataclass(frozen=True)
class CheckedAddress:
    """An address that may be fetched: where to connect, and the host's name for the request.

    The certificate is checked against that name, too.
    """

    url: httpx.URL
    host: str
    connect: str

    @property
    def pinned(self) -> httpx.URL:
        """The same address with the number of the host in place of its name."""
        return self.url.copy_with(host=self.connect)


def resolve(host: str) -> list[str]:
    """The addresses of a host as the system finds them. Raises OSError."""
    return list(
        dict.fromkeys(
            str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        )
    )


def check(url: str | httpx.URL, look_up: Resolve = resolve) -> CheckedAddress:
    """The address with the one it leads to.

    Raises Forbidden, and OSError where the host is not known.
    """
    import httpx

    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError, ValueError) as error:
        raise ForbiddenAddress("is no address of the web") from error
    if parsed.scheme not in _PORTS or not parsed.host:
        raise ForbiddenAddress("does not begin with http:// or https://")
    if parsed.userinfo:
        raise ForbiddenAddress("holds a name or a password")
    if parsed.port not in (None, _PORTS[parsed.scheme]):
        raise ForbiddenAddress(f"names the port {parsed.port}; only the standard ones are used")
    host = parsed.raw_host.decode("ascii")
    return CheckedAddress(parsed, host, check_host(host, look_up))


def check_host(host: str, look_up: Resolve = resolve) -> str:
    """The address to connect to for a host, each of whose addresses lies in the public net.

    Raises Forbidden, OSError.
    """
    found = [_address(said) for said in look_up(host)]
    if not found:
        raise OSError(f"the host {host!r} has no address")
    if not all(map(is_public, found)):
        raise ForbiddenAddress(f"leads to {host!r}, which is not in the public net")
    return str(found[0])


def is_public_app() -> bool:
    """Return whether this process serves others: on a Space, or where HALLASCOPE_PUBLIC says so."""
    return bool(os.environ.get("SPACE_ID")) or os.environ.get(PUBLIC, "").strip().lower() in (
        "1",
        "true",
        "yes",
    )


def _address(said: str) -> Address:
    try:
        return ipaddress.ip_address(said.partition("%")[0])
    except ValueError as error:
        raise ForbiddenAddress(f"leads to {said!r}, which is no address of the net") from error


def is_public(address: Address) -> bool:
    """Return whether anybody may reach an address, also where it stands for another one.

    Private, loopback, link-local, shared, reserved and multicast ones are not public.
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address.sixtofour or address.teredo:
            return False
        inner = (
            ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
            if address in _NAT64
            else address.ipv4_mapped
        )
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved
