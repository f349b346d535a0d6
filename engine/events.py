"""Defines the events of a run, which pages show and commands count, and the records in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.object_attributes import ObjectAttribute
from hallascope.data.models.specs import Knowledge
from hallascope.data.prompt_reading import PromptReader, PromptReading
from hallascope.data.records import Picture, Question, Report
from hallascope.data.regions import Mask
from hallascope.data.requests import Failure, Role, Setting
from hallascope.data.wordings.catalog import OURS

PictureState = Literal["waiting", "done", "failed"]
RunState = Literal["running", "stopped", "finished"]

PRIMER = "primer/"  # how the models begin that draw in the style of Primer
UPLOADED = "uploaded"
"""Stands where a model's name would, for an image that a person brought."""


ORIGIN_LAYOUT = "origin_layout"
"""Names the setting of an image that HallaScope did not make; the others of its origin go with it.
"""


@dataclass(frozen=True, kw_only=True)
class ImageOrigin:
    """Says where an image that exists already comes from: its model, and its file.

    `seed` is the seed or the number of the sample. `file` is the path within the folder, the
    archive or the data set, `sha256` that of the file as it was found (the store keeps it as PNG),
    `layout` how it was matched with its prompt.
    """

    model: str
    seed: int
    file: str
    sha256: str
    layout: str

    @property
    def settings(self) -> dict[str, Setting]:
        """Return what is stored of the origin beside the model's name and the seed."""
        return {
            "origin_file": self.file,
            "origin_sha256": self.sha256,
            ORIGIN_LAYOUT: self.layout,
        }


@dataclass(frozen=True, kw_only=True)
class EvaluateRequest:
    """Holds what is to be made and judged.

    The same request (and the same versions of all it names) is the same run.

    `count` pictures a model, with the seeds `seed`, `seed + 1`, ...; `images` are files that are
    judged beside, or instead of, generated pictures. `trials` repeats the judging, not the
    generating. `writer`, `parser` and `reader`: for metrics that can do without (None: they do).
    The other roles are filled for metrics that need them, None by default
    (`hallascope.data.models.specs.DEFAULTS`); without a judge, what needs one is not evaluated.
    `factual`: the concepts of the prompt as a benchmark knows them; None: as Primer does, if it
    does. `reference` shows the one called `concept`, which `definition` says in words. `inject`:
    every picture is made once more with each kind of knowledge, beside the one without. `reading`
    is what the prompt asks for; None: what a person corrected it to, else what `prompt_reader`
    reads (None: the `parser` that is named, else "auto"). What the rules are not sure of has no
    score, unless `accept_readings` says so.
    `origins` say of each of the `images` which model made it; without them the images have no
    model. `fig_attributes` are what FiG expects of objects beside what the prompt says of them.
    `wording` names the pack of texts that the models are sent, or its folder.
    """

    prompt: str
    models: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("ihalla",)
    judge: str | None = "primer/judge"
    seed: int = 0
    count: int = 1
    trials: int = 1
    images: tuple[Path, ...] = ()
    reference: Path | None = None
    writer: str | None = None
    parser: str | None = None
    captioner: str | None = None
    detector: str | None = None
    segmenter: str | None = None
    reader: str | None = None
    embedder: str | None = None
    factual: FactualPrompt | None = None
    concept: str | None = None
    definition: str = ""
    inject: tuple[Knowledge, ...] = ()
    reading: PromptReading | None = None
    prompt_reader: PromptReader | None = None
    accept_readings: bool = False
    origins: tuple[ImageOrigin, ...] = ()
    fig_attributes: tuple[ObjectAttribute, ...] = ()
    wording: str = OURS


