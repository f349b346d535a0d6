"""Training the embedded judge: samples are labelled by what is drawn, a stopped run goes on, the result loads as stock."""

from pathlib import Path

import numpy as np
import pytest
import torch

from backends.embedded.training import judge
from backends.embedded.training.answerer import Recipe
from backends.embedded.training.sittings import draw_sitting
from backends.transformers_ import VisualQuestionAnswering
from data.models import ModelSpec

SMALL = Recipe(size=32, patch=8, width=32, vision_layers=1, text_layers=1, samples=24, epochs=3.0, batch=8)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    judge.train(SMALL, folder, folder / "out")
    return folder


def test_a_sample_is_the_same_for_the_same_seed_and_labels_what_its_pixels_show() -> None:
    for first, again in zip(draw_sitting(5, 64, 8).pictures, draw_sitting(5, 64, 8).pictures, strict=True):
        assert (first.pixels == again.pixels).all()
        assert first.pairs == again.pairs
        assert first.parts.shape == first.centres.shape == (8, 8)
        assert (first.centres > 0).any()
        assert ((first.colours > 0) == (first.centres > 0)).all()


def test_training_writes_a_folder_that_the_ordinary_adapter_loads(work: Path) -> None:
    spec = ModelSpec("t", "t", ("judge",), "transformers", repository=str(work / "out"))
    assert VisualQuestionAnswering(spec).model.config.vision_config.image_size == 32


def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    whole = judge._rows

    def stop_after_five(count: int, step: int, recipe: Recipe) -> torch.Tensor:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise KeyboardInterrupt
        return whole(count, step, recipe)

    monkeypatch.setattr(judge, "CHECKPOINT_EVERY", 5)
    monkeypatch.setattr(judge, "_rows", stop_after_five)
    with pytest.raises(KeyboardInterrupt):
        judge.train(SMALL, tmp_path, tmp_path / "out")
    monkeypatch.setattr(judge, "_rows", whole)
    judge.train(SMALL, tmp_path, tmp_path / "out")
    one, two = (torch.load(folder / "checkpoint.pt", weights_only=True)["model"] for folder in (work, tmp_path))
    assert all(np.allclose(one[name], two[name], atol=1e-4) for name in one)
