"""Decides whether an image is in Primer's drawn style, which all that embedded models know.

The models that ship with HallaScope were trained on Primer drawings alone. What they reply about a
photograph, clip art or a chart means nothing, so they are never asked about one: a small network
(``embedded/style``) looks at the image first.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hallascope.backends import weights
from hallascope.data.requests import Failure

if TYPE_CHECKING:
    from PIL.Image import Image

    from hallascope.backends.base import ModelSpec
    from hallascope.backends.embedded.style_net import StyleNet
    from hallascope.data.records import Picture

FOLDER = weights.EMBEDDED / "style"
WEIGHTS = "model.safetensors"
LIMIT = "limit"
# What a person calls a model that was refused an image, by the first of its roles.
ROLE_NAMES = {
    "judge": "judge",
    "captioner": "judge",
    "detector": "segmenter",
    "segmenter": "segmenter",
    "embedder": "embedder",
    "reader": "text reader",
}


class StyleDetector(NamedTuple):
    """Holds the network and the score from which on an image is in the style."""

    net: StyleNet
    limit: float

    def score(self, image: Image) -> float:
        """Return the logit of the probability that an image is in the style."""
        import torch

        from hallascope.backends.embedded.style_net import resize, to_pixels

        with torch.inference_mode():
            return float(self.net(to_pixels([resize(image)]))[0])

    def accepts(self, image: Image) -> bool:
        """Return whether an image is in the style."""
        return self.score(image) >= self.limit


def refusal(spec: ModelSpec, question: str = "") -> str:
    """Return the sentence of a model given an image outside the style, or a foreign question."""
    name = next((ROLE_NAMES[role] for role in spec.roles if role in ROLE_NAMES), "model")
    outside = "see photos or other images outside its drawn style"
    cannot = f"judge “{question}”" if question else outside
    return f"The built-in {name} cannot {cannot}. Choose another {name}."


@cache
def load_detector(folder: Path = FOLDER) -> StyleDetector:
    """Load the detector. Raises OSError, ValueError, KeyError where its weights are damaged."""
    from safetensors.torch import load_file

    from hallascope.backends.embedded.style_net import StyleNet

    if mismatch := weights.hash_mismatch(folder):
        raise ValueError(mismatch)
    tensors = load_file(folder / WEIGHTS)
    limit = float(tensors.pop(LIMIT))
    net = StyleNet()
    net.load_state_dict(tensors)
    return StyleDetector(net.float().eval(), limit)


def fingerprint() -> str:
    """Return 16 hex digits of the weights of the detector."""
    return weights.sha256(FOLDER / WEIGHTS)[:16]


def check(spec: ModelSpec, picture: Picture) -> Failure | None:
    """Return the failure of a model that cannot see an image; None where it can.

    Models that do not ship know images of every style, and what Primer drew needs no look.
    """
    if not spec.is_embedded or picture.is_drawn or _is_accepted(picture.path, picture.sha256):
        return None
    return Failure("outside", refusal(spec))


@lru_cache(maxsize=4096)
def _is_accepted(path: Path, sha256: str) -> bool:
    """Look at an image once; its SHA-256 tells images of one path apart."""
    from PIL import Image

    with Image.open(path) as image:
        return load_detector().accepts(image)
