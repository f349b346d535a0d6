"""The judge's model is loaded by the library's own classes."""

from pathlib import Path

import torch
from transformers import AutoModelForVisualQuestionAnswering

from hallascope.backends.embedded import conv_blip
from hallascope.backends.embedded.conv_blip import (
    ConvBlipConfig,
    ConvBlipForQuestionAnswering,
)
from hallascope.backends.weights import EMBEDDED


def test_the_library_loads_a_saved_judge_by_its_automatic_class(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = ConvBlipForQuestionAnswering(ConvBlipConfig.from_pretrained(EMBEDDED / "judge"))
    model.save_pretrained(tmp_path)
    conv_blip.register()
    conv_blip.register()
    loaded = AutoModelForVisualQuestionAnswering.from_pretrained(tmp_path)
    assert isinstance(loaded, ConvBlipForQuestionAnswering)
    assert loaded.config.pictures == 2
    picture = torch.randn(1, 3, 64, 64)
    with torch.inference_mode():
        before, after = (
            judge.vision_model(pixel_values=picture).last_hidden_state
            for judge in (model.eval(), loaded.eval())
        )
    assert torch.allclose(before, after, atol=1e-5)
