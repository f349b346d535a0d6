"""Entries load pipelines of their architecture, with any weights of that form in place of the
repository.
"""

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Generate, Generated, Setting
from tests.support.tiny_models import pipelines
from tests.support.tiny_models.pipeline_parts import flux

pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),
]

MAKERS: Mapping[str, Callable[[Path], Path]] = {
    "sd-v1.5": pipelines.stable_diffusion_checked,
    "sd-v2.0": pipelines.stable_diffusion_2,
    "sdxl-base": pipelines.stable_diffusion_xl_half,
    "pixart-alpha": pipelines.pixart,
    "flux-schnell": flux,
}
ASKED: Mapping[str, Mapping[str, Setting]] = {
    "pixart-alpha": {"use_resolution_binning": False},
    "flux-schnell": {"max_sequence_length": 32},
}
SIZE: Mapping[str, Setting] = {"steps": 2, "width": 64, "height": 32}


@pytest.mark.parametrize("name", MAKERS)
def test_the_library_has_the_pipeline_and_its_call_takes_what_the_entry_says(
    tmp_path: Path, name: str
) -> None:
    entry = read_models()[name]
    folder = MAKERS[name](tmp_path / "pipeline")
    settings = {**entry.settings, **SIZE, **ASKED.get(name, {})}
    spec = replace(entry, repository=str(folder), needs=(), settings=settings)
    (reply,) = TextToImage(spec).generate([Generate("the cat", 0)])
    assert isinstance(reply, Generated), reply
    assert np.asarray(Image.open(io.BytesIO(reply.png))).shape == (32, 64, 3)
    assert {key: reply.notes[key] for key in SIZE} == SIZE
    assert reply.notes["dtype"] == entry.settings.get(
        "dtype", "float32" if reply.notes["device"] == "cpu" else reply.notes["dtype"]
    )
    assert reply.notes.get("guidance") == entry.settings.get("guidance")
