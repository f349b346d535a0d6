"""Computes how well metrics order two items as people prefer them.

Every row of a table of preferences is a judgment. A metric that scores both items makes a
prediction: the item with the higher score, or a tie where the scores differ by at most a threshold
(Deutsch, Foster and Freitag, Ties Matter, EMNLP 2023, section 5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hallascope.data.files.preferences import CHOICES, Preference, PreferenceChoice
from hallascope.metrics.statistics.correlation import round_digits
from hallascope.metrics.statistics.intervals import IntervalEstimate, share_by_cluster
from hallascope.metrics.statistics.paired_difference import ModelDifference, all_differences
from hallascope.metrics.statistics.reliability import krippendorff_alpha

FOLDS = 10  # parts of the clusters; the threshold of one part is chosen on the others
_ROUNDING = 1e-12  # relative; scores that are as near as this are equal
_VALUES: Mapping[PreferenceChoice, int] = {"a": 1, "b": -1, "tie": 0}
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class PreferenceAgreement:
    """Holds how well a metric agrees with people's choices, over `n` readable judgments.

    `accuracy`: the share that it predicts right, ties among them; the threshold under which scores
    count as tied is chosen on other clusters than those that are counted (10 parts), None under two
    clusters. `order_accuracy`: of the `decided` judgments, in which a person prefers one item, the
    share in which the metric gives it the higher score; equal scores are wrong. Both lie in [0, 1],
    with 95 % intervals by cluster. `threshold`, in the unit of the metric, is chosen on all
    judgments, and `ties` is the share that it makes ties. `left_out` judgments lack a score.
    """

    n: int
    decided: int
    left_out: int
    accuracy: IntervalEstimate
    order_accuracy: IntervalEstimate
    threshold: float | None
    ties: float | None


@dataclass(frozen=True)
class ChoiceShares:
    """Holds what people chose, over `judgments` by `raters` of `pairs` of items.

    `shares` are by choice, in [0, 1], with 95 % intervals by cluster. `most_frequent` is the share
    of the most frequent choice among the readable ones: what a metric reaches that always predicts
    it. `alpha` is Krippendorff's, nominal, over readable choices; None where no pair has two.
    """

    judgments: int
    pairs: int
    raters: int
    clusters: int
    shares: Mapping[PreferenceChoice, IntervalEstimate]
    most_frequent: float | None
    alpha: float | None


class PreferenceStudy:
    """Compares scores by metric and item with people's choices between two items.

    Higher scores are better. The cluster of a judgment is its group, else the one that `groups`
    gives to both items, else its pair of items. The same seed gives the same parts.
    """

    def __init__(
        self,
        scores: Mapping[str, Mapping[str, float]],
        preferences: Sequence[Preference],
        groups: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None:
        self._scores = scores
        self._preferences = preferences
        self._readable = [one for one in preferences if one.choice != "unreadable"]
        self._groups = groups or {}
        self._seed = seed

    def metrics(self) -> dict[str, PreferenceAgreement]:
        """Return the agreement of every metric."""
        return {name: self._agreement(name) for name in self._scores}

    def differences(self) -> tuple[ModelDifference, ...]:
        """Return the differences of every two metrics in accuracy, by cluster.

        They are taken on the judgments that all metrics predict, and corrected for being many.
        """
        shared = [
            place
            for place, one in enumerate(self._readable)
            if all({one.item_a, one.item_b} <= scores.keys() for scores in self._scores.values())
        ]
        sides = {}
        for name in self._scores:
            right = self._right[name]
            sums: dict[str, tuple[float, float]] = {}
            for place in shared:
                cluster = self._cluster(self._readable[place])
                total, count = sums.get(cluster, (0.0, 0.0))
                sums[cluster] = total + right[place], count + 1
            sides[name] = sums
        clusters = len(next(iter(sides.values()), ()))
        return all_differences({"": sides}) if clusters > 1 and len(sides) > 1 else ()

    def people(self) -> ChoiceShares:
        """Return what people chose, and how far they agree."""
        clusters = [self._cluster(one) for one in self._preferences]
        by_pair: dict[tuple[str, str], list[float]] = {}
        for one in self._readable:
            first, second = sorted((one.item_a, one.item_b))
            turned = 1 if first == one.item_a else -1
            by_pair.setdefault((first, second), []).append(turned * _VALUES[one.choice])
        chosen = [one.choice for one in self._readable]
        counts = [chosen.count(choice) for choice in CHOICES]
        return ChoiceShares(
            judgments=len(self._preferences),
            pairs=len({frozenset((one.item_a, one.item_b)) for one in self._preferences}),
            raters=len({one.rater for one in self._preferences if one.rater}),
            clusters=len(set(clusters)),
            shares={
                choice: share_by_cluster(
                    [float(one.choice == choice) for one in self._preferences], clusters
                )
                for choice in CHOICES
            },
            most_frequent=max(counts) / len(chosen) if chosen else None,
            alpha=krippendorff_alpha(list(by_pair.values()), "nominal"),
        )

    def _cluster(self, one: Preference) -> str:
        first, second = sorted((one.item_a, one.item_b))
        group = self._groups.get(first)
        if one.group or (group and group == self._groups.get(second)):
            return one.group or str(group)
        return f"{first}\n{second}"  # no name has a line break

    @cached_property
    def _right(self) -> Mapping[str, FloatArray]:
        """Return for each metric and readable judgment 1 where it is predicted right, else 0.

        NaN where a score is missing or there are no other clusters to choose the threshold on.
        """
        right = {}
        for name in self._scores:
            places, differences, choices, clusters = self._scored(name)
            right[name] = np.full(len(self._readable), np.nan)
            right[name][places] = _predict_by_parts(differences, choices, clusters, self._seed)
        return right

    def _scored(self, name: str) -> tuple[list[int], FloatArray, IntArray, list[str]]:
        """Return the judgments that a metric scores.

        They are their places, the differences of the scores, the choices as signs, and the
        clusters.
        """
        scores = self._scores[name]
        places = [
            place
            for place, one in enumerate(self._readable)
            if one.item_a in scores and one.item_b in scores
        ]
        of = [self._readable[place] for place in places]
        choices = np.array([_VALUES[one.choice] for one in of], dtype=np.int64)
        differences = _differences(
            [scores[one.item_a] for one in of], [scores[one.item_b] for one in of]
        )
        return places, differences, choices, [self._cluster(one) for one in of]

    def _agreement(self, name: str) -> PreferenceAgreement:
        places, differences, choices, clusters = self._scored(name)
        decided = np.flatnonzero(choices)
        right = self._right[name][places]
        threshold = tie_threshold(differences, choices) if places else None
        return PreferenceAgreement(
            n=len(places),
            decided=len(decided),
            left_out=len(self._readable) - len(places),
            accuracy=share_by_cluster(right.tolist(), clusters),
            order_accuracy=share_by_cluster(
                (np.sign(differences[decided]) == choices[decided]).astype(float).tolist(),
                [clusters[place] for place in decided],
            ),
            threshold=threshold,
            ties=None if threshold is None else float((np.abs(differences) <= threshold).mean()),
        )


def tie_threshold(differences: FloatArray, choices: IntArray) -> float:
    """Return the threshold that makes most predictions right; the smallest of several.

    `differences` (n,) are the scores of a less those of b; those of at most the threshold in
    magnitude are ties. `choices` (n,) are 1 for a, -1 for b, 0 for a tie. The threshold is 0 or one
    of the magnitudes (tie calibration, Deutsch et al. 2023, section 5.1), 0 without any judgment.
    """
    if not len(differences):
        return 0.0
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    tie = choices[order] == 0
    ordered = np.sign(differences[order]) == choices[order]
    ordered &= differences[order] != 0
    # with the threshold at each judgment: ties up to it, the order of the scores after it
    right = np.cumsum(tie) + ordered.sum() - np.cumsum(ordered)
    last = np.append(np.diff(sizes[order]) > 0, True)  # equal sizes are ties together
    thresholds = np.concatenate([[0.0], sizes[order][last]])
    at_zero = (tie & (sizes[order] == 0)).sum() + ordered.sum()
    counts = np.concatenate([[at_zero], right[last]])
    return float(thresholds[int(np.argmax(counts))])


def _predict_by_parts(
    differences: FloatArray, choices: IntArray, clusters: Sequence[str], seed: int
) -> FloatArray:
    """Return 1 for each judgment that is predicted right, else 0.

    The threshold of a part of the clusters is chosen on the other parts. NaN under two clusters.
    """
    names = sorted(set(clusters))
    right = np.full(len(clusters), np.nan)
    if len(names) < 2:
        return right
    shuffled = np.random.default_rng(seed).permutation(len(names))
    part_of = {names[cluster]: place % FOLDS for place, cluster in enumerate(shuffled)}
    parts = np.array([part_of[cluster] for cluster in clusters])
    for part in range(FOLDS):
        inside = parts == part
        threshold = tie_threshold(differences[~inside], choices[~inside])
        own = differences[inside]
        predicted = np.where(np.abs(own) <= threshold, 0, np.sign(own))
        right[inside] = predicted == choices[inside]
    return right


def _differences(first: Sequence[float], second: Sequence[float]) -> FloatArray:
    """Return the differences of scores, rounded to 12 digits, 0 where only rounding makes one."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    differences = a - b
    differences[np.abs(differences) <= _ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return round_digits(differences)
