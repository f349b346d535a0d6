"""Defines the records that leave a store and come back, without a machine's paths.

They are runs, pictures, evaluations and ratings, are written as lines of JSON, and are read a run
at a time, so that memory does not grow with the number of runs.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json
from sqlmodel import col, select

from hallascope.data.concepts import ConceptRef
from hallascope.data.records import LETTERS, Letter, Picture, Question, Report
from hallascope.data.requests import Failure, Setting
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.storage.database import storable
from hallascope.engine.storage.evaluations import StoredEvaluation
from hallascope.engine.storage.people.ratings import Rating
from hallascope.engine.storage.store import RunRecord, Store
from hallascope.engine.storage.tables import (
    FAILURE,
    LINEUP,
    REPORT,
    SETTINGS,
    TRUTH,
    Generation,
    Run,
    RunPicture,
    SweepItemRow,
    Truth,
)
from hallascope.metrics import find

FORMAT = 3  # counts up with every change of a record below; a new kind of them changes none
# format 1, of version 0.1.0, has findings under their old names (`hallascope.data.evidence`);
# format 2 has neither field nor difficulty of an evaluation
READABLE = (1, 2, 3)
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
_INTEGER_LIMIT = 2**63  # the smallest whole number that is too large for a database


class UnusableRecord(ValueError):
    """Raised where a record cannot be used; the message is the problem, without its place."""


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


# the paths in the request of a run are names of images there: the SHA-256 and ``.png``
SharedRecord = RunRecord | SharedPicture | StoredEvaluation | Rating

_KINDS: Mapping[str, type[SharedRecord]] = {
    "run": RunRecord,
    "picture": SharedPicture,
    "evaluation": StoredEvaluation,
    "rating": Rating,
}
_ADAPTERS: Mapping[str, TypeAdapter[Any]] = {kind: TypeAdapter(of) for kind, of in _KINDS.items()}


# --- what a record may hold ---


def _require_record(record: SharedRecord) -> None:
    """Raise UnusableRecord where a record names what there cannot be."""
    images: tuple[str | None, ...]
    match record:
        case RunRecord():
            runs, metrics = [record.id], record.request.metrics
            images = request_images(record.request)
            for question in record.questions:
                _require_choices(question, question.gold)
        case SharedPicture():
            runs, metrics, images = [record.run, record.generation], (), (record.image,)
        case StoredEvaluation():
            runs, metrics = [record.run, record.generation], (record.metric,)
            images = (record.image,)
            _require_report(record)
        case Rating():
            runs, metrics, images = [], (), (record.image,)
            if not (record.metric.strip() and record.value.strip()):
                raise UnusableRecord("holds a rating that says nothing, or of nothing")
    for name in runs:  # it becomes a part of addresses and file names
        if not _NAME.fullmatch(name):
            raise UnusableRecord(
                f"names the run or place {name[:40]!r}: only letters, digits, - and _ are taken"
            )
    for image in images:
        if image is not None and not SHA256.fullmatch(image):
            raise UnusableRecord(f"names the image {image[:40]!r}, which is no SHA-256")
    for metric in metrics:
        if find(metric) is None:
            raise UnusableRecord(
                f"names the metric {metric[:40]!r}, which this version does not have"
            )


def _require_report(record: StoredEvaluation) -> None:
    report = record.report
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
    named = (record.metric, record.image, record.prompt)
    if (report.metric, report.image, report.prompt) != named:
        raise UnusableRecord("holds a report of another metric, image or prompt than it names")


def _require_choices(question: Question, *letters: Letter | None) -> None:
    """Raise UnusableRecord where a letter stands for no choice."""
    known = (*LETTERS[: len(question.choices)], None)
    for letter in letters:
        if len(question.choices) > len(LETTERS) or letter not in known:
            raise UnusableRecord(
                f"holds the question {question.text[:40]!r} with an answer {letter!r} that is none"
                " of its choices"
            )


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
    _require_record(record)
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


# --- the images of a request ---

_MACHINE_PATH = re.compile(r"(?<![\w:/\\.])(?:/|[A-Za-z]:\\)(?:[^\s/\\'\"]+[/\\])+([^\s/\\'\"]*)")
SHA256 = re.compile(r"[0-9a-f]{64}")
PathOf = Callable[[str], Path]  # the path of a picture by its SHA-256


def shorten_paths(text: str) -> str:
    """Return the text with every absolute path cut to its last part; web addresses stay."""
    return _MACHINE_PATH.sub(r"\1", text)


def request_images(request: EvaluateRequest) -> tuple[str, ...]:
    """Return the SHA-256 of every picture of a request: to judge, reference, and of concepts."""
    paths = [*request.images, *filter(None, [request.reference])]
    concepts = request.factual.concepts if request.factual else ()
    shown = [concept.reference.sha256 for concept in concepts if concept.reference]
    return tuple(dict.fromkeys([*map(sha256_of, paths), *shown]))


def sha256_of(path: Path) -> str:
    """Return the SHA-256 by which a kept picture is named, else its name.

    The name is ``ab/cd….png`` in a store, ``abcd….png`` out of it.
    """
    for name in (path.stem, f"{path.parent.name}{path.stem}"):
        if SHA256.fullmatch(name):
            return name
    return path.name


def strip_paths(request: EvaluateRequest) -> EvaluateRequest:
    """Return the request with the names of its pictures in place of where they lie.

    A pack of wordings is named without its folder, too.
    """
    request = replace(request, wording=Path(request.wording).name)
    return resolve_paths(request, lambda sha256: Path(f"{sha256}.png"))


def resolve_paths(request: EvaluateRequest, path_of: PathOf) -> EvaluateRequest:
    """Return the request with the pictures where `path_of` says that they are kept."""
    reference = path_of(sha256_of(request.reference)) if request.reference else None
    images = tuple(path_of(sha256_of(path)) for path in request.images)
    factual = request.factual
    if factual:
        concepts = tuple(_resolve_concept(concept, path_of) for concept in factual.concepts)
        factual = replace(factual, concepts=concepts)
    return replace(request, images=images, reference=reference, factual=factual)


def _resolve_concept(concept: ConceptRef, path_of: PathOf) -> ConceptRef:
    reference = concept.reference
    if reference:
        reference = Picture(reference.sha256, path_of(reference.sha256))
    file = Path(concept.file.name) if concept.file else None
    return replace(concept, reference=reference, file=file)


# --- out of a store ---

ALL = "all"


def select_runs(store: Store, text: str) -> list[str]:
    """Return the ids of runs: of runs or sweeps named with commas between, or of ``all``.

    Raises UnknownRun, BadRequest.
    """
    every = select(Run.id).order_by(col(Run.created), col(Run.id))
    names = [name.strip() for name in text.split(",") if name.strip()]
    runs: list[str] = []
    with store.database.read_transaction() as session:
        if names == [ALL]:
            runs = list(session.exec(every).all())
            if not runs:
                raise BadRequest(
                    "There is no run here yet: make one with `hallascope evaluate`, or check"
                    " HALLASCOPE_HOME."
                )
            return runs
        for name in dict.fromkeys(names):
            of_sweep = select(SweepItemRow.run).where(
                SweepItemRow.sweep == name, SweepItemRow.run != ""
            )
            swept = session.exec(of_sweep.order_by(col(SweepItemRow.position))).all()
            runs += swept or [store.run(name).id]
    if not runs:
        raise BadRequest("No run is named: give its id, several with commas between, or 'all'.")
    return list(dict.fromkeys(runs))


def _same_fields(record: type[Any], row: object) -> dict[str, Any]:
    """Return the fields of a record that a row of the store has under the same name."""
    names = (field.name for field in fields(record))
    return {name: getattr(row, name) for name in names if hasattr(row, name)}


def read_run(store: Store, run: str) -> RunRecord:
    """Return the head of a run. Raises UnknownRun."""
    record = store.run(run)
    return replace(record, request=strip_paths(record.request))


def without_author(run: RunRecord) -> RunRecord:
    """Return a run whose request does not name who says what its prompt asks for."""
    reading = run.request.reading
    if reading is None:
        return run
    return replace(run, request=replace(run.request, reading=replace(reading, author="")))


def read_pictures(store: Store, run: str) -> list[SharedPicture]:
    """Return the pictures of a run in their order, those to come among them."""
    query = (
        select(Generation, RunPicture.position, Truth.truth)
        .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
        .join(Truth, col(Truth.generation) == col(Generation.id), isouter=True)
        .where(RunPicture.run == run)
        .order_by(col(RunPicture.position))
    )
    return [
        SharedPicture(
            **_same_fields(SharedPicture, row)
            | {
                "run": run,
                "position": position,
                "generation": row.id,
                "settings": SETTINGS.validate_json(row.settings),
                "failure": _read_failure(row.failure) if row.failure else None,
                "notes": SETTINGS.validate_json(row.notes),
                "truth": TRUTH.validate_json(truth) if truth else None,
            }
        )
        for row, position, truth in store.database.read(query)
    ]


def read_evaluations(store: Store, run: str) -> Iterator[StoredEvaluation]:
    """Yield the evaluations of a run, in the order of pictures, metrics, judges and trials."""
    for row in store.evaluation_rows(run):
        yield StoredEvaluation(
            **_same_fields(StoredEvaluation, row)
            | {
                "judge": row.judge or None,
                "lineup": LINEUP.validate_json(row.lineup),
                "report": _without_paths(REPORT.validate_json(row.report)),
            }
        )


def _read_failure(text: str) -> Failure:
    failure = FAILURE.validate_json(text)
    return replace(failure, message=shorten_paths(failure.message))


def _without_paths(report: Report) -> Report:
    """Return a report with paths of this machine, which failures may name, cut to their end."""
    report = replace(report, verdicts=_shorten_field(report.verdicts, "failure"))
    if report.evidence is None:
        return report
    evidence = replace(
        report.evidence,
        findings=_shorten_field(report.evidence.findings, "note"),
        segments=_shorten_field(report.evidence.segments, "failure"),
        notes=tuple(map(shorten_paths, report.evidence.notes)),
    )
    return replace(report, evidence=evidence)


def _shorten_field(items: tuple[Any, ...], name: str) -> Any:
    return tuple(
        replace(item, **{name: shorten_paths(text)}) if (text := getattr(item, name)) else item
        for item in items
    )


def read_ratings(store: Store, run: RunRecord) -> list[Rating]:
    """Return people's ratings of the pictures of a run for its prompt, the oldest first.

    They may be of the pictures of other runs, too.
    """
    images = {picture.image for picture in read_pictures(store, run.id) if picture.image}
    kept = storable({"prompt": run.request.prompt})
    return [
        rating for rating in store.ratings.all(images=images) if rating.prompt == kept["prompt"]
    ]
