"""The table of adapters has the sizes of real models, and runs on a CPU with small ones."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from bench import gpu
from bench.gpu import make_folder, measure, read_adapters, write_hollow
from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.engine.judge_eval.answers import TrialQuestion
from hallascope.engine.services import Services
from hallascope.primer import scenes


def test_every_adapter_has_a_maker_and_entries() -> None:
    adapters = read_adapters()
    assert {one.tiny for one in adapters.values()} <= set(gpu.MAKERS)
    assert {entry for one in adapters.values() for entry in one.entries} <= set(read_models())


def test_a_hollow_file_loads_as_zeros_and_holds_shared_weights_once(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    model[1].weight = model[0].weight
    write_hollow(model, tmp_path / "model.safetensors", "bfloat16")
    loaded = load_file(tmp_path / "model.safetensors")
    assert set(loaded) == {"0.weight", "0.bias", "1.bias"}
    assert all(tensor.dtype == torch.bfloat16 for tensor in loaded.values())
    assert not any(tensor.any() for tensor in loaded.values())


@pytest.mark.full
@pytest.mark.parametrize(
    "name, billions",
    [
        ("sdxl", 3.469),
        ("flux", 16.860),
        ("qwen2-vl", 2.209),
        ("qwen2.5-vl", 8.292),
        ("qwen3-vl", 8.767),
    ],
)
def test_models_have_the_weights_of_the_real_ones(
    tmp_path: Path, name: str, billions: float
) -> None:
    folder = make_folder(read_adapters()[name], tmp_path / "model", "full")

    def sizes() -> Iterator[int]:
        for file in folder.rglob("*.safetensors"):
            with safe_open(file, "pt") as weights:
                for key in weights.keys():  # noqa: SIM118
                    yield torch.Size(weights.get_slice(key).get_shape()).numel()

    assert sum(sizes()) / 1e9 == pytest.approx(billions, abs=0.001)


@pytest.mark.full
@pytest.mark.parametrize("name", ["sdxl", "qwen3-vl"])
def test_an_adapter_is_measured_on_the_cpu(name: str) -> None:
    rows = measure(name, "cpu", "tiny")
    assert not [row for row in rows if row.holds is False]
    assert "through the adapter to the bare library" in rows[0].what


@pytest.mark.full
def test_one_that_takes_too_long_has_a_row_that_says_so() -> None:
    *_, row = gpu.rows_of(["sdxl"], "cpu", "tiny", 0.01)
    assert (row.measured, row.holds) == ("stopped after 0 s", False)


@pytest.mark.full
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_the_judge_that_ships_answers_alike_on_cpu_and_gpu(services: Services) -> None:
    asks = []
    for prompt in scenes.prompts()[:40]:
        scene = scenes.parse(prompt)
        scene.draw(scene.truths(), 0).image(256).save(made := io.BytesIO(), "PNG")
        image = services.store.keep_image(made.getvalue())
        questions = scene.questions().questions
        asks += [TrialQuestion(image, each, each.gold).request() for each in questions]
    spec = read_models()["primer/judge"]
    on_cpu, on_gpu = (
        registry.load(replace(spec, settings={**spec.settings, "device": device})).ask(asks)  # type: ignore[attr-defined]
        for device in ("cpu", "cuda")
    )
    assert [one.text for one in on_cpu] == [one.text for one in on_gpu]
