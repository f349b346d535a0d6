"""Defines the records that leave a store and come back, without a machine's paths.

They are runs, pictures, evaluations and ratings, and are written as lines of JSON.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, TypeAdapter, ValidationError
from pydantic_core import from_json

from hallascope.data.records import LETTERS, Letter, Question, Report
from hallascope.data.requests import Failure, Role, Setting
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.export.image_paths import SHA256, request_images
from hallascope.engine.storage.store import RunState
from hallascope.metrics import METRICS
from hallascope.metrics.true_answers import TrueAnswers

FORMAT = 3  # counts up with every change of a record below; a new kind of them changes none
# format 1, of version 0.1.0, has findings under their old names (`hallascope.data.evidence`);
# format 2 has neither field nor difficulty of an evaluation
READABLE = (1, 2, 3)
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
_INTEGER_LIMIT = 2**63  # the smallest whole number that is too large for a database


class UnusableRecord(ValueError):
    """Raised where a record cannot be used; the message is the problem, without its place."""


# --- what a record may hold ---


def _run_name(name: str) -> str:
    """Return the name of a run or a place, which becomes a part of addresses and file names."""
    if not _NAME.fullmatch(name):
        raise UnusableRecord(
            f"names the run or place {name[:40]!r}: only letters, digits, - and _ are taken"
        )
    return name


def _image_name(image: str) -> str:
    if not SHA256.fullmatch(image):
        raise UnusableRecord(f"names the image {image[:40]!r}, which is no SHA-256")
    return image


def _metric_name(metric: str) -> str:
    if metric not in METRICS:
        raise UnusableRecord(f"names the metric {metric[:40]!r}, which this version does not have")
    return metric


def _request(request: EvaluateRequest) -> EvaluateRequest:
    for image in request_images(request):
        _image_name(image)
    for metric in request.metrics:
        _metric_name(metric)
    return request


def _said(text: str) -> str:
    if not text.strip():
        raise UnusableRecord("holds a rating that says nothing, or of nothing")
    return text


def _questions(questions: tuple[Question, ...]) -> tuple[Question, ...]:
    for question in questions:
        _require_choices(question, question.gold)
    return questions


def _report(report: Report) -> Report:
    if "score" not in report.scores:
        raise UnusableRecord("holds a report without a score")
    for verdict in report.verdicts:
        _require_choices(verdict.question, verdict.question.gold, verdict.answer)
    graphs = report.evidence.graphs if report.evidence else None
    for graph in (graphs.asked, graphs.seen) if graphs else ():
        ends = {name for edge in graph.edges for name in (edge.source, edge.target)}
        if not ends <= {node.name for node in graph.nodes}:
            raise UnusableRecord(
                "holds a scene graph with a relation of things that it does not have"
            )
    return report


def _require_choices(question: Question, *letters: Letter | None) -> None:
    """Raise UnusableRecord where a letter stands for no choice."""
    known = (*LETTERS[: len(question.choices)], None)
    for letter in letters:
        if len(question.choices) > len(LETTERS) or letter not in known:
            raise UnusableRecord(
                f"holds the question {question.text[:40]!r} with an answer {letter!r} that is none"
                " of its choices"
            )


RunName = Annotated[str, AfterValidator(_run_name)]
ImageName = Annotated[str, AfterValidator(_image_name)]
SaidText = Annotated[str, AfterValidator(_said)]


@dataclass(frozen=True, kw_only=True)
class SharedRun:
    """Holds the head of a run.

    The paths in `request` are names of pictures: the SHA-256 and ``.png``. `created` is in seconds
    since 1970.
    """

    id: RunName
    created: float
    state: RunState
    request: Annotated[EvaluateRequest, AfterValidator(_request)]
    questions: Annotated[tuple[Question, ...], AfterValidator(_questions)] = ()
    notice: str | None = None


@dataclass(frozen=True, kw_only=True)
class SharedPicture:
    """Holds a picture of a run at its `position`, or the slot kept for it.

    `generation` is the name of the slot, `image` the SHA-256 of the picture. `truth` is what a
    simulated model knows it drew. `seconds` is how long the model took.
    """

    run: RunName
    position: int
    generation: RunName
    prompt: str
    model: str
    revision: str
    seed: int
    settings: Mapping[str, Setting]
    state: Literal["waiting", "done", "failed"]
    created: float
    image: ImageName | None = None
    seconds: float | None = None
    failure: Failure | None = None
    notes: Mapping[str, Setting] | None = None
    truth: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class SharedEvaluation:
    """Holds what one metric says of one picture in one trial of one run, with the whole report.

    `truths` are the true answers to the questions of its verdicts, in their order. They follow from
    other records, and nothing is kept of them where they are imported.
    """

    run: RunName
    generation: RunName
    image: ImageName
    model: str
    metric: Annotated[str, AfterValidator(_metric_name)]
    judge: str | None
    judge_revision: str
    trial: int
    prompt: str
    category: str | None
    domain: str | None
    cached: bool
    lineup: Mapping[Role, str]
    report: Annotated[Report, AfterValidator(_report)]
    truths: TrueAnswers = ()
    field: str | None = None
    difficulty: str | None = None


@dataclass(frozen=True, kw_only=True)
class SharedRating:
    """Holds a rating of a picture for a prompt, as `storage.people.ratings` has it.

    `metric` and `finding` name its subject; `created` is in seconds since 1970.
    """

    image: ImageName
    metric: SaidText
    prompt: str
    finding: str
    rater: str
    value: SaidText
    created: float


SharedRecord = SharedRun | SharedPicture | SharedEvaluation | SharedRating

_KINDS: Mapping[str, type[SharedRecord]] = {
    "run": SharedRun,
    "picture": SharedPicture,
    "evaluation": SharedEvaluation,
    "rating": SharedRating,
}
_ADAPTERS: Mapping[str, TypeAdapter[Any]] = {kind: TypeAdapter(of) for kind, of in _KINDS.items()}


# --- as lines of JSON ---


def record_line(record: SharedRecord) -> str:
    """Return a record as a line of JSON without line feed; ``kind`` and ``format`` come first."""
    kind = next(kind for kind, of in _KINDS.items() if of is type(record))
    fields = _ADAPTERS[kind].dump_json(record).decode()
    return f'{{"kind":"{kind}","format":{FORMAT},{fields[1:]}'


def parse_record(line: str | bytes) -> SharedRecord:
    """Return the record of one line. Raises UnusableRecord with one clause."""
    try:
        fields = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        raise UnusableRecord(f"is no JSON ({_shorten(error)})") from None
    if not isinstance(fields, dict):
        raise UnusableRecord("is no JSON object")
    kind, version = fields.pop("kind", None), fields.pop("format", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise UnusableRecord(
            f"has the kind {str(kind)[:40]!r}, which is none of {', '.join(map(repr, _KINDS))}"
        )
    if version not in READABLE:
        raise UnusableRecord(
            f"has the format {str(version)[:40]} and this program reads {READABLE[0]} to"
            f" {READABLE[-1]}: export it again with this version"
        )
    for number in _numbers([fields]):
        if not (math.isfinite(number) and abs(number) < _INTEGER_LIMIT):
            raise UnusableRecord("holds a number that is too large for a database")
    try:
        record: SharedRecord = _ADAPTERS[kind].validate_python(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "value_error":
            raise UnusableRecord(first["ctx"]["error"]) from None
        place = ".".join(str(part) for part in first["loc"][:4])
        raise UnusableRecord(
            f"has something at {place!r} that does not belong there ({_shorten(first['msg'])})"
        ) from None
    if isinstance(record, SharedEvaluation):
        report = record.report
        named = (record.metric, record.image, record.prompt)
        if (report.metric, report.image, report.prompt) != named:
            raise UnusableRecord("holds a report of another metric, image or prompt than it names")
    return record


def _numbers(values: Iterable[object]) -> Iterator[int | float]:
    """Yield every number of what was read from JSON, however deep it stands."""
    for value in values:
        if isinstance(value, int | float):
            yield value
        elif isinstance(value, dict | list):
            yield from _numbers(value.values() if isinstance(value, dict) else value)


def _shorten(problem: object) -> str:
    return " ".join(str(problem).split())[:160]
