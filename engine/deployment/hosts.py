"""Decides which host names the dashboard answers to, and from which pages it takes calls.

A page on another site can call an app on the reader's machine, and a name of another site can be
pointed at it (DNS rebinding). An address in numbers cannot be pointed elsewhere, so the app answers
to every one.
"""

import ipaddress
import os
import re
import socket
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hallascope.engine.errors import BadRequest

VARIABLE = "HALLASCOPE_HOSTS"
HUB = "huggingface.co"  # its pages show Spaces in a frame
SHARE_LINKS = "*.gradio.live"
_HOST_PATTERN = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class AllowedHosts:
    """Holds names of hosts in lower case, without ports.

    `own`: names of this machine; `listed`: names at which the operator serves the app, ``*.``
    before one stands for all below it; `embedding`: sites that may call the app from their own
    pages.
    """

    own: frozenset[str] = field(default_factory=frozenset)
    listed: tuple[str, ...] = ()
    embedding: frozenset[str] = field(default_factory=frozenset)

    def answers_to(self, host: str) -> bool:
        """Return whether the app answers to a `Host` header."""
        name = _host_name(f"//{host}")
        return name is not None and (
            _ip_address(name) is not None
            or is_loopback(name)
            or name in self.own
            or self._is_listed(name)
        )

    def takes_calls_from(self, origin: str, host: str) -> bool:
        """Return whether a page of that `Origin` may call the app at that `Host`.

        It may be the app's own page, or one of a listed site.
        """
        name = _host_name(origin)
        if name is None or not origin.startswith(("http://", "https://")):
            return False
        if self._is_listed(name) or name in self.embedding:
            return True
        scheme = origin.partition("://")[0]
        return _host_and_port(origin) == _host_and_port(f"{scheme}://{host}")

    def _is_listed(self, name: str) -> bool:
        return any(
            name.endswith(entry[1:]) if entry.startswith("*.") else name == entry
            for entry in self.listed
        )


def allowed_hosts() -> AllowedHosts:
    """Return the hosts that the environment allows. Raises BadRequest.

    They are this machine, the name it is bound to, a Space's own hosts, and HALLASCOPE_HOSTS.
    """
    machine = socket.gethostname().casefold()
    bound = os.environ.get("GRADIO_SERVER_NAME", "").strip().casefold()
    own = frozenset({machine, f"{machine}.local", bound} - {""})
    listed = _names_in(os.environ.get(VARIABLE, ""))
    for name in listed:
        if not _HOST_PATTERN.fullmatch(name):
            raise BadRequest(
                f"The variable {VARIABLE} names {name!r}: give names of hosts without scheme and"
                " port, separated by commas, e.g. hallascope.example.org, *.example.org."
            )
    if space := os.environ.get("SPACE_ID", "").strip().casefold():
        # the hosts that Hugging Face names, and the one that it makes of the Space's id
        listed += _names_in(os.environ.get("SPACE_HOST", ""))
        listed.append(re.sub(r"[^a-z0-9]+", "-", space).strip("-") + ".hf.space")
    if os.environ.get("GRADIO_SHARE", "").strip().casefold() == "true":
        listed.append(SHARE_LINKS)
    embedding = frozenset({HUB}) if os.environ.get("SPACE_ID") else frozenset[str]()
    return AllowedHosts(own, tuple(listed), embedding)


def _names_in(value: str) -> list[str]:
    return [name.strip().casefold() for name in value.split(",") if name.strip()]


def _host_name(address: str) -> str | None:
    """Return the host of an address in lower case; None where there is none that can be read."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    if parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    return parts.hostname


def _host_and_port(address: str) -> tuple[str, int | None] | None:
    """Return host and port; all names of this machine are one."""
    name = _host_name(address)
    if name is None:
        return None
    parts = urlsplit(address)
    host = "localhost" if is_loopback(name) else name
    return host, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def _ip_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def is_loopback(name: str) -> bool:
    """Return whether a host name or address reaches this machine alone."""
    if address := _ip_address(name):
        return address.is_loopback
    return name == "localhost" or name.endswith(".localhost")
