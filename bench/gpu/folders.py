"""Makes folders of models at real sizes without their weights, and fills weights on the device.

The file of the weights has the header that safetensors asks for, and a hole where the numbers
stand: it takes no time and no space, is read as zeros, and every adapter loads it as any other.
What was loaded is filled with random numbers where it is.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure, Setting

_TYPES = {
    "torch.float32": ("F32", 4),
    "torch.float16": ("F16", 2),
    "torch.bfloat16": ("BF16", 2),
    "torch.int64": ("I64", 8),
    "torch.int32": ("I32", 4),
    "torch.bool": ("BOOL", 1),
}


def write_hollow(model: Any, file: Path, dtype: str) -> None:
    """Write the safetensors of a model, on the meta device or not, with zeros for all weights.

    `dtype` ("bfloat16" and its like) is that of the weights; whole numbers keep theirs. Weights
    that are shared are written once.
    """
    import torch

    named = dict(model.named_parameters())
    shared = {name for name, _ in model.named_parameters(remove_duplicate=False)}
    kept = {name: tensor for name, tensor in model.state_dict().items() if name not in shared}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, tensor in {**named, **kept}.items():
        kind = getattr(torch, dtype) if tensor.is_floating_point() else tensor.dtype
        label, size = _TYPES[str(kind)]
        start, end = end, end + size * math.prod(tensor.shape)
        header[name] = {"dtype": label, "shape": list(tensor.shape), "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as stream:
        stream.write(struct.pack("<Q", len(text)) + text)
        stream.truncate(8 + len(text) + end)


def build_on_meta(model_class: Any, config: Any) -> Any:
    """Return a model that has shapes and no numbers."""
    import torch

    with torch.device("meta"):
        return model_class(config)


def fill_randomly(modules: Iterable[Any], seed: int = 0) -> int:
    """Fill the weights of modules with random numbers where they lie; return how many there are.

    Matrices get a normal spread of 1 / sqrt(3 inputs), as wide as PyTorch's own start; what scales
    (vectors called weight) is 1, and other vectors are 0.
    """
    import torch

    count = 0
    with torch.no_grad():
        for module in modules:
            for name, weights in module.named_parameters():
                count += weights.numel()
                if weights.ndim < 2:
                    weights.fill_(1.0 if name.endswith("weight") else 0.0)
                    continue
                generator = torch.Generator(weights.device).manual_seed(seed + weights.numel())
                spread = (3 * weights[0].numel()) ** -0.5
                weights.normal_(0.0, spread, generator=generator)
    return count


def in_folder(
    spec: ModelSpec, folder: Path, settings: Mapping[str, Setting], device: str
) -> ModelSpec:
    """Return an entry whose model is that of a folder, with these settings and no others.

    On a CPU, where models are tiny, it does not say that it takes much memory.
    """
    return replace(
        spec,
        memory_gb=None if device == "cpu" else spec.memory_gb,
        repository=str(folder),
        revision=None,
        needs=(),
        settings={**settings, "device": device},
    )


def check_replies(replies: Sequence[object], *, may_be_empty: bool = False) -> None:
    """Raise RuntimeError where a model failed: what it was to do was not measured then.

    `may_be_empty`: random words that no tokenizer can write are no failure.
    """
    for reply in replies:
        if isinstance(reply, Failure) and not (may_be_empty and reply.kind == "empty"):
            raise RuntimeError(reply.message)


def on_device(spec: ModelSpec, device: str) -> ModelSpec:
    """Return an entry with its own settings on that device."""
    return replace(spec, settings={**spec.settings, "device": device})
