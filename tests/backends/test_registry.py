"""Every model says whether it can run here, in one sentence, without loading anything."""

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import memory, registry
from hallascope.backends.base import HallaScopeError, Unavailable
from hallascope.backends.keys import ApiKeys
from hallascope.backends.registry import available, load
from hallascope.data.models.specs import ModelSpec

ROOT = Path(__file__).parents[2]


SPEC = ModelSpec(id="some/model", title="Some model", roles=("judge",), backend="scripted")


def test_what_is_missing_is_one_sentence_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "has_gpu", lambda: False)
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"backend": "telepathy"}, "no 'telepathy' backend yet; choose another model."),
        ({"needs": ("key:NO_SUCH_KEY",)}, "the key NO_SUCH_KEY is not set; put it into"),
        ({"needs": ("env:NO_SUCH_NAME",)}, "variable NO_SUCH_NAME is not set; set it"),
        ({"needs": ("package:no_such_package",)}, "run `pip install no_such_package`."),
        ({"needs": ("gpu",)}, "needs an NVIDIA GPU or an Apple chip"),
        (
            {"needs": ("download",), "repository": "nobody/nothing"},
            "it is not downloaded; run `hallascope models get some/model`.",
        ),
    )
    for change, said in changes:
        spec = replace(SPEC, **change)
        reason = str(available(spec))
        assert reason.startswith("Some model cannot run here: ")
        assert said in reason
        with pytest.raises(Unavailable, match="cannot run here"):
            load(spec)
    monkeypatch.setattr(registry, "has_gpu", lambda: True)
    assert available(replace(SPEC, needs=("gpu",))) is None


@pytest.mark.parametrize(
    "backend, name, value",
    [
        ("openai", "timeout", "60s"),
        ("openai", "max_tokens", "many"),
        ("inference-providers", "timeout", "60s"),
        ("draughtsman", "violation", 2),
    ],
)
def test_a_setting_that_is_no_number_is_named_before_anything_is_loaded(
    backend: str, name: str, value: Any
) -> None:
    found = available(replace(SPEC, backend=backend, settings={name: value}))
    assert f"its setting {name!r} is {value!r}" in str(found)


def test_an_apple_chip_counts_as_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.isdir", lambda path: False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    for system, machine, there in (
        ("Darwin", "arm64", True),
        ("Darwin", "x86_64", False),
        ("Linux", "aarch64", False),
    ):
        monkeypatch.setattr("platform.system", lambda system=system: system)
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        assert registry.has_gpu() is there


def test_a_model_that_is_larger_than_the_memory_of_a_machine_without_cuda_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = replace(SPEC, memory_gb=40)
    monkeypatch.setattr(memory, "accelerator", lambda: "mps")
    monkeypatch.setattr(memory, "host_total", lambda: 16 * 10**9)
    assert "it takes about 40 GB of memory and this machine has 16; choose a smaller one" in str(
        available(large)
    )
    assert available(replace(large, memory_gb=12)) is None
    monkeypatch.setattr(memory, "accelerator", lambda: "cuda")
    assert available(large) is None, "parts of it are moved to and fro"


def test_a_key_is_enough_where_it_is_set_or_typed_in_and_helps_only_whoever_typed_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = replace(SPEC, needs=("key:SOME_KEY",))
    monkeypatch.setenv("SOME_KEY", "secret")
    assert available(spec) is None
    monkeypatch.delenv("SOME_KEY")
    assert available(spec, ApiKeys({"SOME_KEY": "secret"})) is None
    assert load(spec, ApiKeys({"SOME_KEY": "secret"})).spec is spec
    assert "the key SOME_KEY is not set" in str(available(spec))


def test_a_need_nobody_knows_is_a_mistake_in_the_file() -> None:
    with pytest.raises(HallaScopeError, match="unknown need 'luck'"):
        available(replace(SPEC, needs=("luck",)))


def test_asking_whether_all_models_can_run_imports_nothing_heavy() -> None:
    code = (
        "import sys; from hallascope.backends.registry import available; from"
        " hallascope.data.models.specs import read_models;[available(s) for s in"
        " read_models().values()];print(*[m for m in ('torch', 'transformers', 'diffusers',"
        " 'openai', 'httpx') if m in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
        == []
    )


def test_models_that_torch_runs_are_never_loaded_at_once_and_a_service_never_waits_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    meeting, loaded = threading.Barrier(2), list[str]()

    class Slow:
        def __init__(self, spec: ModelSpec) -> None:
            with pytest.raises(threading.BrokenBarrierError):
                meeting.wait(timeout=0.2)  # nobody comes
            loaded.append(spec.id)

    class Light(Slow):
        def __init__(self, spec: ModelSpec) -> None:
            loaded.append(spec.id)

    monkeypatch.setattr(registry, "available", lambda spec, keys: None)
    monkeypatch.setattr(
        registry, "backend_class", lambda spec: Light if spec.backend == "scripted" else Slow
    )
    specs = [
        replace(SPEC, id=name, backend=name) for name in ("diffusers", "transformers", "clipseg")
    ]
    threads = [threading.Thread(target=load, args=(spec,)) for spec in specs]
    with registry._LOADING:
        for thread in threads:
            thread.start()
        load(SPEC)
        assert loaded == [SPEC.id]
    for thread in threads:
        thread.join()
    assert sorted(loaded[1:]) == ["clipseg", "diffusers", "transformers"]
