"""What is known of a judge comes from its own trial, else from the one that ships with its weights,
else nothing is claimed.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import CoI
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.judge_eval import expected_reliability
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup, kind_weights
from hallascope.engine.judge_eval.ihalla import summarize_results
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.trials.accuracies import (
    LEAST_ANSWERED,
    estimated_accuracies,
    load_shipped_trials,
    measured_accuracies,
    member_accuracies,
    read_shipped_trials,
    smoothed_share,
)
from hallascope.engine.trials.records import JudgeAnswer, Reliability, Share, Trial
from hallascope.engine.trials.store import TrialStore
from hallascope.metrics.ihalla import plan
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


def test_the_trial_that_ships_counts_until_there_is_an_own_one(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = ReliabilityLookup(services)
    assert unknown.find(None, {"shape": 1}) is None
    assert unknown.find(JUDGE, {"shape": 1}) is None, "the shipped trial is of other weights"
    assert SHIPS
    monkeypatch.setattr(expected_reliability, "load_shipped_trials", lambda revision: SHIPS)
    found = ReliabilityLookup(services).find(JUDGE, {"counting": 2}, "primer/exact")
    assert found
    assert found.sensitivity
    counting = SHIPS.primer.reliability_by_coi["counting"]
    counted = counting.sensitivity
    assert (found.sensitivity.value, found.sensitivity.n) == (counted.value, counted.asked)
    assert (found.source, found.measured_on) == ("shipped trial", "400 Primer drawings")
    assert found.baseline
    assert found.balanced_accuracy
    assert found.baseline.value == counting.baseline.value
    assert found.balanced_accuracy.value == pytest.approx(counting.balanced_accuracy.value)
    assert found.kappa == pytest.approx(counting.kappa.value)

    TrialStore(services.store.folder).keep(own_trial())
    own = ReliabilityLookup(services).find(JUDGE, {"shape": 2}, "primer/exact")
    assert own
    assert own.sensitivity
    assert (own.measured_on, own.sensitivity.value) == ("7 Primer drawings", 0.75)


@pytest.mark.usefixtures("ships")
def test_a_trial_speaks_only_of_images_like_its_own(services: Services) -> None:
    trials = TrialStore(services.store.folder)
    trials.keep(own_trial())
    trials.keep(labeled_trial(judge=JUDGE, models=("openai/dall-e-3",)))
    lookup = ReliabilityLookup(services)
    models = (
        "primer/exact",
        "openai/dall-e-3",
        "primer/diffusion-small",
        "acme/A",
        "uploaded",
        None,
    )
    found = [lookup.find(JUDGE, {"shape": 1}, model) for model in models]
    assert [each and each.measured_on for each in found] == [
        "7 Primer drawings",
        "2 labeled images",
        "200 labeled diffusion images",
        *(None, None, None),
    ]
    labeled = found[1]
    assert labeled
    assert labeled.sensitivity
    assert (labeled.sensitivity.value, labeled.specificity) == (0.5, None)
    trained = lookup.find(JUDGE, {}, "primer/diffusion-tiny")
    assert trained
    assert trained.sensitivity
    assert trained.sensitivity.value == pytest.approx(0.491, abs=0.01), "as docs/validation.md says"


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


COI: CoI = "counting"
N = 4 * LEAST_ANSWERED


def _trial(judge: str, wrong_every: int) -> Trial:
    """A trial of a judge that is wrong on every so manieth question."""
    said = ["wrong" if n % wrong_every == 0 else "right" for n in range(N)]
    answers = tuple(JudgeAnswer("p", str(n), COI, "right", own) for n, own in enumerate(said))
    plain = summarize_results(judge, [])
    return replace(plain, overall=Share(said.count("right"), N), answers=answers)


def test_without_the_truth_the_better_judge_is_still_found() -> None:
    trials = [_trial("good", 20), _trial("fair", 7), _trial("poor", 3)]
    found = estimated_accuracies(trials)
    assert found["good"] > found["fair"] > found["poor"]
    assert estimated_accuracies(trials[:1]) == {}
    assert measured_accuracies([_trial("a", 4)]) == {"a": smoothed_share(N * 3 // 4, N)}
    assert measured_accuracies([summarize_results("untried", [])]) == {}


def test_trials_of_the_store_go_before_what_ships(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "shipped.json"
    entry = '["{}", "{}", 90, 100, 60, "2026-11-26"]'
    file.write_text(f"[{entry.format('a', 'r1')}, {entry.format('b', 'old')}]")

    def find(rule: str = "weighted") -> dict[str, float]:
        return member_accuracies(store.folder, rule, ["a", "b"], lambda judge: "r1", file)  # type: ignore[arg-type]

    assert find() == {"a": smoothed_share(90, 100)}, "of other weights nothing is known"
    TrialStore(store.folder).keep(_trial("a", 2))
    assert find() == {"a": smoothed_share(N // 2, N)}
    TrialStore(store.folder).keep(_trial("b", 5))
    assert find().keys() == find("dawid-skene").keys() == {"a", "b"}
    assert find() != find("dawid-skene")


def test_what_ships_belongs_to_the_weights_that_ship_and_to_no_others() -> None:
    ships = load_shipped_trials(lambda judge: str(registry.revision(read_models()[judge])))
    assert ships, "run `python -m bench.shipped_trials`: the judge has other weights than its trial"
    assert ships.primer.overall.asked >= 1000
    assert ships.primer.unanswered == 0
    assert ships.primer.none_right.asked >= 100
    assert ships.primer.reliability.baseline.asked == ships.primer.overall.asked
    assert ships.primer.overall.interval_method == "clopper-pearson"
    assert ships.halo.left_out == 0
    assert {ships.primer.judge, ships.halo.judge} == {JUDGE}
    assert ships.primer.version == plan.metric().version, (
        "the same questions and the same reading as today"
    )
    assert load_shipped_trials(lambda judge: "other weights") is None
