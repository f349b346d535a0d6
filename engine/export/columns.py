"""The columns of the tables that leave: each a name, a type, what it tells, and a function of the
record. It writes no file.
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

Type = Literal["text", "whole", "number", "truth"]
Cell = str | int | float | bool | None
QUESTION = "question"  # the kind of a verdict; a finding has its own


class Column(NamedTuple):
    """A column: its name, the type of its cells, what it tells, and what it says of a row."""

    name: str
    type: Type
    about: str
    of: Callable[[Any], Cell]


class Told(NamedTuple):
    """An evaluation with the run and the picture it belongs to, and what its prompt is sorted by.

    A row of the table of evaluations.
    """

    run: SharedRun
    picture: SharedPicture
    said: SharedEvaluation
    level: str
    task: str


class Asked(NamedTuple):
    """One verdict or finding of an evaluation, counted from 1 among its sort.

    A row of the table of verdicts.
    """

    told: Told
    number: int
    what: Verdict | Finding


def told(
    run: SharedRun, shown: Iterable[SharedPicture], said: Iterable[SharedEvaluation]
) -> Iterator[Told]:
    """Every evaluation of a run as a row."""
    places = {picture.generation: picture for picture in shown}
    known = prompt_facets.of(run.request)
    yield from (Told(run, places[one.generation], one, known.level, known.task) for one in said)


def asked(told: Told) -> Iterator[Asked]:
    """Every question of an evaluation, then every finding."""
    report = told.said.report
    findings = report.evidence.findings if report.evidence else ()
    yield from (Asked(told, i, one) for i, one in enumerate(report.verdicts, 1))
    yield from (Asked(told, i, one) for i, one in enumerate(findings, 1))


def _of_told(tell: Callable[[Told], Cell]) -> Callable[[Asked], Cell]:
    return lambda row: tell(row.told)


def _date(told: Told) -> str:
    return datetime.fromtimestamp(told.run.created, UTC).isoformat(timespec="seconds")


# --- what tells where a row belongs
# ------------------------------------------------------------------------------------------

_ABOUT: tuple[Column, ...] = (
    Column("run", "text", "the run's id", lambda t: t.run.id),
    Column("date", "text", "when the run was begun: ISO 8601, UTC", _date),
    Column("prompt", "text", "what the picture should show", lambda t: t.said.prompt),
    Column("category", "text", "of I-HallA, where the prompt has one", lambda t: t.said.category),
    Column("domain", "text", "of T2I-FactualBench, where the prompt has one", lambda t: t.said.domain),
    Column("level", "text", "of T2I-FactualBench, where the prompt has one", lambda t: t.level or None),
    Column("task", "text", "of T2I-FactualBench, where the prompt has one", lambda t: t.task or None),
    Column("model", "text", "the generator; `uploaded` for a picture that a person brought", lambda t: t.said.model),
    Column("revision", "text", "of the generator", lambda t: t.picture.revision),
    Column("seed", "whole", "of the picture", lambda t: t.picture.seed),
    Column("injected", "text", "the knowledge given beside the prompt: text or visual", lambda t: _text(t.picture.settings.get(INJECTED))),
    Column("generation", "text", "the id of the picture's place", lambda t: t.said.generation),
    Column("image", "text", "SHA-256 of the picture's bytes; its file is `images/<image>.png`", lambda t: t.said.image),
    Column("metric", "text", "who asks", lambda t: t.said.metric),
    Column("version", "text", "of the metric's rules and templates", lambda t: t.said.report.version),
    Column("judge", "text", "who answers, where a judge does", lambda t: t.said.judge),
    Column("judge_revision", "text", "of the judge", lambda t: t.said.judge_revision or None),
    Column("trial", "whole", "counted from 0", lambda t: t.said.trial),
)  # fmt: skip

EVALUATIONS: tuple[Column, ...] = (
    *_ABOUT,
    Column(
        "score",
        "number",
        "the main score; empty where nothing was counted",
        lambda t: t.said.report.score.value,
    ),
    Column("counted", "whole", "how many the score counts", lambda t: t.said.report.score.counted),
    Column(
        "left_out",
        "whole",
        "how many have no answer and are left out",
        lambda t: t.said.report.score.left_out,
    ),
    Column(
        "strict",
        "number",
        "1 where all is right, else 0; empty where the metric has none",
        lambda t: _score(t.said, "strict"),
    ),
    Column(
        "scores",
        "text",
        "all scores by name as JSON, each with `value`, `counted`, `left_out`",
        lambda t: _json(t.said.report.scores),
    ),
    Column(
        "published",
        "text",
        "the scores under the papers' rule (no answer is wrong), as JSON",
        lambda t: _json(t.said.report.published),
    ),
    Column(
        "lineup",
        "text",
        "all models that were asked, by role, as JSON",
        lambda t: _json(t.said.lineup),
    ),
    Column("cached", "truth", "every reply was there already", lambda t: t.said.cached),
)

VERDICTS: tuple[Column, ...] = (
    *(column._replace(of=_of_told(column.of)) for column in _ABOUT),
    Column(
        "kind",
        "text",
        "`question`, or the kind of the finding: object, color, number, rating, ...",
        lambda row: _kind(row.what),
    ),
    Column(
        "number",
        "whole",
        "counted from 1 among the questions, or the findings, of its evaluation",
        lambda row: row.number,
    ),
    Column(
        "coi",
        "text",
        "composition of interest; of questions only",
        lambda row: _of(row.what, lambda v: v.question.coi),
    ),
    Column("asked", "text", "the question, or what was asked for", lambda row: _asked(row.what)),
    Column(
        "wanted",
        "text",
        "the right choice in words; of questions only",
        lambda row: _of(row.what, _wanted),
    ),
    Column(
        "seen",
        "text",
        "the choice the judge took in words, or what was seen",
        lambda row: _seen(row.what),
    ),
    Column(
        "gold",
        "text",
        "the letter of the right choice",
        lambda row: _of(row.what, lambda v: v.question.gold),
    ),
    Column(
        "answer",
        "text",
        "the letter of the choice the judge took",
        lambda row: _of(row.what, lambda v: v.answer),
    ),
    Column(
        "state",
        "text",
        "correct, incorrect, abstained (none fits), unreadable or failed",
        lambda row: row.what.state,
    ),
    Column(
        "value",
        "whole",
        "1 correct, 0 incorrect or abstained; empty where it is left out",
        lambda row: value(row.what.state),
    ),
    Column(
        "soft",
        "text",
        "the state by the lenient rule; of findings that have one",
        lambda row: getattr(row.what, "lenient_state", None),
    ),
    Column(
        "probability",
        "number",
        "the judge's own for its answer, where it gives one",
        lambda row: getattr(row.what, "probability", None),
    ),
    Column(
        "raw",
        "text",
        "the reply as it came; of questions only",
        lambda row: getattr(row.what, "raw", None),
    ),
    Column(
        "note",
        "text",
        "why there is no answer, or what else is to be known",
        lambda row: _note(row.what),
    ),
)

# the same names as those of `hallascope.data.files.human_verdicts`, so that the People tab reads
# the table, too; its rows are of PersonVerdict
PEOPLE: tuple[Column, ...] = (
    Column("item", "text", "SHA-256 of the picture's bytes", lambda one: one.image),
    Column("prompt", "text", "what the picture should show", lambda one: one.prompt),
    Column(
        "kind",
        "text",
        "what is answered: `question`, `grade` (from 1 to 7) or `finding`",
        lambda one: one.kind,
    ),
    Column(
        "about",
        "text",
        "the question, or the finding as `kind: asked -> seen`; empty for grades",
        lambda one: one.about,
    ),
    Column(
        "rater",
        "text",
        "the name that the person gave; empty where nobody did",
        lambda one: one.rater,
    ),
    Column(
        "value",
        "text",
        "the words of a choice, `?` where it cannot be told, a grade, or `fine`",
        lambda one: one.value,
    ),
    Column(
        "when", "text", "when it was said last: ISO 8601, UTC", lambda one: written_at(one.when)
    ),
    Column(
        "metric",
        "text",
        "whose finding it is; `check` where a judge's answers were in sight; empty for the rest",
        lambda one: one.metric,
    ),
)

TABLES: Mapping[str, Sequence[Column]] = {
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


def _of(what: Verdict | Finding, tell: Callable[[Verdict], str | None]) -> str | None:
    return tell(what) if isinstance(what, Verdict) else None


def _asked(what: Verdict | Finding) -> str:
    return what.question.text if isinstance(what, Verdict) else what.expected


def _wanted(verdict: Verdict) -> str:
    return verdict.question.choice(verdict.question.gold)


def _seen(what: Verdict | Finding) -> str | None:
    if isinstance(what, Finding):
        return what.observed
    return what.question.choice(what.answer) if what.answer else None


def _note(what: Verdict | Finding) -> str | None:
    return what.failure if isinstance(what, Verdict) else what.note or None
