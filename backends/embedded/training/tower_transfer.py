"""Moves the vision tower of a trained judge (BLIP) into the tower of a segmenter (CLIP).

What one model has learned, the other need not.

The towers differ in how pixels come in, in how attention is written down and in a norm after the
embeddings. All but that norm is carried over exactly; the norm is fitted on a few pictures and
learns the rest with the whole.
"""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BlipForQuestionAnswering, BlipImageProcessor

from hallascope.backends.embedded.training import vision


def tower(folder: Path) -> tuple[nn.Module, BlipImageProcessor]:
    """The vision tower of the judge in a folder, and how pixels come into it."""
    model = BlipForQuestionAnswering.from_pretrained(folder, local_files_only=True)
    return model.vision_model, BlipImageProcessor.from_pretrained(folder, local_files_only=True)


def config_of(eyes: Any) -> dict[str, int | str | float]:
    """What a CLIP tower is told so that the weights of these eyes fit into it."""
    theirs = eyes.config
    same = (
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "image_size",
        "patch_size",
    )
    return {name: getattr(theirs, name) for name in (*same, "hidden_act", "layer_norm_eps")}


@torch.no_grad()
def graft(into: Any, eyes: Any, processor: BlipImageProcessor, pictures: Tensor) -> None:
    """Give a CLIP tower the weights of a BLIP tower of the same shape.

    `pictures` are inputs (B, 3, H, W) in [-1, 1] to fit the norm on.
    """
    shift = _embeddings(into.embeddings, eyes.embeddings, processor)
    into.embeddings.position_embedding.weight.add_(shift)
    _fit(into.pre_layrnorm, into.embeddings(pictures))
    for mine, theirs in zip(into.encoder.layers, eyes.encoder.layers, strict=True):
        for name in ("layer_norm1", "layer_norm2", "mlp"):
            getattr(mine, name).load_state_dict(getattr(theirs, name).state_dict())
        _attention(mine.self_attn, theirs.self_attn)


def _embeddings(mine: Any, theirs: Any, processor: BlipImageProcessor) -> Tensor:
    """Patches as (x - mean) / std of the judge become patches of inputs in [-1, 1].

    What does not depend on x is given back, (N, D).
    """
    mean, std = (
        torch.tensor(v).view(1, 3, 1, 1) for v in (processor.image_mean, processor.image_std)
    )
    kernel = theirs.patch_embedding.weight
    mine.patch_embedding.weight.copy_(kernel * vision.DEVIATION / std)
    mine.class_embedding.copy_(theirs.class_embedding[0, 0])
    mine.position_embedding.weight.copy_(theirs.position_embedding[0])
    constant = theirs.patch_embedding.bias + (kernel * (vision.MEAN - mean) / std).sum((1, 2, 3))
    shift = torch.zeros_like(mine.position_embedding.weight)
    shift[1:] = constant  # the first position is that of no patch
    return shift


def _fit(norm: nn.LayerNorm, states: Tensor) -> None:
    """Fit the norm so that it changes the states (B, N, D) least, by least squares a dimension."""
    plain = nn.functional.layer_norm(states, norm.normalized_shape, eps=norm.eps).flatten(0, 1)
    wanted = states.flatten(0, 1)
    centred = plain - plain.mean(0)
    slope = (centred * wanted).mean(0) / centred.square().mean(0).clamp_min(1e-8)
    norm.weight.copy_(slope)
    norm.bias.copy_(wanted.mean(0) - slope * plain.mean(0))


def _attention(mine: Any, theirs: Any) -> None:
    weights = theirs.qkv.weight.chunk(3)
    biases = theirs.qkv.bias.chunk(3)
    for projection, weight, bias in zip(
        (mine.q_proj, mine.k_proj, mine.v_proj), weights, biases, strict=True
    ):
        projection.weight.copy_(weight)
        projection.bias.copy_(bias)
    mine.out_proj.load_state_dict(theirs.projection.state_dict())
