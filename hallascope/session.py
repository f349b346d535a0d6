"""Runs the requests of one call of the library and turns their events into scores."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, get_args

from hallascope.backends.base import Backend, Judge
from hallascope.backends.images import UnreadableImage, to_rgb, upright
from hallascope.data.models.juries import jury_name
from hallascope.data.records import Report, Verdict
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.corrections import Readings
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED, EvaluateRequest, Evaluation
from hallascope.engine.models.custom import all_models
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.evaluation import unanswered_items
from hallascope.engine.run.result import RunResult, run_result
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.inputs import (
    MetricInput,
    ReadingsInput,
    Reference,
    read_metrics,
    read_readings,
)
from hallascope.results import ImageScore, Results

if TYPE_CHECKING:
    from hallascope.inputs import ImageSource


def open_store(home: str | Path | None) -> Store:
    """Open the store in a folder; None: the one that HALLASCOPE_HOME names."""
    return Store(folder=Path(home)) if home is not None else Store()


class EvaluationSession:
    """Holds one call of the library: its services, the files it makes, the results of its runs.

    `request` has what all runs of the call share.
    """

    def __init__(
        self,
        stack: ExitStack,
        *,
        backends: Mapping[str, Backend | None],
        judge: str | Judge | Sequence[str | Judge] | None,
        metrics: MetricInput | Iterable[MetricInput],
        roles: Mapping[Role, str] | None,
        home: str | Path | None,
        budget: float | None,
        wording: str | Path = OURS,
    ) -> None:
        loaded = {name: backend for name, backend in backends.items() if backend is not None}
        name = _judge_name(judge, loaded)
        models: dict[str, Any] = {}
        for role, model in (roles or {}).items():
            if role not in get_args(Role) or role in ("generator", "judge"):
                raise BadRequest(f"There is no role {role!r} to fill besides models and judge.")
            models[role] = model
        names = read_metrics(metrics)
        request = EvaluateRequest(prompt="", metrics=names, judge=name, wording=str(wording))
        self.request = replace(request, **models)
        self._services = Services(open_store(home), all_models(), loaded)
        self._terms = SpendingPolicy(run=budget)
        self._folder = Path(stack.enter_context(TemporaryDirectory(prefix="hallascope-")))
        self._runs: dict[str, RunResult] = {}
        self._scores: list[ImageScore] = []
        self._readings: Readings = {}

    def file(self, image: "ImageSource") -> Path:
        """Return the file of an image; a PIL image is saved first."""
        if isinstance(image, str | Path):
            return Path(image)
        path = self._folder / f"{len(list(self._folder.iterdir()))}.png"
        try:
            to_rgb(upright(image)).save(path)
        except UnreadableImage as error:
            raise BadRequest(f"The image {error}.") from error
        return path

    def reference(
        self, prompt: str, references: "Mapping[str, Reference | ImageSource]"
    ) -> dict[str, Any]:
        """Return the fields of a request that name the reference image of a prompt."""
        if prompt not in references:
            return {}
        reference = references[prompt]
        if not isinstance(reference, Reference):
            reference = Reference(reference)
        return {
            "reference": self.file(reference.image),
            "concept": reference.concept,
            "definition": reference.definition,
        }

    def take_readings(self, readings: ReadingsInput | None, prompts: Iterable[str]) -> None:
        """Have later runs of these prompts use readings. Raises BadRequest."""
        self._readings = read_readings(readings, prompts)

    def run(self, request: EvaluateRequest) -> None:
        """Evaluate one request and keep its scores, or why there are none."""
        reading = self._readings.get(" ".join(request.prompt.split()))
        request = replace(request, reading=reading)
        saved = {path.name for path in request.images if path.parent == self._folder}
        request = self._services.with_writer(request)
        for _ in self._services.write_missing_questions(request, self._terms):
            pass
        result = run_result(request, self._services.evaluate(request, terms=self._terms))
        self._runs[result.run] = result
        self._scores += image_scores(result, saved)

    def results(self) -> Results:
        """Return the scores of all runs so far, with each notice and each run once."""
        notices: dict[str, None] = {}
        for result in self._runs.values():
            not_run = (f"{metric.metric}: {metric.message}" for metric in result.not_run)
            notices |= dict.fromkeys(filter(None, (result.notice, *not_run)))
        return Results(tuple(self._scores), tuple(notices), tuple(self._runs), self._services)


def _judge_name(
    judge: str | Judge | Sequence[str | Judge] | None, loaded: dict[str, Backend]
) -> str | None:
    """Return the name of a judge, or of the jury of several, and put loaded ones into `loaded`.

    Raises BadRequest where there is an empty sequence of judges.
    """
    if judge is None or isinstance(judge, str):
        return judge
    if isinstance(judge, Judge):
        loaded[judge.spec.id] = judge
        return judge.spec.id
    members = [name for own in judge if (name := _judge_name(own, loaded))]
    if not members:
        raise BadRequest("No judge is given: name one, several for a jury, or None.")
    return members[0] if len(set(members)) == 1 else jury_name(members)


def _missing_reason(report: Report) -> str:
    """Return why a score of a report is missing, in one sentence."""
    reasons = [
        item.failure if isinstance(item, Verdict) else item.note
        for item in unanswered_items(report)
    ]
    notes = report.evidence.notes if report.evidence else ()
    unreadable = "No reply could be read: choose another judge."
    return next(filter(None, (*reasons, *notes)), unreadable)


def image_scores(result: RunResult, unnamed: Collection[str]) -> Iterator[ImageScore]:
    """Yield the scores of a run, in the order of its images and of the metrics of its request.

    `unnamed`: the names of brought files that the library made itself, which no score names.
    """
    request = result.request
    evaluations: dict[tuple[str, str], list[Evaluation]] = defaultdict(list)
    for each in result.ordered_evaluations:
        evaluations[each.generation, each.metric].append(each)
    for shot, metric in product(result.shots, request.metrics):
        file = result.files.get(shot.generation)
        score = partial(
            ImageScore,
            prompt=request.prompt,
            model="brought" if shot.model == UPLOADED else shot.model,
            seed=shot.seed,
            run=result.run,
            image=shot.path,
            given=None if file in unnamed else file,
            metric=metric,
        )
        missing = partial(score, score="score", value=None, judge=request.judge)
        if shot.state == "failed":
            yield missing(failure=shot.failure.message if shot.failure else "There is no image.")
        for each in evaluations[shot.generation, metric]:
            why = _missing_reason(each.report)
            for name, found in each.report.scores.items():
                yield score(
                    score=name,
                    value=found.value,
                    counted=found.counted,
                    left_out=found.left_out,
                    judge=each.judge,
                    trial=each.trial,
                    failure=why if found.value is None else None,
                    report=each.report,
                )
        for failed in result.failures:
            if (failed.generation, failed.metric) == (shot.generation, metric):
                yield missing(trial=failed.trial, failure=failed.failure.message)
