"""What to expect of a judge comes from its own trial, else from the one that ships, else nothing is
claimed.
"""

from dataclasses import replace
from typing import Any

import pytest

from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.judge_eval import expected_reliability
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup, kind_weights
from hallascope.engine.judge_eval.ihalla import Reliability, Share, Trial, summarize_results
from hallascope.engine.judge_eval.shipped import read_shipped_trials
from hallascope.engine.judge_eval.store import TrialStore
from hallascope.engine.services import Services
from tests.support.labeled_trials import labeled_trial

JUDGE = "primer/judge"
SHIPS = read_shipped_trials()
SHAPE = Reliability(Share(3, 4), Share(9, 10))


def own_trial(judge: str = JUDGE, **changes: Any) -> Trial:
    trial = replace(
        summarize_results(judge, []),
        pictures=7,
        overall=Share(12, 14),
        reliability=SHAPE,
        reliability_by_coi={"shape": SHAPE},
    )
    return replace(trial, **changes)


@pytest.fixture
def ships(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the trial that ships fit the scripted judge of that name."""
    monkeypatch.setattr(expected_reliability, "load_shipped_trials", lambda revision: SHIPS)


def test_a_judge_without_a_trial_is_not_measured(services: Services) -> None:
    lookup = ReliabilityLookup(services)
    assert lookup.find("test/other", {"shape": 1}) is None
    assert lookup.find(None, {"shape": 1}) is None
    assert lookup.find(JUDGE, {"shape": 1}) is None, "the shipped trial is of other weights"


@pytest.mark.usefixtures("ships")
def test_the_trial_that_ships_counts_until_there_is_an_own_one(services: Services) -> None:
    assert SHIPS
    found = ReliabilityLookup(services).find(JUDGE, {"counting": 2}, "primer/exact")
    assert found
    assert found.sensitivity
    counted = SHIPS.primer.reliability_by_coi["counting"].sensitivity
    assert (found.sensitivity.value, found.sensitivity.n) == (counted.value, counted.asked)
    assert (found.source, found.images, found.same_images) == ("shipped trial", 400, True)
    counting = SHIPS.primer.reliability_by_coi["counting"]
    assert found.baseline
    assert found.balanced_accuracy
    assert found.baseline.value == counting.baseline.value
    assert found.balanced_accuracy.value == pytest.approx(counting.balanced_accuracy.value)
    assert found.kappa == pytest.approx(counting.kappa.value)

    TrialStore(services.store.folder).keep(own_trial())
    own = ReliabilityLookup(services).find(JUDGE, {"shape": 2}, "primer/exact")
    assert own
    assert own.sensitivity
    assert (own.source, own.images, own.sensitivity.value) == ("own trial", 7, 0.75)


@pytest.mark.usefixtures("ships")
def test_an_own_trial_that_measured_neither_leaves_the_place_to_the_one_that_ships(
    services: Services,
) -> None:
    TrialStore(services.store.folder).keep(own_trial(reliability=Reliability()))
    found = ReliabilityLookup(services).find(JUDGE, {"shape": 1})
    assert found
    assert found.source == "shipped trial"


def test_kinds_that_a_trial_never_asked_are_named_and_nothing_is_made_up(
    services: Services,
) -> None:
    TrialStore(services.store.folder).keep(own_trial())
    lookup = ReliabilityLookup(services)
    partly = lookup.find(JUDGE, {"shape": 1, "posture": 4})
    assert partly
    assert partly.not_measured == ("posture",)
    assert lookup.find(JUDGE, {"posture": 4}) is None


def test_on_images_that_primer_did_not_draw_labels_by_hand_go_before_drawings(
    services: Services,
) -> None:
    trials = TrialStore(services.store.folder)
    trials.keep(own_trial())
    lookup = ReliabilityLookup(services)
    photo = lookup.find(JUDGE, {"shape": 1}, "openai/dall-e-3")
    assert photo
    assert (photo.measured_on, photo.same_images) == ("Primer images", False)
    trials.keep(labeled_trial(judge=JUDGE))
    lookup = ReliabilityLookup(services)
    measured = {
        model: found.measured_on
        for model in ("openai/dall-e-3", "primer/exact", None)
        if (found := lookup.find(JUDGE, {"shape": 1}, model))
    }
    assert measured == {
        "openai/dall-e-3": "images labeled by hand",
        "primer/exact": "Primer images",
        None: "images labeled by hand",
    }
    labeled = lookup.find(JUDGE, {"shape": 1}, "openai/dall-e-3")
    assert labeled
    assert labeled.sensitivity
    assert (labeled.sensitivity.value, labeled.specificity) == (0.5, None)


@pytest.mark.usefixtures("ships")
def test_an_evaluation_is_weighed_by_its_own_questions(services: Services) -> None:
    request = EvaluateRequest(prompt="a molecule of methane", models=("primer/exact",))
    (evaluation,) = [
        event.evaluation for event in services.evaluate(request) if isinstance(event, Evaluated)
    ]
    lookup = ReliabilityLookup(services)
    questions = [verdict.question for verdict in evaluation.report.verdicts]
    found = lookup.of_evaluation(evaluation)
    assert found == lookup.find(JUDGE, kind_weights(questions), "primer/exact")
    assert found
    assert set(found.kinds) == {question.coi for question in questions}
    unasked = replace(evaluation, report=replace(evaluation.report, verdicts=()))
    assert lookup.of_evaluation(unasked) is None
