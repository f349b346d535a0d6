"""Runs a metric under the wordings of a pack, and marks its reports with the pack.

Reports of two packs have different versions, so that they are never averaged.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from hallascope.data.records import Report
from hallascope.data.requests import Ask
from hallascope.data.wordings.catalog import WORDINGS, wordings_of
from hallascope.data.wordings.packs import WordingPack
from hallascope.metrics.base import Case, Metric, Plan


def apply_wording(make: Callable[[Path | None], Metric], pack: WordingPack | None) -> Metric:
    """Return the metric that `make` makes from the texts of a pack (None: ours).

    Where a pack has other texts than ours for it, the versions of the metric and of its reports end
    with the pack's mark; where it is free and texts of the metric offer choices, judges are asked
    for free text instead of one of them; else nothing differs. Raises TemplateError where a text
    cannot be used.
    """
    if pack is None:
        return make(None)
    metric = make(pack.folder)
    offers_choices = any("choices" in WORDINGS[name].required for name in wordings_of(metric.name))
    if pack.is_free and offers_choices:
        plan = partial(_plan_free, plan=metric.plan)
        metric = replace(metric, version=f"{metric.version}~free", plan=plan)
    mark = pack.mark(metric.name)
    if not mark:
        return metric if pack.is_free else make(None)
    return replace(
        metric,
        version=f"{metric.version}{mark}",
        plan=partial(_plan_marked, plan=metric.plan, mark=mark),
        wording=pack.name,
    )


def mark_report(report: Report, mark: str) -> Report:
    """Return a report whose version ends with the mark of a pack."""
    return replace(report, version=f"{report.version}{mark}")


def mark_plan(plan: Plan, mark: str) -> Plan:
    """Return a plan whose report has a version that ends with the mark of a pack."""
    return mark_report((yield from plan), mark)


def _plan_marked(case: Case, plan: Callable[[Case], Plan], mark: str) -> Plan:
    return mark_plan(plan(case), mark)


def _plan_free(case: Case, plan: Callable[[Case], Plan]) -> Plan:
    """Run the plan of a metric whose judge may answer in text where there are choices."""
    steps = plan(case)
    try:
        requests = next(steps)
        while True:
            asked = [
                replace(each, free=True) if isinstance(each, Ask) else each for each in requests
            ]
            requests = steps.send((yield asked))
    except StopIteration as end:
        report: Report = end.value
        return report
