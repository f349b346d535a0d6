"""Settings of a request go before those of the entry, and are called as the pipeline calls them."""

import inspect
from collections.abc import Mapping
from typing import Any

import pytest

from hallascope.backends.diffusers.settings import (
    BadSetting,
    CallParameters,
    GenerationSettings,
    merge_settings,
)
from hallascope.data.requests import Setting


def _call(
    self: Any,
    prompt: str,
    width: int | None = None,
    height: int | None = None,
    num_inference_steps: int = 50,
    guidance_scale: float = 7.5,
    negative_prompt: str | None = None,
    eta: float = 0.0,
    prompt_embeds: Any = None,
    mask_image: Any = None,
    generator: Any = None,
    callback_on_step_end: Any = None,
) -> None:
    """Take what the call of a pipeline takes."""


PARAMETERS: CallParameters = inspect.signature(_call).parameters


def test_a_request_goes_before_its_entry() -> None:
    settings = merge_settings(
        {"steps": 20, "guidance": 2, "scheduler": "DDIMScheduler", "eta": 1.0, "dtype": "float16"},
        {"steps": 5, "negative_prompt": "a dog"},
        PARAMETERS,
    )
    arguments: dict[str, Setting] = {
        "num_inference_steps": 5,
        "guidance_scale": 2,
        "eta": 1.0,
        "negative_prompt": "a dog",
    }
    assert settings == GenerationSettings(arguments, "DDIMScheduler", 5, 2.0)


def test_what_is_not_set_or_null_is_left_to_the_pipeline() -> None:
    settings = merge_settings({"steps": 20, "guidance": 2.0}, dict.fromkeys(("steps",)), PARAMETERS)
    assert settings == GenerationSettings({"guidance_scale": 2.0}, None, 50, 2.0)


def test_a_pipeline_that_names_no_number_of_steps_has_none() -> None:
    assert merge_settings({}, {}, {}) == GenerationSettings({}, None, 0, None)


@pytest.mark.parametrize(
    ("entry", "request_", "sides"),
    [
        ({"size": 64}, {}, (64, 64)),
        ({"size": 64}, {"width": 32}, (32, 64)),
        ({"width": 32, "height": 40}, {"size": 64}, (64, 64)),
        ({"size": 64, "height": 40}, {}, (64, 40)),
        ({"size": 64}, {"size": None}, (64, 64)),
    ],
)
def test_a_size_stands_for_both_sides_where_none_is_set(
    entry: Mapping[str, Setting], request_: Mapping[str, Setting], sides: tuple[int, int]
) -> None:
    arguments = merge_settings(entry, request_, PARAMETERS).arguments
    assert (arguments["width"], arguments["height"]) == sides


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("steps", 1001, "steps is 1001: give a whole number from 1 to 1,000"),
        ("steps", 2.0, "steps is 2.0: give a whole number from 1 to 1,000"),
        ("guidance", -0.1, "guidance is -0.1: give a number from 0 to 100"),
        ("guidance", True, "guidance is True: give a number from 0 to 100"),
        ("size", 4104, "size is 4104: give a multiple of 8 pixels up to 4,096"),
        ("height", 0, "height is 0: give a multiple of 8 pixels up to 4,096"),
        ("width", "wide", "width is 'wide': give a multiple of 8 pixels up to 4,096"),
        ("scheduler", 3, "scheduler is 3: give the name of a class of diffusers"),
        ("negative_prompt", 3, "negative_prompt is 3: give a text"),
    ],
)
def test_a_value_out_of_its_range_is_refused(name: str, value: Setting, message: str) -> None:
    for entry, request_ in (({name: value}, {}), ({}, {name: value})):
        with pytest.raises(BadSetting) as caught:
            merge_settings(entry, request_, PARAMETERS)
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "value"),
    [("steps", 1000), ("steps", 1), ("guidance", 0), ("guidance", 100), ("size", 4096)],
)
def test_the_ends_of_a_range_belong_to_it(name: str, value: Setting) -> None:
    assert value in merge_settings({}, {name: value}, PARAMETERS).arguments.values()


@pytest.mark.parametrize("name", ["prompt_embeds", "mask_image", "generator", "prompt"])
def test_what_is_no_setting_is_not_passed_on(name: str) -> None:
    with pytest.raises(BadSetting, match=f"it has no setting '{name}': "):
        merge_settings({}, {name: 3}, PARAMETERS)


def test_a_setting_that_this_pipeline_does_not_take_is_told_from_one_that_none_takes() -> None:
    with pytest.raises(BadSetting, match="its pipeline takes no 'guidance': leave it out"):
        merge_settings({}, {"guidance": 2}, {"prompt": PARAMETERS["prompt"]})
    with pytest.raises(BadSetting, match=r"it has no setting 'zzz': use cpu_offload, device, "):
        merge_settings({}, {"zzz": 2}, PARAMETERS)
