"""The correction is tried on samples of a labeled folder, by a judge whose errors are known."""

from pathlib import Path

import pytest

from hallascope.data.files.label_folder import add_labels
from hallascope.engine.labeling.correction_trial import (
    CorrectionTrial,
    ModelCorrectionTrial,
    try_corrections,
)
from tests.support.lenient_judge import Lenient, label_items, label_of

MODEL = "primer/diffusion-tiny"  # of the images of the small folder


def only_model(trial: CorrectionTrial) -> ModelCorrectionTrial:
    (model,) = trial.models
    return model


def test_the_corrected_score_covers_what_people_say_of_all_where_the_judge_does_not(
    tmp_path: Path,
) -> None:
    label_items(tmp_path, 30)
    trial = try_corrections(Lenient(), tmp_path, sizes=(15, 29, 30), draws=100)
    model = only_model(trial)
    assert (model.model, model.prompts, model.questions, model.untold) == (MODEL, 30, 150, 0)
    assert model.people == pytest.approx(140 / 150)
    assert (model.judge, model.judge_of_all) == (1, 1)
    assert [size.labeled for size in model.sizes] == [15, 29], "30 leave nothing to be judged"
    for size in model.sizes:
        assert size.corrected.known == size.draws == 100
        assert size.corrected.covered is not None
        assert size.corrected.covered >= 0.9
        assert size.first is not None
        assert size.first.judge == 1
        assert size.first.labeled == size.labeled
        # A judge that finds nothing wrong has no sensitivity to go by.
        assert (size.rogan_gladen.known, size.first_rogan_gladen) == (0, None)
    assert "finite set" in trial.target


def test_what_nobody_can_tell_is_asked_and_counts_apart(tmp_path: Path) -> None:
    items = label_items(tmp_path, 12, untold=2)
    judge = Lenient(refused=items[0].questions[4].text)
    trial = try_corrections(judge, tmp_path, sizes=(10,), draws=5)
    model = only_model(trial)
    assert len(judge.asked) == 60
    assert trial.unanswered == 3, "of the three images of the first prompt"
    assert (model.questions, model.untold) == (36, 21)


def test_several_labelers_are_averaged_unless_one_is_named(tmp_path: Path) -> None:
    items = label_items(tmp_path, 12)
    add_labels(tmp_path, [label_of(item, 1, 0, "bo") for item in items])
    both = try_corrections(Lenient(), tmp_path, sizes=(10,), draws=5)
    assert both.labelers == {"ada": 12, "bo": 12}
    assert only_model(both).people == pytest.approx(1 - 2 / 60)
    ada = try_corrections(Lenient(), tmp_path, labeler="ada", sizes=(10,), draws=5)
    assert ada.labelers == {"ada": 12}
    assert only_model(ada).people == pytest.approx(1 - 4 / 60)
