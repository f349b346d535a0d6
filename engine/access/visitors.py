"""Says who asks a public app: a login, or the signed cookie of a browser, and from which network.

What a visitor may change hangs on the identity (`hallascope.engine.storage.owners`), how much they
may take on the network (`hallascope.engine.access.limits`): a new cookie costs nothing.
"""

import hashlib
import hmac
import ipaddress
import os
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SECRET_FILE = "share-secret"
COOKIE = "hallascope_visitor"
UNNAMED = "visitor "  # how the names begin under which is kept what is said without one
# uvicorn believes X-Forwarded-For of these peers alone: on a Space of its proxies, else of nobody
# unless the operator names a proxy in this variable
PROXIES = "FORWARDED_ALLOW_IPS"
_PRIVATE_NETWORKS = "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1/128,fc00::/7"
_SECRET_BYTES = 32
_SIGNATURE_BYTES = 18  # 144 bits, 24 characters
# of this process alone: hashes of addresses are not stored, and mean nothing elsewhere
_SALT = secrets.token_bytes(16)


@dataclass(frozen=True)
class Visitor:
    """Holds who asks a public app.

    `id` owns what the visitor makes; "" is nobody in particular, who owns and changes nothing.
    `network` is what is counted, a hash. `plans` are the ids of labeling plans whose link for
    raters the visitor has.
    """

    id: str = ""
    network: str = ""
    plans: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Return the name under which is kept what the visitor says without a name."""
        return f"{UNNAMED}{self.id[:6]}"


class Signer:
    """Signs texts with a secret that lies in a folder and is made when it is missing."""

    def __init__(self, folder: Path) -> None:
        self._secret = _read_or_make_secret(folder)

    def signature(self, *texts: str) -> str:
        """Return the signature of these texts, 24 characters of an URL."""
        digest = hmac.new(self._secret, "\n".join(texts).encode(), hashlib.sha256).digest()
        return urlsafe_b64encode(digest[:_SIGNATURE_BYTES]).decode()

    def has_signed(self, signature: str, *texts: str) -> bool:
        """Return whether the signature is that of these texts."""
        given = signature.encode("utf-8", "replace")
        return hmac.compare_digest(self.signature(*texts).encode(), given)

    # --- visitors

    def new_cookie(self) -> str:
        """Return the value of a new visitor's cookie."""
        number = secrets.token_hex(16)
        return f"{number}.{self.signature('visitor', number)}"

    def is_cookie(self, value: str) -> bool:
        """Return whether a cookie has a value that was signed here."""
        number, _, signature = value.partition(".")
        return self.has_signed(signature, "visitor", number)

    def visitor(self, login: str | None, cookie: str, address: str | None) -> Visitor:
        """Return who asks: by the login, else by the cookie; nobody where neither is known."""
        identity = ""
        if login:
            identity = self.signature("login", login.casefold())
        elif self.is_cookie(cookie):
            identity = self.signature("browser", cookie)
        return Visitor(identity, f"login {identity}" if login else network_of(address))


def believe_proxies() -> None:
    """Have the server believe forwarded addresses of a Space's proxies, elsewhere of nobody.

    What the operator named stays. It is called before the server starts.
    """
    os.environ.setdefault(PROXIES, _PRIVATE_NETWORKS if os.environ.get("SPACE_ID") else "")


def believes_proxies() -> bool:
    """Return whether the headers of a proxy say where the app is reached, and by whom."""
    return bool(os.environ.get(PROXIES, "").strip())


def network_of(address: str | None) -> str:
    """Return a hash of the network of an address, "" where it is none.

    Of IPv6 the first 64 bits count: one visitor has all that follows.
    """
    try:
        found = ipaddress.ip_address((address or "").strip("[]"))
    except ValueError:
        return ""
    found = getattr(found, "ipv4_mapped", None) or found
    prefix = 64 if found.version == 6 else 32
    network = ipaddress.ip_network((int(found), prefix), strict=False)
    return hashlib.blake2b(str(network).encode(), key=_SALT, digest_size=12).hexdigest()


def _read_or_make_secret(folder: Path) -> bytes:
    """Return the secret of a store, which is made where there is none.

    Where it cannot be kept, it holds until the app ends: then the links to cards do not hold, and
    visitors are strangers to all that they made.
    """
    path = folder / SECRET_FILE
    new = secrets.token_bytes(_SECRET_BYTES)
    aside = folder / f".{SECRET_FILE}-{secrets.token_hex(8)}"
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            aside.touch(mode=0o600)
            aside.write_bytes(new)
            with suppress(FileExistsError):
                os.link(aside, path)  # whole at once, and never over another's
        found = path.read_bytes()
    except OSError:
        return new
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
    return found if len(found) == _SECRET_BYTES else new
