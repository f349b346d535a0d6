"""All models of transformers are loaded and refused alike, and a plan runs with them."""

import json
import shutil
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, Stopped, Unavailable
from hallascope.data.records import Picture
from hallascope.data.requests import Detect, Detected, Embed, Embedded, Segment, Segmented
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.run.calls.cache import MemoryCache
from hallascope.engine.run.driver import Driver
from hallascope.engine.run.driver_events import PlanReply, PlanResult
from tests.support.vision_entries import PROTOCOLS, ROLES, Tiny, vision_spec


@pytest.mark.parametrize("kind", ROLES)
def test_a_model_fills_the_roles_of_its_entry_and_its_revision_is_known_before(
    load_vision: Any, tiny: Tiny, kind: str
) -> None:
    entry = vision_spec(kind, tiny(kind))
    assert registry.available(entry) is None
    model = load_vision(kind)
    assert all(isinstance(model, PROTOCOLS[role]) for role in entry.roles)
    assert model.revision == registry.revision(entry) != "unpinned"
    assert model.limits == registry.limits(entry)


@pytest.mark.parametrize("kind", ROLES)
@pytest.mark.parametrize(
    "damage",
    [
        "truncated",
        "missing",
        "pickle",
        "no config",
        "a weight is gone",
        "of another kind",
        "remote code",
    ],
)
def test_a_damaged_folder_is_refused_with_one_sentence(
    tiny: Tiny, tmp_path: Path, kind: str, damage: str
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(tiny(kind), folder)
    weights, config = folder / "model.safetensors", folder / "config.json"
    match damage:
        case "truncated":
            weights.write_bytes(weights.read_bytes()[:1000])
        case "missing":
            weights.unlink()
        case "pickle":
            weights.unlink()
            torch.save({"a": torch.ones(1)}, folder / "pytorch_model.bin")
        case "no config":
            config.unlink()
        case "a weight is gone":
            from safetensors.torch import load_file, save_file

            kept = load_file(weights)
            kept.pop(max(kept))
            save_file(kept, weights, metadata={"format": "pt"})
        case "of another kind":
            other = "dinov2" if ROLES[kind][0] != "transformers-embedder" else "sam"
            shutil.copy(tiny(other) / "config.json", config)
        case _:
            said = json.loads(config.read_text())
            config.write_text(
                json.dumps(
                    said
                    | {
                        "model_type": "mine",
                        "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"},
                    }
                )
            )
            (folder / "evil.py").write_text(
                f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Config: ...\nclass Model: ...\n"
            )
    with pytest.raises(BadWeights, match=f"test/{kind} could not be loaded") as caught:
        registry.load(vision_spec(kind, folder))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("kind", ["grounding-dino", "sam", "clip"])
def test_an_embedded_folder_that_is_not_there_is_said_before_anything_is_loaded(kind: str) -> None:
    reason = registry.available(replace(vision_spec(kind, Path()), repository="embedded:nowhere"))
    assert reason is not None
    assert "'nowhere'" in reason


@pytest.mark.parametrize(
    ("kind", "name", "value", "remedy"),
    [
        ("grounding-dino", "threshold", 3, "give a number from 0 to 1."),
        ("clipseg", "min_area", "small", "give a number from 0 to 1."),
        ("sam", "device", "fast", "give cpu, cuda, cuda:NUMBER or mps, or leave it out."),
    ],
)
def test_a_setting_that_makes_no_sense_is_said_before_anything_is_loaded(
    kind: str, name: str, value: Any, remedy: str
) -> None:
    reason = registry.available(
        replace(vision_spec(kind, Path(), **{name: value}), repository="owner/name")
    )
    assert reason == f"Tiny {kind} cannot run here: its setting {name!r} is {value!r}: {remedy}"


def test_a_folder_that_is_not_there_is_said_and_not_looked_for_on_the_hub(tmp_path: Path) -> None:
    assert "is not there: give the path of a folder" in str(
        registry.available(vision_spec("sam", tmp_path / "gone"))
    )


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is such a device here")
def test_a_device_that_is_not_there_is_said_with_the_remedy(tiny: Tiny) -> None:
    with pytest.raises(
        Unavailable, match=r"Tiny clip cannot be moved to 'cuda:7' .* write `device: cpu`"
    ):
        registry.load(vision_spec("clip", tiny("clip"), device="cuda:7"))


def test_a_package_that_the_library_misses_is_named_and_the_folder_not_blamed(
    tiny: Tiny, tmp_path: Path
) -> None:
    shutil.copytree(tiny("siglip"), tmp_path, dirs_exist_ok=True)
    said = json.loads((tmp_path / "tokenizer_config.json").read_text())
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps(said | {"tokenizer_class": "SiglipTokenizer"})
    )
    if find_spec("sentencepiece"):
        pytest.skip("it is installed here")
    with pytest.raises(
        Unavailable,
        match="Tiny siglip cannot run here: SiglipTokenizer requires the SentencePiece library",
    ):
        registry.load(vision_spec("siglip", tmp_path))


def test_a_stop_is_heard_between_two_pictures(load_vision: Any, picture: Picture) -> None:
    def stop(step: int, steps: int) -> None:
        told.append((step, steps))
        if step == 1:
            raise Stopped

    told: list[tuple[int, int]] = []
    with pytest.raises(Stopped):
        load_vision("clipseg").detect([Detect(picture, ("a cat",))] * 3, stop)
    assert told == [(0, 3), (1, 3)]


def test_a_plan_detects_segments_and_embeds_with_models_of_the_file_and_asks_nothing_twice(
    tiny: Tiny, picture: Picture
) -> None:
    def plan() -> Any:
        (seen,) = yield [Detect(picture, ("a red circle",), 0.2)]
        boxes = tuple(one.box for one in seen.detections[:2])
        (cut_out,) = yield [Segment(picture, boxes, ("a red circle",) * len(boxes))]
        placed = yield [Embed(picture), Embed(text="a red circle")]
        return [seen, cut_out, *placed]

    registry = ModelRegistry(
        {f"test/{kind}": vision_spec(kind, tiny(kind)) for kind in ("clipseg", "clip")}
    )
    lineup: Any = {
        "detector": registry.bind("test/clipseg"),
        "segmenter": registry.bind("test/clipseg"),
        "embedder": registry.bind("test/clip"),
    }
    memory, results = MemoryCache(), []
    for _ in range(2):
        driver = Driver(memory)
        driver.add("plan", plan(), lineup)
        events = list(driver.events())
        results.append(next(e.result for e in events if isinstance(e, PlanResult)))
        cached = [e.cached for e in events if isinstance(e, PlanReply)]
    assert [type(reply) for reply in results[0]] == [Detected, Segmented, Embedded, Embedded]
    assert results[0][0].detections
    assert results[1] == results[0]
    assert cached == [True] * 4
