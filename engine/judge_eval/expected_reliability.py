"""Finds what to expect of a judge on the questions of a score, from the trials of that judge.

Own trials go before the one that ships. Judges are asked nothing here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from hallascope.data.records import CoI, Question
from hallascope.data.wordings.packs import is_our_way
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import Evaluation
from hallascope.engine.trials.accuracies import (
    ShippedTrials,
    load_shipped_trials,
    read_shipped_trials,
)
from hallascope.engine.trials.records import Share
from hallascope.engine.trials.store import TrialStore
from hallascope.metrics.judge_reliability import (
    FactCount,
    FactCounts,
    JudgeReliability,
    TrialOrigin,
    expected_balanced_accuracy,
    expected_baseline,
    expected_kappa,
    expected_share,
    kinds_without_facts,
)

if TYPE_CHECKING:
    from hallascope.engine.services import Services

KindWeights = Mapping[CoI, float]
"""How often a score's questions are of each composition of interest; empty where nobody knows."""


class _MeasuredFacts(NamedTuple):
    """Holds what a trial measured: of violated facts and of those that hold, and on what images."""

    violated: FactCounts
    holding: FactCounts
    source: TrialOrigin
    measured_on: str

    def expect(self, judge: str, weights: KindWeights) -> JudgeReliability | None:
        """Return what to expect on questions of these kinds; None where nothing was measured."""
        violated, holding = self.violated, self.holding
        without = {*kinds_without_facts(violated, weights), *kinds_without_facts(holding, weights)}
        sensitivity = expected_share(violated, weights)
        specificity = expected_share(holding, weights)
        if not (sensitivity or specificity):
            return None
        baseline = None
        kappa = None
        if sensitivity and specificity:
            baseline = expected_baseline(violated, holding, weights)
        if sensitivity and specificity and baseline:
            kappa = expected_kappa(sensitivity.value, specificity.value, baseline.value)
        return JudgeReliability(
            judge=judge,
            sensitivity=sensitivity,
            specificity=specificity,
            balanced_accuracy=expected_balanced_accuracy(sensitivity, specificity),
            kappa=kappa,
            baseline=baseline,
            kinds=tuple(weights),
            not_measured=tuple(kind for kind in weights if kind in without),
            source=self.source,
            measured_on=self.measured_on,
        )


class ReliabilityLookup:
    """Looks up what to expect of judges, from the trials as they stand when it is made.

    A trial speaks of images like its own and of no others: one on Primer's drawings of what Primer
    draws, one on labeled images of what the models of those images make. Of a judge's own trials
    by I-HallA's questions, the one that rests on most answers counts, as on the Judges tab; the
    one that ships stands in for it where there is none.
    """

    def __init__(self, services: "Services") -> None:
        trials = TrialStore(services.store.folder)
        self._services = services
        self._primer = trials.primer()
        self._labels = trials.labels()

    def find(
        self, judge: str | None, weights: KindWeights, model: str | None = None
    ) -> JudgeReliability | None:
        """Return what to expect of a judge; None: it was not measured on such images.

        `weights`: how often the questions are of each kind; empty: the whole trial counts. `model`:
        what made the images; None where they are of several models, or nobody knows.
        """
        if not judge or model is None:
            return None
        spec = self._services.registry.specs.get(model)
        drawn = spec is not None and spec.kind == "simulated"
        found = self._on_drawings(judge) if drawn else self._on_labels(judge, model)
        return found.expect(judge, weights) if found else None

    def of_evaluation(self, evaluation: Evaluation) -> JudgeReliability | None:
        """Return what to expect of the judge of an evaluation; None: not measured on such.

        It is measured in our wording alone, on multiple-choice questions about facts.
        """
        report = evaluation.report
        if not (is_our_way(report.version) and report.verdicts):
            return None
        weights = kind_weights(verdict.question for verdict in report.verdicts)
        return self.find(evaluation.judge, weights, evaluation.model)

    def _on_drawings(self, judge: str) -> _MeasuredFacts | None:
        trial = self._primer.get(judge)
        source: TrialOrigin = "own trial"
        if trial is None or not trial.reliability.sensitivity.asked:  # of an older version
            ships, source = self._shipped(judge), "shipped trial"
            trial = ships.primer if ships else None
        if trial is None:
            return None
        own, by_coi = trial.reliability, trial.reliability_by_coi
        return _MeasuredFacts(
            _counts(own.sensitivity, {coi: each.sensitivity for coi, each in by_coi.items()}),
            _counts(own.specificity, {coi: each.specificity for coi, each in by_coi.items()}),
            source,
            f"{trial.pictures:,} Primer drawings",
        )

    def _shipped(self, judge: str) -> ShippedTrials | None:
        """Return what ships; None of another judge, or of one with other weights."""
        try:
            ships = read_shipped_trials()
            if ships is None or ships.judge != judge:
                return None
            registry = self._services.registry
            return load_shipped_trials(lambda name: registry.bind(name).revision)
        except HallaScopeError:  # no score has to wait for that file
            return None

    def _on_labels(self, judge: str, model: str) -> _MeasuredFacts | None:
        """Return what labeled images say, of which some are of that model."""
        trial = self._labels.get(judge)
        source: TrialOrigin = "own trial"
        sort = "labeled images"
        if trial is None or model not in trial.models:
            ships, source = self._shipped(judge), "shipped trial"
            trial = ships.labels if ships else None
            sort = "labeled diffusion images"
        if trial is None or model not in trial.models:
            return None
        return _MeasuredFacts(
            _counts(trial.sensitivity, trial.sensitivity_by_coi),
            _counts(trial.specificity, trial.specificity_by_coi),
            source,
            f"{trial.pictures:,} {sort}",
        )


def kind_weights(questions: Iterable[Question]) -> dict[CoI, float]:
    """Return how many of the questions are of each composition of interest."""
    return {coi: float(n) for coi, n in Counter(question.coi for question in questions).items()}


def _counts(overall: Share, by_coi: Mapping[CoI, Share]) -> FactCounts:
    def count(share: Share) -> FactCount:
        return FactCount(share.right, share.asked, share.low, share.high)

    return FactCounts(count(overall), {coi: count(own) for coi, own in by_coi.items()})
