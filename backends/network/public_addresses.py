"""Decides which addresses of the web may be fetched: only public ones.

They are http or https at standard ports, and every address of the host is public.

A host is looked up once, and the request goes to the address that was checked, so that a second
answer of the name service cannot lead elsewhere.
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
# an IPv4 address behind a gateway, in the last 32 bits
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenAddress(ValueError):
    """Tells why an address may not be fetched, as the second half of a sentence."""


@dataclass(frozen=True)
class CheckedAddress:
    """Holds an address that may be fetched: where to connect, and the host's name for the request.

    The certificate is checked against that name, too.
    """

    url: httpx.URL
    host: str
    connect: str

    @property
    def pinned(self) -> httpx.URL:
        """Return the same address with the number of the host in place of its name."""
        return self.url.copy_with(host=self.connect)


def resolve(host: str) -> list[str]:
    """Return the addresses of a host as the system finds them. Raises OSError."""
    return list(
        dict.fromkeys(
            str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        )
    )


def check(url: str | httpx.URL, look_up: Resolve = resolve) -> CheckedAddress:
    """Check an address and resolve its host.

    Raises ForbiddenAddress, and OSError where the host is not known.
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
    """Return the address to connect to for a host, each of whose addresses is public.

    Raises ForbiddenAddress, OSError.
    """
    addresses = [_address(text) for text in look_up(host)]
    if not addresses:
        raise OSError(f"the host {host!r} has no address")
    if not all(map(is_public, addresses)):
        raise ForbiddenAddress(f"leads to {host!r}, which is not in the public net")
    return str(addresses[0])


def is_public_app() -> bool:
    """Return whether this process serves others: on a Space, or where HALLASCOPE_PUBLIC says so."""
    return bool(os.environ.get("SPACE_ID")) or os.environ.get(PUBLIC, "").strip().lower() in (
        "1",
        "true",
        "yes",
    )


def _address(text: str) -> Address:
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError as error:
        raise ForbiddenAddress(f"leads to {text!r}, which is no address of the net") from error


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
