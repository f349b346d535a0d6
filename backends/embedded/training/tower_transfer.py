"""Moves the vision tower of a trained judge (BLIP) into the tower of a segmenter (CLIP).

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

SAME_OPTIONS = (
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "image_size",
    "patch_size",
    "hidden_act",
    "layer_norm_eps",
)


def load_tower(folder: Path) -> tuple[nn.Module, BlipImageProcessor]:
    """Load the vision tower of the judge in a folder, and its image processor."""
    model = BlipForQuestionAnswering.from_pretrained(folder, local_files_only=True)
    return model.vision_model, BlipImageProcessor.from_pretrained(folder, local_files_only=True)


def clip_config(blip: Any) -> dict[str, Any]:
    """Return the configuration of a CLIP tower into which the weights of a BLIP tower fit."""
    return {name: getattr(blip.config, name) for name in SAME_OPTIONS}


@torch.no_grad()
def copy_tower(clip: Any, blip: Any, processor: BlipImageProcessor, pictures: Tensor) -> None:
    """Give a CLIP tower the weights of a BLIP tower of the same shape.

    `pictures` are inputs (B, 3, H, W) in [-1, 1] to fit the norm on.
    """
    _copy_embeddings(clip.embeddings, blip.embeddings, processor)
    _fit_norm(clip.pre_layrnorm, clip.embeddings(pictures))
    for target, source in zip(clip.encoder.layers, blip.encoder.layers, strict=True):
        for name in ("layer_norm1", "layer_norm2", "mlp"):
            getattr(target, name).load_state_dict(getattr(source, name).state_dict())
        _copy_attention(target.self_attn, source.self_attn)


def _copy_embeddings(clip: Any, blip: Any, processor: BlipImageProcessor) -> None:
    """Turn patches of (x - mean) / std, as the judge reads them, into patches of [-1, 1]."""
    mean, std = (
        torch.tensor(v).view(1, 3, 1, 1) for v in (processor.image_mean, processor.image_std)
    )
    kernel = blip.patch_embedding.weight
    clip.patch_embedding.weight.copy_(kernel * vision.DEVIATION / std)
    clip.class_embedding.copy_(blip.class_embedding[0, 0])
    positions = clip.position_embedding.weight
    positions.copy_(blip.position_embedding[0])
    # What does not depend on x, for all positions but the first, which is that of no patch.
    constant = blip.patch_embedding.bias + (kernel * (vision.MEAN - mean) / std).sum((1, 2, 3))
    positions[1:] += constant


def _fit_norm(norm: nn.LayerNorm, states: Tensor) -> None:
    """Fit the norm so that it changes the states (B, N, D) least, by least squares a dimension."""
    plain = nn.functional.layer_norm(states, norm.normalized_shape, eps=norm.eps).flatten(0, 1)
    target = states.flatten(0, 1)
    centered = plain - plain.mean(0)
    slope = (centered * target).mean(0) / centered.square().mean(0).clamp_min(1e-8)
    norm.weight.copy_(slope)
    norm.bias.copy_(target.mean(0) - slope * plain.mean(0))


def _copy_attention(clip: Any, blip: Any) -> None:
    projections = (clip.q_proj, clip.k_proj, clip.v_proj)
    weights = blip.qkv.weight.chunk(3)
    biases = blip.qkv.bias.chunk(3)
    for projection, weight, bias in zip(projections, weights, biases, strict=True):
        projection.weight.copy_(weight)
        projection.bias.copy_(bias)
    clip.out_proj.load_state_dict(blip.projection.state_dict())
