"""Chooses the device and dtype of a pipeline, and which of its parts wait on the host."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from hallascope.backends import memory, zero_gpu
from hallascope.backends.base import ModelSpec, NoRoom, Unavailable
from hallascope.backends.quiet import quiet

if TYPE_CHECKING:
    import torch

LIBRARIES = ("diffusers", "transformers")
DTYPES = ("float16", "bfloat16", "float32")
VOCABULARIES = ("primer",)
Offload = Literal["model", "sequential"]
_OFFLOADS = (True, False, "sequential")
_WORKING = 1.25  # of the bytes of what draws: with what it works on, a picture of 1024 px
_SINGLE = 4  # bytes of a number in float32


def place(spec: ModelSpec) -> str:
    """Return the device of an entry, else CUDA, then MPS, then the CPU.

    Raises Unavailable where a setting is wrong, or this machine has no such device.
    """
    import torch

    here = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    wanted = str(spec.settings.get("device") or next(name for name, there in here.items() if there))
    name, _, number = wanted.partition(":")
    settings = spec.settings
    if name not in here or not (number.isdecimal() or not number):
        wrong = f"device is {wanted!r}: write cuda, cuda:1, mps or cpu"
    elif not here[name] or (name == "cuda" and int(number or 0) >= torch.cuda.device_count()):
        wrong = (
            f"this machine has no device {wanted!r}: leave `device` out of the settings of its"
            " entry"
        )
    elif settings.get("dtype") not in (*DTYPES, None):
        wrong = f"dtype is {settings['dtype']!r}: write {', '.join(DTYPES)}"
    elif settings.get("vocabulary") not in (*VOCABULARIES, None):
        wrong = (
            f"vocabulary is {settings['vocabulary']!r}: write {', '.join(VOCABULARIES)}, or leave"
            " it out"
        )
    elif settings.get("safety_checker") not in (True, False, None):
        wrong = f"safety_checker is {settings['safety_checker']!r}: write true or false"
    elif settings.get("cpu_offload") not in (*_OFFLOADS, None):
        wrong = f"cpu_offload is {settings['cpu_offload']!r}: write true, false or sequential"
    else:
        return wanted
    raise Unavailable(f"{spec.title} cannot run here: {wrong}.")


def numbers(spec: ModelSpec, place: str, transformer: bool, count: int) -> torch.dtype:
    """Return the dtype of an entry, else 16 bits on CUDA.

    They are bfloat16 where a transformer draws, as transformers are trained with its range.

    Elsewhere float32, which is safest and on a CPU fastest, or bfloat16 where the `count` numbers
    of its weights in float32 would take more than half of the machine's total memory.
    """
    import torch

    if said := spec.settings.get("dtype"):
        found: torch.dtype = getattr(torch, str(said))
        return found
    if not place.startswith("cuda"):
        return torch.bfloat16 if 2 * _SINGLE * count > memory.host_total() else torch.float32
    return torch.bfloat16 if transformer and torch.cuda.is_bf16_supported() else torch.float16


def place_pipeline(pipeline: Any, place: str, spec: ModelSpec) -> Offload | None:
    """Move a pipeline to its device, and return which parts wait in the memory of the host.

    Raises NoRoom.
    """
    offload = choose_offload(pipeline, place, spec)
    try:
        with quiet(*LIBRARIES):
            match offload:
                case "sequential":
                    pipeline.enable_sequential_cpu_offload(device=place)
                case "model":
                    pipeline.enable_model_cpu_offload(device=place)
                case None:
                    pipeline.to(place)
    except Exception as error:
        if not out_of_memory(error):
            raise
        pipeline.to("cpu")
        free(place)
        raise NoRoom(
            f"{spec.title} cannot run here: {place} has too little memory for it;"
            f" {_remedy(offload)}."
        ) from error
    return offload


def choose_offload(pipeline: Any, place: str, spec: ModelSpec) -> Offload | None:
    """Return which parts wait in the memory of the host: as the entry says, else as room demands.

    Where the entry says nothing, only a CUDA device without room for all parts makes them wait.

    None: all of the pipeline is on the device. "model": only the part at work is. "sequential":
    only the layer at work is, for what is larger still.
    """
    said = spec.settings.get("cpu_offload")
    if (
        place == "cpu" or said is False or zero_gpu.is_zero_gpu()
    ):  # a GPU that is lent is not there yet, and has room for all
        return None
    if said:
        return "sequential" if said == "sequential" else "model"
    if not place.startswith("cuda") or not find_spec("accelerate"):
        return None
    sizes = [_bytes(part) for part in pipeline.components.values() if hasattr(part, "parameters")]
    room = _room(place)
    if _WORKING * sum(sizes) <= room:
        return None
    return "model" if _WORKING * max(sizes) <= room else "sequential"


def out_of_memory(error: BaseException) -> bool:
    """Return whether an error says that a device had no room left."""
    import torch

    said = str(error).lower()
    full = ("out of memory", "can't allocate memory", "not enough memory")
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and any(w in said for w in full)
    )


def free(device: str) -> None:
    """Give back what the library keeps of a device's memory."""
    import torch

    if device.startswith("cuda"):
        torch.cuda.empty_cache()
    elif device.startswith("mps"):
        torch.mps.empty_cache()


def _bytes(model: Any) -> int:
    return sum(
        tensor.numel() * tensor.element_size() for tensor in (*model.parameters(), *model.buffers())
    )


def _room(place: str) -> int:
    """Return the free bytes of a CUDA device, with what torch keeps there for later use."""
    import torch

    left, _ = torch.cuda.mem_get_info(place)
    return int(left) + torch.cuda.memory_reserved(place) - torch.cuda.memory_allocated(place)


def _remedy(offload: Offload | None) -> str:
    return (
        "use a smaller model"
        if offload
        else "write `cpu_offload: true` into the settings of its entry"
    )
