"""Defines the head that teaches the vision towers beside the training; it is dropped in the end."""

from torch import Tensor, nn
from torch.nn import functional

from training.drawings import part_numbers


class PartHead(nn.Module):
    """Predicts from the state of a patch which part it shows."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.scores = nn.Linear(width, len(part_numbers()) + 1)

    def forward(self, patches: Tensor, parts: Tensor) -> Tensor:
        """Compute the cross entropy; patches (B, N, D), parts (B, rows, columns)."""
        scores = self.scores(self.norm(patches)).flatten(0, 1).float()
        return functional.cross_entropy(scores, parts.long().flatten())
