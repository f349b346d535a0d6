"""Judges on trial through the driver: a bad one is exposed by the row that names its fault, and
what is kept can be read again.
"""

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE
from hallascope.data.requests import Answer, Ask, Failure, Usage
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.ihalla import (
    HeldOutQuestion,
    QuestionPresentation,
    Trial,
    primer_items,
)
from hallascope.engine.judge_eval.judge_agreement import disagreements, pairs
from hallascope.engine.judge_eval.runner import (
    MOST_PICTURES,
    JudgeProgress,
    JudgeTrialRequest,
    on_trial,
)
from hallascope.engine.judge_eval.store import StoredTrial, TrialStore
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

PICTURES = 16
Say = Callable[[Ask], Answer | Failure]


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """The right choice of each question about each picture, in words."""
    items = primer_items(PICTURES, tmp_path_factory.mktemp("truth"))
    return {
        (item.picture.sha256, item.question.text): item.question.choice(item.right)
        for item in items
    }


def knows(truth: dict[tuple[str, str], str]) -> Say:
    """Answers right, and is quite sure of it."""

    def say(ask: Ask) -> Answer:
        if ask.question == "Is the image normal or weird?":
            return Answer(
                '{"response": "Normal", "visual_evidence": "", "contextual_evidence": ""}'
            )
        letter = LETTERS[ask.choices.index(truth[ask.images[0].sha256, ask.question])]
        return Answer(letter, tuple(0.9 if one == letter else 0.025 for one in LETTERS))

    return say


def always_a(ask: Ask) -> Answer:
    return Answer("A")


def at_random() -> Say:
    chance = random.Random(7)
    return lambda ask: Answer(chance.choice(LETTERS))


def refuses_a_third(know: Say) -> Say:
    asked = iter(range(100_000))
    return lambda ask: (
        Failure("refused", "I will not say: ask another.") if next(asked) % 3 == 0 else know(ask)
    )


@pytest.fixture
def services(tmp_path: Path, truth: dict[tuple[str, str], str]) -> Any:
    know = knows(truth)
    says = {
        "good": know,
        "always-a": always_a,
        "random": at_random(),
        "refuser": refuses_a_third(know),
    }
    specs = {
        name: ModelSpec(
            id=f"scripted/{name}",
            title=name,
            roles=("judge",),
            backend="scripted",
            settings=_warm(name),
        )
        for name in says
    }
    opened = Services(
        Store(folder=tmp_path / "home"),
        read_models(),
        {s.id: Scripted(s, says[name]) for name, s in specs.items()},
    )
    yield opened
    opened.store.close()


def _warm(name: str) -> dict[str, Any]:
    return {"temperature": 1.0} if name == "random" else {}


def tried(services: Any, *judges: str, **wanted: Any) -> list[Trial]:
    names = tuple(f"scripted/{name}" for name in judges)
    told = on_trial(services, JudgeTrialRequest(judges=names, pictures=PICTURES, **wanted))
    return [one for one in told if isinstance(one, Trial)]


# --- the right row for each fault
# ---------------------------------------------------------------------------------------------


def test_who_knows_the_truth_has_nothing_to_show_in_any_row(services: Any) -> None:
    (trial,) = tried(services, "good", trials=2, orders=3)
    assert trial.overall.value == trial.answered.value == 1.0
    assert trial.repeated
    assert trial.reordered
    assert (trial.repeated.value, trial.reordered.value, trial.positions.spread) == (1.0, 1.0, 0.0)
    assert trial.calibration.error == pytest.approx(0.1)
    assert set(trial.by_coi) >= {"color", "counting", "shape"}
    assert sum(share.asked for share in trial.by_coi.values()) == 5 * PICTURES


def test_who_always_takes_the_first_choice_is_exposed_by_position_bias_and_by_another_order(
    services: Any,
) -> None:
    good, bad = tried(services, "good", "always-a", orders=3)
    assert bad.positions.chosen[1:] == (0, 0, 0, 0)
    assert bad.positions.recall[0] == 1.0
    assert bad.positions.spread is not None
    assert bad.positions.spread > 0.35
    assert bad.reordered
    assert good.reordered
    assert bad.reordered.value is not None
    assert bad.reordered.value < 0.6 < good.reordered.value  # type: ignore[operator]
    assert bad.answered.value == 1.0, "it answers everything: only its places give it away"


def test_who_answers_at_random_is_exposed_by_repeated_trials_and_by_the_truth(
    services: Any,
) -> None:
    (trial,) = tried(services, "random", trials=3)
    assert trial.repeated
    assert trial.repeated.value is not None
    assert trial.repeated.value < 0.45
    assert trial.overall.high is not None
    assert trial.overall.high < 0.4
    assert trial.positions.spread is not None
    assert trial.positions.spread < 0.3, "it prefers no place by much"


def test_who_refuses_a_third_is_exposed_by_the_answer_rate_and_not_by_accuracy(
    services: Any,
) -> None:
    (trial,) = tried(services, "refuser")
    assert trial.answered.value == pytest.approx(2 / 3, abs=0.02)
    assert trial.overall.value == 1.0, "what was not answered is not wrong"
    assert trial.unanswered == 5 * PICTURES - trial.overall.asked


def test_who_finds_no_choice_to_fit_is_exposed_by_the_abstention_rate(services: Any) -> None:
    spec = ModelSpec(id="scripted/none", title="none", roles=("judge",), backend="scripted")
    services.roster._loaded[spec.id] = Scripted(spec, lambda ask: Answer(NONE_OF_THE_ABOVE))
    services.roster._specs[spec.id] = spec
    (trial,) = tried(services, "none")
    assert trial.answered.value == 1.0
    assert trial.abstained.value is not None
    assert trial.abstained.value > 0.6


