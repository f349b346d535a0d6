"""Decides by features whether a picture is of the kind that a model was trained on.

It loads no model.

A folder of weights may hold `domain.safetensors`: the mean of the features of pictures that the
model knows, what makes their covariance the identity, and the distance up to which a picture is of
their kind. A picture that lies farther off and is mostly flat is a part of a drawing, and inside as
well. A simple check: it finds photographs, not every picture that is strange.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

FILE = "domain.safetensors"
REMEDY = (
    "it knows drawings of the Primer world only, so there is no score. Choose a judge for any"
    " image, such as SmolVLM, Qwen3-VL or GPT-4o."
)
SIDE, STEP, FLAT = (
    128,
    10,
    0.6,
)  # pixels to which a picture is made smaller; levels of 255; the share that is flat in a drawing


def is_flat(image: Image) -> bool:
    """Return whether most of an RGB picture is of one color or a soft gradient.

    Within 3 x 3 pixels no channel differs by STEP levels there.
    """
    pixels = np.asarray(image.resize((SIDE, SIDE)), dtype=np.float32)
    around = np.lib.stride_tricks.sliding_window_view(pixels, (3, 3), axis=(0, 1))
    spread = (around.max((-1, -2)) - around.min((-1, -2))).max(-1)
    return float((spread < STEP).mean()) >= FLAT


class FeatureDomain(NamedTuple):
    """`mean` (width), `whitening` (width, width), and the largest distance that is still inside."""

    mean: torch.Tensor
    whitening: torch.Tensor
    limit: float

    def distance(self, features: torch.Tensor) -> float:
        """Return how far features (width) lie from the mean, in deviations a component, at least 0.

        It is the Mahalanobis distance.
        """
        apart = (features.float().cpu() - self.mean) @ self.whitening
        return float(apart.square().mean().sqrt())

    def holds(self, features: torch.Tensor) -> bool:
        return self.distance(features) <= self.limit


def read_domain(folder: Path) -> FeatureDomain | None:
    """What a folder of weights says of its domain; None where it says nothing.

    Raises OSError, ValueError, KeyError where it is damaged.
    """
    if not (folder / FILE).is_file():
        return None
    from safetensors.torch import load_file

    found = load_file(folder / FILE)
    return FeatureDomain(found["mean"], found["whitening"], float(found["limit"]))


def fit(features: torch.Tensor, margin: float) -> FeatureDomain:
    """The domain of the features of pictures, (pictures, width).

    The limit is `margin` times the distance of the farthest.
    """
    import torch

    mean = features.mean(0)
    covariance = torch.cov(features.T)
    width = covariance.shape[0]
    covariance = covariance + 1e-4 * covariance.trace() / width * torch.eye(
        width
    )  # few pictures leave some directions flat
    whitening = torch.linalg.inv(torch.linalg.cholesky(covariance)).T.contiguous()
    found = FeatureDomain(mean, whitening, 0.0)
    return found._replace(limit=margin * max(map(found.distance, features)))


def write(domain: FeatureDomain, folder: Path) -> None:
    import torch
    from safetensors.torch import save_file

    save_file(
        {"mean": domain.mean, "whitening": domain.whitening, "limit": torch.tensor(domain.limit)},
        folder / FILE,
    )
