"""The vision models share their attention, inputs, held-out pictures and checkpoints."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional
from transformers import AutoProcessor

from hallascope.backends.embedded.training import loop, vision
from hallascope.backends.embedded.training.dataset import labeled
from tests.support.tiny_trainings import SIDE, draw_labeled


def test_pictures_that_are_held_out_are_not_learned_from(
    labeled_folders: tuple[Path, Path],
) -> None:
    pictures = labeled.load([(labeled_folders[0], 12)], SIDE)
    captions = list(pictures.captions)
    split = vision.LabeledSplit(pictures, 3)
    assert split.held_out.captions == captions[3::4]
    assert sorted([*split.training.captions, *split.held_out.captions]) == sorted(captions)
    fourth = split.training[3]
    assert (fourth.pixels == draw_labeled(fourth.caption).pixels).all()
    parts = {(drawn.thing, drawn.part) for picture in split.held_out for drawn in picture.drawn}
    assert parts <= split.part_numbers.keys(), "also what is only held out has a number"


@pytest.mark.parametrize("name", ["segmenter", "embedder"])
def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    name: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = request.getfixturevalue(f"{name}_work")
    train = request.getfixturevalue(f"train_{name}")
    learn = loop.optimize
    calls = 0

    def stop_after_two(*given: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise KeyboardInterrupt
        learn(*given)

    monkeypatch.setattr(vision, "CHECKPOINT_EVERY", 2)
    monkeypatch.setattr(loop, "optimize", stop_after_two)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path)
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr(loop, "optimize", learn)
    train(tmp_path)
    one, two = (
        torch.load(folder / "checkpoint.pt", weights_only=True) for folder in (whole, tmp_path)
    )
    for state in ("model", "average"):
        assert all(
            torch.allclose(one[state][name], two[state][name], atol=1e-5) for name in one[state]
        )


def test_the_processors_make_of_a_picture_what_the_trainings_saw(
    segmenter_work: Path, embedder_work: Path
) -> None:
    pixels = draw_labeled("a ladybug").pixels.copy()
    for folder in (segmenter_work, embedder_work):
        given = AutoProcessor.from_pretrained(folder / "out")(images=pixels, return_tensors="pt")[
            "pixel_values"
        ]
        assert torch.allclose(given, vision.as_input(torch.from_numpy(pixels)[None]), atol=1e-5)


def test_attention_by_the_formula_is_attention() -> None:
    query, key, value = torch.randn(3, 2, 2, 5, 8, generator=torch.Generator().manual_seed(0))
    plain, _ = vision.plain_attention(
        module=torch.nn.Identity(), query=query, key=key, value=value, mask=None, scaling=8**-0.5
    )
    assert torch.allclose(
        plain, functional.scaled_dot_product_attention(query, key, value).transpose(1, 2), atol=1e-5
    )
