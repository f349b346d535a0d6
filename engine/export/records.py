"""Defines the records that leave a store and come back, without a machine's paths.

They are runs, pictures, evaluations and ratings, and are written as lines of JSON.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError
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
# names of runs and slots become parts of addresses and of file names
NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
_INTEGER_LIMIT = 2**63  # the smallest whole number that is too large for a database


class UnusableRecord(ValueError):
    """Raised where a record cannot be used; the message is the problem, without its place."""


@dataclass(frozen=True, kw_only=True)
class SharedRun:
    """Holds the head of a run.

    The paths in `request` are names of pictures: the SHA-256 and ``.png``. `created` is in seconds
    since 1970.
    """

    id: str
    created: float
    state: RunState
    request: EvaluateRequest
    questions: tuple[Question, ...] = ()
    notice: str | None = None


@dataclass(frozen=True, kw_only=True)
class SharedPicture:
    """Holds a picture of a run at its `position`, or the slot kept for it.

    `generation` is the name of the slot, `image` the SHA-256 of the picture. `truth` is what a
    simulated model knows it drew. `seconds` is how long the model took.
    """

    run: str
    position: int
    generation: str
    prompt: str
    model: str
    revision: str
    seed: int
    settings: Mapping[str, Setting]
    state: Literal["waiting", "done", "failed"]
    created: float
    image: str | None = None
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

    run: str
    generation: str
    image: str
    model: str
    metric: str
    judge: str | None
    judge_revision: str
    trial: int
    prompt: str
    category: str | None
    domain: str | None
    cached: bool
    lineup: Mapping[Role, str]
    report: Report
    truths: TrueAnswers = ()
    field: str | None = None
    difficulty: str | None = None


@dataclass(frozen=True, kw_only=True)
class SharedRating:
    """Holds a rating of a picture for a prompt, as `storage.people.ratings` has it.

    `metric` and `finding` name its subject; `created` is in seconds since 1970.
    """

    image: str
    metric: str
    prompt: str
    finding: str
    rater: str
    value: str
    created: float


SharedRecord = SharedRun | SharedPicture | SharedEvaluation | SharedRating

_ADAPTERS: Mapping[str, TypeAdapter[Any]] = {
    "run": TypeAdapter(SharedRun),
    "picture": TypeAdapter(SharedPicture),
    "evaluation": TypeAdapter(SharedEvaluation),
    "rating": TypeAdapter(SharedRating),
}
_KINDS: Mapping[type[SharedRecord], str] = {
    SharedRun: "run",
    SharedPicture: "picture",
    SharedEvaluation: "evaluation",
    SharedRating: "rating",
}


# --- as lines of JSON ---


def record_line(record: SharedRecord) -> str:
    """Return a record as a line of JSON without line feed; ``kind`` and ``format`` come first."""
    kind = _KINDS[type(record)]
    fields = _ADAPTERS[kind].dump_json(record).decode()
    return f'{{"kind":"{kind}","format":{FORMAT},{fields[1:]}'


def parse_record(line: str | bytes) -> SharedRecord:
    """Return the record of one line. Raises UnusableRecord with one clause."""
    fields = _json_object(line)
    kind = fields.pop("kind", None)
    version = fields.pop("format", None)
    if not isinstance(kind, str) or kind not in _ADAPTERS:
        raise UnusableRecord(
            f"has the kind {str(kind)[:40]!r}, which is none of {', '.join(map(repr, _ADAPTERS))}"
        )
    if version not in READABLE:
        readable = f"{READABLE[0]} to {READABLE[-1]}"
        raise UnusableRecord(
            f"has the format {str(version)[:40]} and this program reads {readable}: export it again"
            " with this version"
        )
    _require_storable_numbers(fields)
    try:
        record: SharedRecord = _ADAPTERS[kind].validate_python(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][:4])
        raise UnusableRecord(
            f"has something at {place!r} that does not belong there ({_shorten(first['msg'])})"
        ) from None
    _validate_record(record)
    return record


def _json_object(line: str | bytes) -> dict[str, Any]:
    try:
        fields = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        raise UnusableRecord(f"is no JSON ({_shorten(str(error))})") from None
    if not isinstance(fields, dict):
        raise UnusableRecord("is no JSON object")
    return fields


def _shorten(text: str) -> str:
    return " ".join(text.split())[:160]


def numbers_in(value: object) -> Iterator[int | float]:
    """Yield every number of what was read from JSON, however deep it stands."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner)
    elif isinstance(value, int | float):
        yield value


