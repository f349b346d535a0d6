"""A judge is right where it says what the drawing shows, not what the prompt asks for."""

from pathlib import Path

import pytest
import scipy.stats

from hallascope.data.evidence import State
from hallascope.data.records import NONE_OF_THE_ABOVE, CoI, Letter, Picture, Question
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.judge_eval import ihalla
from hallascope.engine.judge_eval.answers import TrialAnswer, TrialQuestion, reliability
from hallascope.engine.judge_eval.ihalla import (
    concept_items,
    none_right_items,
    primer_items,
    summarize_results,
)
from hallascope.primer.concepts import concepts
from tests.support.scripted_judges import PICTURES, FixedJudge, try_on_primer


def test_one_who_answers_from_the_prompt_is_exposed_by_violated_pictures(tmp_path: Path) -> None:
    gold = {
        (i.picture.sha256, i.question.text): i.question.gold
        for i in primer_items(PICTURES, tmp_path)
    }
    judge = FixedJudge(lambda r: Answer(gold[r.images[0].sha256, r.question]))
    trial = try_on_primer(judge, PICTURES)
    assert all("methane" not in ask.text for ask in judge.asked), "it is not told the prompt"
    assert trial.by_kind["factual"].value == 1.0
    violated = trial.by_kind["violated"].value
    assert violated is not None
    assert violated < 0.8
    assert trial.violated_facts.asked > 0
    assert trial.violated_facts.value == 0.0, (
        "the share on violated images hides that it is wrong about every violated fact"
    )


def result(
    picture: str,
    *,
    right: Letter,
    letter: Letter | None,
    coi: CoI = "counting",
    concept: str = "",
    parameter: str = "count",
    in_set: bool = True,
    violated: bool = True,
) -> TrialAnswer:
    """Return the result of a question whose expected answer is A."""
    choices = ("One", "Two", "Three", "Four", NONE_OF_THE_ABOVE)
    question = Question(text="How many?", choices=choices, gold="A", coi=coi)
    shown = Picture(picture, Path(picture))
    item = TrialQuestion(
        shown, question, right, violated, concept=concept, parameter=parameter, in_set=in_set
    )
    state: State = "unreadable"
    if letter is not None:
        state = "correct" if letter == right else "incorrect"
    return TrialAnswer(item, letter, state)


TABLE = (
    result("one", right="B", letter="B"),
    result("one", right="B", letter="C"),  # flagged, though it is not what is shown
    result("one", right="A", letter="A", coi="color"),
    result("two", right="B", letter="A", coi="color"),
    result("two", right="A", letter="D"),  # a false alarm
    result("two", right="A", letter=None),
    result("three", right="A", letter="A", violated=False),
    result("four", right="A", letter="A", violated=False),
    result("four", right="A", letter="A", violated=False),
)


def test_a_fact_is_flagged_by_any_other_answer_than_the_expected_one() -> None:
    trial = summarize_results("t", TABLE)
    counted = reliability(TABLE)
    assert trial.reliability == counted
    assert (counted.sensitivity.right, counted.sensitivity.asked) == (2, 3)
    assert (counted.specificity.right, counted.specificity.asked) == (4, 5)
    by_coi = {
        coi: (own.sensitivity.right, own.sensitivity.asked, own.specificity.right)
        for coi, own in trial.reliability_by_coi.items()
    }
    assert by_coi == {"counting": (2, 2, 3), "color": (0, 1, 1)}
    assert (trial.violated_facts.right, trial.violated_facts.asked) == (1, 3)
    all_right = {side: (own.right, own.asked) for side, own in trial.all_right.items()}
    assert all_right == {"factual": (2, 2), "violated": (0, 1)}, "one was not answered in full"
    assert counted.balanced_accuracy.value == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert (counted.baseline.right, counted.baseline.asked) == (5, 8)
    # flagged 3 of 8, violated 3 of 8, and 6 of 8 alike
    chance = (3 * 3 + 5 * 5) / 64
    assert counted.kappa.value == pytest.approx((6 / 8 - chance) / (1 - chance))
    assert counted.kappa.low is not None


