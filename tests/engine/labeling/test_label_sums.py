"""Labels are summed by prompt: people averaged first, what nobody can tell apart."""

from collections.abc import Sequence

import pytest

from hallascope.engine.labeling.label_sums import (
    NO_LABELS,
    QuestionLabel,
    correct_by_labels,
    sum_labels,
)
from hallascope.metrics.statistics.rogan_gladen import TrialErrors


def question(marks: Sequence[bool], judge: float, prompt: str = "p") -> QuestionLabel:
    return QuestionLabel("m", "", prompt, marks, judge)


LABELS = [question([True, False], 1), question([True], 0.5), question([], 0)]


def test_people_are_averaged_and_what_nobody_can_tell_bounds_the_score() -> None:
    said = sum_labels(LABELS, over_questions=True)["m", ""].prompts["p"]
    assert said.people == (1.5, 2.0)
    assert said.judge == (1.5, 3.0), "the judge answers what nobody can tell, too"
    assert (said.lowest, said.highest) == ((1.5, 3.0), (2.5, 3.0))
    assert (said.questions, said.probability) == (2, None)


def test_every_prompt_weighs_the_same_unless_questions_count() -> None:
    said = sum_labels(LABELS, over_questions=False)["m", ""].prompts["p"]
    assert said.people == (0.75, 1.0)
    assert said.judge == (0.5, 1.0)
    untold = sum_labels([question([], 1)], over_questions=False)["m", ""]
    assert untold.prompts["p"].people == (0.0, 0.0)
    assert (untold.told, len(untold.prompts)) == (0, 1)


def test_errors_of_the_judge_are_of_what_people_could_tell() -> None:
    sample = sum_labels([*LABELS, question([False], 0, "q")], over_questions=True)["m", ""]
    assert sample.total_errors == TrialErrors(flagged=1, violated=1.5, accepted=1, holding=1.5)
    assert sample.select(["q"]).total_errors == TrialErrors(flagged=1, violated=1)


def test_with_probabilities_only_labels_of_the_plan_count() -> None:
    labels = [question([True], 1), question([True], 1, "q")]
    sample = sum_labels(labels, over_questions=True, probabilities={("m", "q"): 0.25})["m", ""]
    assert {prompt: said.probability for prompt, said in sample.prompts.items()} == {"q": 0.25}


def test_few_labels_correct_nothing() -> None:
    judged = {f"p{i}": (1.0, 1.0) for i in range(20)}
    assert correct_by_labels(judged, NO_LABELS) == (None, None)
    labels = [question([i % 3 > 0], float(i % 6 > 0), f"p{i}") for i in range(12)]
    found = correct_by_labels(judged, sum_labels(labels, over_questions=False)["m", ""])
    assert found.score is not None
    assert found.rogan_gladen is not None
    assert found.rogan_gladen.sensitivity == pytest.approx(0.5)