def _require_storable_numbers(fields: object) -> None:
    """Raise UnusableRecord where a number is more than any database takes."""
    for number in numbers_in(fields):
        if isinstance(number, float) and not math.isfinite(number):
            raise UnusableRecord("holds a number without an end")
        if isinstance(number, int) and not -_INTEGER_LIMIT <= number < _INTEGER_LIMIT:
            raise UnusableRecord("holds a whole number of more than 64 bits")


# --- what a record may hold ---


def _validate_record(record: SharedRecord) -> None:
    """Raise UnusableRecord where names, pictures, metrics or a report cannot be what they are.

    A name becomes a part of a path, and a report must be of the picture that it comes with. What
    people speak of need not be a metric's.
    """
    match record:
        case SharedRun():
            _require_names(run=record.id)
            _require_images(*request_images(record.request))
            _require_answers(record.questions)
            _require_metrics(*record.request.metrics)
        case SharedPicture():
            _require_names(run=record.run, place=record.generation)
            _require_images(*([record.image] if record.image else []))
        case SharedEvaluation():
            _require_names(run=record.run, place=record.generation)
            _require_images(record.image)
            _validate_report(record)
            _require_metrics(record.metric)
        case SharedRating():
            _require_images(record.image)
            if not (record.value.strip() and record.metric.strip()):
                raise UnusableRecord("holds a rating that says nothing, or of nothing")


def _require_names(**names: str) -> None:
    for kind, name in names.items():
        if not NAME.fullmatch(name):
            raise UnusableRecord(
                f"names the {kind} {name[:40]!r}: only letters, digits, - and _ are taken"
            )


def _require_images(*images: str) -> None:
    for image in images:
        if not SHA256.fullmatch(image):
            raise UnusableRecord(f"names the image {image[:40]!r}, which is no SHA-256")


def _require_metrics(*metrics: str) -> None:
    for metric in metrics:
        if metric not in METRICS:
            raise UnusableRecord(
                f"names the metric {metric[:40]!r}, which this version does not have"
            )


def _validate_report(record: SharedEvaluation) -> None:
    report = record.report
    if (report.metric, report.image, report.prompt) != (record.metric, record.image, record.prompt):
        raise UnusableRecord("holds a report of another metric, image or prompt than it names")
    if "score" not in report.scores:
        raise UnusableRecord("holds a report without a score")
    questions = [verdict.question for verdict in report.verdicts]
    _require_answers(questions, [verdict.answer for verdict in report.verdicts])
    graphs = report.evidence.graphs if report.evidence else None
    for graph in (graphs.asked, graphs.seen) if graphs else ():
        ends = {name for edge in graph.edges for name in (edge.source, edge.target)}
        if not ends <= {node.name for node in graph.nodes}:
            raise UnusableRecord(
                "holds a scene graph with a relation of things that it does not have"
            )


def _require_answers(questions: Sequence[Question], answers: Sequence[Letter | None] = ()) -> None:
    """Raise UnusableRecord where a letter stands for no choice."""
    pairs: list[tuple[Question, Letter | None]] = [
        (question, question.gold) for question in questions
    ]
    pairs += zip(questions, answers, strict=False)
    for question, letter in pairs:
        letters = LETTERS[: len(question.choices)]
        if len(question.choices) > len(LETTERS) or (letter and letter not in letters):
            raise UnusableRecord(
                f"holds the question {question.text[:40]!r} with an answer {letter!r} that is none"
                " of its choices"
            )