def test_who_calls_every_picture_normal_finds_factual_ones_easy_and_violated_ones_hard(
    services: Any,
) -> None:
    (trial,) = tried(services, "good", difficulty=True)
    found = trial.difficulty
    assert found
    assert (found.by_side["factual"].value, found.by_side["violated"].value) == (1.0, 0.0)
    assert (found.pictures, found.left_out) == (
        {"easy": PICTURES // 2, "medium": 0, "hard": PICTURES // 2},
        0,
    )
    assert found.told.asked == 5 * PICTURES


# --- orders
# --------------------------------------------------------------------------------------------------


def test_another_order_moves_the_choices_and_leaves_none_of_the_above_last(tmp_path: Path) -> None:
    items: list[HeldOutQuestion] = list(primer_items(4, tmp_path))
    moved = [QuestionPresentation(item, order) for item in items for order in (1, 2, 3)]
    for put in moved:
        assert sorted(put.question.choices) == sorted(put.item.question.choices)
        assert put.question.choices[-1] == NONE_OF_THE_ABOVE
        assert put.question.choice(put.question.gold) == put.item.question.choice(put.item.right)
    assert any(put.question.choices != put.item.question.choices for put in moved)
    assert QuestionPresentation(items[0]).question.choices == items[0].question.choices


# --- several judges
# --------------------------------------------------------------------------------------------------


def test_two_judges_are_set_beside_each_other_with_their_disagreements(services: Any) -> None:
    found = tried(services, "good", "always-a", "refuser")
    by_pair = {(pair.one, pair.other): pair.kappa for pair in pairs(found)}
    assert len(by_pair) == 3
    same = by_pair["scripted/good", "scripted/refuser"]
    assert same.value == 1.0
    assert same.left_out == found[2].unanswered
    good, bad = found[:2]
    apart = list(disagreements([good, bad]))
    assert len(apart) == 5 * PICTURES - bad.overall.right
    assert all(
        one.said["scripted/good"] == one.right != one.said["scripted/always-a"] for one in apart
    )
    assert list(disagreements([good])) == []


# --- how it runs
# --------------------------------------------------------------------------------------------------


def test_the_same_trial_again_asks_nothing_and_its_cost_is_that_of_the_first_time(
    services: Any,
) -> None:
    kept = TrialStore(services.store.folder)
    (first,) = tried(services, "good")
    kept.keep(first)
    assert first.cost
    assert first.cost.answers == 5 * PICTURES
    (again,) = tried(services, "good")
    assert again.cost is None
    kept.keep(again)
    assert kept.primer() == {"scripted/good": first}


def test_what_a_paid_judge_costs_is_told_for_a_thousand_answers_and_the_cap_holds(
    tmp_path: Path,
) -> None:
    spec = ModelSpec(
        id="scripted/paid",
        title="paid",
        roles=("judge",),
        backend="scripted",
        price=Price("2026-01-01", output=1.0),
    )
    paid = Scripted(spec, lambda ask: Answer("A", usage=Usage(0, 1000)))
    services = Services(Store(folder=tmp_path / "home"), read_models(), {spec.id: paid})
    (trial,) = [
        one
        for one in on_trial(services, JudgeTrialRequest(judges=(spec.id,), pictures=2))
        if isinstance(one, Trial)
    ]
    assert trial.cost
    assert trial.cost.thousand == pytest.approx(1.0)
    services.store.close()


def test_a_stop_ends_it_at_once_and_without_a_trial(services: Any) -> None:
    stop = threading.Event()
    told: list[Any] = []
    for one in on_trial(
        services, JudgeTrialRequest(judges=("scripted/good",), pictures=PICTURES), stop=stop
    ):
        told.append(one)
        if isinstance(one, JudgeProgress) and one.judge and one.done == 3:
            stop.set()
    assert not [one for one in told if isinstance(one, Trial)]
    assert told[:PICTURES] == [
        JudgeProgress("", drawn, PICTURES) for drawn in range(1, PICTURES + 1)
    ]
    assert max(one.done for one in told[PICTURES:]) < told[-1].of, (
        "what was given up is not told, one by one, as done"
    )


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (JudgeTrialRequest(judges=()), "No judge is chosen"),
        (JudgeTrialRequest(judges=("scripted/good",), pictures=0), "0 pictures cannot be tried"),
        (
            JudgeTrialRequest(judges=("scripted/good",), pictures=MOST_PICTURES + 1),
            "from 1 to 2,000",
        ),
        (JudgeTrialRequest(judges=("scripted/good",), trials=10), "10 trials"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_a_sentence_before_anything_is_drawn(
    services: Any, wanted: JudgeTrialRequest, said: str
) -> None:
    with pytest.raises(BadRequest, match=said):
        on_trial(services, wanted)


# --- what is kept
# --------------------------------------------------------------------------------------------------


def test_the_trial_that_rests_on_most_answers_is_shown_and_a_damaged_file_is_passed_over(
    services: Any,
) -> None:
    kept = TrialStore(services.store.folder, clock=iter(range(100)).__next__)
    (large,) = tried(services, "good")
    names = ("scripted/good",)
    (small,) = [
        one
        for one in on_trial(services, JudgeTrialRequest(judges=names, pictures=2))
        if isinstance(one, Trial)
    ]
    kept.keep(large)
    kept.keep(small)
    (services.store.folder / "judge-trials" / "broken.json").write_text('{"created": 1')
    assert kept.primer()["scripted/good"].pictures == PICTURES
    assert [(one.created, one.trial.judge) for one in kept.all()] == [
        (1, "scripted/good"),
        (0, "scripted/good"),
    ]
    assert isinstance(kept.all()[0], StoredTrial)