@dataclass(frozen=True, kw_only=True)
class GeneratedPicture:
    """Holds one picture of a run, or the slot kept for it.

    `image` is its SHA-256, None until it is there.

    `injected`: the knowledge that its model was given beside the prompt, None where none was.
    """

    generation: str
    model: str
    seed: int
    state: PictureState = "waiting"
    image: str | None = None
    path: Path | None = None
    thumbnail: Path | None = None
    seconds: float | None = None
    failure: Failure | None = None
    notes: Mapping[str, Setting] = field(default_factory=dict)
    injected: Knowledge | None = None

    @property
    def picture(self) -> Picture | None:
        if not (self.image and self.path):
            return None
        return Picture(self.image, self.path, self.model.startswith(PRIMER))


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Holds what one metric says of one picture in one trial.

    `cached`: every reply was there already. `judge` is None for a metric that asks none; `lineup`
    names all models that the metric asked, by role ({} in what older versions stored).
    """

    generation: str
    model: str
    image: str
    metric: str
    judge: str | None
    trial: int
    report: Report
    cached: bool = False
    lineup: Mapping[Role, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MetricNotRun:
    """Reports a requested metric that cannot run here.

    `message` says why in one sentence, `remedy` what to do on the command line.
    """

    metric: str
    message: str
    remedy: str = ""

    @property
    def sentence(self) -> str:
        """Return why it cannot run and what to do."""
        return f"{self.message} {self.remedy}".rstrip()


@dataclass(frozen=True, kw_only=True)
class Queued:
    """The first event: the places of all pictures in the order asked for, and any questions.

    `notice` is one sentence where something asked for cannot be done, e.g. no questions for this
    prompt. `not_run`: the metrics that cannot run here, while the others do. `files`: the names of
    the files that were brought, by generation.
    """

    run: str
    shots: tuple[GeneratedPicture, ...]
    evaluations: int
    questions: tuple[Question, ...] = ()
    notice: str | None = None
    not_run: tuple[MetricNotRun, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Generating:
    """A model is at `step` of `steps` of a picture."""

    run: str
    generation: str
    model: str
    step: int
    steps: int


@dataclass(frozen=True)
class Pictured:
    """A picture is there; `shot.path` is its file. `cached`: it had been made before."""

    run: str
    shot: GeneratedPicture
    cached: bool


@dataclass(frozen=True)
class PictureFailed:
    """There is no picture; `shot.failure` says why."""

    run: str
    shot: GeneratedPicture


@dataclass(frozen=True, kw_only=True)
class Judged:
    """`done` of `of` replies of one evaluation have come."""

    run: str
    generation: str
    metric: str
    trial: int
    done: int
    of: int


@dataclass(frozen=True)
class Evaluated:
    """One metric is done with one picture; failed questions are in the report as such."""

    run: str
    evaluation: Evaluation


@dataclass(frozen=True)
class EvaluationFailed:
    """A metric could not say anything of a picture (a fault of ours, or the run was stopped)."""

    run: str
    generation: str
    metric: str
    trial: int
    failure: Failure


@dataclass(frozen=True)
class Spent:
    """Reports money spent: the run's sum so far over `calls` paid calls, and its cap, in USD.

    `unconfirmed`: what of the sum no service has confirmed.
    """

    run: str
    amount: float
    calls: int
    cap: float
    unconfirmed: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Finished:
    """The last event.

    `failures`: pictures, evaluations and questions that failed; `stopped`: by the person or the
    cap; `unconfirmed`: USD of what was spent that no service has confirmed.
    """

    run: str
    pictures: int
    evaluations: int
    failures: int
    stopped: bool
    seconds: float
    spent: float = 0.0
    unconfirmed: float = 0.0


Event = (
    Queued
    | Generating
    | Pictured
    | PictureFailed
    | Judged
    | Evaluated
    | EvaluationFailed
    | Spent
    | Finished
)


def jsonable(thing: object) -> Any:
    """Return a record as plain lists, dicts and scalars.

    An event carries its name under ``event``, a mask is in COCO's form.
    """
    if isinstance(thing, Mask):
        return thing.coco()
    if is_dataclass(thing) and not isinstance(thing, type):
        named: dict[str, Any] = (
            {"event": type(thing).__name__.lower()} if isinstance(thing, Event) else {}
        )
        return named | {f.name: jsonable(getattr(thing, f.name)) for f in fields(thing)}
    if isinstance(thing, Mapping):
        return {str(key): jsonable(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list | set | frozenset):
        return [jsonable(item) for item in thing]
    if isinstance(thing, StrEnum):
        return thing.value
    return str(thing) if isinstance(thing, Path) else thing
