"""Defines the columns of exported tables, and makes the rows of a run.

A row is a dictionary. It may hold more than the columns of its table: what other formats show.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hallascope.data.files.human_verdicts import written_at
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine import ratings
from hallascope.engine.events import ORIGIN_LAYOUT, jsonable
from hallascope.engine.export.records import SharedPicture
from hallascope.engine.run.concept_resolution import prompt_facets
from hallascope.engine.storage.evaluations import StoredEvaluation
from hallascope.engine.storage.people.ratings import Rating
from hallascope.engine.storage.scores import INJECTED
from hallascope.engine.storage.store import RunRecord
from hallascope.metrics.true_answers import is_judge_wrong, judge_outcome

if TYPE_CHECKING:
    import pandas as pd

QUESTION = "question"  # the kind of a verdict; a finding has its own
VALUES: Mapping[str, int] = {"correct": 1, "incorrect": 0, "abstained": 0}
"""The value of a state; the others have no answer that can be read."""
Row = dict[str, Any]


class EvaluationMethod(NamedTuple):
    """Names one way of judging, with its line-up as JSON: numbers of two are never averaged."""

    metric: str
    version: str
    judge: str
    lineup: str


class Column(NamedTuple):
    """Names a column of a table, the type of its cells, and what they say."""

    name: str
    type: Literal["text", "whole", "number", "truth"]
    description: str


_DTYPES = {"text": "object", "whole": "Int64", "number": "float64", "truth": "boolean"}

# where a row belongs
_ABOUT = (
    Column("run", "text", "the run's id"),
    Column("date", "text", "when the run was begun: ISO 8601, UTC"),
    Column("prompt", "text", "what the image should show"),
    Column("category", "text", "of I-HallA, where the prompt has one"),
    Column(
        "field",
        "text",
        "Science or History: the half of I-HallA that the prompt belongs to, where it is known",
    ),
    Column("difficulty", "text", "of the prompt, where its questions say it: easy, medium or hard"),
    Column("domain", "text", "of T2I-FactualBench, where the prompt has one"),
    Column("level", "text", "of T2I-FactualBench, where the prompt has one"),
    Column("task", "text", "of T2I-FactualBench, where the prompt has one"),
    Column("model", "text", "the generator; `uploaded` for an image that a person brought"),
    Column("revision", "text", "of the generator"),
    Column("seed", "whole", "of the image"),
    Column("injected", "text", "the knowledge given beside the prompt: text or visual"),
    Column("generation", "text", "the id of the image's place"),
    Column("image", "text", "SHA-256 of the image's bytes; its file is `images/<image>.png`"),
    Column(
        "origin_file",
        "text",
        "where an image that was made elsewhere came from: its path within the folder",
    ),
    Column("origin_sha256", "text", "SHA-256 of the file as it came"),
    Column("origin_layout", "text", "the layout of the folder that it came in"),
    Column("origin_date", "text", "when it was brought in: ISO 8601, UTC"),
    Column("metric", "text", "who asks"),
    Column("version", "text", "of the metric's rules and templates"),
    Column(
        "wording",
        "text",
        "the pack of texts that models were sent; its version ends that of the metric",
    ),
    Column(
        "protocol",
        "text",
        "how the judge came to its choices: ranked, schema or free; part of version",
    ),
    Column(
        "not_applied",
        "text",
        "what services did not take of the metric's parameters, like temperature; part of version",
    ),
    Column("judge", "text", "who answers, where a judge does"),
    Column("judge_revision", "text", "of the judge"),
    Column("trial", "whole", "counted from 0"),
    Column(
        "reading",
        "text",
        "who read what the prompt asks for: rules, a model or a person; empty where no metric asks",
    ),
    Column(
        "reading_author",
        "text",
        "the name of the person who corrected the reading, where one is given",
    ),
)
EVALUATIONS = (
    *_ABOUT,
    Column("score", "number", "the main score; empty where nothing was counted"),
    Column("counted", "whole", "how many the score counts"),
    Column("left_out", "whole", "how many have no answer and are left out"),
    Column("strict", "number", "1 where all is right, else 0; empty where the metric has none"),
    Column(
        "scores", "text", "all scores by name as JSON, each with `value`, `counted`, `left_out`"
    ),
    Column("published", "text", "the scores under the papers' rule (no answer is wrong), as JSON"),
    Column("lineup", "text", "all models that were asked, by role, as JSON"),
    Column("cached", "truth", "every reply was there already"),
)
VERDICTS = (
    *_ABOUT,
    Column(
        "kind", "text", "`question`, or the kind of the finding: object, color, number, rating, ..."
    ),
    Column(
        "number", "whole", "counted from 1 among the questions, or the findings, of its evaluation"
    ),
    Column("coi", "text", "composition of interest; of questions only"),
    Column("asked", "text", "the question, or what was asked for"),
    Column("wanted", "text", "the right choice in words; of questions only"),
    Column("seen", "text", "the choice the judge took in words, or what was seen"),
    Column("gold", "text", "the letter of the right choice"),
    Column("answer", "text", "the letter of the choice the judge took"),
    Column("state", "text", "correct, incorrect, abstained (none fits), unreadable or failed"),
    Column("value", "whole", "1 correct, 0 incorrect or abstained; empty where it is left out"),
    Column("soft", "text", "the state by the lenient rule; of findings that have one"),
    Column("probability", "number", "the judge's own for its answer, where it gives one"),
    Column("raw", "text", "the reply as it came; of questions only"),
    Column(
        "truth", "text", "what the image really shows of the question, in words, where it is known"
    ),
    Column(
        "truth_letter", "text", "the letter of the choice that is true; empty where no choice is"
    ),
    Column(
        "truth_source",
        "text",
        "how the truth is known: drawn, reference or label; what people say is a table of its own",
    ),
    Column(
        "judge_is_wrong",
        "truth",
        "whether the judge’s answer is not the true one; empty where one of them is missing",
    ),
    Column("note", "text", "why there is no answer, or what else is to be known"),
    Column(
        "members",
        "text",
        "what each member of a jury answered: `member`, `answer`, `raw`, `failure`, as JSON",
    ),
)
# the names of `hallascope.data.files.human_verdicts`, so that the Labels tab reads the table, too
PEOPLE = (
    Column("item", "text", "SHA-256 of the image's bytes"),
    Column("prompt", "text", "what the image should show"),
    Column("kind", "text", "what is answered: `question`, `grade` (from 1 to 7) or `finding`"),
    Column(
        "about", "text", "the question, or the finding as `kind: asked -> seen`; empty for grades"
    ),
    Column("rater", "text", "the name that the person gave, empty without one"),
    Column(
        "value", "text", "the words of a choice, `?` where it cannot be told, a grade, or `fine`"
    ),
    Column("when", "text", "when it was said last: ISO 8601, UTC"),
    Column(
        "metric",
        "text",
        "whose finding it is; `check` where a judge's answers were in sight; `factualbench-form` of"
        " a rating by T2I-FactualBench; `tag`, `question-tag` and `note` of tags and notes; empty"
        " for the rest",
    ),
)
RUN_COLUMNS = (
    Column("run", "text", "the run's id"),
    Column("prompt", "text", "what its images should show"),
    Column("state", "text", "running, stopped or finished"),
)
IMAGE_COLUMNS = (
    Column("run", "text", "the run's id"),
    Column("generation", "text", "the id of the image's place"),
    Column("model", "text", "the generator"),
    Column("seed", "whole", "of the image"),
    Column("image", "text", "SHA-256 of the image's bytes, once it is there"),
    Column("state", "text", "waiting, done or failed"),
)
TABLES: Mapping[str, Sequence[Column]] = {
    "verdicts": VERDICTS,
    "evaluations": EVALUATIONS,
    "people": PEOPLE,
}


def frame(columns: Sequence[Column], rows: Iterable[Row]) -> "pd.DataFrame":
    """Return rows as a table with these columns; a cell without a value is missing."""
    import pandas as pd

    table = pd.DataFrame(list(rows), columns=[column.name for column in columns])
    return table.astype({column.name: _DTYPES[column.type] for column in columns})


def evaluation_rows(
    run: RunRecord, pictures: Iterable[SharedPicture], evaluations: Iterable[StoredEvaluation]
) -> Iterator[Row]:
    """Yield a row for each evaluation of a run."""
    by_generation = {picture.generation: picture for picture in pictures}
    facets = prompt_facets(run.request)
    for evaluation in evaluations:
        picture = by_generation[evaluation.generation]
        report = evaluation.report
        origin = {name: picture.settings.get(f"origin_{name}") for name in ("file", "sha256")}
        layout = picture.settings.get(ORIGIN_LAYOUT)
        yield {
            **vars(evaluation),
            "run": run.id,
            "date": _time(run.created),
            "level": facets.level or None,
            "task": facets.task or None,
            "revision": picture.revision,
            "seed": picture.seed,
            "injected": picture.settings.get(INJECTED),
            **{f"origin_{name}": value for name, value in origin.items()},
            "origin_layout": layout,
            "origin_date": layout and _time(picture.created),
            "version": report.version,
            "wording": wording_mark(report.version).name,
            "protocol": report.protocol or None,
            "not_applied": ", ".join(report.not_applied) or None,
            "judge_revision": evaluation.judge_revision or None,
            "reading": report.reading and report.reading.source,
            "reading_author": (report.reading and report.reading.author) or None,
            "score": report.score.value,
            "counted": report.score.counted,
            "left_out": report.score.left_out,
            "strict": report.scores["strict"].value if "strict" in report.scores else None,
            "scores": _json(report.scores),
            "published": _json(report.published),
            "lineup": _json(evaluation.lineup),
        }


def group_by_method(rows: Sequence[Row]) -> Mapping[EvaluationMethod, list[Row]]:
    """Return the evaluations by how they were judged."""
    groups: dict[EvaluationMethod, list[Row]] = defaultdict(list)
    for row in rows:
        lineup = json.dumps(json.loads(row["lineup"]), sort_keys=True)
        method = EvaluationMethod(row["metric"], row["version"], row["judge"] or "", lineup)
        groups[method].append(row)
    return groups


def verdict_rows(row: Row) -> Iterator[Row]:
    """Yield a row for each question of an evaluation's row, then for each finding."""
    report = row["report"]
    truths = row["truths"] or (None,) * len(report.verdicts)
    for number, (verdict, truth) in enumerate(zip(report.verdicts, truths, strict=True), 1):
        question = verdict.question
        yield row | {
            "kind": QUESTION,
            "number": number,
            "coi": question.coi,
            "asked": question.text,
            "choices": question.choices,
            "wanted": question.choice(question.gold),
            "seen": question.choice(verdict.answer) if verdict.answer else None,
            "gold": question.gold,
            "answer": verdict.answer,
            "state": verdict.state,
            "value": VALUES.get(verdict.state),
            "probability": verdict.probability,
            "raw": verdict.raw,
            "truth": truth and truth.text,
            "truth_letter": truth and truth.letter,
            "truth_source": truth and truth.source,
            "judge_is_wrong": is_judge_wrong(verdict, truth),
            "outcome": judge_outcome(verdict, truth),
            "note": verdict.failure,
            "members": _json(verdict.members) if verdict.members else None,
        }
    for number, finding in enumerate(report.evidence.findings if report.evidence else (), 1):
        yield row | {
            "kind": finding.kind,
            "number": number,
            "asked": finding.expected,
            "seen": finding.observed,
            "state": finding.state,
            "value": VALUES.get(finding.state),
            "soft": finding.lenient_state,
            "note": finding.note or None,
        }


def person_row(rating: Rating) -> Row:
    """Return the row of what a person said."""
    said = ratings.person_verdict(rating)
    return vars(said) | {"item": said.image, "when": written_at(said.when)}


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _json(value: object) -> str:
    return json.dumps(jsonable(value), ensure_ascii=False)
