"""Reads out of a store what the export of a labeling plan holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import col, select

from hallascope.data.records import Report
from hallascope.engine.export.labeling_plans.plan_file import SharedPlan
from hallascope.engine.labeling.plan_labels import PlanLabels
from hallascope.engine.labeling.plans import LabelingPlan
from hallascope.engine.labeling.progress import LabelingProgress, plan_progress
from hallascope.engine.services import Services
from hallascope.engine.storage import json_columns
from hallascope.engine.storage.database import chunked
from hallascope.engine.storage.people.labeling import LabelingRecord
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow


@dataclass(frozen=True, kw_only=True)
class PlanContent:
    """Holds a plan with its labels as they leave, and what is to be known of its images.

    `reports` are the judge's by the number of the evaluation; one that was deleted is missing.
    `inclusion` in [0, 1] is, by stratum and prompt, the probability of being among the prompts that
    are labeled or skipped now. `progress` says how far the plan is.
    """

    shared: SharedPlan
    reports: Mapping[int, Report]
    inclusion: Mapping[tuple[str, str], float]
    progress: LabelingProgress


def read_content(services: Services, plan: LabelingPlan, with_names: bool) -> PlanContent:
    """Return a plan as it stands now; raters have pseudonyms unless `with_names`."""
    records = services.store.labeling.records(plan.id)
    names = {record.rater: record.rater for record in records} if with_names else None
    names = names or pseudonyms(records)
    images = plan.by_item
    finished = tuple(
        replace(record, rater=names[record.rater])
        for record in records
        if record.state != "shown" and record.item in images
    )
    return PlanContent(
        shared=SharedPlan(named=with_names, plan=plan, records=finished),
        reports=read_reports(services.store, [image.evaluation for image in plan.images]),
        inclusion=PlanLabels(services.store, plan).inclusion,
        progress=plan_progress(services, plan),
    )


def pseudonyms(records: Sequence[LabelingRecord]) -> dict[str, str]:
    """Return "rater 1" and so on by name, in the order in which raters first saw an image.

    Who comes later gets the next number, so that a later export has the same pseudonyms.
    """
    first: dict[str, float] = {}
    for record in records:
        first[record.rater] = min(record.shown, first.get(record.rater, record.shown))
    ordered = sorted(first, key=lambda rater: (first[rater], rater))
    return {rater: f"rater {number}" for number, rater in enumerate(ordered, 1)}


def read_reports(store: Store, evaluations: Sequence[int]) -> dict[int, Report]:
    """Return the judge's reports by the number of the evaluation, those that are there."""
    reports: dict[int, Report] = {}
    with store.database.read_transaction() as session:
        for chunk in chunked(sorted(set(evaluations))):
            query = select(EvaluationRow.id, EvaluationRow.report).where(
                col(EvaluationRow.id).in_(chunk)
            )
            for number, report in session.exec(query).all():
                reports[number or 0] = json_columns.REPORT.validate_json(report)
    return reports
