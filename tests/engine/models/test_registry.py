"""Real pipelines take turns in a memory that holds one of them, and draw as if each had been there
all the time.
"""

import weakref
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.backends.memory import Amount, Machine
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Generate, Generated, Reply
from hallascope.engine.models import memory_pool
from hallascope.engine.models.memory_pool import ModelPool
from hallascope.engine.models.registry import ModelRegistry
from tests.support.tiny_models import pipelines

pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),
]
KB = 1000


class RoomForOne(Machine):
    """A machine that has room as long as nobody else is in it."""

    def __init__(self) -> None:
        self.inside: dict[str, Any] = {}

    def used_memory(self) -> Amount:
        return Amount(100 * KB * len(self.inside), 0)

    def peak(self) -> Amount:
        return self.used_memory()

    def free_memory(self) -> Amount:
        return Amount(0 if self.inside else 10**9, 0)


@pytest.fixture
def model_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelRegistry:
    monkeypatch.setattr(memory_pool, "SMALL", KB)
    monkeypatch.setattr(memory_pool, "RESERVE", 0)
    pipelines.stable_diffusion(tmp_path / "sd")
    pipelines.stable_diffusion_2(tmp_path / "sd2")
    models = {
        name: ModelSpec(
            id=name,
            title=name,
            roles=("generator",),
            backend="diffusers",
            repository=str(tmp_path / name),
            settings={"steps": 2},
        )
        for name in ("sd", "sd2")
    }
    model_registry = ModelRegistry(models)
    machine = RoomForOne()
    machine.inside = model_registry._loaded
    model_registry._pool = ModelPool(model_registry._loaded, registry.load, machine)
    return model_registry


def draw(model_registry: ModelRegistry, name: str, seed: int = 0) -> Reply:
    (reply,) = model_registry.bind(name).call([Generate("the cat", seed)], lambda step, steps: None)
    return reply


def test_pipelines_take_turns_and_draw_as_before(model_registry: ModelRegistry) -> None:
    binding = model_registry.bind("sd")
    first = draw(model_registry, "sd")
    assert isinstance(first, Generated)
    gone = weakref.ref(model_registry._loaded["sd"].pipeline.unet)  # type: ignore[attr-defined]
    assert isinstance(draw(model_registry, "sd2"), Generated)
    assert set(model_registry._loaded) == {"sd2"}
    assert gone() is None, "nothing holds on to what was sent away"
    assert draw(model_registry, "sd") == first
    assert set(model_registry._loaded) == {"sd"}
    assert model_registry.bind("sd") is binding
