"""Makes entries of tiny diffusers pipelines and draws with them."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure, Generate, Generated, Setting

PROMPT = "the cat"


def painter_spec(folder: Path | str, **settings: Setting) -> ModelSpec:
    return ModelSpec(
        id="test/painter",
        title="Painter",
        roles=("generator",),
        backend="diffusers",
        repository=str(folder),
        settings={"steps": 3, **settings},
    )


@contextmanager
def entry_settings(painter: TextToImage, settings: Mapping[str, Setting]) -> Iterator[None]:
    """More settings in the painter's entry within the block."""
    before = painter.spec
    painter.spec = replace(before, settings={**before.settings, **settings})
    try:
        yield
    finally:
        painter.spec = before


def draw(
    painter: TextToImage, prompt: str = PROMPT, seed: int = 0, **settings: Setting
) -> Generated:
    with entry_settings(painter, settings):
        (reply,) = painter.generate([Generate(prompt, seed)])
    assert isinstance(reply, Generated), reply
    return reply


def draw_in_vain(painter: TextToImage, prompt: str = PROMPT) -> Failure:
    """Ask for a picture that is refused, and return the failure, which is one sentence."""
    (reply,) = painter.generate([Generate(prompt, 0)])
    assert isinstance(reply, Failure)
    assert "\n" not in reply.message
    return reply


def pixels(reply: Generated) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(reply.png)))
