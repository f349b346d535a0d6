"""What `make bench-gpu` does runs on a CPU with small models; its large ones have their sizes."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from bench.gpu.folders import check_replies, fill_randomly, write_hollow
from bench.gpu.rows import GpuRow, PeakMemory, Setup
from bench.gpu.timing import Rates
from safetensors.torch import load_file

from bench.gpu import __main__ as command
from bench.gpu import chats, pipelines, pool, vision
from hallascope.backends.diffusers.folders import count_parameters, find_weights, read_index
from hallascope.data.requests import Failure


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup("cpu", "tiny", tmp_path)


def test_an_entry_is_near_within_15_percent_of_what_was_measured() -> None:
    near = {(6.0, 5.3): True, (6.0, 5.0): False, (1.0, 1.12): True, (None, 1.0): False}
    measured = {key: PeakMemory("m", key[0], round(key[1] * 1e9), 0) for key in near}
    assert {key: peak.is_near for key, peak in measured.items()} == near
    assert [peak.suggestion for peak in measured.values()] == pytest.approx([5.5, 5.0, 1.2, 1.0])


def test_a_pass_takes_as_long_as_the_slower_of_computing_and_reading_weights() -> None:
    rates = Rates(flops=2e12, bandwidth=1e12)
    assert rates.pass_seconds(10**9, tokens=1) == pytest.approx(2e-3)
    assert rates.pass_seconds(10**9, tokens=100) == pytest.approx(0.1)


def test_a_hollow_file_loads_as_zeros_and_holds_shared_weights_once(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    model[1].weight = model[0].weight
    write_hollow(model, tmp_path / "model.safetensors", "bfloat16")
    loaded = load_file(tmp_path / "model.safetensors")
    assert set(loaded) == {"0.weight", "0.bias", "1.bias"}
    assert all(tensor.dtype == torch.bfloat16 for tensor in loaded.values())
    assert not any(tensor.any() for tensor in loaded.values())


def test_filled_weights_spread_as_pytorchs_own() -> None:
    layer = torch.nn.Linear(300, 200)
    assert fill_randomly([layer]) == 300 * 200 + 200
    assert float(layer.weight.detach().std()) == pytest.approx((3 * 300) ** -0.5, rel=0.05)
    assert not layer.bias.any()


def test_a_failed_reply_is_no_measurement() -> None:
    check_replies([Failure("empty", "It answers with nothing.")], may_be_empty=True)
    with pytest.raises(RuntimeError, match="nothing"):
        check_replies([Failure("empty", "It answers with nothing.")])


@pytest.mark.full
def test_an_embedder_is_compared_with_the_bare_library(setup: Setup) -> None:
    rows = list(vision.measure_clip(setup))
    assert [row.bar for row in rows if isinstance(row, GpuRow)] == ["at most 1.05", ""]
    (peak,) = (row for row in rows if isinstance(row, PeakMemory))
    assert peak.entry == "clip-vit-large"
    assert peak.parameters


@pytest.mark.full
def test_three_judges_with_room_for_two_are_loaded_in_turns_and_answer_alike(setup: Setup) -> None:
    loads, answers = pool.measure_pool(setup)
    assert loads.result == "6, 12.0 of 13.0 GB"
    assert answers.result.endswith("3 of 3")


@pytest.mark.full
@pytest.mark.parametrize(
    ("make", "variant", "billions"),
    [(pipelines.make_sdxl, "fp16", 3.469), (pipelines.make_flux, None, 16.860)],
)
def test_pipelines_have_the_weights_of_the_real_ones(
    tmp_path: Path, make: Callable[..., Path], variant: str | None, billions: float
) -> None:
    components = read_index(make(tmp_path / "made", "full")).components
    counts = [
        count_parameters(find_weights(part, variant))
        for part in components.values()
        if (part.folder / "config.json").exists()
    ]
    assert math.fsum(counts) / 1e9 == pytest.approx(billions, abs=0.001)


@pytest.mark.full
@pytest.mark.parametrize(
    ("entry", "billions"),
    [("qwen2-vl-2b", 2.209), ("qwen2.5-vl-7b", 8.292), ("qwen3-vl-8b", 8.767)],
)
def test_judges_have_the_weights_of_the_real_ones(
    tmp_path: Path, entry: str, billions: float
) -> None:
    folder = chats.make_chat_folder(entry, Setup("cpu", "full", tmp_path))
    size = (folder / "model.safetensors").stat().st_size
    assert size / 2e9 == pytest.approx(billions, abs=0.001)


@pytest.mark.full
def test_each_measurement_runs_in_a_process_and_one_without_time_is_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command.main(["--device", "cpu", "--size", "tiny", "--only", "no-room"])
    command.main(["--device", "cpu", "--size", "tiny", "--only", "no-room", "--total", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert "| Qwen2-VL 2B where it does not fit alone | skipped: for a GPU only |  |" in lines
    assert "| no-room | skipped: the time of the whole run is over |  |" in lines
