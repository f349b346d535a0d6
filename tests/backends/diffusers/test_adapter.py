"""Pipelines of the diffusers library draw as the library itself does and stop when told to; what
cannot be drawn is a failure that says what to do.
"""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import diffusers
import numpy as np
import pytest
import torch
from PIL import Image

from hallascope.backends.base import Stopped
from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.backends.draughtsman import Draughtsman
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure, Generate, Generated, Setting
from tests.support.painters import (
    PROMPT,
    draw,
    draw_in_vain,
    entry_settings,
    painter_spec,
    pixels,
)

# The schedulers of diffusers make arrays of tensors in a way that NumPy 2 wants otherwise.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

# --- drawing ---


def _by_the_library(folder: Path, seed: int, **options: Any) -> np.ndarray:
    pipeline = diffusers.DiffusionPipeline.from_pretrained(str(folder))
    pipeline.set_progress_bar_config(disable=True)
    return np.asarray(
        pipeline(PROMPT, generator=torch.Generator("cpu").manual_seed(seed), **options).images[0]
    )


def test_an_image_is_pixel_by_pixel_that_of_the_library_with_the_same_settings(
    painter: TextToImage, pipeline_folders: Mapping[str, Path]
) -> None:
    expected = _by_the_library(
        pipeline_folders["stable_diffusion"],
        5,
        num_inference_steps=4,
        guidance_scale=3.0,
        width=64,
        height=40,
        negative_prompt="a dog",
    )
    drawn = pixels(
        draw(painter, seed=5, steps=4, guidance=3.0, width=64, height=40, negative_prompt="a dog")
    )
    assert drawn.shape == (40, 64, 3)
    assert (drawn == expected).all()


def test_the_seed_and_the_prompt_decide_and_neighbors_do_not(painter: TextToImage) -> None:
    requests = [Generate(prompt, seed) for prompt in (PROMPT, "a bird") for seed in (0, 1)]
    steps: list[tuple[int, int]] = []
    together = painter.generate(requests, lambda *step: steps.append(step))
    assert together == [painter.generate([request])[0] for request in requests]
    assert len({reply.png for reply in together if isinstance(reply, Generated)}) == 4
    assert [step for step in steps if step[1]] == [(n, 12) for n in range(1, 13)]


def test_a_picture_comes_with_notes_of_its_making_and_without_a_word_in_the_file(
    painter: TextToImage,
) -> None:
    reply = draw(painter, steps=2, scheduler="EulerAncestralDiscreteScheduler")
    assert reply.notes == {
        "steps": 2,
        "guidance": 7.5,
        "scheduler": "EulerAncestralDiscreteScheduler",
        "width": 32,
        "height": 32,
        "dtype": "float32",
        "device": painter._device,
    }
    assert not Image.open(io.BytesIO(reply.png)).info
    again = draw(painter, steps=2, scheduler="EulerAncestralDiscreteScheduler")
    assert reply.png == again.png, "its noise is drawn from the seed"
    assert draw(painter).notes["scheduler"] == "DDIMScheduler", (
        "a request changes the scheduler for itself alone"
    )


# --- steps and stops ---


def test_a_stop_ends_the_drawing_at_once_and_the_next_picture_is_as_if_nothing_had_been(
    painter: TextToImage,
) -> None:
    before = draw(painter).png
    pipeline = painter.pipeline
    denoiser = pipeline.unet
    passes = []
    hook = denoiser.register_forward_hook(lambda *_: passes.append(1))

    def stop(step: int, steps: int) -> None:
        if step == 2:
            raise Stopped

    with pytest.raises(Stopped), entry_settings(painter, {"steps": 50}):
        painter.generate([Generate(PROMPT, 0)], stop)
    hook.remove()
    assert len(passes) == 2
    assert draw(painter).png == before


# --- what is refused ---


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"stepz": 3}, "it has no setting 'stepz': did you mean 'steps'?"),
        ({"num_inference_steps": 3}, "is called 'steps' here: write steps."),
    ],
)
def test_a_setting_that_is_unknown_or_wrong_is_named(
    painter: TextToImage, settings: Mapping[str, Setting], message: str
) -> None:
    with entry_settings(painter, settings):
        (bad,) = painter.generate([Generate(PROMPT, 0)])
    assert isinstance(bad, Failure)
    assert bad.kind == "broken"
    assert bad.message.startswith("Painter cannot draw this: ")
    assert message in bad.message


def test_a_picture_that_the_safety_checker_flags_is_refused_and_never_black(
    pipeline_folders: Mapping[str, Path],
) -> None:
    failure = draw_in_vain(TextToImage(painter_spec(pipeline_folders["flags"])))
    assert failure.kind == "refused"
    assert failure.message.startswith("The safety checker of Painter holds this image back: ")
    checked = TextToImage(painter_spec(pipeline_folders["passes"]))
    assert pixels(draw(checked)).max() > 0
    unchecked = TextToImage(painter_spec(pipeline_folders["flags"], safety_checker=False))
    assert pixels(draw(unchecked)).max() > 0


def test_a_prompt_outside_the_vocabulary_of_primer_is_refused_as_the_draughtsmen_do(
    pipeline_folders: Mapping[str, Path],
) -> None:
    painter = TextToImage(painter_spec(pipeline_folders["stable_diffusion"], vocabulary="primer"))
    draughtsman = Draughtsman(
        ModelSpec(
            id="primer/x",
            title="x",
            roles=("generator",),
            backend="draughtsman",
            settings={"violation": 0},
        )
    )
    for prompt in ("a steam engine", "", "a ladybug and a tulip and a sun"):
        assert painter.generate([Generate(prompt, 0)]) == draughtsman.generate(
            [Generate(prompt, 0)]
        )
    assert draw(painter, "a ladybug").png


def test_no_memory_left_is_a_failure_with_what_to_do_and_other_faults_are_not_hidden(
    painter: TextToImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise errors[-1]

    monkeypatch.setattr(painter.pipeline.unet, "forward", fail)
    errors: list[Exception] = []
    for error in (
        torch.OutOfMemoryError("CUDA out of memory."),
        RuntimeError("[enforce fail] can't allocate memory"),
    ):
        errors.append(error)
        failure = draw_in_vain(painter)
        assert failure.kind == "broken"
        assert "has no memory left for it; ask for a smaller image" in failure.message
    errors.append(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    with pytest.raises(RuntimeError, match="mat1"):
        painter.generate([Generate(PROMPT, 0)])


def test_numbers_out_of_range_are_a_failure_and_no_black_picture(
    pipeline_folders: Mapping[str, Path],
) -> None:
    painter = TextToImage(painter_spec(pipeline_folders["stable_diffusion"]))
    painter.pipeline.vae.decoder.conv_out.bias.data.fill_(float("nan"))
    failure = draw_in_vain(painter)
    assert "ran out of the range of float32" in failure.message