def test_a_question_beyond_the_five_of_a_set_counts_by_fact_alone() -> None:
    trial = summarize_results(
        "t",
        [
            result("one", right="B", letter="B", concept="ladybug"),
            result("one", right="B", letter="A", concept="ladybug", parameter="head", in_set=False),
        ],
    )
    assert trial.by_concept["ladybug"].sensitivity.value == 1.0
    assert trial.by_fact["ladybug / count"].sensitivity.value == 1.0
    assert trial.by_fact["ladybug / head"].sensitivity.value == 0.0
    assert trial.overall.asked == 0


def test_a_tenth_of_the_questions_is_asked_again_without_the_true_choice(tmp_path: Path) -> None:
    items = list(primer_items(PICTURES, tmp_path))
    again = list(none_right_items(items))
    assert 0.05 < len(again) / len(items) < 0.15
    assert again == list(none_right_items(items)), "always the same ones"
    assert again != list(none_right_items(items, seed=1))
    originals = {(item.picture.sha256, item.question.text): item for item in items}
    for item in again:
        original = originals[item.picture.sha256, item.question.text]
        truth = original.right_choice
        assert item.none_right
        assert item.right_choice == NONE_OF_THE_ABOVE
        assert item.question.choices == tuple(
            choice for choice in original.question.choices if choice != truth
        )
        assert item.fact_violated == original.fact_violated
        if original.fact_violated:
            expected = original.question.choice(original.question.gold)
            assert item.question.choice(item.question.gold) == expected
    assert {item.fact_violated for item in again} == {True, False}


def test_what_is_asked_without_the_true_choice_counts_in_a_figure_of_its_own_alone() -> None:
    def say(request: Ask) -> Answer:
        return Answer("E" if len(request.choices) == 5 else "D")

    trial = try_on_primer(FixedJudge(say), PICTURES)
    assert trial.none_right.value == 1.0, "D is none of the four choices that are left"
    assert 5 <= trial.none_right.asked <= 20
    assert trial.overall.value == 0.0
    assert trial.overall.asked == trial.answered.asked == 5 * PICTURES
    assert sum(trial.positions.chosen) == 5 * PICTURES
    assert trial.none_right_unanswered == 0
    refuses = try_on_primer(FixedJudge(lambda r: Failure("refused", "no")), PICTURES)
    assert refuses.none_right_unanswered == trial.none_right.asked
    assert refuses.none_right.value is None
    guesses = try_on_primer(FixedJudge(lambda r: Answer("A")), PICTURES)
    assert guesses.none_right.value == 0.0


def test_two_facts_of_a_picture_that_go_together_count_as_one() -> None:
    flagged = [result("one", right="B", letter="B")] * 2
    missed = [result("two", right="B", letter="A")] * 2
    counted = reliability([*flagged, *missed]).sensitivity
    # the variance of two pictures, all right and all wrong, is that of one trial
    low = float(scipy.stats.beta.ppf(0.025, 0.5, 1.5))
    assert (counted.low, counted.value, counted.high) == pytest.approx((low, 0.5, 1 - low))
    assert counted.interval_method == "clopper-pearson"
    assert reliability(flagged).sensitivity.low is None, "one image has no interval"


def test_every_concept_is_drawn_so_often_with_half_of_its_facts_violated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = tuple(concepts())[:8]
    monkeypatch.setattr(ihalla, "concepts", lambda: few)
    items = list(concept_items(2, tmp_path))
    assert len({item.picture.sha256 for item in items}) == 2 * len(few)
    assert {(item.concept, item.parameter) for item in items} == {
        (concept.name, fact.parameter) for concept in few for fact in concept.facts
    }
    assert sum(item.in_set for item in items) == 5 * 2 * len(few)
    assert 0.4 < sum(item.fact_violated for item in items) / len(items) < 0.6
