"""Chooses the device and dtype of a pipeline, and which of its parts wait on the host."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hallascope.backends import memory, zero_gpu
from hallascope.backends.base import ModelSpec, NoRoom, Unavailable
from hallascope.backends.quiet import quiet
from hallascope.data.requests import Setting

if TYPE_CHECKING:
    import torch

LIBRARIES = ("diffusers", "transformers")
DTYPES = ("float16", "bfloat16", "float32")
VOCABULARIES = ("primer",)
Offload = Literal["model", "sequential"]
# A model at work takes this many times the bytes of its weights, measured at a picture of 1024 px.
_WORKING_FACTOR = 1.25
_FLOAT32_BYTES = 4
_MEMORY_MESSAGES = ("out of memory", "can't allocate memory", "not enough memory")


class _Choice(NamedTuple):
    """Lists the values that a setting may have, None apart, and how a sentence lists them."""

    values: tuple[Setting, ...]
    text: str


_CHOICES = {
    "dtype": _Choice(DTYPES, ", ".join(DTYPES)),
    "vocabulary": _Choice(VOCABULARIES, f"{', '.join(VOCABULARIES)}, or leave it out"),
    "safety_checker": _Choice((True, False), "true or false"),
    "cpu_offload": _Choice((True, False, "sequential"), "true, false or sequential"),
}


def choose_device(spec: ModelSpec) -> str:
    """Return the device of an entry, else CUDA, then MPS, then the CPU.

    Raises Unavailable where a setting is wrong, or this machine has no such device.
    """
    import torch

    is_available = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    best = next(name for name, available in is_available.items() if available)
    device = str(spec.settings.get("device") or best)
    problem = _wrong_device(device, is_available) or _wrong_setting(spec)
    if problem:
        raise Unavailable(f"{spec.title} cannot run here: {problem}.")
    return device


def _wrong_device(device: str, is_available: Mapping[str, bool]) -> str | None:
    """Say why a device cannot be used, or return None where it can."""
    import torch

    name, _, number = device.partition(":")
    if name not in is_available or (number and not number.isdecimal()):
        return f"device is {device!r}: write cuda, cuda:1, mps or cpu"
    exists = is_available[name]
    if name == "cuda":
        exists = exists and int(number or 0) < torch.cuda.device_count()
    if not exists:
        return (
            f"this machine has no device {device!r}: leave `device` out of the settings of its"
            " entry"
        )
    return None


def _wrong_setting(spec: ModelSpec) -> str | None:
    """Say which setting has a value that is not allowed, if any."""
    for name, choice in _CHOICES.items():
        value = spec.settings.get(name)
        if value is not None and value not in choice.values:
            return f"{name} is {value!r}: write {choice.text}"
    return None


def choose_dtype(
    spec: ModelSpec, device: str, has_transformer: bool, parameter_count: int
) -> torch.dtype:
    """Return the dtype of an entry, else 16 bits on CUDA.

    They are bfloat16 where a transformer draws, as transformers are trained with its range.

    Elsewhere float32, which is safest and on a CPU fastest, or bfloat16 where the weights in
    float32 would take more than half of the machine's total memory.
    """
    import torch

    name = spec.settings.get("dtype")
    if name:
        dtype: torch.dtype = getattr(torch, str(name))
        return dtype
    if device.startswith("cuda"):
        has_bfloat16 = has_transformer and torch.cuda.is_bf16_supported()
        return torch.bfloat16 if has_bfloat16 else torch.float16
    is_large = 2 * _FLOAT32_BYTES * parameter_count > memory.host_total()
    return torch.bfloat16 if is_large else torch.float32


def place_pipeline(pipeline: Any, device: str, spec: ModelSpec) -> Offload | None:
    """Move a pipeline to its device, and return which parts wait in the memory of the host.

    Raises NoRoom.
    """
    offload = choose_offload(pipeline, device, spec)
    try:
        with quiet(*LIBRARIES):
            match offload:
                case "sequential":
                    pipeline.enable_sequential_cpu_offload(device=device)
                case "model":
                    pipeline.enable_model_cpu_offload(device=device)
                case None:
                    pipeline.to(device)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        pipeline.to("cpu")
        release_memory(device)
        remedy = "write `cpu_offload: true` into the settings of its entry"
        if offload:
            remedy = "use a smaller model"
        raise NoRoom(
            f"{spec.title} cannot run here: {device} has too little memory for it; {remedy}."
        ) from error
    return offload


def choose_offload(pipeline: Any, device: str, spec: ModelSpec) -> Offload | None:
    """Return which parts wait in the memory of the host: as the entry says, else as room demands.

    Where the entry says nothing, only a CUDA device without room for all parts makes them wait.

    None: all of the pipeline is on the device. "model": only the part at work is. "sequential":
    only the layer at work is, for what is larger still.
    """
    setting = spec.settings.get("cpu_offload")
    # A GPU of ZeroGPU is not there yet while a model is loaded, and has room for all.
    if device == "cpu" or setting is False or zero_gpu.is_zero_gpu():
        return None
    if setting:
        return "sequential" if setting == "sequential" else "model"
    if not device.startswith("cuda") or not find_spec("accelerate"):
        return None
    models = [part for part in pipeline.components.values() if hasattr(part, "parameters")]
    sizes = [
        sum(tensor.numel() * tensor.element_size() for tensor in (*m.parameters(), *m.buffers()))
        for m in models
    ]
    free = _free_cuda_bytes(device)
    if _WORKING_FACTOR * sum(sizes) <= free:
        return None
    return "model" if _WORKING_FACTOR * max(sizes) <= free else "sequential"


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error says that a device had no room left."""
    import torch

    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    message = str(error).lower()
    return isinstance(error, RuntimeError) and any(text in message for text in _MEMORY_MESSAGES)


def release_memory(device: str) -> None:
    """Give back what torch keeps of a device's memory for later use."""
    import torch

    if device.startswith("cuda"):
        torch.cuda.empty_cache()
    elif device.startswith("mps"):
        torch.mps.empty_cache()


def _free_cuda_bytes(device: str) -> int:
    """Return the free bytes of a CUDA device, with what torch keeps there for later use."""
    import torch

    free, _ = torch.cuda.mem_get_info(device)
    return int(free) + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
