"""A pipeline runs where there is room for it, in numbers that fit, and what does not fit waits in
the memory of the machine.
"""

from typing import Any

import pytest
import torch

from hallascope.backends import memory
from hallascope.backends.base import NoRoom
from hallascope.backends.diffusers import placement
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Setting

GB = 10**9


def spec(**settings: Setting) -> ModelSpec:
    return ModelSpec(
        id="test/painter",
        title="Painter",
        roles=("generator",),
        backend="diffusers",
        settings=settings,
    )


class Part:
    """A model of so many bytes."""

    def __init__(self, size: int) -> None:
        self.size = size

    def parameters(self) -> list[Any]:
        return [self]

    def buffers(self) -> list[Any]:
        return []

    def numel(self) -> int:
        return self.size // 2

    def element_size(self) -> int:
        return 2


class RecordingPipeline:
    """Records how it is moved to its device."""

    def __init__(self, *sizes: int, full: bool = False) -> None:
        self.components = {
            **{str(n): Part(size) for n, size in enumerate(sizes)},
            "tokenizer": object(),
        }
        self.calls: list[tuple[str, str]] = []
        self._full = full

    def to(self, device: str) -> None:
        self.calls.append(("to", device))
        if self._full and device != "cpu":
            raise torch.OutOfMemoryError("CUDA out of memory.")

    def enable_model_cpu_offload(self, device: str) -> None:
        self.calls.append(("model", device))

    def enable_sequential_cpu_offload(self, device: str) -> None:
        self.calls.append(("sequential", device))


def test_what_the_entry_says_of_offloading_is_done_where_there_is_somewhere_to_move_to() -> None:
    settings: tuple[tuple[str, Setting, str], ...] = (
        ("mps", None, "to"),
        ("mps", True, "model"),
        ("mps", "sequential", "sequential"),
        ("cpu", True, "to"),
    )
    for device, setting, done in settings:
        pipeline = RecordingPipeline(4 * GB)
        placement.place_pipeline(pipeline, device, spec(cpu_offload=setting))
        assert pipeline.calls == [(done, device)]


@pytest.mark.parametrize(
    "free_gb, offload",
    [
        (24, None),
        (15, None),
        (14.9, "model"),
        (10, "model"),
        (9.9, "sequential"),
        (1, "sequential"),
    ],
)
def test_without_a_word_parts_wait_beside_cuda_as_far_as_they_must(
    monkeypatch: pytest.MonkeyPatch, free_gb: float, offload: str | None
) -> None:
    monkeypatch.setattr(placement, "_free_cuda_bytes", lambda device: int(free_gb * GB))
    pipeline = RecordingPipeline(8 * GB, 4 * GB)
    assert placement.place_pipeline(pipeline, "cuda:1", spec()) == offload
    assert pipeline.calls == [(offload or "to", "cuda:1")]
    assert placement.choose_offload(pipeline, "cuda:1", spec(cpu_offload=False)) is None
    with monkeypatch.context() as zero_gpu:
        zero_gpu.setattr("hallascope.backends.zero_gpu.is_zero_gpu", lambda: True)
        assert placement.choose_offload(pipeline, "cuda:1", spec()) is None
    monkeypatch.setattr(placement, "find_spec", lambda name: None)
    assert placement.choose_offload(pipeline, "cuda:1", spec()) is None


def test_a_model_that_does_not_fit_its_device_says_so_and_leaves_it() -> None:
    pipeline = RecordingPipeline(full=True)
    with pytest.raises(NoRoom, match="gpu has too little memory for it; write `cpu_offload: true`"):
        placement.place_pipeline(pipeline, "gpu", spec())
    assert pipeline.calls[-1] == ("to", "cpu")


def dtype(
    device: str, *, has_transformer: bool, parameters: int = 1, **settings: Setting
) -> torch.dtype:
    return placement.choose_dtype(spec(**settings), device, has_transformer, parameters)


@pytest.mark.parametrize("device", ["cpu", "mps"])
def test_numbers_are_of_32_bits_unless_they_take_more_than_half_of_the_memory(
    monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    monkeypatch.setattr(memory, "host_total", lambda: 8 * GB)
    assert dtype(device, has_transformer=False, parameters=GB) == torch.float32
    assert dtype(device, has_transformer=False, parameters=GB + 1) == torch.bfloat16
    chosen = dtype(device, has_transformer=True, parameters=9 * GB, dtype="float16")
    assert chosen == torch.float16


def test_on_cuda_numbers_are_of_16_bits_with_the_range_a_transformer_was_trained_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert dtype("cuda", has_transformer=True) == torch.bfloat16
    assert dtype("cuda", has_transformer=False) == torch.float16
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    assert dtype("cuda", has_transformer=True) == torch.float16
