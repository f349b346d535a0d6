"""Merges and checks the settings of an image, and translates them to a pipeline's names."""

import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hallascope.backends.diffusers import ip_adapter
from hallascope.backends.loading import wrong_number
from hallascope.data.requests import Setting

# Our name of a setting -> the name of the parameter of a pipeline's call.
PARAMETER_BY_SETTING = {"steps": "num_inference_steps", "guidance": "guidance_scale"}
# What the entry of a model says once, for all its images.
ENTRY_SETTINGS = ip_adapter.SETTINGS | {
    "cpu_offload",
    "device",
    "dtype",
    "safety_checker",
    "timeout",
    "variant",
    "vocabulary",
}
# Parameters of a pipeline's call that are no settings: the adapter passes them, or nobody does.
_RESERVED_PARAMETERS = frozenset(
    {
        "self",
        "prompt",
        "generator",
        "latents",
        "image",
        "output_type",
        "return_dict",
        "num_images_per_prompt",
        "kwargs",
        "args",
        "callback",
        "callback_steps",
        "callback_on_step_end",
        "callback_on_step_end_tensor_inputs",
        *PARAMETER_BY_SETTING.values(),
    }
)
_TENSOR_WORDS = ("embeds", "mask", "image", "latents")
# The least and the highest value of a setting, and what it is a multiple of; sides are in pixels.
_RANGES: Mapping[str, tuple[float, float, int | None]] = {
    "steps": (1, 1000, 1),
    "guidance": (0, 100, None),
    **dict.fromkeys(("size", "width", "height"), (8, 4096, 8)),
}
_TEXTS = {"scheduler": "the name of a class of diffusers", "negative_prompt": "a text"}
_KNOWN_SETTINGS = (*_RANGES, *_TEXTS)

CallParameters = Mapping[str, inspect.Parameter]


class BadSetting(ValueError):
    """Says which setting is unknown or wrong and what to do, as the end of a sentence."""


@dataclass(frozen=True)
class GenerationSettings:
    """Says how one image is made.

    `arguments` are those of the pipeline's call. `steps` is 0 where their number is unknown.
    """

    arguments: Mapping[str, Setting]
    scheduler: str | None
    steps: int
    guidance: float | None


def call_parameters(pipeline_class: type) -> CallParameters:
    """Return the parameters of a pipeline's call, by name."""
    return inspect.signature(pipeline_class.__call__).parameters


def read_settings(entry: Mapping[str, Setting], parameters: CallParameters) -> GenerationSettings:
    """Return the settings of an entry for a call with these parameters.

    Raises BadSetting where the call takes no such setting, or its value is wrong.

    A setting that is null is left to the pipeline.
    """
    settings = {
        name: value
        for name, value in _expand_size(entry).items()
        if value is not None and name not in ENTRY_SETTINGS
    }
    allowed = _allowed_settings(parameters) | {"scheduler"}
    for name in settings:
        if name not in allowed:
            raise BadSetting(_unknown_setting(name, parameters))
        _check_value(settings, name)
    scheduler = settings.pop("scheduler", None)
    arguments = {PARAMETER_BY_SETTING.get(name, name): value for name, value in settings.items()}
    steps = _argument_or_default("num_inference_steps", arguments, parameters)
    guidance = _argument_or_default("guidance_scale", arguments, parameters)
    return GenerationSettings(
        arguments,
        str(scheduler) if scheduler else None,
        steps if isinstance(steps, int) else 0,
        float(guidance) if isinstance(guidance, int | float) else None,
    )


def _argument_or_default(
    name: str, arguments: Mapping[str, Setting], parameters: CallParameters
) -> object:
    if name in arguments:
        return arguments[name]
    return parameters[name].default if name in parameters else None


def _expand_size(settings: Mapping[str, Setting]) -> dict[str, Setting]:
    """Replace `size` by both sides, unless they are set."""
    sides = {name: value for name, value in settings.items() if name != "size"}
    size = settings.get("size")
    if size is None:
        return sides
    _check_value(settings, "size")
    return {"width": size, "height": size} | sides


def _allowed_settings(parameters: CallParameters) -> set[str]:
    """Return the names of the settings of a call with these parameters."""
    renamed = {name for name, parameter in PARAMETER_BY_SETTING.items() if parameter in parameters}
    same_name = {
        name
        for name in set(parameters) - _RESERVED_PARAMETERS
        if not any(word in name for word in _TENSOR_WORDS)
    }
    return renamed | same_name


def _unknown_setting(name: str, parameters: CallParameters) -> str:
    """Say that a pipeline has no such setting, and which one was perhaps meant."""
    for setting, parameter in PARAMETER_BY_SETTING.items():
        if name == parameter and parameter in parameters:
            return f"the setting {name!r} is called {setting!r} here: write {setting}"
    if name in _KNOWN_SETTINGS:
        return f"its pipeline takes no {name!r}: leave it out"
    known = _allowed_settings(parameters) | ENTRY_SETTINGS | {"scheduler"}
    if {"width", "height"} <= set(parameters):
        known.add("size")
    nearest = difflib.get_close_matches(name, sorted(known), n=1)
    if nearest:
        return f"it has no setting {name!r}: did you mean {nearest[0]!r}?"
    return f"it has no setting {name!r}: use {', '.join(sorted(known))}"


def _check_value(settings: Mapping[str, Setting], name: str) -> None:
    """Raise BadSetting where the value of a setting is of a wrong type or out of its range."""
    if name in _RANGES:
        if problem := wrong_number(settings, name, *_RANGES[name]):
            raise BadSetting(problem.removesuffix("."))
    elif name in _TEXTS and not isinstance(settings[name], str):
        raise BadSetting(f"its setting {name!r} is {settings[name]!r}: give {_TEXTS[name]}")


# --- schedulers ---


def make_scheduler(original: Any, name: str | None) -> Any:
    """Make a scheduler with the configuration of `original`, that of the pipeline, if it has one.

    Schedulers remember the steps of the image before, or of half of one that was stopped. `name` is
    a class of diffusers (None: the class of `original`). Raises BadSetting where there is
    no such scheduler, or it is for another type of model.
    """
    if original is None:
        raise BadSetting("its pipeline takes no 'scheduler': leave it out")
    scheduler_class = _find_class(name) if name else type(original)
    scheduler = scheduler_class.from_config(original.config)
    if not _are_compatible(original, scheduler):
        names = sorted(other.__name__ for other in original.compatibles)[:6]
        alternatives = ", ".join(names) or "leave it out"
        raise BadSetting(
            f"the scheduler {name!r} is for another kind of model: use {type(original).__name__},"
            f" {alternatives}"
        )
    return scheduler


def _find_class(name: str) -> Any:
    import diffusers

    scheduler_class = getattr(diffusers, name, None)
    if isinstance(scheduler_class, type) and issubclass(scheduler_class, diffusers.SchedulerMixin):
        return scheduler_class
    known = [class_name for class_name in dir(diffusers) if class_name.endswith("Scheduler")]
    nearest = difflib.get_close_matches(name, known, n=1)
    if nearest:
        remedy = f"did you mean {nearest[0]!r}?"
    else:
        remedy = "name one of the classes of diffusers, e.g. 'DDIMScheduler'"
    raise BadSetting(f"there is no scheduler {name!r}: {remedy}")


def _are_compatible(first: Any, second: Any) -> bool:
    """Return whether either of two schedulers says that it can replace the other."""
    class_names = (type(first).__name__, type(second).__name__)
    return (
        all(name.startswith("FlowMatch") for name in class_names)
        or type(first) is type(second)
        or type(second) in first.compatibles
        or type(first) in second.compatibles
    )
