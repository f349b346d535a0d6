"""Finds where a service lives, and whether a server of this machine answers there.

The address comes from a model's entry and the environment.

A name and password in an address, its query and odd paths are never shown: they may be secret.
"""

import hashlib
import ipaddress
import os
import re
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from hallascope.backends.network.public_addresses import is_public, is_public_app
from hallascope.data.models.specs import ModelSpec

OFFICIAL = "https://api.openai.com/v1"
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_PLAIN_PATH = re.compile(r"(/(?:api|openai|v\d+\w*))*")
_PATIENCE = 1.0  # seconds; on this machine a connection takes no time at all


class ServiceAddress(NamedTuple):
    """Holds the parts of an address that are no secret; the path has no slash at its end."""

    scheme: str
    host: str
    port: int | None
    path: str

    @property
    def server(self) -> str:
        """Return host and port, as one writes them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port else host


def address(spec: ModelSpec) -> str:
    """Return the base URL of the model's service.

    Variables that are not set are left as they stand, ``${NAME}``.
    """
    return _VARIABLE.sub(
        lambda match: os.environ.get(match[1], "").strip() or match[0], _stated(spec)[0]
    )


def place(spec: ModelSpec) -> ServiceAddress | None:
    """Parse the address; None where it is no address of the web."""
    try:
        parts = urlsplit(address(spec))
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return ServiceAddress(parts.scheme, parts.hostname, port, parts.path.rstrip("/"))


def fingerprint(spec: ModelSpec) -> str:
    """Return what tells the service from others in cache keys; "" for OpenAI itself."""
    parts = place(spec)
    if parts is None or address(spec).rstrip("/") == OFFICIAL:
        return ""
    path = (
        parts.path
        if _PLAIN_PATH.fullmatch(parts.path)
        else "/" + hashlib.sha256(parts.path.encode()).hexdigest()[:8]
    )
    return parts.server + path


def service_name(spec: ModelSpec) -> str:
    """Return what a sentence calls the service: its host, on a public app its name.

    Visitors of a public app are not told where it lives.
    """
    if is_public_app():
        return spec.id.partition("/")[0] if "/" in spec.id else spec.title
    parts = place(spec)
    return parts.server if parts else "the service"


def hidden_addresses(spec: ModelSpec) -> tuple[str, ...]:
    """Return what a public app must not show of the address, the longest first.

    Elsewhere that is nothing.
    """
    parts = place(spec)
    if parts is None or not is_public_app():
        return ()
    return tuple(sorted({address(spec), parts.server, parts.host}, key=len, reverse=True))


def trouble(spec: ModelSpec) -> str | None:
    """Return why the service cannot be used, as the second half of a sentence, or None.

    Connects only where it runs on this machine.
    """
    if missing := _VARIABLE.search(address(spec)):
        return (
            "the address of its service is not set; put it into the environment variable"
            f" {missing[1]}."
        )
    parts = place(spec)
    if parts is None:
        return f"{_stated(spec)[1]} holds no address that begins with http:// or https://: fix it."
    if is_public_app() and _is_private(parts.host):
        return (
            "its service has an address which is not in the public net; a public app asks nothing"
            " there."
        )
    if is_local(parts.host) and not _answers(parts):
        where = "its address" if is_public_app() else f"{parts.scheme}://{parts.server}"
        return f"nothing answers at {where}; start the server there."
    return None


def _stated(spec: ModelSpec) -> tuple[str, str]:
    """Return the address as it is configured, and where."""
    if spec.base_url:
        return spec.base_url, "the base_url of its entry"
    if spec.service == "azure":
        return "${AZURE_OPENAI_ENDPOINT}", "AZURE_OPENAI_ENDPOINT"
    return os.environ.get("OPENAI_BASE_URL", "").strip() or OFFICIAL, "OPENAI_BASE_URL"


def is_local(host: str) -> bool:
    """Return whether a host is this machine itself, by its name or its number."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_private(host: str) -> bool:
    """Return whether a host is known, without a look-up, not to be in the public net."""
    try:
        return not is_public(ipaddress.ip_address(host))
    except ValueError:
        return is_local(host)


def _answers(parts: ServiceAddress) -> bool:
    try:
        with socket.create_connection(
            (parts.host, parts.port or (443 if parts.scheme == "https" else 80)), timeout=_PATIENCE
        ):
            return True
    except TimeoutError:
        return True  # it is there, and busy
    except OSError:
        return False
