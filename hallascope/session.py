"""Runs the requests of one call of the library and turns their events into scores."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, get_args

from hallascope.backends.base import Backend, Judge
from hallascope.backends.images import UnreadableImage, to_rgb
from hallascope.data.models.juries import jury_name
from hallascope.data.records import Report, Verdict
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.corrections import Readings
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    Event,
    GeneratedPicture,
    Pictured,
    PictureFailed,
    Queued,
)
from hallascope.engine.models.custom import all_models
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.evaluation import unanswered_items
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.inputs import ReadingsInput, Reference, read_readings
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
        metrics: str | Sequence[str],
        roles: Mapping[Role, str] | None,
        home: str | Path | None,
        budget: float | None,
        wording: str | Path = OURS,
    ) -> None:
        loaded = {name: backend for name, backend in backends.items() if backend is not None}
        name = _judge_name(judge, loaded)
        models: dict[str, Any] = {}
        for role, model in (roles or {}).items():
            if role not in get_args(Role) or role == "generator":
                raise BadRequest(f"There is no role {role!r} to fill besides models and judge.")
            models[role] = model
        names = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        request = EvaluateRequest(prompt="", metrics=names, judge=name, wording=str(wording))
        self.request = replace(request, **models)
        self._services = Services(open_store(home), all_models(), loaded)
        self._terms = SpendingPolicy(run=budget)
        self._folder = Path(stack.enter_context(TemporaryDirectory(prefix="hallascope-")))
        self._runs: list[RunScores] = []
        self._readings: Readings = {}

    def file(self, image: "ImageSource") -> Path:
        """Return the file of an image; a PIL image is saved first."""
        if isinstance(image, str | Path):
            return Path(image)
        path = self._folder / f"{len(list(self._folder.iterdir()))}.png"
        try:
            to_rgb(image).save(path)
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
        run = RunScores(request, unnamed=saved)
        request = self._services.with_writer(request)
        for _ in self._services.write_missing_questions(request, self._terms):
            pass
        for event in self._services.evaluate(request, terms=self._terms):
            run.add(event)
        self._runs.append(run)

    def results(self) -> Results:
        """Return the scores of all runs so far, with each notice and each run once."""
        scores = [score for run in self._runs for score in run.scores()]
        notices = dict.fromkeys(notice for run in self._runs for notice in run.notices)
        runs = dict.fromkeys(run.run for run in self._runs if run.run)
        return Results(tuple(scores), tuple(notices), tuple(runs), self._services)


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


class RunScores:
    """Gathers the events of one run into scores.

    `unnamed`: the names of brought files that the library made itself, which no score names.
    """

    def __init__(self, request: EvaluateRequest, unnamed: set[str]) -> None:
        self.run = ""
        self.notices: list[str] = []
        self._request = request
        self._unnamed = unnamed
        self._shots: dict[str, GeneratedPicture] = {}
        self._files: Mapping[str, str] = {}
        self._scores: list[tuple[str, ImageScore]] = []

    def add(self, event: Event) -> None:
        """Take one more event of the run."""
        match event:
            case Queued():
                self.run = event.run
                self._shots = {shot.generation: shot for shot in event.shots}
                self._files = event.files
                not_run = (f"{metric.metric}: {metric.message}" for metric in event.not_run)
                self.notices = [notice for notice in (event.notice, *not_run) if notice]
            case Pictured(shot=shot):
                self._shots[shot.generation] = shot
            case PictureFailed(shot=shot):
                failure = shot.failure.message if shot.failure else "There is no image."
                for metric in self._request.metrics:
                    self._add_failure(shot.generation, metric, failure)
            case Evaluated(evaluation=evaluation):
                why = _missing_reason(evaluation.report)
                for name, score in evaluation.report.scores.items():
                    self._add(
                        evaluation.generation,
                        metric=evaluation.metric,
                        score=name,
                        value=score.value,
                        counted=score.counted,
                        left_out=score.left_out,
                        judge=evaluation.judge,
                        trial=evaluation.trial,
                        failure=why if score.value is None else None,
                        report=evaluation.report,
                    )
            case EvaluationFailed():
                self._add_failure(
                    event.generation, event.metric, event.failure.message, trial=event.trial
                )
            case _:
                pass

    def scores(self) -> list[ImageScore]:
        """Return the scores in the order of the images, and of the metrics of the request."""
        order = {generation: place for place, generation in enumerate(self._shots)}
        metrics = self._request.metrics
        ordered = sorted(
            self._scores, key=lambda each: (order[each[0]], metrics.index(each[1].metric))
        )
        return [score for _, score in ordered]

    def _add_failure(self, generation: str, metric: str, failure: str, trial: int = 0) -> None:
        self._add(
            generation,
            metric=metric,
            score="score",
            value=None,
            judge=self._request.judge,
            trial=trial,
            failure=failure,
        )

    def _add(self, generation: str, **fields: Any) -> None:
        shot = self._shots[generation]
        file = self._files.get(generation)
        score = ImageScore(
            prompt=self._request.prompt,
            model="brought" if shot.model == UPLOADED else shot.model,
            seed=shot.seed,
            run=self.run,
            image=shot.path,
            given=None if file in self._unnamed else file,
            **fields,
        )
        self._scores.append((generation, score))
