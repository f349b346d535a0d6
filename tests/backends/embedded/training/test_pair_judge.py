"""Training the weights that compare pictures: pairs are told by what is drawn, a stopped run goes
on, the judge loads the result.
"""

import json
import random
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BlipImageProcessor, BlipProcessor

from hallascope.backends.embedded.training import loop, pair_judge
from hallascope.backends.embedded.training.dataset import shards
from hallascope.backends.embedded.training.vqa_model import VqaConfig, make_model, make_tokenizer
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.data.models.specs import ModelSpec
from hallascope.primer.benchmark import pairs
from hallascope.primer.benchmark.pair_truth import DrawnPicture, truths
from tests.support.stopped_training import stopping_at

TINY = VqaConfig(size=32, patch=8, width=32, vision_layers=1, text_layers=1)
SMALL = replace(pair_judge.CONFIG, size=32, samples=16, epochs=2.0, batch=8)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a judge that knows nothing and, from there, weights for pairs."""
    folder = tmp_path_factory.mktemp("training")
    tokenizer = make_tokenizer(["is the same thing shown in both images?"])
    make_model(TINY, tokenizer).save_pretrained(folder / "judge")
    BlipProcessor(BlipImageProcessor(size={"height": 32, "width": 32}), tokenizer).save_pretrained(
        folder / "judge"
    )
    pair_judge.train(SMALL, folder, folder / "out", folder / "judge")
    return folder


def test_a_pair_is_the_same_for_the_same_seed_and_its_answers_are_the_truth() -> None:
    made = [pairs.pair(f"pair {n}", random.Random(n)) for n in range(40)]
    for n, one in enumerate(made):
        again = pairs.pair(f"pair {n}", random.Random(n))
        assert (one.picture.drawing, one.reference.drawing, one.compared) == (
            again.picture.drawing,
            again.reference.drawing,
            again.compared,
        )
        if one.known:
            name = one.picture.scene.groups[0].concept.name
            assert one.compared == truths(DrawnPicture(one.picture.scene, one.picture.values), name)
    assert 15 < sum(one.known for one in made) < 40
    for aspect in ("shape", "color", "details"):
        assert {"Yes", "No"} <= set(Counter(one.compared[aspect] for one in made))


def test_the_weights_for_pairs_are_part_of_a_judge_and_answer_for_two_pictures_only(
    work: Path, tmp_path: Path
) -> None:
    shutil.copytree(work / "judge", tmp_path / "judge")
    shutil.copytree(work / "out", tmp_path / "judge" / "pairs")
    loaded = VisualQuestionAnswering(
        ModelSpec(
            id="t",
            title="t",
            roles=("judge",),
            backend="transformers",
            repository=str(tmp_path / "judge"),
        )
    )
    assert loaded.comparing is not None
    assert loaded.comparing.model.config.pictures == 2


def test_shards_hold_pictures_questions_and_answers_side_by_side(work: Path) -> None:
    (file,) = shards.files(work / "pairs-32")
    with np.load(file) as held:
        assert held["pixels"].shape == (16, 2, 32, 32, 3)
        compared, asked = (json.loads(str(held[name][0])) for name in ("compared", "asked"))
    assert (len(compared), len(asked)) == (16, 16)
    assert all(len(row) == 6 for row in compared)
    assert any(len(row) > 1 for row in asked)


def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(work / "pairs-32", tmp_path / "pairs-32")
    monkeypatch.setattr(pair_judge, "SCHEDULE", replace(pair_judge.SCHEDULE, checkpoint_every=2))
    with monkeypatch.context() as once:
        once.setattr(loop, "save_checkpoint", stopping_at(2))
        with pytest.raises(KeyboardInterrupt):
            pair_judge.train(SMALL, tmp_path, tmp_path / "out", work / "judge")
    pair_judge.train(SMALL, tmp_path, tmp_path / "out", work / "judge")
    one, other = (
        torch.load(folder / "checkpoint.pt", weights_only=True)["average"]
        for folder in (work, tmp_path)
    )
    assert all(torch.allclose(one[name], other[name], atol=1e-6) for name in one)
