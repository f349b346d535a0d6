"""Chooses the device and dtype of a pipeline, and which of its parts wait on the host."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from hallascope.backends import memory, zero_gpu
from hallascope.backends.base import ModelSpec, NoRoom
from hallascope.backends.loading import is_out_of_memory as is_out_of_memory
from hallascope.backends.quiet import quiet
from hallascope.data.requests import Setting

if TYPE_CHECKING:
    import torch

LIBRARIES = ("diffusers", "transformers")
Offload = Literal["model", "sequential"]
# A model at work takes this many times the bytes of its weights, measured at an image of 1024 px.
_WORKING_FACTOR = 1.25
_FLOAT32_BYTES = 4
# The values that settings of an entry may have.
_CHOICES: Mapping[str, tuple[Setting, ...]] = {
    "vocabulary": ("primer",),
    "safety_checker": (True, False),
    "cpu_offload": (True, False, "sequential"),
}


def wrong_choice(spec: ModelSpec) -> str | None:
    """Say which setting of an entry has a value that is not allowed, if any."""
    for name, values in _CHOICES.items():
        value = spec.settings.get(name)
        if value is not None and value not in values:
            allowed = ", ".join(str(each).lower() for each in values)
            return f"{name} is {value!r}: write {allowed}, or leave it out."
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
