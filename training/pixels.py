"""Turns bytes into the inputs of models, a little varied, as generators draw less cleanly."""

import torch
from torch import Tensor, nn


def as_shares(pixels: Tensor) -> Tensor:
    """Return bytes (B, H, W, 3) as (B, 3, H, W) in [0, 1]."""
    return pixels.permute(0, 3, 1, 2).float() / 255


def augment(pixels: Tensor, generator: torch.Generator) -> Tensor:
    """Return pixels (B, 3, H, W) in [0, 1], each image brighter or darker, softer and noisier."""
    light, contrast, soft, noisy = torch.rand((4, len(pixels), 1, 1, 1), generator=generator)
    pixels = 2 * pixels - 1
    padded = nn.functional.pad(pixels, (1, 1, 1, 1), mode="replicate")
    blurred = nn.functional.avg_pool2d(padded, 3, stride=1)
    softer = torch.lerp(pixels, blurred, (2 * soft - 1).clamp_min(0))
    noise = torch.randn(pixels.shape, generator=generator)
    varied: Tensor = (
        softer * (0.92 + 0.16 * contrast)
        + 0.16 * (light - 0.5)
        + 0.08 * (2 * noisy - 1).clamp_min(0) * noise
    )
    return (varied.clamp(-1, 1) + 1) / 2
