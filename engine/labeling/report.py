"""Reports on the raters of a labeling plan, and how far they agree with each other and the judge.

Nobody can tell how well a judge agrees with people who do not agree with each other: the agreement
of each rater with the others is the most that a judge can be asked for (the human ceiling).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.engine.labeling.plan_labels import read_verdicts
from hallascope.engine.labeling.plans import LabelingPlan
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingRecord
from hallascope.metrics.statistics.reliability import krippendorff_alpha
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa

# by item and question the mark of one who answers
_Marks = Mapping[tuple[str, str], str | None]


@dataclass(frozen=True, kw_only=True)
class RaterReport:
    """Holds what one rater did in a plan.

    `labeled` and `skipped` count images. `seconds` is the median time from when an image is shown
    until it is labeled, None without labels. `others` is the agreement with the other raters, on
    the questions that both could tell: the share of same answers, and Cohen's kappa over all pairs
    with another rater. `judge` is that with the judge.
    """

    rater: str
    labeled: int
    skipped: int
    seconds: float | None
    others: Kappa
    judge: Kappa


@dataclass(frozen=True, kw_only=True)
class LabelingReport:
    """Holds the raters of a plan by name, and their agreement over all of it.

    `alpha` is Krippendorff's, nominal, over the answers to each question of an image; None where no
    question has two answers, or all are the same. `ceiling` is the agreement of each rater with the
    others, and `judge` that of the judge with each rater, over all pairs.
    """

    plan: str
    judge_name: str
    raters: tuple[RaterReport, ...]
    alpha: float | None
    ceiling: Kappa
    judge: Kappa


def rater_report(services: Services, plan: LabelingPlan) -> LabelingReport:
    """Return what each rater did, and how far they agree, as it stands in the store now."""
    images = plan.by_item
    by_rater = defaultdict[str, list[LabelingRecord]](list)
    for record in services.store.labeling.records(plan.id):
        if record.state != "shown" and record.item in images:
            by_rater[record.rater].append(record)
    verdicts = read_verdicts(services.store, plan.images)
    judge = {
        (image.item, verdict.question): verdict.answer
        for image in plan.images
        for verdict in verdicts.get(image.evaluation, ())
    }
    marks = {
        rater: {
            (record.item, answer.question): None if answer.mark == CANNOT_BE_TOLD else answer.mark
            for record in records
            for answer in record.answers
        }
        for rater, records in sorted(by_rater.items())
    }
    units = defaultdict[tuple[str, str], list[float]](list)
    for about, mark in (each for own in marks.values() for each in own.items()):
        if mark is not None:
            units[about].append(float(ord(mark)))
    return LabelingReport(
        plan=plan.id,
        judge_name=plan.judge,
        raters=tuple(_report(rater, by_rater[rater], marks, judge) for rater in marks),
        alpha=krippendorff_alpha(list(units.values()), "nominal"),
        ceiling=_agreement(combinations(marks.values(), 2)),
        judge=_agreement((own, judge) for own in marks.values()),
    )


def _report(
    rater: str,
    records: Sequence[LabelingRecord],
    marks: Mapping[str, _Marks],
    judge: _Marks,
) -> RaterReport:
    seconds = [one.created - one.shown for one in records if one.state == "labeled"]
    own = marks[rater]
    return RaterReport(
        rater=rater,
        labeled=len(seconds),
        skipped=len(records) - len(seconds),
        seconds=median(seconds) if seconds else None,
        others=_agreement((own, marks[name]) for name in marks if name != rater),
        judge=_agreement([(own, judge)]),
    )


def _agreement(pairs: Iterable[tuple[_Marks, _Marks]]) -> Kappa:
    """Return the agreement over all that both of a pair answered."""
    answers = [
        (one[about], other[about]) for one, other in pairs for about in one.keys() & other.keys()
    ]
    return cohens_kappa([one for one, _ in answers], [other for _, other in answers])
