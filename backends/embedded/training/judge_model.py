"""Builds the embedded judge before it is trained, new or from the weights of an older one."""

import json
from collections.abc import Iterable
from pathlib import Path

import torch
from torch import nn
from transformers import BertTokenizer, BlipForQuestionAnswering

from hallascope.backends.embedded.conv_blip import (
    STATE,
    ConvBlipConfig,
    ConvBlipForQuestionAnswering,
    ConvVision,
)
from hallascope.backends.embedded.training.vqa_model import (
    add_words,
    extend_tokenizer,
    text_settings,
)

# The logarithm of how many centers of a part a cell holds, as the model begins to guess it.
RARE = -9.0


def make_model(
    tokenizer: BertTokenizer, *, size: int, width: int, text_layers: int
) -> ConvBlipForQuestionAnswering:
    """Return a judge with random weights."""
    config = ConvBlipConfig(
        text_config=text_settings(tokenizer, width, text_layers),
        vision_config=_vision_settings(size, width),
        projection_dim=width,
    )
    model = ConvBlipForQuestionAnswering(config)
    initialize_tower(model.vision_model)
    # A picture and its reference: whoever loads the folder may show both.
    model.config.pictures = 2
    return model


def _vision_settings(size: int, width: int) -> dict[str, object]:
    return {
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "num_attention_heads": 4,
        "num_hidden_layers": 2,
        "blocks": (2, 3, 3),
        "image_size": size,
        "patch_size": STATE,
        "projection_dim": width,
        "initializer_range": 0.02,
    }


def initialize_tower(tower: ConvVision) -> None:
    """Give the kernels weights that keep the scale of what goes through them."""
    for module in tower.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    nn.init.normal_(tower.centers.weight, std=0.01)
    if tower.centers.bias is not None:
        nn.init.constant_(tower.centers.bias, RARE)


def load_start(
    folder: Path, size: int, texts: Iterable[str]
) -> tuple[ConvBlipForQuestionAnswering, BertTokenizer]:
    """Load a judge to go on from, with the words of `texts` added to those it knows.

    Of a BLIP with another tower the text encoder and the text decoder are taken over.
    """
    old = BertTokenizer.from_pretrained(folder)
    tokenizer = extend_tokenizer(old, texts)
    kind = json.loads((folder / "config.json").read_text(encoding="utf-8"))["model_type"]
    model: ConvBlipForQuestionAnswering
    if kind == ConvBlipConfig.model_type:
        model = ConvBlipForQuestionAnswering.from_pretrained(
            folder, use_safetensors=True, dtype=torch.float32
        )
    else:
        blip = BlipForQuestionAnswering.from_pretrained(
            folder, use_safetensors=True, dtype=torch.float32
        )
        text = blip.config.text_config
        model = make_model(
            old, size=size, width=text.hidden_size, text_layers=text.num_hidden_layers
        )
        model.text_encoder.load_state_dict(blip.text_encoder.state_dict())
        model.text_decoder.load_state_dict(blip.text_decoder.state_dict())
    add_words(model, old, tokenizer)
    return model, tokenizer
