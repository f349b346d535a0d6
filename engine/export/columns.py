"""Defines the columns of exported tables: name, type, description, and the value of a row."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from hallascope.data.evidence import Finding
from hallascope.data.files.human_verdicts import written_at
from hallascope.data.records import Letter, Question, Verdict
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.events import ORIGIN_LAYOUT, jsonable
from hallascope.engine.export.records import SharedEvaluation, SharedPicture, SharedRun
from hallascope.engine.run import prompt_facets
from hallascope.engine.storage.scores import INJECTED
from hallascope.metrics.true_answers import TrueAnswer, is_judge_wrong

CellType = Literal["text", "whole", "number", "truth"]
CellValue = str | int | float | bool | None
QUESTION = "question"  # the kind of a verdict; a finding has its own


class ExportColumn(NamedTuple):
    """Defines a column: its name, the type of its cells, what they say, and a row's cell."""

    name: str
    type: CellType
    description: str
    value: Callable[[Any], CellValue]


class ExportedEvaluation(NamedTuple):
    """Holds a row of the table of evaluations.

    It is an evaluation with the run and the picture it belongs to, and what its prompt is sorted
    by.
    """

    run: SharedRun
    picture: SharedPicture
    evaluation: SharedEvaluation
    level: str
    task: str


class ExportedVerdict(NamedTuple):
    """Holds a row of the table of verdicts.

    `item` is a verdict or a finding of the evaluation of `row`, counted by `number` from 1 among
    its kind. `truth` is what the picture shows of a question, None where it is not known.
    """

    row: ExportedEvaluation
    number: int
    item: Verdict | Finding
    truth: TrueAnswer | None = None

    @property
    def kind(self) -> str:
        return QUESTION if isinstance(self.item, Verdict) else self.item.kind

    @property
    def question(self) -> Question | None:
        """The question of a verdict, None of a finding."""
        return self.item.question if isinstance(self.item, Verdict) else None

    @property
    def subject(self) -> str:
        """The question, or what the prompt asks for, which is "" for an extra thing."""
        return self.item.question.text if isinstance(self.item, Verdict) else self.item.expected

    @property
    def answer(self) -> Letter | None:
        """The letter that the judge took, None of a finding."""
        return self.item.answer if isinstance(self.item, Verdict) else None

    @property
    def observed(self) -> str | None:
        """The choice that the judge took in words, or what was seen."""
        if isinstance(self.item, Finding):
            return self.item.observed
        return self.item.question.choice(self.item.answer) if self.item.answer else None

    @property
    def judge_is_wrong(self) -> bool | None:
        """Whether the judge's answer is not the true one, None where one of them is missing."""
        return is_judge_wrong(self.item, self.truth) if isinstance(self.item, Verdict) else None

    @property
    def members(self) -> str | None:
        """What the members of a jury answered, as JSON; None where no jury did."""
        given = self.item.members if isinstance(self.item, Verdict) else ()
        return _json(given) if given else None

    @property
    def note(self) -> str | None:
        return self.item.failure if isinstance(self.item, Verdict) else self.item.note or None


def exported_evaluations(
    run: SharedRun, pictures: Iterable[SharedPicture], evaluations: Iterable[SharedEvaluation]
) -> Iterator[ExportedEvaluation]:
    """Yield every evaluation of a run as a row."""
    by_generation = {picture.generation: picture for picture in pictures}
    facets = prompt_facets.for_request(run.request)
    for evaluation in evaluations:
        picture = by_generation[evaluation.generation]
        yield ExportedEvaluation(run, picture, evaluation, facets.level, facets.task)


def exported_verdicts(row: ExportedEvaluation) -> Iterator[ExportedVerdict]:
    """Yield every question of an evaluation, then every finding."""
    report = row.evaluation.report
    findings = report.evidence.findings if report.evidence else ()
    truths = row.evaluation.truths or (None,) * len(report.verdicts)
    verdicts = zip(report.verdicts, truths, strict=True)
    for number, (verdict, truth) in enumerate(verdicts, 1):
        yield ExportedVerdict(row, number, verdict, truth)
    for number, finding in enumerate(findings, 1):
        yield ExportedVerdict(row, number, finding)


