"""Holds what segmenter and embedder share: inputs, texts as tokens, and a head for parts."""

import json
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training import words
from training.drawings import part_numbers
from training.pixels import as_shares, augment


def as_input(pixels: Tensor, generator: torch.Generator) -> Tensor:
    """Return bytes (B, H, W, 3) as the model's input in [-1, 1], randomly varied."""
    return 2 * augment(as_shares(pixels), generator) - 1


def as_tokens(tokenizer: Any, rows: NDArray[Any]) -> Tensor:
    """Return rows of texts as JSON as token numbers, (rows, texts of a row, TOKENS)."""
    return torch.stack([words.as_tokens(tokenizer, json.loads(str(row))) for row in rows])


def choose(rows: int, count: int, most: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return the numbers of rows (B, 1), and of each row some of so many columns, (B, most)."""
    order = torch.rand((rows, count), generator=generator).argsort(1)
    return torch.arange(rows)[:, None], order[:, :most]


def make_head(width: int, scores: int) -> nn.Module:
    return nn.Sequential(nn.LayerNorm(width), nn.Linear(width, scores))


def part_head(width: int) -> nn.Module:
    """Return a head that predicts from the state of a patch which part it shows."""
    return make_head(width, len(part_numbers()) + 1)


def part_loss(scores: Tensor, parts: Tensor) -> Tensor:
    """Compute the cross entropy of scores (B, N, parts) for parts (B, rows, columns)."""
    return functional.cross_entropy(scores.flatten(0, 1).float(), parts.long().flatten())
