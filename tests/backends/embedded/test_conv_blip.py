"""The judge's model looks at pictures of any size, and is loaded by the library's own classes."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForVisualQuestionAnswering

from hallascope.backends.embedded import conv_blip
from hallascope.backends.embedded.conv_blip import (
    ConvBlipConfig,
    ConvBlipForQuestionAnswering,
)
from hallascope.backends.weights import EMBEDDED


@pytest.fixture(scope="module")
def model() -> ConvBlipForQuestionAnswering:
    torch.manual_seed(0)
    made = ConvBlipForQuestionAnswering(ConvBlipConfig.from_pretrained(EMBEDDED / "judge"))
    made.eval()
    return made


def test_a_picture_becomes_summaries_and_a_grid_of_states(
    model: ConvBlipForQuestionAnswering,
) -> None:
    size = 96  # of a model that was made for 224
    with torch.inference_mode():
        seen = model.vision_model.look(torch.randn(2, 3, size, size))
    settings = model.config.vision_config
    grid = (size // conv_blip.STATE) ** 2
    cells = size // conv_blip.CELL
    assert seen.states.shape == (2, settings.summaries + grid, settings.hidden_size)
    assert seen.cells.shape == (2, settings.hidden_size, cells, cells)
    assert seen.log_centers.shape == (2, settings.parts, cells, cells)
    assert torch.allclose(seen.counts, seen.log_centers.exp().sum((2, 3)))


def test_the_library_loads_a_saved_judge_by_its_automatic_class(
    model: ConvBlipForQuestionAnswering, tmp_path: Path
) -> None:
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
            for judge in (model, loaded.eval())
        )
    assert torch.allclose(before, after, atol=1e-5)