def state_value(state: str) -> int | None:
    """Return 1 for right, 0 for wrong, None for what has no answer that can be read."""
    return {"correct": 1, "incorrect": 0, "abstained": 0}.get(state)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _origin(row: ExportedEvaluation, name: str) -> str | None:
    """Return a text of where an image comes from, None for one that was made here."""
    return _text(row.picture.settings.get(f"origin_{name}"))


def _brought_at(picture: SharedPicture) -> str | None:
    """Return when an image that was made elsewhere was brought in, None for one made here."""
    if ORIGIN_LAYOUT not in picture.settings:
        return None
    return datetime.fromtimestamp(picture.created, UTC).isoformat(timespec="seconds")


def _reading_field(row: ExportedEvaluation, name: str) -> str | None:
    """Return a text of the reading that an evaluation rests on, None where there is none."""
    reading = row.evaluation.report.reading
    return (getattr(reading, name) or None) if reading else None


def _json(value: object) -> str:
    return json.dumps(jsonable(value), ensure_ascii=False)


# --- the columns that say where a row belongs ---

_ABOUT: tuple[ExportColumn, ...] = (
    ExportColumn("run", "text", "the run's id", lambda row: row.run.id),
    ExportColumn(
        "date",
        "text",
        "when the run was begun: ISO 8601, UTC",
        lambda row: datetime.fromtimestamp(row.run.created, UTC).isoformat(timespec="seconds"),
    ),
    ExportColumn("prompt", "text", "what the image should show", lambda row: row.evaluation.prompt),
    ExportColumn(
        "category",
        "text",
        "of I-HallA, where the prompt has one",
        lambda row: row.evaluation.category,
    ),
    ExportColumn(
        "field",
        "text",
        "Science or History: the half of I-HallA that the prompt belongs to, where it is known",
        lambda row: row.evaluation.field,
    ),
    ExportColumn(
        "difficulty",
        "text",
        "of the prompt, where its questions say it: easy, medium or hard",
        lambda row: row.evaluation.difficulty,
    ),
    ExportColumn(
        "domain",
        "text",
        "of T2I-FactualBench, where the prompt has one",
        lambda row: row.evaluation.domain,
    ),
    ExportColumn(
        "level",
        "text",
        "of T2I-FactualBench, where the prompt has one",
        lambda row: row.level or None,
    ),
    ExportColumn(
        "task",
        "text",
        "of T2I-FactualBench, where the prompt has one",
        lambda row: row.task or None,
    ),
    ExportColumn(
        "model",
        "text",
        "the generator; `uploaded` for an image that a person brought",
        lambda row: row.evaluation.model,
    ),
    ExportColumn("revision", "text", "of the generator", lambda row: row.picture.revision),
    ExportColumn("seed", "whole", "of the image", lambda row: row.picture.seed),
    ExportColumn(
        "injected",
        "text",
        "the knowledge given beside the prompt: text or visual",
        lambda row: _text(row.picture.settings.get(INJECTED)),
    ),
    ExportColumn(
        "generation", "text", "the id of the image's place", lambda row: row.evaluation.generation
    ),
    ExportColumn(
        "image",
        "text",
        "SHA-256 of the image's bytes; its file is `images/<image>.png`",
        lambda row: row.evaluation.image,
    ),
    ExportColumn(
        "origin_file",
        "text",
        "where an image that was made elsewhere came from: its path within the folder",
        lambda row: _origin(row, "file"),
    ),
    ExportColumn(
        "origin_sha256",
        "text",
        "SHA-256 of the file as it came",
        lambda row: _origin(row, "sha256"),
    ),
    ExportColumn(
        "origin_layout",
        "text",
        "the layout of the folder that it came in",
        lambda row: _origin(row, "layout"),
    ),
    ExportColumn(
        "origin_date",
        "text",
        "when it was brought in: ISO 8601, UTC",
        lambda row: _brought_at(row.picture),
    ),
    ExportColumn("metric", "text", "who asks", lambda row: row.evaluation.metric),
    ExportColumn(
        "version",
        "text",
        "of the metric's rules and templates",
        lambda row: row.evaluation.report.version,
    ),
    ExportColumn(
        "wording",
        "text",
        "the pack of texts that models were sent; its version ends that of the metric",
        lambda row: wording_mark(row.evaluation.report.version).name,
    ),
    ExportColumn(
        "protocol",
        "text",
        "how the judge came to its choices: ranked, schema or free; part of version",
        lambda row: row.evaluation.report.protocol or None,
    ),
    ExportColumn(
        "not_applied",
        "text",
        "what services did not take of the metric's parameters, like temperature; part of version",
        lambda row: ", ".join(row.evaluation.report.not_applied) or None,
    ),
    ExportColumn(
        "judge", "text", "who answers, where a judge does", lambda row: row.evaluation.judge
    ),
    ExportColumn(
        "judge_revision", "text", "of the judge", lambda row: row.evaluation.judge_revision or None
    ),
    ExportColumn("trial", "whole", "counted from 0", lambda row: row.evaluation.trial),
    ExportColumn(
        "reading",
        "text",
        "who read what the prompt asks for: rules, model or person; empty where nobody did",
        lambda row: _reading_field(row, "source"),
    ),
    ExportColumn(
        "reading_author",
        "text",
        "the name of the person who corrected the reading, where one is given",
        lambda row: _reading_field(row, "author"),
    ),
)

