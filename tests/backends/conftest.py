"""Tiny models of real architectures with random weights, built from the library's own configuration
classes.
"""

import string
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
from transformers import (
    BertTokenizer,
    BlipConfig,
    BlipForQuestionAnswering,
    BlipImageProcessor,
    BlipProcessor,
)

from tests.support.tiny_models import detectors, language, vision


@pytest.fixture(scope="session")
def tiny_blip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a BLIP question answerer of a few thousand random weights."""
    folder = tmp_path_factory.mktemp("tiny-blip")
    torch.manual_seed(0)
    words = "how many dots are there ? one two three four red circle"
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    tokens = (*special, *words.split(), *string.ascii_lowercase)
    tokens = (*tokens, *(f"##{letter}" for letter in string.ascii_lowercase))
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate(tokens)})
    width = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    width |= {"num_attention_heads": 1, "projection_dim": 32}
    text = width | {"vocab_size": len(tokenizer), "encoder_hidden_size": 32}
    text |= {"bos_token_id": 2, "eos_token_id": 3, "sep_token_id": 3, "pad_token_id": 0}
    vision = width | {"image_size": 32, "patch_size": 8, "initializer_range": 0.02}
    model = BlipForQuestionAnswering(
        BlipConfig(text_config=text, vision_config=vision, projection_dim=32)
    )
    for weights in model.parameters():
        weights.data.add_(torch.randn_like(weights) * 0.1)
    model.save_pretrained(folder)
    BlipProcessor(BlipImageProcessor(size={"height": 32, "width": 32}), tokenizer).save_pretrained(
        folder
    )
    return folder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny model of that kind (`tiny_eyes`, `tiny_detectors`, `tiny_talkers`), made
    when it is first asked for.
    """
    folder = tmp_path_factory.mktemp("tiny")
    makers = {**vision.MAKERS, **detectors.DETECTORS, **language.TALKERS}

    @cache
    def make(kind: str) -> Path:
        return makers[kind](folder / kind)

    return make
