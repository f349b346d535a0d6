"""Puts what people's labels make of a leaderboard's scores beside the judge's."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from hallascope.components.leaderboard.charts import Bar
from hallascope.components.leaderboard.corrections import correction_notes, label_hint
from hallascope.engine.labeling.labels import PlanLabels
from hallascope.engine.leaderboard.board import Board
from hallascope.engine.leaderboard.demo import LeaderboardSource
from hallascope.engine.leaderboard.label_correction import (
    CorrectedRow,
    correct_by_people,
    is_correctable,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.metrics.statistics.corrected_scores import RANDOM_SAMPLE
from hallascope.metrics.statistics.prediction_powered import MIN_LABELED

ALL_COUNT = "All labels count here."


@dataclass(frozen=True, kw_only=True)
class BoardCorrection:
    """Holds what people's labels make of the rows of a leaderboard.

    `plans` are the names, by id, of the labeling plans whose labels can be chosen. `sampling` says
    when the correction holds, `complaint` why the chosen plan does not count, "" where it does.
    """

    rows: tuple[CorrectedRow, ...] = ()
    plans: Mapping[str, str] = field(default_factory=dict)
    sampling: str = RANDOM_SAMPLE
    complaint: str = ""

    @property
    def can_be_chosen(self) -> bool:
        """Return whether people labeled any prompt of these rows, or planned to."""
        return have_labels(self.rows) or bool(self.plans)


def correct_scores(
    services: Services, source: LeaderboardSource, ranking: Board, plan: str = ""
) -> BoardCorrection:
    """Return the corrected scores of a leaderboard's rows by all labels, or by those of a plan.

    There are none of numbers that ship, whose images nobody can label, and none where nobody has
    answered a question yet. A plan that is not stored, or is about other images or another judge,
    is a complaint in one sentence; all labels count then.
    """
    has_answers = not source.demo and bool(source.store.ratings.all(IHALLA))
    stored = services.store.labeling.plans() if plan or has_answers else []
    chosen = next((one for one in stored if one.id == plan), None)
    if plan and chosen is None:
        complaint = f"There is no labeling plan {plan!r} here. {ALL_COUNT}"
    elif chosen and has_answers and not _covers(chosen, ranking):
        complaint = _foreign_plan(chosen, ranking)
    else:
        complaint = ""
    if not has_answers or not is_correctable(ranking.query):
        return BoardCorrection(complaint=complaint)
    labels = PlanLabels(source.store, chosen) if chosen and not complaint else None
    correction = correct_by_people(source.store, ranking, plan=labels)
    return BoardCorrection(
        rows=correction.rows,
        plans=_plan_names([one for one in stored if _covers(one, ranking)]),
        sampling=correction.sampling,
        complaint=complaint,
    )


def _covers(plan: LabelingPlan, ranking: Board) -> bool:
    """Return whether a plan is about this leaderboard's judge and any of its models."""
    if ranking.instrument is None or plan.judge != ranking.instrument.judge:
        return False
    models = {row.model for row in ranking.rows}
    return any(image.stratum in models for image in plan.images)


def _foreign_plan(plan: LabelingPlan, ranking: Board) -> str:
    judge = ranking.instrument.judge if ranking.instrument else None
    if plan.judge != judge:
        about = f"about scores by {plan.judge}, and these are by {judge or 'several judges'}"
    else:
        about = "about models that are not on this leaderboard"
    return f"The labeling plan {plan.title or plan.id!r} is {about}. {ALL_COUNT}"


def _plan_names(plans: Sequence[LabelingPlan]) -> dict[str, str]:
    """Return the plans' names by id: the title, with the id where several share it."""
    titles = Counter(plan.title for plan in plans)
    names: dict[str, str] = {}
    for plan in plans:
        name = plan.title or plan.id
        if plan.title and titles[plan.title] > 1:
            name = f"{plan.title} ({plan.id})"
        names[plan.id] = f"plan {name}"
    return names


def have_labels(rows: Sequence[CorrectedRow]) -> bool:
    """Return whether people labeled any prompt of these rows."""
    return any(row.labeled for row in rows)


def with_corrections(bars: Sequence[Bar], rows: Sequence[CorrectedRow]) -> list[Bar]:
    """Return the bars with their corrected scores."""
    by_bar = {(row.model, row.group): row for row in rows}
    return [
        bar._replace(corrected=row.score, labels_needed=row.needed)
        if (row := by_bar.get((bar.model, bar.group)))
        else bar
        for bar in bars
    ]


def correction_words(
    correction: BoardCorrection, source: LeaderboardSource, ranking: Board
) -> Markup:
    """Return a sentence for each corrected score; without labels, how to get them.

    The table says how many labels the other scores need.
    """
    if have_labels(correction.rows):
        sentences = [row.sentence for row in correction.rows if row.score is not None]
        return correction_notes(sentences, correction.sampling)
    if source.demo or not is_correctable(ranking.query):
        return Markup()
    return label_hint(MIN_LABELED)