EVALUATIONS: tuple[ExportColumn, ...] = (
    *_ABOUT,
    ExportColumn(
        "score",
        "number",
        "the main score; empty where nothing was counted",
        lambda row: row.evaluation.report.score.value,
    ),
    ExportColumn(
        "counted",
        "whole",
        "how many the score counts",
        lambda row: row.evaluation.report.score.counted,
    ),
    ExportColumn(
        "left_out",
        "whole",
        "how many have no answer and are left out",
        lambda row: row.evaluation.report.score.left_out,
    ),
    ExportColumn(
        "strict",
        "number",
        "1 where all is right, else 0; empty where the metric has none",
        lambda row: (
            row.evaluation.report.scores["strict"].value
            if "strict" in row.evaluation.report.scores
            else None
        ),
    ),
    ExportColumn(
        "scores",
        "text",
        "all scores by name as JSON, each with `value`, `counted`, `left_out`",
        lambda row: _json(row.evaluation.report.scores),
    ),
    ExportColumn(
        "published",
        "text",
        "the scores under the papers' rule (no answer is wrong), as JSON",
        lambda row: _json(row.evaluation.report.published),
    ),
    ExportColumn(
        "lineup",
        "text",
        "all models that were asked, by role, as JSON",
        lambda row: _json(row.evaluation.lineup),
    ),
    ExportColumn(
        "cached", "truth", "every reply was there already", lambda row: row.evaluation.cached
    ),
)


def _of_row(column: ExportColumn) -> ExportColumn:
    """Return a column of evaluations as one of their verdicts."""
    return column._replace(value=lambda verdict: column.value(verdict.row))


