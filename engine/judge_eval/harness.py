"""Holds what all trials share: pictures on disk, and plans run to the end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from hallascope.data.records import Picture, Report
from hallascope.data.requests import Role
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.driver import Driver, PlanResult
from hallascope.metrics.base import Case, Metric

ReportProgress = Callable[[int, int], None]


class TrialProgress(NamedTuple):
    """Reports that `done` of `of` replies of a judge are there, or questions graded.

    `new` of those replies were asked for now and came from no cache. Before the first judge is
    asked, pictures are drawn and `judge` is "".
    """

    judge: str
    done: int
    of: int
    new: int = 0


def save_picture(image: Image.Image, path: Path) -> Picture:
    """Write a drawing as a file and return it under its SHA-256."""
    image.save(path)
    return Picture(sha256(path.read_bytes()).hexdigest(), path, is_drawn=True)


# --- asking


def plan_results(driver: Driver) -> Iterator[PlanResult]:
    """Run all plans of a driver and yield each result as it comes."""
    for event in driver.events():
        if isinstance(event, PlanResult):
            yield event


def run_metric(
    metric: Metric,
    cases: Sequence[Case],
    models: Mapping[Role, BoundModel],
    on_progress: ReportProgress,
) -> list[Report]:
    """Judge the cases by a metric, keeping nothing, and return a report for each, in order."""
    driver = Driver()
    for number, case in enumerate(cases):
        driver.add(number, metric.plan(case), models, readable=metric.readable)
    reports: dict[object, Report] = {}
    for result in plan_results(driver):
        reports[result.key] = result.result
        on_progress(len(reports), len(cases))
    return [reports[number] for number in range(len(cases))]
