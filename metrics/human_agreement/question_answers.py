"""Computes how well metrics answer questions about items as people do, and score the items.

A question may depend on others about the same item: whether a cube is red can only be asked where
there is a cube. A question that depends on one that is not answered as expected counts as not
answered as expected, whatever the answer is (Cho et al., Davidsonian Scene Graph, ICLR 2024,
section 3). Here this holds through any number of steps.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count

import numpy as np

from hallascope.data.files.question_answers import AskedQuestion, ItemQuestion
from hallascope.metrics.statistics.agreement import Study
from hallascope.metrics.statistics.intervals import (
    RESAMPLES,
    IntervalEstimate,
    percentile_estimate,
    resample,
    share_by_cluster,
)
from hallascope.metrics.statistics.reliability import krippendorff_alpha
from hallascope.metrics.statistics.response_statistics import cohens_kappa

AnswersByName = Mapping[str, Mapping[ItemQuestion, str]]


@dataclass(frozen=True)
class QuestionAgreement:
    """Holds how well a metric answers as most people do, on `n` questions about items.

    `accuracy`: the share of equal answers. `kappa`: Cohen's, with a percentile bootstrap by
    cluster. `sensitivity`: of the questions that people answer otherwise than expected, the share
    that the metric does, too; `specificity`: of those that they answer as expected, the share that
    the metric does, too. Shares lie in [0, 1]; all have 95 % intervals by cluster. `left_out`
    questions have the answer of most people and none of the metric.
    """

    n: int
    left_out: int
    accuracy: IntervalEstimate
    kappa: IntervalEstimate
    sensitivity: IntervalEstimate
    specificity: IntervalEstimate


@dataclass(frozen=True)
class AnswerAgreement:
    """Holds how far people agree on `questions` about items.

    `alpha` is Krippendorff's, nominal. `without_majority` questions have no answer that more people
    give than any other, and count in nothing else. `most_frequent` is the share of the most
    frequent answer among the others: the accuracy of a metric that always gives it.
    """

    questions: int
    items: int
    raters: int
    without_majority: int
    most_frequent: float | None
    alpha: float | None


class QuestionStudy:
    """Compares the answers of metrics with those of people, question by question and by item.

    `metrics` and `people` are answers by name and question. The cluster of a question is the group
    of its item, else the item. The same seed gives the same intervals.
    """

    def __init__(
        self,
        metrics: AnswersByName,
        people: AnswersByName,
        questions: Mapping[ItemQuestion, AskedQuestion],
        groups: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None:
        self._metrics = metrics
        self._people = people
        self._questions = questions
        self._groups = groups or {}
        self._seed = seed

    @cached_property
    def _given(self) -> Mapping[ItemQuestion, Sequence[str]]:
        """Return the answers that people give to each question."""
        given: dict[ItemQuestion, list[str]] = {}
        for answers in self._people.values():
            for asked, answer in answers.items():
                given.setdefault(asked, []).append(answer)
        return given

    @cached_property
    def majority(self) -> Mapping[ItemQuestion, str]:
        """Return the answer that most people give, of the questions that have one."""
        majority = {}
        for asked, texts in self._given.items():
            (answer, most), *others = Counter(texts).most_common(2)
            if not others or others[0][1] < most:
                majority[asked] = answer
        return majority

    def metrics(self) -> dict[str, QuestionAgreement]:
        """Return the agreement of every metric, question by question."""
        return {name: self._agreement(answers) for name, answers in self._metrics.items()}

    def people(self) -> AnswerAgreement:
        """Return how far people agree, question by question."""
        given = self._given
        codes = dict(zip(sorted(set(chain(*given.values()))), count()))
        counts = Counter(self.majority.values())
        return AnswerAgreement(
            questions=len(given),
            items=len({asked.item for asked in given}),
            raters=len(self._people),
            without_majority=len(given) - len(self.majority),
            most_frequent=max(counts.values()) / counts.total() if counts else None,
            alpha=krippendorff_alpha(
                [[codes[text] for text in texts] for texts in given.values()], "nominal"
            ),
        )

    def items(self, against: str = "") -> Study:
        """Return the study of the items' scores, with dependencies, beside people's scores.

        The score of an item by a metric or by a person is as `item_scores` gives it; people's
        score is the mean over persons. Raises ValueError where `against` names no metric.
        """
        ratings: dict[str, list[float]] = {}
        for answers in self._people.values():
            for item, score in item_scores(answers, self._questions).items():
                ratings.setdefault(item, []).append(score)
        scores = {
            name: item_scores(answers, self._questions) for name, answers in self._metrics.items()
        }
        return Study(
            scores,
            ratings,
            seed=self._seed,
            groups=self._groups,
            against=against,
            level="interval",
        )

    def _agreement(self, answers: Mapping[ItemQuestion, str]) -> QuestionAgreement:
        shared = [asked for asked in self.majority if asked in answers]
        own = [answers[asked] for asked in shared]
        others = [self.majority[asked] for asked in shared]
        clusters = [self._groups.get(asked.item, asked.item) for asked in shared]
        expected = [self._questions[asked].expected for asked in shared]
        rows = list(zip(own, others, expected, clusters, strict=True))
        return QuestionAgreement(
            n=len(shared),
            left_out=len(self.majority) - len(shared),
            accuracy=share_by_cluster([a == b for a, b, *_ in rows], clusters),
            kappa=_kappa(own, others, clusters, self._seed),
            sensitivity=share_by_cluster(
                [a != right for a, b, right, _ in rows if b != right],
                [cluster for _, b, right, cluster in rows if b != right],
            ),
            specificity=share_by_cluster(
                [a == right for a, b, right, _ in rows if b == right],
                [cluster for _, b, right, cluster in rows if b == right],
            ),
        )


def item_scores(
    answers: Mapping[ItemQuestion, str], questions: Mapping[ItemQuestion, AskedQuestion]
) -> dict[str, float]:
    """Return the score of each item: the share of its answered questions that count as right.

    A question counts as right, 1, where its answer is the expected one and so is that of every
    question that it depends on, through any number of steps; else 0. Questions that were not
    answered are left out, and what depends on them counts as answered. Scores lie in [0, 1].
    """
    wrong = [asked for asked, answer in answers.items() if answer != questions[asked].expected]
    failed = _with_dependents(wrong, questions)
    by_item: dict[str, list[bool]] = {}
    for asked in answers:
        by_item.setdefault(asked.item, []).append(asked not in failed)
    return {item: sum(counted) / len(counted) for item, counted in by_item.items()}


def _with_dependents(
    asked: Sequence[ItemQuestion], questions: Mapping[ItemQuestion, AskedQuestion]
) -> set[ItemQuestion]:
    """Return the questions and all that depend on them, through any number of steps."""
    dependents: dict[ItemQuestion, list[ItemQuestion]] = {}
    for other, question in questions.items():
        for parent in question.parents:
            dependents.setdefault(ItemQuestion(other.item, parent), []).append(other)
    waiting = list(asked)
    found: set[ItemQuestion] = set()
    while waiting:
        next_one = waiting.pop()
        if next_one not in found:
            found.add(next_one)
            waiting += dependents.get(next_one, ())
    return found


def _kappa(
    own: Sequence[str], others: Sequence[str], clusters: Sequence[str], seed: int
) -> IntervalEstimate:
    """Return Cohen's kappa with its percentile interval, clusters resampled."""
    value = cohens_kappa(own, others).value
    names = sorted(set(clusters))
    if value is None or len(names) < 2:
        return IntervalEstimate(value)
    # of each cluster: answers, equal answers, and how often each side gives each answer
    labels = sorted({*own, *others})
    columns = [np.ones(len(own)), np.equal(own, others)]
    columns += [np.equal(side, label) for side in (own, others) for label in labels]
    places = np.searchsorted(names, clusters)
    sums = np.stack([np.bincount(places, column) for column in columns], axis=1)
    parts = [sums[part].sum(axis=1) for part in resample(len(names), RESAMPLES, seed)]
    n, equal, *counts = np.concatenate(parts).T
    by_chance = (np.array(counts[: len(labels)]) * counts[len(labels) :]).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappas = (n * equal - by_chance) / (n * n - by_chance)
    return percentile_estimate(np.concatenate([[value], kappas]))
