"""Merges and checks the settings of a picture, and translates them to a pipeline's names."""

import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hallascope.backends.diffusers import ip_adapter
from hallascope.data.requests import Setting

# our name for what a pipeline's call takes by another
CALLED = {"steps": "num_inference_steps", "guidance": "guidance_scale"}
# what the entry of a model says once, for all its pictures
OF_THE_ENTRY = (
    frozenset(
        {"cpu_offload", "device", "dtype", "safety_checker", "timeout", "variant", "vocabulary"}
    )
    | ip_adapter.SETTINGS
)
_OURS = ("steps", "guidance", "size", "width", "height", "scheduler", "negative_prompt")
# what a pipeline's call takes and what is ours to say
_HELD = frozenset(
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
        *CALLED.values(),
    }
)
# EACH: sides are multiples of it, in pixels
MOST_STEPS = 1000
LARGEST = 4096
EACH = 8


class BadSetting(ValueError):
    """Says which setting is unknown or wrong and what to do, as the end of a sentence."""


@dataclass(frozen=True)
class GenerationSettings:
    """Says how one picture is made. `steps` is 0 where their number is unknown."""

    arguments: Mapping[str, Setting]  # of the pipeline's call
    scheduler: str | None
    steps: int
    guidance: float | None


def merge_settings(
    entry: Mapping[str, Setting],
    request: Mapping[str, Setting],
    takes: Mapping[str, inspect.Parameter],
) -> GenerationSettings:
    """Merge the settings of a request over those of an entry for a call with these parameters.

    Raises BadSetting.

    A setting that is null is left to the pipeline.
    """
    if own := sorted(OF_THE_ENTRY & set(request)):
        raise BadSetting(
            f"the setting {own[0]!r} belongs to the model: write it into the settings of its entry"
        )
    said = {**_sides(entry), **_sides(request)}
    asked = {
        name: value
        for name, value in said.items()
        if value is not None and name not in OF_THE_ENTRY
    }
    for name, value in asked.items():
        if name != "scheduler" and name not in _allowed_settings(takes):
            raise BadSetting(_unknown(name, takes))
        _check(name, value)
    scheduler = asked.pop("scheduler", None)
    steps, guidance = (
        asked.get(name, _default(takes, CALLED[name])) for name in ("steps", "guidance")
    )
    arguments = {CALLED.get(name, name): value for name, value in asked.items()}
    return GenerationSettings(
        arguments,
        str(scheduler) if scheduler else None,
        steps if isinstance(steps, int) else 0,
        float(guidance) if isinstance(guidance, int | float) else None,
    )


def _sides(settings: Mapping[str, Setting]) -> dict[str, Setting]:
    """Replace `size` by both sides, unless they are set."""
    rest = {name: value for name, value in settings.items() if name != "size"}
    size = settings.get("size")
    if size is None:
        return rest
    _check("size", size)
    return {"width": size, "height": size} | rest


def _allowed_settings(takes: Mapping[str, inspect.Parameter]) -> set[str]:
    """Return the names of the settings of a call with these parameters."""
    ours = {name for name, called in CALLED.items() if called in takes}
    plain = {
        name
        for name in takes
        if name not in _HELD
        and not any(word in name for word in ("embeds", "mask", "image", "latents"))
    }
    return ours | plain


def _unknown(name: str, takes: Mapping[str, inspect.Parameter]) -> str:
    if name in CALLED.values() and name in takes:
        ours = next(short for short, called in CALLED.items() if called == name)
        return f"the setting {name!r} is called {ours!r} here: write {ours}"
    known = sorted(
        _allowed_settings(takes)
        | OF_THE_ENTRY
        | {"scheduler"}
        | ({"size"} if {"width", "height"} <= set(takes) else set())
    )
    if name in _OURS:
        return f"its pipeline takes no {name!r}: leave it out"
    near = difflib.get_close_matches(name, known, n=1)
    return f"it has no setting {name!r}: " + (
        f"did you mean {near[0]!r}?" if near else f"use {', '.join(known)}"
    )


def _check(name: str, value: Setting) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match name:
        case "steps" if not (isinstance(value, int) and number and 1 <= value <= MOST_STEPS):
            raise BadSetting(f"steps is {value!r}: give a whole number from 1 to {MOST_STEPS:,}")
        case "guidance" if not (isinstance(value, int | float) and number and 0 <= value <= 100):
            raise BadSetting(f"guidance is {value!r}: give a number from 0 to 100")
        case "size" | "width" | "height" if not (
            isinstance(value, int) and number and EACH <= value <= LARGEST and value % EACH == 0
        ):
            raise BadSetting(
                f"{name} is {value!r}: give a multiple of {EACH} pixels up to {LARGEST:,}"
            )
        case "scheduler" | "negative_prompt" if not isinstance(value, str):
            raise BadSetting(
                f"{name} is {value!r}: give"
                f" {'the name of a class of diffusers' if name == 'scheduler' else 'a text'}"
            )


def _default(takes: Mapping[str, inspect.Parameter], name: str) -> Any:
    return takes[name].default if name in takes else None
