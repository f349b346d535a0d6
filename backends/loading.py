"""Loads models of transformers and diffusers whole, or says in one sentence why not."""

import math
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from hallascope.backends.base import (
    BadWeights,
    HallaScopeError,
    ModelSpec,
    NoRoom,
    Unavailable,
)
from hallascope.data.requests import Setting

DTYPES = ("float32", "bfloat16", "float16")
REMEDY = "get the folder again, or remove the entry"
_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")
_MEMORY_MESSAGES = ("out of memory", "can't allocate memory", "not enough memory")
M = TypeVar("M")


class Flaw(ValueError):
    """Says what is wrong with the files of a model and what to do, as the end of a sentence."""


def load_whole(model_class: type[M], source: str, dtype: str = "float32", **options: Any) -> M:
    """Load a model in evaluation mode with every weight out of its safetensors.

    `source`: a folder or the id of a Hub model; `options`: others of ``from_pretrained``. Raises
    what the library raises, and Flaw where a weight would be made up.
    """
    import torch

    loader: Any = model_class
    # diffusers has learned the name `dtype` later than transformers
    dtype_name = "torch_dtype" if hasattr(model_class, "load_config") else "dtype"
    options[dtype_name] = getattr(torch, dtype)
    model, report = loader.from_pretrained(
        source, use_safetensors=True, output_loading_info=True, **options
    )
    lists = ("missing_keys", "mismatched_keys", "error_msgs")
    lacking = sorted({str(problem) for name in lists for problem in report.get(name) or ()})
    if lacking:
        raise Flaw(
            f"{len(lacking)} of its weights are missing, {lacking[0]!r} among them: {REMEDY}"
        )
    whole: M = model.eval()
    return whole


def loading_fault(spec: ModelSpec, source: str, error: Exception) -> HallaScopeError:
    """Return what an error means that came while a model was loaded from a folder or Hub id."""
    if isinstance(error, HallaScopeError):
        return error
    if is_out_of_memory(error):
        return NoRoom(
            f"{spec.title} cannot run here: this machine has too little memory for it; use a"
            " smaller model."
        )
    if isinstance(error, ImportError):
        return Unavailable(
            f"{spec.title} cannot run here: a package is missing ({first_line(error)}): install it"
            " and start again."
        )
    where = f"{spec.id} cannot be loaded from {source!r}"
    if isinstance(error, Flaw):
        return BadWeights(f"{where}: {error}.")
    return BadWeights(f"{where} ({first_line(error)}): {REMEDY}.")


def first_line(error: BaseException) -> str:
    """Return what an error says, in one line that no full stop ends."""
    message = str(error).strip() or type(error).__name__
    return message.splitlines()[0][:300].rstrip(" .:")


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error says that a device had no room left."""
    import torch

    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    message = str(error).lower()
    return isinstance(error, RuntimeError) and any(text in message for text in _MEMORY_MESSAGES)


# --- settings of an entry ---


def wrong_placement(spec: ModelSpec) -> str | None:
    """Return what is wrong with the settings `device` and `dtype`, None where they are well."""
    device, dtype = spec.settings.get("device"), spec.settings.get("dtype")
    if device and not _DEVICE.fullmatch(str(device)):
        return (
            f"its setting 'device' is {device!r}: give cpu, cuda, cuda:NUMBER or mps, or leave it"
            " out."
        )
    if dtype is not None and dtype not in DTYPES:
        return f"its setting 'dtype' is {dtype!r}: give {', '.join(DTYPES)}, or leave it out."
    return None


def wrong_number(
    settings: Mapping[str, Setting],
    name: str,
    low: float,
    high: float = math.inf,
    step: int | None = None,
) -> str | None:
    """Return what is wrong with a setting that is to be a number; None where it is not set.

    It is to be a multiple of `step`, where there is one.
    """
    value = settings.get(name)
    if value is None:
        return None
    if (
        not isinstance(value, bool | str)
        and low <= value <= high
        and (step is None or (isinstance(value, int) and not value % step))
    ):
        return None
    kind = {None: "number", 1: "whole number"}.get(step, f"multiple of {step}")
    end = f" to {high:,g}" if high < math.inf else ""
    return f"its setting {name!r} is {value!r}: give a {kind} from {low:g}{end}."


def choose_device(spec: ModelSpec) -> str:
    """Return the device of an entry, else CUDA, then MPS, then the CPU.

    Raises Unavailable where this machine has no such device.
    """
    import torch

    # ZeroGPU has a device that cannot be counted before a call
    cuda = max(1, torch.cuda.device_count()) if torch.cuda.is_available() else 0
    counts = {"cuda": cuda, "mps": int(torch.backends.mps.is_available()), "cpu": 1}
    best = next(name for name, count in counts.items() if count)
    device = str(spec.settings.get("device") or best)
    kind, _, number = device.partition(":")
    if int(number or 0) >= counts[kind]:
        raise Unavailable(
            f"{spec.title} cannot run here: this machine has no device {device!r}; name another"
            " device, or leave `device` out of the settings of its entry."
        )
    return device
