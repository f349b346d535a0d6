"""Signs the addresses of share cards, so that nobody finds one by guessing.

The id of a run follows from its request (`hallascope.engine.run.preparation`), and who knows a
prompt could compute it. The page of a run is found by its id; a card is handed to services that
preview links, without any page, and so its address also holds a signature by a secret of this
store. It is handed out to those who have the image open.
"""

import re
from typing import NamedTuple
from urllib.parse import urlencode

from hallascope import metrics
from hallascope.engine.access.visitors import Signer

PREFIX = "/assets/share-card/"  # below an address of Gradio, which has no file of that name
IMAGE = "image"  # stands for the image as a whole, where nothing of it is chosen
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
    """Signs card addresses with the secret of the store."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def path(self, address: CardAddress) -> str:
        """Return the path of the card's PNG file on this server."""
        run, image, metric, choice = address
        return f"{PREFIX}{run}/{image}/{choice}/{metric}.{self._signer.signature(*address)}.png"

    def query(self, address: CardAddress) -> str:
        """Return the query that opens the image in the page, with the name of its card."""
        names = {"run": address.run, "image": address.image}
        if address.choice != IMAGE:
            kind, number = address.choice.split("=")
            names[kind] = number
        names["share"] = f"{address.metric}.{self._signer.signature(*address)}"
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
        return address if self._signer.has_signed(signature, *address) else None
