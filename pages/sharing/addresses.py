"""Signs the addresses of share cards, so that nobody finds one by guessing.

The id of a run follows from its request (`hallascope.engine.run.identity`), and who knows a prompt
could compute it. The page of a run is found by its id; a card is handed to services that preview
links, without any page, and so its address also holds a signature by a secret of this store. It is
handed out to those who have the image open.
"""

import base64
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from hallascope import metrics

PREFIX = "/assets/share-card/"  # below an address of Gradio, which has no file of that name
SECRET_FILE = "share-secret"
IMAGE = "image"  # stands for the image as a whole, where nothing of it is chosen
_SECRET_BYTES = 32
_SIGNATURE_BYTES = 18  # 144 bits, 24 characters
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
_CHOICE = re.compile(r"image|(?:question|finding)=[1-9][0-9]{0,3}")
_PATH = re.compile(
    re.escape(PREFIX) + r"([\w-]+)/([\w-]+)/(\w+(?:=\d+)?)/([a-z0-9-]+)\.([\w-]+)\.png", re.ASCII
)


class CardAddress(NamedTuple):
    """Names what a card shows: an image of a run, and the question or finding that is chosen.

    `image` is the key of the image within its run; `choice` such as "question=2", or "image".
    """

    run: str
    image: str
    metric: str
    choice: str = IMAGE

    @property
    def is_valid(self) -> bool:
        """Return whether the names can be what they should; they need not exist."""
        return bool(
            _NAME.fullmatch(self.run)
            and _NAME.fullmatch(self.image)
            and self.metric in metrics.METRICS
            and _CHOICE.fullmatch(self.choice)
        )


class CardSigner:
    """Signs card addresses with a secret that lies in a folder and is made when it is missing."""

    def __init__(self, folder: Path) -> None:
        self._secret = _read_or_make_secret(folder)

    def signature(self, address: CardAddress) -> str:
        """Return the signature of an address, 24 characters of an URL."""
        text = "\n".join(address).encode()
        digest = hmac.new(self._secret, text, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:_SIGNATURE_BYTES]).decode()

    def path(self, address: CardAddress) -> str:
        """Return the path of the card's PNG file on this server."""
        run, image, metric, choice = address
        return f"{PREFIX}{run}/{image}/{choice}/{metric}.{self.signature(address)}.png"

    def query(self, address: CardAddress) -> str:
        """Return the query that opens the image in the page, with the name of its card."""
        names = {"run": address.run, "image": address.image}
        if address.choice != IMAGE:
            kind, number = address.choice.split("=")
            names[kind] = number
        names["share"] = f"{address.metric}.{self.signature(address)}"
        return urlencode(names)

    def read_path(self, path: str) -> CardAddress | None:
        """Return what the path of a card names; None where it is none, or not signed by us."""
        match = _PATH.fullmatch(path)
        if match is None:
            return None
        run, image, choice, metric, signature = match.groups()
        return self._checked(CardAddress(run, image, metric, choice), signature)

    def read_query(self, names: dict[str, str]) -> CardAddress | None:
        """Return the card that the query of a page names; None where it names none of ours."""
        metric, _, signature = names.get("share", "").partition(".")
        kinds = [kind for kind in ("question", "finding") if kind in names]
        choice = f"{kinds[0]}={names[kinds[0]]}" if kinds else IMAGE
        address = CardAddress(names.get("run", ""), names.get("image", ""), metric, choice)
        return self._checked(address, signature)

    def _checked(self, address: CardAddress, signature: str) -> CardAddress | None:
        if not address.is_valid:
            return None
        expected = self.signature(address).encode()
        is_ours = hmac.compare_digest(expected, signature.encode("utf-8", "replace"))
        return address if is_ours else None


def _read_or_make_secret(folder: Path) -> bytes:
    """Return the secret of a store.

    Where the folder cannot be written, it holds until the app ends: links lose their card then, and
    open the page all the same.
    """
    path = folder / SECRET_FILE
    new = secrets.token_bytes(_SECRET_BYTES)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f".{SECRET_FILE}-{secrets.token_hex(8)}"
        aside.touch(mode=0o600)
        aside.write_bytes(new)
        try:
            os.link(aside, path)  # whole at once, and never over another's
        except FileExistsError:
            pass
        finally:
            aside.unlink()
        found = path.read_bytes()
    except OSError:
        return new
    return found if len(found) == _SECRET_BYTES else new
