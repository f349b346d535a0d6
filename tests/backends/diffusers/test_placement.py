"""A pipeline runs where there is room for it, in numbers that fit, and what does not fit waits in
the memory of the machine.
"""

from typing import Any

import pytest
import torch

from hallascope.backends import memory
from hallascope.backends.base import NoRoom
from hallascope.backends.diffusers import placement as placing
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


class Moved:
    """Notes what is asked of a pipeline that is put into its place."""

    def __init__(self, *sizes: int, full: bool = False) -> None:
        self.components = {
            **{str(n): Part(size) for n, size in enumerate(sizes)},
            "tokenizer": object(),
        }
        self.asked: list[tuple[str, str]] = []
        self._full = full

    def to(self, device: str) -> None:
        self.asked.append(("to", device))
        if self._full and device != "cpu":
            raise torch.OutOfMemoryError("CUDA out of memory.")

    def enable_model_cpu_offload(self, device: str) -> None:
        self.asked.append(("model", device))

    def enable_sequential_cpu_offload(self, device: str) -> None:
        self.asked.append(("sequential", device))


@pytest.mark.parametrize(
    ("place", "said", "done"),
    [
        ("mps", None, ("to", "mps")),
        ("mps", True, ("model", "mps")),
        ("mps", "sequential", ("sequential", "mps")),
        ("cpu", True, ("to", "cpu")),
    ],
)
def test_what_the_entry_says_of_moving_to_and_fro_is_done_where_there_is_somewhere_to_move_to(
    place: str, said: Setting, done: tuple[str, str]
) -> None:
    pipeline = Moved(4 * GB)
    placing.place_pipeline(pipeline, place, spec(cpu_offload=said))
    assert pipeline.asked == [done]


@pytest.mark.parametrize(
    ("gb", "waits"),
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
    monkeypatch: pytest.MonkeyPatch, gb: float, waits: str | None
) -> None:
    monkeypatch.setattr(placing, "_room", lambda place: int(gb * GB))
    pipeline = Moved(8 * GB, 4 * GB)
    assert placing.place_pipeline(pipeline, "cuda:1", spec()) == waits
    assert pipeline.asked == [(waits or "to", "cuda:1")]
    assert placing.choose_offload(pipeline, "cuda:1", spec(cpu_offload=False)) is None
    with monkeypatch.context() as lent:
        lent.setattr("hallascope.backends.zero_gpu.is_zero_gpu", lambda: True)
        assert placing.choose_offload(pipeline, "cuda:1", spec()) is None
    monkeypatch.setattr(placing, "find_spec", lambda name: None)
    assert placing.choose_offload(pipeline, "cuda:1", spec()) is None


def test_a_model_that_does_not_fit_its_device_says_so_and_leaves_it() -> None:
    pipeline = Moved(full=True)
    with pytest.raises(NoRoom, match="gpu has too little memory for it; write `cpu_offload: true`"):
        placing.place_pipeline(pipeline, "gpu", spec())
    assert pipeline.asked[-1] == ("to", "cpu")


@pytest.mark.parametrize("place", ["cpu", "mps"])
def test_numbers_are_of_32_bits_unless_they_take_more_than_half_of_the_memory(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(memory, "host_total", lambda: 8 * GB)
    assert placing.numbers(spec(), place, transformer=False, count=GB) == torch.float32
    assert placing.numbers(spec(), place, transformer=False, count=GB + 1) == torch.bfloat16
    assert (
        placing.numbers(spec(dtype="float16"), place, transformer=True, count=9 * GB)
        == torch.float16
    )


def test_on_cuda_numbers_are_of_16_bits_with_the_range_a_transformer_was_trained_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert placing.numbers(spec(), "cuda", transformer=True, count=1) == torch.bfloat16
    assert placing.numbers(spec(), "cuda", transformer=False, count=1) == torch.float16
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    assert placing.numbers(spec(), "cuda", transformer=True, count=1) == torch.float16
