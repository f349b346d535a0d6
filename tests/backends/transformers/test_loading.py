"""All models of transformers are loaded and refused alike."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from hallascope.backends import base, registry
from hallascope.backends.base import BadWeights, Stopped, Unavailable
from hallascope.data.records import Picture
from hallascope.data.requests import Detect
from tests.support import damaged_model
from tests.support.tiny_entries import KINDS, Load, Tiny, quick, tiny_spec

PROTOCOLS: dict[str, Any] = {
    "judge": base.Judge,
    "captioner": base.Captioner,
    "writer": base.Writer,
    "parser": base.Writer,
    "detector": base.Detector,
    "segmenter": base.Segmenter,
    "embedder": base.Embedder,
}


@pytest.mark.parametrize("kind", quick(KINDS, "llava", "llama", "clipseg", "clip"))
def test_a_model_fills_the_roles_of_its_entry_and_its_revision_is_known_before(
    load: Load, tiny: Tiny, kind: str
) -> None:
    entry = tiny_spec(kind, tiny(kind))
    assert registry.available(entry) is None
    model = load(kind)
    assert all(isinstance(model, PROTOCOLS[role]) for role in entry.roles)
    if entry.roles in (("writer",), ("parser",)):
        assert not isinstance(model, base.Judge | base.Captioner)
    assert model.revision == registry.revision(entry) != "unpinned"
    assert model.limits == registry.limits(entry)


@pytest.mark.parametrize("kind", quick(KINDS, "llava", "clip"))
def test_a_damaged_folder_or_remote_code_is_refused_with_one_sentence(
    tiny: Tiny, tmp_path: Path, kind: str
) -> None:
    for damage in damaged_model.DAMAGES:
        if (kind, damage) == ("blip-itm", "remote code"):
            continue  # its class is fixed, so that the folder's code is not looked at
        folder = damaged_model.damaged(tiny(kind), tmp_path / damage, damage)
        with pytest.raises(BadWeights, match="cannot be loaded from") as caught:
            registry.load(tiny_spec(kind, folder))
        assert "\n" not in str(caught.value), damage
        assert not (tmp_path / "ran").exists(), damage


def test_weights_of_another_kind_are_refused(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(BadWeights, match="it is of the kind 'llava', and this backend is for blip"):
        registry.load(tiny_spec("florence-2", tiny("llava")))
    with pytest.raises(BadWeights, match="it is of the kind 'llama', which looks at no images"):
        registry.load(tiny_spec("llava", tiny("llama")))
    folder = damaged_model.copied(tiny("clip"), tmp_path / "broken")
    shutil.copy(tiny("sam") / "config.json", folder)
    with pytest.raises(BadWeights, match="test/clip cannot be loaded"):
        registry.load(tiny_spec("clip", folder))


def test_a_model_without_a_template_for_a_conversation_is_refused(
    tiny: Tiny, tmp_path: Path
) -> None:
    for kind in ("llava", "llama"):
        folder = damaged_model.copied(tiny(kind), tmp_path / kind)
        (folder / "chat_template.jinja").unlink()
        with pytest.raises(BadWeights, match="it has no template for a conversation"):
            registry.load(tiny_spec(kind, folder))


@pytest.mark.parametrize(
    "kind, name, value, remedy",
    [
        ("grounding-dino", "threshold", 3, "give a number from 0 to 1"),
        ("clipseg", "min_area", "small", "give a number from 0 to 1"),
        ("sam", "device", "fast", "give cpu, cuda, cuda:NUMBER or mps"),
        ("llava", "dtype", "int8", "give float32, bfloat16, float16"),
        ("llava", "max_tokens", 0, "give a whole number from 1"),
        ("llava", "temperature", "hot", "give a number from 0"),
        ("llava", "pictures", True, "give a whole number from 1"),
        ("florence-2", "ask", 5, "give a text, with {question}"),
    ],
)
def test_a_setting_that_makes_no_sense_is_said_before_anything_is_loaded(
    tmp_path: Path, kind: str, name: str, value: Any, remedy: str
) -> None:
    entry = tiny_spec(kind, tmp_path, **{name: value})
    reason = registry.available(entry)
    assert f"its setting {name!r} is {value!r}: {remedy}" in str(reason)
    with pytest.raises(Unavailable, match=name):
        registry.load(entry)


def test_what_is_missing_is_said_before_anything_is_loaded(tmp_path: Path) -> None:
    embedded = replace(tiny_spec("sam", Path()), repository="embedded:nowhere")
    assert "'nowhere'" in str(registry.available(embedded))
    assert "is not there: give the path of a folder" in str(
        registry.available(tiny_spec("sam", tmp_path / "gone"))
    )


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is such a device here")
def test_a_device_that_is_not_there_is_said_with_the_remedy(load_anew: Load) -> None:
    with pytest.raises(Unavailable, match=r"has no device 'cuda:7'; .* leave `device` out"):
        load_anew("clip", device="cuda:7")


def test_a_stop_is_heard_between_two_pictures(load: Load, picture: Picture) -> None:
    def stop(step: int, steps: int) -> None:
        told.append((step, steps))
        if step == 1:
            raise Stopped

    told: list[tuple[int, int]] = []
    with pytest.raises(Stopped):
        load("clipseg").detect([Detect(picture, ("a cat",))] * 3, stop)
    assert told == [(0, 3), (1, 3)]
