"""Decides by features whether an image is of the kind that a model was trained on.

A folder of weights may hold `domain.safetensors`: the mean of the features of images that the
model knows, what makes their covariance the identity, and the distance up to which an image is of
their kind. An image that lies farther off and is mostly flat is a part of a drawing, and inside as
well. It finds photographs; `domain` finds other images of another style.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

FILE = "domain.safetensors"
SIDE = 128  # pixels to which an image is made smaller
STEP = 10  # levels of 255
FLAT = 0.6  # the share of a drawing that is flat


def is_flat(image: Image) -> bool:
    """Return whether most of an RGB image is of one color or a soft gradient.

    Within 3 x 3 pixels no channel differs by STEP levels there.
    """
    pixels = np.asarray(image.resize((SIDE, SIDE)), dtype=np.float32)
    around = np.lib.stride_tricks.sliding_window_view(pixels, (3, 3), axis=(0, 1))
    spread = (around.max((-1, -2)) - around.min((-1, -2))).max(-1)
    return float((spread < STEP).mean()) >= FLAT


class FeatureDomain(NamedTuple):
    """Holds `mean` (width), `whitening` (width, width), and the largest distance still inside."""

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
    """Read the domain of a folder of weights; None where it has none.

    Raises OSError, ValueError, KeyError where it is damaged.
    """
    if not (folder / FILE).is_file():
        return None
    from safetensors.torch import load_file

    tensors = load_file(folder / FILE)
    return FeatureDomain(tensors["mean"], tensors["whitening"], float(tensors["limit"]))


def fit(features: torch.Tensor, margin: float) -> FeatureDomain:
    """Fit the domain of the features of images, (images, width).

    The limit is `margin` times the distance of the farthest.
    """
    import torch

    mean = features.mean(0)
    covariance = torch.cov(features.T)
    width = covariance.shape[0]
    # few images leave some directions flat
    covariance = covariance + 1e-4 * covariance.trace() / width * torch.eye(width)
    whitening = torch.linalg.inv(torch.linalg.cholesky(covariance)).T.contiguous()
    domain = FeatureDomain(mean, whitening, 0.0)
    return domain._replace(limit=margin * max(map(domain.distance, features)))


def write(domain: FeatureDomain, folder: Path) -> None:
    import torch
    from safetensors.torch import save_file

    save_file(
        {"mean": domain.mean, "whitening": domain.whitening, "limit": torch.tensor(domain.limit)},
        folder / FILE,
    )
