"""The library: evaluate models, judge images, rank what is stored.

The dashboard and the commands use the same engine.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, get_args
from uuid import uuid4
from weakref import WeakKeyDictionary

from hallascope.backends.base import Backend, Generator, Judge
from hallascope.backends.in_memory import FunctionGenerator, is_pipeline, pipeline_function
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    GeneratedPicture,
    Pictured,
    PictureFailed,
    Queued,
)
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import board, check_groups
from hallascope.engine.leaderboard.filters import BYS, Filters, Grouping, Query
from hallascope.engine.leaderboard.name_check import require_known_names
from hallascope.engine.models.custom import all_models
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.results import ImageScore, LeaderboardResult, Results

if TYPE_CHECKING:
    from PIL.Image import Image

    ImageSource = str | Path | Image

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
PROMPTS_FILE = "prompts.csv"
_revisions: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


@dataclass(frozen=True)
class Reference:
    """A reference image of a concept for T2I-FactualBench: its name and what it is."""

    image: "ImageSource"
    concept: str | None = None
    definition: str = ""


def evaluate(
    prompts: str | Iterable[str],
    *,
    models: object,
    metrics: str | Sequence[str] = "ihalla",
    judge: str | Judge | None = "primer/judge",
    references: "Mapping[str, Reference | ImageSource] | None" = None,
    roles: Mapping[Role, str] | None = None,
    seed: int = 0,
    count: int = 1,
    trials: int = 1,
    budget: float | None = None,
    home: str | Path | None = None,
) -> Results:
    """Draw every prompt with every model, judge the images by every metric, and return all scores.

    `models`: one model, a sequence, or a mapping of names to models. A model is the name of one
    (`hallascope models` lists them), a loaded pipeline of diffusers, or any function from prompt
    and seed to a PIL image. `judge`: the name of one, a loaded judge, or None for metrics that ask
    none. `references`: by prompt, the reference image of its concept. `roles`: models for other
    roles (writer, captioner, detector, segmenter, reader, embedder). `count` images a model, with
    the seeds `seed`, `seed + 1`, ...; `trials` repeats the judging. `budget`: the most a run may
    cost, in USD. `home`: the folder of the store, as HALLASCOPE_HOME; what is stored there is not
    done twice.

    Raises BadRequest, UnknownModel, Unavailable, BadImage or StoreError with one sentence. A model
    that fails later leaves a score without a value, with its failure beside it.
    """
    backends = _generators(models)
    with ExitStack() as stack:
        asked = _Asked(
            stack=stack,
            backends=backends,
            judge=judge,
            metrics=metrics,
            roles=roles,
            home=home,
            budget=budget,
            seed=seed,
        )
        request = replace(asked.request, models=tuple(backends), count=count, trials=trials)
        for prompt in _texts(prompts):
            asked.run(replace(request, prompt=prompt, **asked.reference(prompt, references or {})))
        return asked.results()


def judge_images(
    images: "str | Path | Image | Sequence[ImageSource]",
    prompts: str | Sequence[str] | Mapping[str, str] | None = None,
    *,
    metrics: str | Sequence[str] = "ihalla",
    judge: str | Judge | None = "primer/judge",
    references: "Mapping[str, Reference | ImageSource] | None" = None,
    roles: Mapping[Role, str] | None = None,
    trials: int = 1,
    budget: float | None = None,
    home: str | Path | None = None,
) -> Results:
    """Judge images that are there already and return all scores.

    `images`: a folder, one image, or a sequence of files and PIL images. `prompts`: one prompt for
    all, one for each image, or a mapping of file names to prompts; None: the folder has a file
    `prompts.csv` with the columns `file` and `prompt`. The rest is as for `evaluate`.

    Raises BadRequest where images and prompts do not go together, and what `evaluate` raises.
    """
    with ExitStack() as stack:
        asked = _Asked(
            stack=stack,
            backends={},
            judge=judge,
            metrics=metrics,
            roles=roles,
            home=home,
            budget=budget,
        )
        by_prompt: dict[str, list[Path]] = {}
        for path, prompt in _with_prompts(asked.files(images), prompts):
            by_prompt.setdefault(prompt, []).append(path)
        for prompt, paths in by_prompt.items():
            request = replace(asked.request, prompt=prompt, images=tuple(paths), trials=trials)
            asked.run(replace(request, **asked.reference(prompt, references or {})))
        return asked.results()


def leaderboard(
    metric: str = "ihalla",
    *,
    score: str = "score",
    by: Grouping = "model",
    shipped: bool = False,
    home: str | Path | None = None,
    **filters: Any,
) -> LeaderboardResult:
    """Rank the models in the store by the mean of a score, with 95 % intervals.

    `by`: model, domain, category, coi, level, task, judge or trial. `shipped`: the numbers that
    come with the program, also where the store has its own. `filters` are the fields of
    `hallascope.engine.leaderboard.filters.Filters`, e.g. ``models=("a", "b")``.

    Raises BadRequest where the metric, the score or a filter does not exist.
    """
    if by not in BYS:
        raise BadRequest(
            f"A leaderboard cannot be sorted by {by!r}: choose one of {', '.join(BYS)}."
        )
    unknown = [name for name in filters if name not in Filters.__dataclass_fields__]
    if unknown:
        there = ", ".join(Filters.__dataclass_fields__)
        raise BadRequest(f"There is no filter {unknown[0]!r}: choose of {there}.")
    query = Query(metric, score, by, Filters(**filters))
    check_groups(query)
    store = _store(home)
    source = demo.source(store, shipped=shipped)
    shown = board(source.store, require_known_names(source.store, query))
    rows = tuple(
        {
            "model": row.model,
            "group": row.group,
            "value": row.value,
            "n": row.n,
            "low": row.low,
            "high": row.high,
            "left_out": row.left_out,
        }
        for row in shown.rows
    )
    return LeaderboardResult(
        metric=metric,
        score=score,
        by=by,
        unit=shown.unit,
        rows=rows,
        shipped=source.demo,
    )


# --- what is asked --------------------------------------------------------------------------------


class _Asked:
    """Holds one call of the library: its services, the files it makes, the results of its runs."""

    def __init__(
        self,
        stack: ExitStack,
        backends: Mapping[str, Backend | None],
        judge: str | Judge | None,
        metrics: str | Sequence[str],
        roles: Mapping[Role, str] | None,
        *,
        home: str | Path | None,
        budget: float | None,
        seed: int = 0,
    ) -> None:
        loaded = {name: backend for name, backend in backends.items() if backend is not None}
        if judge is not None and not isinstance(judge, str):
            loaded[judge.spec.id] = judge
            judge = judge.spec.id
        roles = dict(roles or {})
        if wrong := [role for role in roles if role not in get_args(Role) or role == "generator"]:
            raise BadRequest(f"There is no role {wrong[0]!r} to fill besides models and judge.")
        names = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        self.request = EvaluateRequest(prompt="", metrics=names, judge=judge, seed=seed)
        named: dict[str, Any] = dict(roles.items())
        self.request = replace(self.request, **named)
        self._services = Services(_store(home), all_models(), loaded)
        self._terms = SpendingPolicy(run=budget)
        self._folder = Path(stack.enter_context(TemporaryDirectory(prefix="hallascope-")))
        self._scores: list[ImageScore] = []
        self._notices: dict[str, None] = {}
        self._runs: dict[str, None] = {}

    def files(self, images: "str | Path | Image | Sequence[ImageSource]") -> list[Path]:
        """Return the files of all images, PIL images saved first.

        Raises BadRequest where there are none.
        """
        if isinstance(images, str | Path) and Path(images).is_dir():
            folder = Path(images)
            paths = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES]
            if not paths:
                raise BadRequest(f"The folder {str(folder)!r} has no image: {', '.join(SUFFIXES)}.")
            return paths
        each = images if isinstance(images, Sequence) and not isinstance(images, str) else [images]
        return [self.file(image) for image in each]

    def file(self, image: "ImageSource") -> Path:
        """Return the file of an image; a PIL image is saved first."""
        if isinstance(image, str | Path):
            return Path(image)
        path = self._folder / f"{len(list(self._folder.iterdir()))}.png"
        image.convert("RGB").save(path)
        return path

    def reference(
        self, prompt: str, references: "Mapping[str, Reference | ImageSource]"
    ) -> dict[str, Any]:
        """Return the fields of a request that name the reference image of a prompt."""
        if prompt not in references:
            return {}
        given = references[prompt]
        one = given if isinstance(given, Reference) else Reference(given)
        fields = {"concept": one.concept, "definition": one.definition}
        return {"reference": self.file(one.image), **fields}

    def run(self, request: EvaluateRequest) -> None:
        """Evaluate one request and keep its scores, or why there are none."""
        shots: dict[str, GeneratedPicture] = {}
        scores: list[tuple[str, ImageScore]] = []
        for event in self._services.evaluate(request, terms=self._terms):
            if isinstance(event, Queued):
                self._runs[event.run] = None
                shots.update((shot.generation, shot) for shot in event.shots)
                notices = [event.notice, *(f"{one.metric}: {one.message}" for one in event.not_run)]
                self._notices.update((notice, None) for notice in notices if notice)
            elif isinstance(event, Pictured):
                shots[event.shot.generation] = event.shot
            elif isinstance(event, PictureFailed):
                failure = event.shot.failure
                why = failure.message if failure else "There is no image."
                name = event.shot.generation
                scores += [
                    (name, _missing(request, event.run, event.shot, metric, why))
                    for metric in request.metrics
                ]
            elif isinstance(event, Evaluated):
                name = event.evaluation.generation
                found = _scores(request, event.run, shots[name], event.evaluation)
                scores += [(name, score) for score in found]
            elif isinstance(event, EvaluationFailed):
                name = event.generation
                why = event.failure.message
                missing = _missing(request, event.run, shots[name], event.metric, why)
                scores.append((name, replace(missing, trial=event.trial)))
        order = {name: place for place, name in enumerate(shots)}
        scores.sort(key=lambda one: (order[one[0]], request.metrics.index(one[1].metric)))
        given = self._given_names(request.images)
        self._scores += [
            replace(score, given=given.get(shots[name].image or "")) for name, score in scores
        ]

    def _given_names(self, images: Sequence[Path]) -> dict[str, str]:
        """Return the names of the files that were brought, by the SHA-256 of their pictures."""
        return {
            self._services.inspect(path).sha256: path.name
            for path in images
            if path.parent != self._folder
        }

    def results(self) -> Results:
        """Return what came of all runs so far."""
        return Results(tuple(self._scores), tuple(self._notices), tuple(self._runs), self._services)


def _scores(
    request: EvaluateRequest, run: str, shot: GeneratedPicture, evaluation: Evaluation
) -> list[ImageScore]:
    report = evaluation.report
    return [
        ImageScore(
            prompt=request.prompt,
            model=_model(shot),
            seed=shot.seed,
            metric=evaluation.metric,
            score=name,
            value=score.value,
            counted=score.counted,
            left_out=score.left_out,
            judge=evaluation.judge,
            trial=evaluation.trial,
            run=run,
            image=shot.path,
            report=report,
        )
        for name, score in report.scores.items()
    ]


def _missing(
    request: EvaluateRequest, run: str, shot: GeneratedPicture, metric: str, failure: str
) -> ImageScore:
    return ImageScore(
        prompt=request.prompt,
        model=_model(shot),
        seed=shot.seed,
        metric=metric,
        score="score",
        value=None,
        judge=request.judge,
        run=run,
        image=shot.path,
        failure=failure,
    )


def _model(shot: GeneratedPicture) -> str:
    return "brought" if shot.model == UPLOADED else shot.model


def _store(home: str | Path | None) -> Store:
    return Store(folder=Path(home)) if home is not None else Store()


def _texts(prompts: str | Iterable[str]) -> list[str]:
    return [prompts] if isinstance(prompts, str) else list(dict.fromkeys(prompts))


def _generators(models: object) -> dict[str, Backend | None]:
    """Return the models by name: loaded ones with their backend, named ones with None."""
    if isinstance(models, Mapping):
        return {str(name): _generator(model, str(name)) for name, model in models.items()}
    each = list(models) if isinstance(models, list | tuple) else [models]
    found: dict[str, Backend | None] = {}
    for model in each:
        name = model if isinstance(model, str) else _name(model)
        if name in found:
            raise BadRequest(f"Two models are called {name!r}: give them as a mapping of names.")
        found[name] = _generator(model, name)
    return found


def _generator(model: object, name: str) -> Backend | None:
    """Return the backend of a model. Raises BadRequest where it is nothing that draws."""
    if isinstance(model, str):
        if model != name:
            raise BadRequest(f"The model {model!r} is listed by its own name, not as {name!r}.")
        return None
    if isinstance(model, Generator):
        return model
    if is_pipeline(model):
        return FunctionGenerator(name, pipeline_function(model), _revision(model))
    if callable(model):
        return FunctionGenerator(name, model, _revision(model))
    raise BadRequest(
        f"{name!r} is no model: give a name, a pipeline of diffusers, or a function from prompt and"
        " seed to an image."
    )


def _name(model: object) -> str:
    spec = getattr(model, "spec", None)
    if spec is not None:
        return str(spec.id)
    name = getattr(model, "__name__", "") or type(model).__name__
    return name.strip("<>")


def _revision(model: Any) -> str | None:
    """Return one revision for each object, as long as it lives: the same object draws the same."""
    try:
        return _revisions.setdefault(model, uuid4().hex)
    except TypeError:  # it cannot be referred to weakly, or has no hash
        return None


def _with_prompts(
    files: Sequence[Path], prompts: str | Sequence[str] | Mapping[str, str] | None
) -> list[tuple[Path, str]]:
    """Return each file with its prompt.

    Raises BadRequest where one is missing or too many are given.
    """
    if isinstance(prompts, str):
        return [(file, prompts) for file in files]
    if prompts is None:
        prompts = _prompts_beside(files)
    if isinstance(prompts, Mapping):
        if missing := [file.name for file in files if file.name not in prompts]:
            raise BadRequest(
                f"There is no prompt for the image {missing[0]!r}: name it in `prompts`."
            )
        return [(file, prompts[file.name]) for file in files]
    if len(prompts) != len(files):
        raise BadRequest(
            f"There are {len(files)} images and {len(prompts)} prompts: give one prompt for all, or"
            " one for each image."
        )
    return list(zip(files, prompts, strict=True))


def _prompts_beside(files: Sequence[Path]) -> dict[str, str]:
    """Return the prompts of a folder's `prompts.csv` by file name."""
    table = files[0].parent / PROMPTS_FILE
    if not table.is_file():
        raise BadRequest(
            f"No prompts are given and {str(table)!r} does not exist: pass `prompts`, or write that"
            " file with the columns `file` and `prompt`."
        )
    with table.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    if rows and not {"file", "prompt"} <= set(rows[0]):
        raise BadRequest(f"{str(table)!r} needs the columns `file` and `prompt`.")
    return {row["file"]: row["prompt"] for row in rows}
