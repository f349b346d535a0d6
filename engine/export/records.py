"""Holds what leaves a store and comes back as plain records without a machine's paths.

They are runs, pictures and evaluations; it opens no file.
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
from hallascope.engine.export.image_paths import SHA256, pictures
from hallascope.engine.storage.store import RunState
from hallascope.metrics import METRICS

FORMAT = 2  # counts up with every change of a record below; a new kind of them changes none
READABLE = (
    1,
    2,
)  # what version 0.1.0 wrote has findings under their old names (`hallascope.data.evidence`)
NAME = re.compile(
    r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}"
)  # of a run or a place: they become addresses and names of files
_MOST = 2**63  # the least whole number that no database takes


class UnusableRecord(ValueError):
    """A record cannot be used; the message is the problem, without its place."""


@dataclass(frozen=True, kw_only=True)
class SharedRun:
    """The head of a run. The paths in `request` are names of pictures: the SHA-256 and ``.png``.

    `created` in seconds since 1970.
    """

    id: str
    created: float
    state: RunState
    request: EvaluateRequest
    questions: tuple[Question, ...] = ()
    notice: str | None = None


@dataclass(frozen=True, kw_only=True)
class SharedPicture:
    """A picture of a run at its `position`, or the place kept for it.

    `generation` is the name of the place, `image` its SHA-256.

    `truth` is what a simulated model knows it drew. `seconds` is how long the model took.
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
    """What one metric says of one picture in one trial of one run, with the whole report."""

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


@dataclass(frozen=True, kw_only=True)
class SharedRating:
    """Holds what a person (`rater`) said of a picture against a prompt, apart from models.

    It comes from `hallascope.engine.storage.ratings`.

    `metric` and `finding` say what it is about, as there; `created` in seconds since 1970.
    """

    image: str
    metric: str
    prompt: str
    finding: str
    rater: str
    value: str
    created: float


SharedRecord = SharedRun | SharedPicture | SharedEvaluation | SharedRating

_KINDS: Mapping[str, tuple[type[SharedRecord], TypeAdapter[Any]]] = {
    "run": (SharedRun, TypeAdapter(SharedRun)),
    "picture": (SharedPicture, TypeAdapter(SharedPicture)),
    "evaluation": (SharedEvaluation, TypeAdapter(SharedEvaluation)),
    "rating": (SharedRating, TypeAdapter(SharedRating)),
}


# --- as lines of JSON
# --------------------------------------------------------------------------------------------------


def line(record: SharedRecord) -> str:
    """A record as one line of JSON without its line feed; ``kind`` and ``format`` come first."""
    kind, adapter = next(
        (kind, adapter) for kind, (type_, adapter) in _KINDS.items() if isinstance(record, type_)
    )
    said: str = adapter.dump_json(record).decode()
    return f'{{"kind":"{kind}","format":{FORMAT},{said[1:]}'


def record(said: str | bytes) -> SharedRecord:
    """The record of one line. Raises Unusable with one clause."""
    try:
        fields = from_json(said, allow_inf_nan=False)
    except ValueError as error:
        raise UnusableRecord(f"is no JSON ({_short(str(error))})") from None
    if not isinstance(fields, dict):
        raise UnusableRecord("is no JSON object")
    kind = fields.pop("kind", None)
    version = fields.pop("format", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise UnusableRecord(
            f"has the kind {str(kind)[:40]!r}, which is none of {', '.join(map(repr, _KINDS))}"
        )
    if version not in READABLE:
        known = " and ".join(map(str, READABLE))
        raise UnusableRecord(
            f"has the format {str(version)[:40]} and this program reads {known}: export it again"
            " with this version"
        )
    _sane(fields)
    try:
        found: SharedRecord = _KINDS[kind][1].validate_python(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][:4])
        raise UnusableRecord(
            f"has something at {place!r} that does not belong there ({_short(first['msg'])})"
        ) from None
    _validate_record(found)
    return found


def _short(said: str) -> str:
    return " ".join(said.split())[:160]


def _sane(value: object) -> None:
    """Raises Unusable where a number is more than any database takes."""
    if isinstance(value, dict):
        for inner in value.values():
            _sane(inner)
    elif isinstance(value, list):
        for inner in value:
            _sane(inner)
    elif isinstance(value, float) and not math.isfinite(value):
        raise UnusableRecord("holds a number without an end")
    elif isinstance(value, int) and not -_MOST <= value < _MOST:
        raise UnusableRecord("holds a whole number of more than 64 bits")


def _validate_record(found: SharedRecord) -> None:
    """Raise Unusable where a name cannot be a part of a path, or a report is of another picture."""
    for name, value in _names(found):
        if not NAME.fullmatch(value):
            raise UnusableRecord(
                f"names the {name} {value[:40]!r}: only letters, digits, - and _ are taken"
            )
    for sha256 in _images(found):
        if not SHA256.fullmatch(sha256):
            raise UnusableRecord(f"names the picture {sha256[:40]!r}, which is no SHA-256")
    if isinstance(found, SharedEvaluation):
        _agrees(found)
    if isinstance(found, SharedRun):
        _askable(found.questions)
    if isinstance(found, SharedRating) and not (found.value.strip() and found.metric.strip()):
        raise UnusableRecord("holds a rating that says nothing, or of nothing")
    for name in _metrics(found):
        if name not in METRICS:
            raise UnusableRecord(
                f"names the metric {name[:40]!r}, which this version does not have"
            )


def _agrees(found: SharedEvaluation) -> None:
    report = found.report
    if (report.metric, report.image, report.prompt) != (found.metric, found.image, found.prompt):
        raise UnusableRecord("holds a report of another metric, picture or prompt than it names")
    if "score" not in report.scores:
        raise UnusableRecord("holds a report without a score")
    _askable(
        [verdict.question for verdict in report.verdicts],
        [verdict.answer for verdict in report.verdicts],
    )
    graphs = report.evidence.graphs if report.evidence else None
    for graph in (graphs.asked, graphs.seen) if graphs else ():
        if not {name for edge in graph.edges for name in (edge.source, edge.target)} <= {
            node.name for node in graph.nodes
        }:
            raise UnusableRecord(
                "holds a scene graph with a relation of things that it does not have"
            )


def _askable(questions: Sequence[Question], answers: Sequence[Letter | None] = ()) -> None:
    """Raises Unusable where a letter stands for no choice."""
    given = [*((one, one.gold) for one in questions), *zip(questions, answers, strict=False)]
    for question, letter in given:
        places = LETTERS[: len(question.choices)]
        if len(question.choices) > len(LETTERS) or (letter and letter not in places):
            raise UnusableRecord(
                f"holds the question {question.text[:40]!r} with an answer {letter!r} that is none"
                " of its choices"
            )


def _names(found: SharedRecord) -> Iterator[tuple[str, str]]:
    match found:
        case SharedRun():
            yield "run", found.id
        case SharedPicture() | SharedEvaluation():
            yield from (("run", found.run), ("place", found.generation))
        case SharedRating():
            pass


def _metrics(found: SharedRecord) -> Sequence[str]:
    match found:
        case SharedRun():
            return found.request.metrics
        case SharedEvaluation():
            return (found.metric,)
        case SharedPicture() | SharedRating():  # what people speak of need not be asked by a metric
            return ()


def _images(found: SharedRecord) -> Iterator[str]:
    if isinstance(found, SharedEvaluation | SharedRating):
        yield found.image
    elif isinstance(found, SharedPicture):
        yield from filter(None, [found.image])
    else:
        yield from pictures(found.request)
