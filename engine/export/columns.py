"""Defines the columns of exported tables: name, type, meaning, and function of the record.

It writes no file.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from hallascope.data.evidence import Finding
from hallascope.data.files.human_verdicts import written_at
from hallascope.data.records import Verdict
from hallascope.engine.events import jsonable
from hallascope.engine.export.records import SharedEvaluation, SharedPicture, SharedRun
from hallascope.engine.run import prompt_facets
from hallascope.engine.storage.scores import INJECTED

CellType = Literal["text", "whole", "number", "truth"]
CellValue = str | int | float | bool | None
QUESTION = "question"  # the kind of a verdict; a finding has its own


class ExportColumn(NamedTuple):
    """A column: its name, the type of its cells, what it tells, and what it says of a row."""

    name: str
    type: CellType
    about: str
    of: Callable[[Any], CellValue]


class ExportedEvaluation(NamedTuple):
    """An evaluation with the run and the picture it belongs to, and what its prompt is sorted by.

    A row of the table of evaluations.
    """

    run: SharedRun
    picture: SharedPicture
    said: SharedEvaluation
    level: str
    task: str


class ExportedVerdict(NamedTuple):
    """One verdict or finding of an evaluation, counted from 1 among its sort.

    A row of the table of verdicts.
    """

    told: ExportedEvaluation
    number: int
    what: Verdict | Finding


def exported_evaluations(
    run: SharedRun, shown: Iterable[SharedPicture], said: Iterable[SharedEvaluation]
) -> Iterator[ExportedEvaluation]:
    """Every evaluation of a run as a row."""
    places = {picture.generation: picture for picture in shown}
    known = prompt_facets.for_request(run.request)
    yield from (
        ExportedEvaluation(run, places[one.generation], one, known.level, known.task)
        for one in said
    )


def exported_verdicts(told: ExportedEvaluation) -> Iterator[ExportedVerdict]:
    """Every question of an evaluation, then every finding."""
    report = told.said.report
    findings = report.evidence.findings if report.evidence else ()
    yield from (ExportedVerdict(told, i, one) for i, one in enumerate(report.verdicts, 1))
    yield from (ExportedVerdict(told, i, one) for i, one in enumerate(findings, 1))


def _of_told(
    tell: Callable[[ExportedEvaluation], CellValue],
) -> Callable[[ExportedVerdict], CellValue]:
    return lambda row: tell(row.told)


def _date(told: ExportedEvaluation) -> str:
    return datetime.fromtimestamp(told.run.created, UTC).isoformat(timespec="seconds")


# --- what tells where a row belongs
# ------------------------------------------------------------------------------------------

_ABOUT: tuple[ExportColumn, ...] = (
    ExportColumn("run", "text", "the run's id", lambda t: t.run.id),
    ExportColumn("date", "text", "when the run was begun: ISO 8601, UTC", _date),
    ExportColumn("prompt", "text", "what the picture should show", lambda t: t.said.prompt),
    ExportColumn(
        "category", "text", "of I-HallA, where the prompt has one", lambda t: t.said.category
    ),
    ExportColumn(
        "domain", "text", "of T2I-FactualBench, where the prompt has one", lambda t: t.said.domain
    ),
    ExportColumn(
        "level", "text", "of T2I-FactualBench, where the prompt has one", lambda t: t.level or None
    ),
    ExportColumn(
        "task", "text", "of T2I-FactualBench, where the prompt has one", lambda t: t.task or None
    ),
    ExportColumn(
        "model",
        "text",
        "the generator; `uploaded` for a picture that a person brought",
        lambda t: t.said.model,
    ),
    ExportColumn("revision", "text", "of the generator", lambda t: t.picture.revision),
    ExportColumn("seed", "whole", "of the picture", lambda t: t.picture.seed),
    ExportColumn(
        "injected",
        "text",
        "the knowledge given beside the prompt: text or visual",
        lambda t: _text(t.picture.settings.get(INJECTED)),
    ),
    ExportColumn(
        "generation", "text", "the id of the picture's place", lambda t: t.said.generation
    ),
    ExportColumn(
        "image",
        "text",
        "SHA-256 of the picture's bytes; its file is `images/<image>.png`",
        lambda t: t.said.image,
    ),
    ExportColumn("metric", "text", "who asks", lambda t: t.said.metric),
    ExportColumn(
        "version", "text", "of the metric's rules and templates", lambda t: t.said.report.version
    ),
    ExportColumn("judge", "text", "who answers, where a judge does", lambda t: t.said.judge),
    ExportColumn("judge_revision", "text", "of the judge", lambda t: t.said.judge_revision or None),
    ExportColumn("trial", "whole", "counted from 0", lambda t: t.said.trial),
)

EVALUATIONS: tuple[ExportColumn, ...] = (
    *_ABOUT,
    ExportColumn(
        "score",
        "number",
        "the main score; empty where nothing was counted",
        lambda t: t.said.report.score.value,
    ),
    ExportColumn(
        "counted", "whole", "how many the score counts", lambda t: t.said.report.score.counted
    ),
    ExportColumn(
        "left_out",
        "whole",
        "how many have no answer and are left out",
        lambda t: t.said.report.score.left_out,
    ),
    ExportColumn(
        "strict",
        "number",
        "1 where all is right, else 0; empty where the metric has none",
        lambda t: _score(t.said, "strict"),
    ),
    ExportColumn(
        "scores",
        "text",
        "all scores by name as JSON, each with `value`, `counted`, `left_out`",
        lambda t: _json(t.said.report.scores),
    ),
    ExportColumn(
        "published",
        "text",
        "the scores under the papers' rule (no answer is wrong), as JSON",
        lambda t: _json(t.said.report.published),
    ),
    ExportColumn(
        "lineup",
        "text",
        "all models that were asked, by role, as JSON",
        lambda t: _json(t.said.lineup),
    ),
    ExportColumn("cached", "truth", "every reply was there already", lambda t: t.said.cached),
)

VERDICTS: tuple[ExportColumn, ...] = (
    *(column._replace(of=_of_told(column.of)) for column in _ABOUT),
    ExportColumn(
        "kind",
        "text",
        "`question`, or the kind of the finding: object, color, number, rating, ...",
        lambda row: _kind(row.what),
    ),
    ExportColumn(
        "number",
        "whole",
        "counted from 1 among the questions, or the findings, of its evaluation",
        lambda row: row.number,
    ),
    ExportColumn(
        "coi",
        "text",
        "composition of interest; of questions only",
        lambda row: _verdict_value(row.what, lambda v: v.question.coi),
    ),
    ExportColumn(
        "asked", "text", "the question, or what was asked for", lambda row: _question_text(row.what)
    ),
    ExportColumn(
        "wanted",
        "text",
        "the right choice in words; of questions only",
        lambda row: _verdict_value(row.what, _expected_answer),
    ),
    ExportColumn(
        "seen",
        "text",
        "the choice the judge took in words, or what was seen",
        lambda row: _observed_answer(row.what),
    ),
    ExportColumn(
        "gold",
        "text",
        "the letter of the right choice",
        lambda row: _verdict_value(row.what, lambda v: v.question.gold),
    ),
    ExportColumn(
        "answer",
        "text",
        "the letter of the choice the judge took",
        lambda row: _verdict_value(row.what, lambda v: v.answer),
    ),
    ExportColumn(
        "state",
        "text",
        "correct, incorrect, abstained (none fits), unreadable or failed",
        lambda row: row.what.state,
    ),
    ExportColumn(
        "value",
        "whole",
        "1 correct, 0 incorrect or abstained; empty where it is left out",
        lambda row: value(row.what.state),
    ),
    ExportColumn(
        "soft",
        "text",
        "the state by the lenient rule; of findings that have one",
        lambda row: getattr(row.what, "lenient_state", None),
    ),
    ExportColumn(
        "probability",
        "number",
        "the judge's own for its answer, where it gives one",
        lambda row: getattr(row.what, "probability", None),
    ),
    ExportColumn(
        "raw",
        "text",
        "the reply as it came; of questions only",
        lambda row: getattr(row.what, "raw", None),
    ),
    ExportColumn(
        "note",
        "text",
        "why there is no answer, or what else is to be known",
        lambda row: _note(row.what),
    ),
)

# the same names as those of `hallascope.data.files.human_verdicts`, so that the People tab reads
# the table, too; its rows are of PersonVerdict
PEOPLE: tuple[ExportColumn, ...] = (
    ExportColumn("item", "text", "SHA-256 of the picture's bytes", lambda one: one.image),
    ExportColumn("prompt", "text", "what the picture should show", lambda one: one.prompt),
    ExportColumn(
        "kind",
        "text",
        "what is answered: `question`, `grade` (from 1 to 7) or `finding`",
        lambda one: one.kind,
    ),
    ExportColumn(
        "about",
        "text",
        "the question, or the finding as `kind: asked -> seen`; empty for grades",
        lambda one: one.about,
    ),
    ExportColumn(
        "rater",
        "text",
        "the name that the person gave; empty where nobody did",
        lambda one: one.rater,
    ),
    ExportColumn(
        "value",
        "text",
        "the words of a choice, `?` where it cannot be told, a grade, or `fine`",
        lambda one: one.value,
    ),
    ExportColumn(
        "when", "text", "when it was said last: ISO 8601, UTC", lambda one: written_at(one.when)
    ),
    ExportColumn(
        "metric",
        "text",
        "whose finding it is; `check` where a judge's answers were in sight; empty for the rest",
        lambda one: one.metric,
    ),
)

TABLES: Mapping[str, Sequence[ExportColumn]] = {
    "verdicts": VERDICTS,
    "evaluations": EVALUATIONS,
    "people": PEOPLE,
}


def value(state: str) -> int | None:
    """1 for right, 0 for wrong; what has no answer that can be read is neither."""
    return {"correct": 1, "incorrect": 0, "abstained": 0}.get(state)


def _text(said: object) -> str | None:
    return None if said is None else str(said)


def _json(said: object) -> str:
    return json.dumps(jsonable(said), ensure_ascii=False)


def _score(said: SharedEvaluation, name: str) -> float | None:
    return said.report.scores[name].value if name in said.report.scores else None


def _kind(what: Verdict | Finding) -> str:
    return QUESTION if isinstance(what, Verdict) else what.kind


def _verdict_value(what: Verdict | Finding, tell: Callable[[Verdict], str | None]) -> str | None:
    return tell(what) if isinstance(what, Verdict) else None


def _question_text(what: Verdict | Finding) -> str:
    return what.question.text if isinstance(what, Verdict) else what.expected


def _expected_answer(verdict: Verdict) -> str:
    return verdict.question.choice(verdict.question.gold)


def _observed_answer(what: Verdict | Finding) -> str | None:
    if isinstance(what, Finding):
        return what.observed
    return what.question.choice(what.answer) if what.answer else None


def _note(what: Verdict | Finding) -> str | None:
    return what.failure if isinstance(what, Verdict) else what.note or None
