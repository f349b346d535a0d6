"""Tests `hallascope judge-trial` with judges that answer by a script."""

from pathlib import Path
from typing import Any

from hallascope.primer.concepts import concepts
from tests.support.lenient_judge import label_items


def test_a_judge_is_tried_on_primer(command: Any) -> None:
    ran = command("judge-trial", "--judge", "scripted/judge", "--images", "4", "--json")
    assert (ran.code, ran.json["judge"], ran.json["pictures"]) == (0, "scripted/judge", 4)
    assert ran.json["kinds"] is None
    assert ran.json["overall"]["interval_method"] == "clopper-pearson"
    assert ran.json["reliability"]["baseline"]["asked"] == 20
    assert set(ran.json["reliability"]["balanced_accuracy"]) >= {"value", "low", "high"}
    assert set(ran.json["none_right"]) >= {"value", "right", "asked", "low", "high"}
    assert set(ran.json["overall"]) >= {"value", "right", "asked", "low", "high"}
    assert set(ran.json["by_coi"]) >= {"shape", "color"}
    assert "answers" not in ran.json
    assert "overall" in command("judge-trial", "--judge", "scripted/judge", "--images", "2").out


def test_every_concept_is_tried_on_images_of_its_own(command: Any) -> None:
    tried = ("judge-trial", "--judge", "scripted/judge", "--images", "2", "--each-concept", "1")
    ran = command(*tried, "--json")
    assert ran.json["pictures"] == 2, "the images of single concepts count by concept alone"
    assert ran.json["overall"]["asked"] == 10
    assert len(ran.json["by_concept"]) == len(concepts())
    assert len(ran.json["by_fact"]) == sum(len(concept.facts) for concept in concepts())
    by_concept = ran.json["by_concept"]["ladybug"]
    assert set(by_concept) == {
        "sensitivity",
        "specificity",
        "false_alarms",
        "balanced_accuracy",
        "kappa",
        "baseline",
    }
    assert by_concept["sensitivity"]["asked"] + by_concept["specificity"]["asked"] == 5
    out = command(*tried).out
    assert "by concept, on images of its own:" in out
    assert "the facts that are flagged least:" in out


def test_several_judges_are_set_beside_each_other_with_the_questions_on_which_they_part(
    command: Any,
) -> None:
    both = (
        "judge-trial",
        "--judge",
        "scripted/judge,scripted/down",
        "--images",
        "2",
        "--orders",
        "2",
        "--trials",
        "2",
        "--difficulty",
    )
    ran = command(*both, "--json")
    assert ran.code == 1, "one of them answered nothing"
    good, down = ran.json["judges"]
    assert good["reordered"]["questions"] == good["repeated"]["questions"] == 10
    assert down["answered"] == {
        "value": 0.0,
        "right": 0,
        "asked": 30,
        "low": None,
        "high": None,
        "interval_method": None,
    }
    assert ran.json["pairs"][0]["kappa"]["left_out"] == 10
    assert ran.json["disagreements"] == [], "who says nothing does not disagree"
    out = command(*both).out
    for words in (
        "position bias",
        "the same answer in another order",
        "normal or weird",
        "Cohen's kappa",
        "scripted/down: 2 images, 10 questions",
    ):
        assert words in out


def test_several_judges_by_another_benchmark_are_refused(command: Any) -> None:
    ran = command(
        "judge-trial", "--judge", "scripted/judge,scripted/down", "--benchmark", "primer-halo"
    )
    assert (ran.code, "name one for this benchmark" in ran.err) == (2, True)


def test_a_judge_is_tried_on_other_kinds_of_questions_too(command: Any) -> None:
    ran = command("judge-trial", "--judge", "scripted/judge", "--images", "2", "--kinds", "--json")
    assert ran.json["kinds"]["recall"]["right"] == ran.json["kinds"]["recall"]["asked"] > 0
    assert (
        "cannot tell: recall"
        in command("judge-trial", "--judge", "scripted/judge", "--images", "2", "--kinds").out
    )


def test_a_trial_on_labels_says_how_well_samples_of_them_correct_the_judges_scores(
    command: Any, tmp_path: Path
) -> None:
    label_items(tmp_path, 25, untold=1)
    tried = ("judge-trial", "--judge", "scripted/judge", "--labelled", str(tmp_path))
    ran = command(*tried, "--corrected", "--json")
    assert ran.json["pictures"] == 25
    (model,) = ran.json["corrected"]["models"]
    assert (model["prompts"], model["questions"], model["untold"]) == (25, 100, 25)
    (size,) = model["sizes"]
    assert (size["labeled"], size["draws"]) == (20, 500)
    assert 0 <= size["corrected"]["covered"] <= 1
    assert size["first"]["low"] <= size["first"]["value"] <= size["first"]["high"]
    out = command(*tried, "--corrected").out
    assert "labels alone +-" in out
    assert "finite set" in out
    assert "corrected" not in command(*tried, "--json").json


def test_without_labels_nothing_can_be_corrected(command: Any) -> None:
    ran = command("judge-trial", "--judge", "scripted/judge", "--corrected")
    assert (ran.code, ran.out) == (2, "")
    assert "name a folder of labels with --labelled FOLDER" in ran.err
