"""The heads that are learned beside a model read from the states of patches what they show."""

import torch

from hallascope.backends.embedded.training.heads import MatchHead, PartHead


def test_the_head_reads_the_parts_of_each_patch_where_they_are() -> None:
    head = PartHead(4, 3, 2)
    labels = torch.zeros(1, 4, 4, dtype=torch.int16)
    labels[0, :2, 2:] = 1
    patches = torch.eye(4)[None] * 10  # the second patch, top right, is told from the others
    with torch.no_grad():
        head.scores.weight.zero_()
        head.scores.weight[1, 1], head.scores.weight[0, 1] = 20.0, -20.0
        head.scores.bias.copy_(torch.tensor([5.0, -5.0, -30.0]))
        assert float(head(patches, labels)) < 0.01
        assert float(head(patches, labels.flip(2))) > 1


def test_the_match_head_reads_how_much_of_each_patch_a_mask_covers() -> None:
    head = MatchHead(2, 2)
    mask = torch.zeros(1, 4, 4)
    mask[0, :2, 2:] = 1
    # The state of the second patch, top right, is told from the others.
    states = torch.tensor([[[-1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0]]])
    with torch.no_grad():
        head.scores.weight.copy_(torch.tensor([[10.0, -10.0]]))
        head.scores.bias.zero_()
        assert float(head(states, mask)) < 0.01
        assert float(head(states, mask.flip(2))) > 1
        half = mask.clone()
        half[0, 0] = 0
        head.scores.weight.zero_()
        assert torch.isclose(head(states, half), torch.tensor(2.0).log())
