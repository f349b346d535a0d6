"""Reference pictures reach a diffusers pipeline through an image-prompt adapter, and leave no trace
on the pictures without.
"""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Failure, Generate, Generated, Setting
from tests.support.tiny_models import pipelines

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adapters")
    pipelines.stable_diffusion(folder / "sd")
    pipelines.ip_adapter(folder / "adapter")
    return folder


def painter(folder: Path, **settings: Setting) -> TextToImage:
    whole: dict[str, Setting] = {
        "steps": 2,
        "ip_adapter_weights": "adapter.safetensors",
        **settings,
    }
    return TextToImage(
        ModelSpec(
            id="test/painter",
            title="Painter",
            roles=("generator",),
            backend="diffusers",
            repository=str(folder),
            settings=whole,
        )
    )


def reference(folder: Path, shade: int) -> Picture:
    path = folder / f"{shade}.png"
    pixels = np.random.default_rng(shade).integers(0, 256, (48, 48, 3)).astype("uint8")
    Image.fromarray(pixels).save(path)
    return Picture(hashlib.sha256(path.read_bytes()).hexdigest(), path)


def drawn(of: TextToImage, *references: Picture) -> bytes:
    (reply,) = of.generate([Generate("the cat", 0, references=references)])
    assert isinstance(reply, Generated), reply
    return reply.png


def test_the_picture_follows_its_reference_and_one_without_is_as_if_there_were_no_adapter(
    home: Path,
) -> None:
    plain = drawn(painter(home / "sd"))
    one = painter(home / "sd", ip_adapter=str(home / "adapter"), ip_adapter_scale=1.0)
    first, second = reference(home, 1), reference(home, 2)
    assert drawn(one) == plain
    shown = drawn(one, first)
    assert len({plain, shown, drawn(one, second), drawn(one, first, second)}) == 4
    assert drawn(one, first) == shown
    weightless = painter(home / "sd", ip_adapter=str(home / "adapter"), ip_adapter_scale=0)
    assert drawn(weightless, first) == drawn(weightless, second), "0 follows no reference"
    assert drawn(one) == plain, "the adapter is taken off again"


def test_without_an_adapter_a_sentence_says_what_to_do(home: Path) -> None:
    asked = [Generate("the cat", 0, references=(reference(home, 1),))]
    cases: list[tuple[dict[str, Setting], str]] = [
        ({}, "its entry names no adapter: write ip_adapter"),
        ({"ip_adapter": "/nowhere/adapter"}, "fix ip_adapter in its entry"),
        ({"ip_adapter": "nobody/adapter"}, "run `hallascope models get test/painter`"),
        (
            {"ip_adapter": "nobody/adapter", "ip_adapter_weights": "adapter.bin"},
            "ends in .safetensors",
        ),
    ]
    for settings, says in cases:
        (reply,) = painter(home / "sd", **settings).generate(asked)
        assert isinstance(reply, Failure)
        assert says in reply.message
