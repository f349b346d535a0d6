"""Defines the heads that are learned beside the vision models and dropped after the training."""

from torch import Tensor, nn
from torch.nn import functional


class PartHead(nn.Module):
    """Predicts from a patch's state which parts its pixels show."""

    def __init__(self, width: int, parts: int, patch: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.scores = nn.Linear(width, parts)
        self.patch = patch

    def forward(self, patches: Tensor, labels: Tensor) -> Tensor:
        """Compute the cross entropy with the shares of the parts in each patch.

        Patches (B, N, D), labels (B, H, W).
        """
        logs: Tensor = self.scores(self.norm(patches)).float().log_softmax(-1)
        side = labels.shape[-1] // self.patch
        blocks = (
            labels.long()
            .reshape(-1, side, self.patch, side, self.patch)
            .transpose(2, 3)
            .reshape(len(labels), side * side, -1)
        )
        return -logs.gather(-1, blocks).mean()


class MatchHead(nn.Module):
    """Decides from the states of phrase and patch whether the patch shows what the phrase names."""

    def __init__(self, width: int, patch: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.scores = nn.Linear(width, 1)
        self.patch = patch

    def forward(self, matched: Tensor, masks: Tensor) -> Tensor:
        """Compute the cross entropy with the share of each patch that the mask covers.

        Matched states (B, N, D), masks (B, H, W).
        """
        shares = functional.avg_pool2d(masks[:, None], self.patch).flatten(1)
        scores = self.scores(self.norm(matched)).squeeze(-1).float()
        return functional.binary_cross_entropy_with_logits(scores, shares)


class SegmenterHeads(nn.Module):
    """Holds what is learned beside the masks."""

    def __init__(self, match: MatchHead, parts: PartHead) -> None:
        super().__init__()
        self.match = match
        self.parts = parts
