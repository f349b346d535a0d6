"""Measures how unsure a judge is of the images that people may label."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from hallascope.data.records import Verdict
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.labeling.frame import FrameImage
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import SelectionReason
from hallascope.engine.storage.people.ratings import IHALLA

UNKNOWN = 0.5  # how unsure a judge counts of whom nothing is known


class UnsureJudge(NamedTuple):
    """Holds how unsure a judge is of an image, in [0, 1], and what that rests on most."""

    value: float
    reason: SelectionReason


def measure_uncertainty(
    services: Services, judge: str, images: Sequence[FrameImage]
) -> dict[str, UnsureJudge]:
    """Return by item how unsure the judge is of an image, the mean over its questions.

    It is one less the judge's own probability of its answer; where the judge gives none, the share
    of facts of the same composition of interest of which the judge was wrong in its trials. Where
    other judges answered otherwise, it is the share of them, if that is more.
    """
    others = _other_answers(services, judge, images)
    error_rates = _ErrorRates(services, judge)
    return {
        image.item: _uncertainty(image, others[image.image, image.prompt], error_rates)
        for image in images
    }


def _uncertainty(
    image: FrameImage, others: Mapping[str, Sequence[object]], error_rates: "_ErrorRates"
) -> UnsureJudge:
    by_reason = defaultdict[SelectionReason, list[float]](list)
    highest: list[float] = []
    for verdict in image.report.verdicts:
        own, reason = _own_uncertainty(verdict, image.model, error_rates)
        answers = others.get(verdict.question.text, ())
        apart = fmean(answer != verdict.answer for answer in answers) if answers else 0.0
        by_reason[reason].append(own)
        by_reason["disagreement"].append(apart)
        highest.append(max(own, apart))
    means = {reason: sum(values) for reason, values in by_reason.items()}
    return UnsureJudge(fmean(highest), max(means, key=lambda reason: means[reason]))


def _own_uncertainty(
    verdict: Verdict, model: str, error_rates: "_ErrorRates"
) -> tuple[float, SelectionReason]:
    if verdict.probability is not None:
        return 1 - verdict.probability, "confidence"
    return error_rates.find(verdict, model), "error rate"


class _ErrorRates:
    """Looks up how often a judge is wrong on questions of a composition of interest."""

    def __init__(self, services: Services, judge: str) -> None:
        self._lookup = ReliabilityLookup(services)
        self._judge = judge
        self._known: dict[tuple[str, str], float] = {}

    def find(self, verdict: Verdict, model: str) -> float:
        """Return the mean of its error rates on facts that hold, and on violated ones."""
        key = model, verdict.question.coi
        if key not in self._known:
            found = self._lookup.find(self._judge, {verdict.question.coi: 1.0}, model)
            shares = [found.sensitivity, found.specificity] if found else []
            rates = [1 - share.value for share in shares if share is not None]
            self._known[key] = fmean(rates) if rates else UNKNOWN
        return self._known[key]


def _other_answers(
    services: Services, judge: str, images: Sequence[FrameImage]
) -> Mapping[tuple[str, str], Mapping[str, list[object]]]:
    """Return by image and prompt, and by question, what other judges answered, each once."""
    answers = defaultdict[tuple[str, str], defaultdict[str, list[object]]](
        lambda: defaultdict(list)
    )
    newest = {}
    for evaluation in services.store.evaluations_of(image.image for image in images):
        if evaluation.metric == IHALLA and evaluation.judge != judge and not evaluation.trial:
            about = evaluation.image, evaluation.report.prompt
            newest[about, evaluation.judge] = evaluation.report
    for (about, _), report in newest.items():
        for verdict in report.verdicts:
            answers[about][verdict.question.text].append(verdict.answer)
    return answers
