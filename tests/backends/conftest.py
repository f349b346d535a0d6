"""Tiny models of real architectures with random weights, built from the library's own configuration
classes.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
from transformers import BlipImageProcessor, BlipProcessor

from hallascope.backends.embedded.training.vqa_model import VqaConfig, make_model, make_tokenizer
from tests.support.tiny_models import detectors, language, vision


@pytest.fixture(scope="session")
def tiny_blip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a BLIP question answerer of a few thousand random weights."""
    folder = tmp_path_factory.mktemp("tiny-blip")
    torch.manual_seed(0)
    tokenizer = make_tokenizer(
        ["How many dots are there?", "One", "Two", "Three", "Four", "Red circle"]
    )
    model = make_model(
        VqaConfig(size=32, patch=8, width=32, vision_layers=1, text_layers=1), tokenizer
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
