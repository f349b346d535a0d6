"""Training the embedded judge: samples are labelled by what is drawn, a stopped run goes on, the
result loads as stock.
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BlipForQuestionAnswering

from hallascope.backends.embedded.training import judge, loop
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.data.models.specs import ModelSpec
from tests.support.stopped_training import stopping_at
from tests.support.tiny_trainings import JUDGE_CONFIG


def test_training_writes_a_folder_that_the_ordinary_adapter_loads(judge_work: Path) -> None:
    spec = ModelSpec(
        id="t",
        title="t",
        roles=("judge",),
        backend="transformers",
        repository=str(judge_work / "out"),
    )
    assert VisualQuestionAnswering(spec).model.config.vision_config.image_size == 32


def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    judge_work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "SCHEDULE", replace(judge.SCHEDULE, checkpoint_every=5))
    with monkeypatch.context() as once:
        once.setattr(loop, "save_checkpoint", stopping_at(5))
        with pytest.raises(KeyboardInterrupt):
            judge.train(JUDGE_CONFIG, tmp_path, tmp_path / "out")
    judge.train(JUDGE_CONFIG, tmp_path, tmp_path / "out")
    one, two = (
        torch.load(folder / "checkpoint.pt", weights_only=True)["model"]
        for folder in (judge_work, tmp_path)
    )
    assert all(np.allclose(one[name], two[name], atol=1e-4) for name in one)


def test_a_pair_is_the_states_of_the_compared_picture_and_of_the_reference() -> None:
    patches = torch.arange(2 * 3).float().reshape(6, 1, 1).expand(6, 5, 4)
    joined = judge.join_pairs(patches, torch.tensor([0, 2]))
    assert joined.shape == (2, 10, 4)
    assert joined[:, ::5, 0].tolist() == [[0.0, 1.0], [5.0, 4.0]]


def test_the_folder_says_that_pairs_may_be_shown(judge_work: Path) -> None:
    assert json.loads((judge_work / "out" / "config.json").read_text())["pictures"] == 2


def test_going_on_from_older_weights_ends_as_a_folder_that_knows_the_new_words(
    judge_work: Path, tmp_path: Path
) -> None:
    shutil.copytree(judge_work / "sittings-32-8", tmp_path / "sittings-32-8")
    judge.train(
        replace(JUDGE_CONFIG, epochs=0.7, rate=1e-5),
        tmp_path,
        tmp_path / "out",
        start=judge_work / "out",
    )
    spec = ModelSpec(
        id="t",
        title="t",
        roles=("judge",),
        backend="transformers",
        repository=str(tmp_path / "out"),
    )
    loaded = VisualQuestionAnswering(spec)
    started_from = BlipForQuestionAnswering.from_pretrained(
        judge_work / "out", use_safetensors=True, dtype=torch.float32
    )
    for one, other in zip(loaded.model.parameters(), started_from.parameters(), strict=True):
        assert torch.allclose(one, other, atol=2e-3)
