"""Defines the network that decides whether an image is in Primer's drawn style."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from PIL.Image import Image, Resampling
from torch import Tensor, nn

SIDE = 128  # px to which every image is resized, whatever its shape
CHANNELS = (16, 32, 64, 96, 128)
HIDDEN = 64


class StyleNet(nn.Module):
    """Scores images by five convolutions of stride 2, (B, 3, SIDE, SIDE) -> (B,).

    Pixels are in [0, 1]. A score is the logit of the probability that an image is in the style;
    it is made of the mean and the maximum of the last channels over the image.
    """

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        inner = 3
        for outer in CHANNELS:
            layers += [
                nn.Conv2d(inner, outer, 3, stride=2, padding=1, bias=False),
                nn.BatchNorm2d(outer),
                nn.ReLU(),
            ]
            inner = outer
        self.convolutions = nn.Sequential(*layers)
        self.decide = nn.Sequential(
            nn.Linear(2 * inner, HIDDEN), nn.ReLU(), nn.Dropout(0.2), nn.Linear(HIDDEN, 1)
        )

    def forward(self, pixels: Tensor) -> Tensor:
        maps = self.convolutions(2 * pixels - 1)
        pooled = torch.cat([maps.mean((2, 3)), maps.amax((2, 3))], dim=1)
        scores: Tensor = self.decide(pooled)
        return scores[:, 0]


def resize(image: Image) -> NDArray[np.uint8]:
    """Return an image as the network reads it, (SIDE, SIDE, 3)."""
    small = image.convert("RGB").resize((SIDE, SIDE), Resampling.BILINEAR)
    return np.asarray(small, dtype=np.uint8)


def to_pixels(images: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> Tensor:
    """Return images (B, SIDE, SIDE, 3) as the input of the network, (B, 3, SIDE, SIDE)."""
    stacked = torch.from_numpy(np.stack(list(images)))
    return stacked.permute(0, 3, 1, 2).float() / 255