VERDICTS: tuple[ExportColumn, ...] = (
    *(_of_row(column) for column in _ABOUT),
    ExportColumn(
        "kind",
        "text",
        "`question`, or the kind of the finding: object, color, number, rating, ...",
        lambda verdict: verdict.kind,
    ),
    ExportColumn(
        "number",
        "whole",
        "counted from 1 among the questions, or the findings, of its evaluation",
        lambda verdict: verdict.number,
    ),
    ExportColumn(
        "coi",
        "text",
        "composition of interest; of questions only",
        lambda verdict: verdict.question and verdict.question.coi,
    ),
    ExportColumn(
        "asked",
        "text",
        "the question, or what was asked for",
        lambda verdict: verdict.subject,
    ),
    ExportColumn(
        "wanted",
        "text",
        "the right choice in words; of questions only",
        lambda verdict: verdict.question and verdict.question.choice(verdict.question.gold),
    ),
    ExportColumn(
        "seen",
        "text",
        "the choice the judge took in words, or what was seen",
        lambda verdict: verdict.observed,
    ),
    ExportColumn(
        "gold",
        "text",
        "the letter of the right choice",
        lambda verdict: verdict.question and verdict.question.gold,
    ),
    ExportColumn(
        "answer",
        "text",
        "the letter of the choice the judge took",
        lambda verdict: verdict.answer,
    ),
    ExportColumn(
        "state",
        "text",
        "correct, incorrect, abstained (none fits), unreadable or failed",
        lambda verdict: verdict.item.state,
    ),
    ExportColumn(
        "value",
        "whole",
        "1 correct, 0 incorrect or abstained; empty where it is left out",
        lambda verdict: state_value(verdict.item.state),
    ),
    ExportColumn(
        "soft",
        "text",
        "the state by the lenient rule; of findings that have one",
        lambda verdict: getattr(verdict.item, "lenient_state", None),
    ),
    ExportColumn(
        "probability",
        "number",
        "the judge's own for its answer, where it gives one",
        lambda verdict: getattr(verdict.item, "probability", None),
    ),
    ExportColumn(
        "raw",
        "text",
        "the reply as it came; of questions only",
        lambda verdict: getattr(verdict.item, "raw", None),
    ),
    ExportColumn(
        "truth",
        "text",
        "what the image really shows of the question, in words, where it is known",
        lambda verdict: verdict.truth and verdict.truth.text,
    ),
    ExportColumn(
        "truth_letter",
        "text",
        "the letter of the choice that is true; empty where no choice is",
        lambda verdict: verdict.truth and verdict.truth.letter,
    ),
    ExportColumn(
        "truth_source",
        "text",
        "how the truth is known: drawn, reference or label; what people say is a table of its own",
        lambda verdict: verdict.truth and verdict.truth.source,
    ),
    ExportColumn(
        "judge_is_wrong",
        "truth",
        "whether the judge’s answer is not the true one; empty where one of them is missing",
        lambda verdict: verdict.judge_is_wrong,
    ),
    ExportColumn(
        "note",
        "text",
        "why there is no answer, or what else is to be known",
        lambda verdict: verdict.note,
    ),
    ExportColumn(
        "members",
        "text",
        "what each member of a jury answered: `member`, `answer`, `raw`, `failure`, as JSON",
        lambda verdict: verdict.members,
    ),
)

# the same names as those of `hallascope.data.files.human_verdicts`, so that the Labels tab
# reads the table, too; its rows are of PersonVerdict
PEOPLE: tuple[ExportColumn, ...] = (
    ExportColumn("item", "text", "SHA-256 of the image's bytes", lambda verdict: verdict.image),
    ExportColumn("prompt", "text", "what the image should show", lambda verdict: verdict.prompt),
    ExportColumn(
        "kind",
        "text",
        "what is answered: `question`, `grade` (from 1 to 7) or `finding`",
        lambda verdict: verdict.kind,
    ),
    ExportColumn(
        "about",
        "text",
        "the question, or the finding as `kind: asked -> seen`; empty for grades",
        lambda verdict: verdict.about,
    ),
    ExportColumn(
        "rater",
        "text",
        "the name that the person gave; empty where nobody did",
        lambda verdict: verdict.rater,
    ),
    ExportColumn(
        "value",
        "text",
        "the words of a choice, `?` where it cannot be told, a grade, or `fine`",
        lambda verdict: verdict.value,
    ),
    ExportColumn(
        "when",
        "text",
        "when it was said last: ISO 8601, UTC",
        lambda verdict: written_at(verdict.when),
    ),
    ExportColumn(
        "metric",
        "text",
        "whose finding it is; `check` where a judge's answers were in sight; `factualbench-form` of"
        " a rating by T2I-FactualBench; `tag`, `question-tag` and `note` of tags and notes; empty"
        " for the rest",
        lambda verdict: verdict.metric,
    ),
)

TABLES: Mapping[str, Sequence[ExportColumn]] = {
    "verdicts": VERDICTS,
    "evaluations": EVALUATIONS,
    "people": PEOPLE,
}
