"""Settings of an entry are called as the pipeline calls them."""

import inspect
from typing import Any

import diffusers
import pytest

from hallascope.backends.diffusers.settings import (
    BadSetting,
    CallParameters,
    GenerationSettings,
    make_scheduler,
    read_settings,
)
from hallascope.data.requests import Setting

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


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


def test_settings_are_named_as_the_pipeline_names_them() -> None:
    settings = read_settings(
        {
            **{"steps": 5, "guidance": 2, "scheduler": "DDIMScheduler", "eta": 1.0},
            **{"dtype": "float16", "negative_prompt": "a dog"},
        },
        PARAMETERS,
    )
    arguments: dict[str, Setting] = {
        "num_inference_steps": 5,
        "guidance_scale": 2,
        "eta": 1.0,
        "negative_prompt": "a dog",
    }
    assert settings == GenerationSettings(arguments, "DDIMScheduler", 5, 2.0)


def test_a_value_out_of_its_range_is_refused_and_the_ends_of_a_range_belong_to_it() -> None:
    refused: tuple[tuple[str, Setting, str], ...] = (
        ("steps", 1001, "give a whole number from 1 to 1,000"),
        ("steps", 0, "give a whole number from 1 to 1,000"),
        ("steps", 2.0, "give a whole number from 1 to 1,000"),
        ("guidance", -0.1, "give a number from 0 to 100"),
        ("guidance", True, "give a number from 0 to 100"),
        ("size", 4104, "give a multiple of 8 from 8 to 4,096"),
        ("size", 30, "give a multiple of 8 from 8 to 4,096"),
        ("height", 0, "give a multiple of 8 from 8 to 4,096"),
        ("width", "wide", "give a multiple of 8 from 8 to 4,096"),
        ("scheduler", 3, "give the name of a class of diffusers"),
        ("negative_prompt", 3, "give a text"),
    )
    for name, value, remedy in refused:
        with pytest.raises(BadSetting) as caught:
            read_settings({name: value}, PARAMETERS)
        assert str(caught.value) == f"its setting {name!r} is {value!r}: {remedy}"
    taken: tuple[tuple[str, Setting], ...] = (
        ("steps", 1000),
        ("steps", 1),
        ("guidance", 0),
        ("guidance", 100),
        ("size", 4096),
    )
    for name, value in taken:
        assert value in read_settings({name: value}, PARAMETERS).arguments.values()


def test_what_is_no_setting_or_not_of_this_pipeline_is_not_passed_on() -> None:
    for name in ("prompt_embeds", "mask_image", "generator", "prompt"):
        with pytest.raises(BadSetting, match=f"it has no setting '{name}': "):
            read_settings({name: 3}, PARAMETERS)
    with pytest.raises(BadSetting, match="its pipeline takes no 'guidance': leave it out"):
        read_settings({"guidance": 2}, {"prompt": PARAMETERS["prompt"]})


# --- schedulers ---


def test_a_scheduler_that_does_not_exist_or_fit_is_refused() -> None:
    for name, message in (
        ("EulerScheduler", "there is no scheduler 'EulerScheduler': did you mean '"),
        ("zzz", "name one of the classes of diffusers, e.g. '"),
        ("UNet2DConditionModel", "there is no scheduler 'UNet2DConditionModel': "),
        ("FlowMatchEulerDiscreteScheduler", "is for another kind of model: use DDIMScheduler, "),
    ):
        with pytest.raises(BadSetting) as caught:
            make_scheduler(diffusers.DDIMScheduler(), name)
        assert message in str(caught.value)
    with pytest.raises(BadSetting, match="its pipeline takes no 'scheduler': leave it out"):
        make_scheduler(None, "DDIMScheduler")
    flow = diffusers.FlowMatchEulerDiscreteScheduler(shift=3.0)
    other = make_scheduler(flow, "FlowMatchHeunDiscreteScheduler")
    assert type(other).__name__ == "FlowMatchHeunDiscreteScheduler"
    assert other.config.shift == 3.0
