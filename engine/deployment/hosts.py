"""Which names the dashboard answers to, and from which pages it takes calls.

It knows no HTTP server.

A page on another site can call an app on the reader's machine, and a name of another site can be
pointed at it (DNS rebinding). An address in numbers cannot be pointed elsewhere, so the app answers
to every one.
"""

import ipaddress
import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hallascope.engine.errors import BadRequest

VARIABLE = "HALLASCOPE_HOSTS"
HUB = "huggingface.co"  # its pages show Spaces in a frame
SHARE_LINKS = "*.gradio.live"
_ENTRY = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class AllowedHosts:
    """Names in lower case, without ports.

    `own`: names of this machine; `listed`: names at which the operator serves the app, ``*.``
    before one stands for all below it; `embedding`: sites that may call the app from their own
    pages.
    """

    own: frozenset[str] = field(default_factory=frozenset)
    listed: tuple[str, ...] = ()
    embedding: frozenset[str] = field(default_factory=frozenset)

    def answers_to(self, host: str) -> bool:
        """Whether the app answers to a `Host` header."""
        name = _name(f"//{host}")
        return name is not None and (
            _is_address(name) or _is_local(name) or name in self.own or self._is_listed(name)
        )

    def takes_calls_from(self, origin: str, host: str) -> bool:
        """Return whether a page of that `Origin` may call the app at that `Host`.

        It may be the app's own page, or one of a listed site.
        """
        name = _name(origin)
        if name is None or not origin.startswith(("http://", "https://")):
            return False
        if self._is_listed(name) or name in self.embedding:
            return True
        return _place(origin) == _place(f"{origin.partition('://')[0]}://{host}")

    def _is_listed(self, name: str) -> bool:
        return any(
            name.endswith(entry[1:]) if entry.startswith("*.") else name == entry
            for entry in self.listed
        )


def allowed_hosts(environment: Mapping[str, str] | None = None) -> AllowedHosts:
    """Return the hosts that the environment allows. Raises BadRequest.

    They are this machine, the name it is bound to, a Space's own hosts, and HALLASCOPE_HOSTS.
    """
    around = os.environ if environment is None else environment
    machine = socket.gethostname().casefold()
    own = {machine, f"{machine}.local", around.get("GRADIO_SERVER_NAME", "").strip().casefold()} - {
        ""
    }
    listed = [*_entries(around.get(VARIABLE, "")), *_of_space(around)]
    if around.get("GRADIO_SHARE", "").strip().casefold() == "true":
        listed.append(SHARE_LINKS)
    embedding = frozenset({HUB}) if around.get("SPACE_ID") else frozenset[str]()
    return AllowedHosts(frozenset(own), tuple(listed), embedding)


def _entries(said: str) -> list[str]:
    entries = [entry.strip().casefold() for entry in said.split(",") if entry.strip()]
    for entry in entries:
        if not _ENTRY.fullmatch(entry):
            raise BadRequest(
                f"The variable {VARIABLE} names {entry!r}: give names of hosts without scheme and"
                " port, separated by commas, e.g. hallascope.example.org, *.example.org."
            )
    return entries


def _of_space(around: Mapping[str, str]) -> list[str]:
    """Return the hosts of the app's Space, as Hugging Face states or makes them.

    It makes them of the Space's id.
    """
    space = around.get("SPACE_ID", "").strip().casefold()
    if not space:
        return []
    stated = [
        host.strip().casefold() for host in around.get("SPACE_HOST", "").split(",") if host.strip()
    ]
    return [*stated, re.sub(r"[^a-z0-9]+", "-", space).strip("-") + ".hf.space"]


def _name(address: str) -> str | None:
    """The host of an address in lower case; None where there is none that can be read."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    if parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    return parts.hostname


def _place(address: str) -> tuple[str, int | None] | None:
    """Host and port; all names of this machine are one."""
    name = _name(address)
    if name is None:
        return None
    parts = urlsplit(address)
    return "localhost" if _is_local(name) else name, parts.port or _PORTS.get(parts.scheme)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_local(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
