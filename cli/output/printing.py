"""Formats what commands print: one JSON document for programs, or lines for people."""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple, TypeVar

from hallascope import metrics
from hallascope.cli.output import graphs, rounds, stages
from hallascope.cli.terminal import say
from hallascope.data.records import LETTERS, Question
from hallascope.engine.documents import fig
from hallascope.engine.events import Evaluation, jsonable
from hallascope.engine.money.likely_costs import CostEstimate
from hallascope.engine.money.spending import money
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.categories import CategoryAnswer
from hallascope.metrics.statistics.intervals import interval_text

T = TypeVar("T")


class TextColumn(NamedTuple):
    """Describes a column of a table: its name and its cell for a record."""

    name: str
    of: Callable[[Any], str]


def number(value: float | None) -> str:
    """Return a number with three decimals, "-" where there is none."""
    return "-" if value is None else f"{value:.3f}"


def interval(low: float | None, high: float | None) -> str:
    """Return an interval as words, "-" where there is none."""
    return "-" if low is None or high is None else interval_text(low, high)


class FigureRow(NamedTuple):
    """Holds a figure of a trial with its 95 % interval and the number of answers it rests on."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int


def figure_columns(value: str, count: str) -> tuple[TextColumn, ...]:
    """Return the columns of a table of `FigureRow`; `value` and `count` head two of them."""
    return (
        TextColumn("slice", lambda row: row.name),
        TextColumn(value, lambda row: number(row.value)),
        TextColumn("95 % interval", lambda row: interval(row.low, row.high)),
        TextColumn(count, lambda row: str(row.n)),
    )


MODEL_COLUMNS = (
    TextColumn("model", lambda m: m.spec.id),
    TextColumn("roles", lambda m: ", ".join(m.spec.roles)),
    TextColumn("backend", lambda m: m.spec.backend),
    TextColumn("kind", lambda m: m.spec.kind),
    TextColumn("can run", lambda m: "yes" if m.reason is None else f"no: {m.reason}"),
)

EVALUATION_COLUMNS = (
    TextColumn("model", lambda e: e.model),
    TextColumn("metric", lambda e: e.metric),
    TextColumn("trial", lambda e: str(e.trial)),
    TextColumn(
        "score", lambda e: "-" if e.report.score.value is None else f"{e.report.score.value:.2f}"
    ),
    TextColumn("counted", lambda e: str(e.report.score.counted)),
    TextColumn("left out", lambda e: str(e.report.score.left_out)),
    TextColumn("answers", lambda e: " ".join(v.state for v in e.report.verdicts)),
    TextColumn("cached", lambda e: "yes" if e.cached else "no"),
)


def _stage_cell(name: str, evaluation: Evaluation) -> str:
    return stages.cell(evaluation.report, name)


def _field(name: str, pair: tuple[Evaluation, object]) -> str:
    return str(getattr(pair[1], name)) or "-"


STAGE_COLUMNS = (
    TextColumn("model", lambda e: e.model),
    TextColumn("trial", lambda e: str(e.trial)),
    *(TextColumn(name, partial(_stage_cell, name)) for name in fig.STAGES),
    TextColumn("chair_i", partial(_stage_cell, "chair_i")),
    TextColumn("not in the prompt", lambda e: ", ".join(fig.extraneous(e.report)) or "-"),
)

ROUND_COLUMNS = (
    TextColumn("model", lambda pair: pair[0].model),
    *(TextColumn(name, partial(_field, name)) for name in rounds.RoundRow._fields),
)
GRAPH_COLUMNS = (
    TextColumn("model", lambda pair: pair[0].model),
    *(
        TextColumn(field.name, partial(_field, field.name))
        for field in fields(graphs.PictureGraphRow)
    ),
)

ESTIMATE_COLUMNS = (
    TextColumn("model", lambda line: line.model),
    TextColumn("calls", lambda line: f"{line.calls:,}"),
    TextColumn("tokens read", lambda line: f"{line.input_tokens:,}"),
    TextColumn("written", lambda line: f"{line.output_tokens:,}"),
    TextColumn("pictures", lambda line: f"{line.pictures:,}"),
    TextColumn(
        "about", lambda line: "unknown price" if line.amount is None else money(line.amount)
    ),
    TextColumn(
        "price", lambda line: "; an image: ".join(filter(None, (line.source, line.assumed))) or "-"
    ),
)


QUESTION_SET_COLUMNS = (
    TextColumn("prompt", lambda s: s.prompt),
    TextColumn("questions", lambda s: str(len(s.questions))),
    TextColumn("source", lambda s: s.source),
    TextColumn("made", lambda s: s.provenance.made if s.provenance else ""),
)


def questions_lines(questions: Sequence[Question]) -> str:
    """Return questions as people read them, the right answer marked."""
    blocks = []
    for position, question in enumerate(questions, 1):
        lines = [f"{position}. {question.text} [{question.coi}]"]
        for letter, choice in zip(LETTERS, question.choices, strict=False):
            mark = "*" if letter == question.gold else " "
            lines.append(f"   {mark} {letter}) {choice}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def made_json(reasoned: MergedReasoning, made: GeneratedQuestions, saved: bool) -> dict[str, Any]:
    """Return what came of making questions for a prompt, as a document."""
    return {
        "reasoning": reasoned.text,
        "answers": [
            {
                "image": r.material.picture.sha256,
                "factual": r.material.factual,
                "state": r.state,
                "response": r.response,
                "visual": r.visual,
                "contextual": r.contextual,
                "failure": r.failure,
            }
            for r in reasoned.reasonings
        ],
        "difficulty": dict(reasoned.difficulty),
        "questions": [jsonable(question) for question in made.questions],
        "rejected": [jsonable(rejection) for rejection in made.rejected],
        "problems": _problems(reasoned, made),
        "saved": saved,
    }


def made_lines(reasoned: MergedReasoning, made: GeneratedQuestions) -> str:
    """Return what came of making questions for a prompt, for people."""
    rejected = [
        f"set {rejection.number} rejected: {rejection.reason}" for rejection in made.rejected
    ]
    remarks = "\n".join([*rejected, *_problems(reasoned, made)])
    return "\n\n".join(filter(None, [reasoned.text, questions_lines(made.questions), remarks]))


def _problems(reasoned: MergedReasoning, made: GeneratedQuestions) -> list[str]:
    return [problem for problem in (reasoned.problem, made.failure, made.note) if problem]


def category_json(answer: CategoryAnswer, saved: bool) -> dict[str, Any]:
    """Return the category of a prompt, None where none fits, as a document."""
    return {
        "category": answer.category,
        "field": answer.category.field if answer.category else None,
        "reason": answer.reason,
        "problem": answer.problem,
        "saved": saved,
    }


def category_line(answer: CategoryAnswer) -> str:
    """Return the category of a prompt with its reason, or why there is none, for people."""
    if answer.problem:
        return answer.problem
    name = "none of the nine categories"
    if answer.category:
        name = f"{answer.category.value} ({answer.category.field})"
    return f"{name}: {answer.reason}" if answer.reason else name


def estimate_json(estimate: CostEstimate) -> dict[str, Any]:
    return {
        "amount": estimate.amount,
        "currency": estimate.currency,
        "unpriced": list(estimate.unpriced),
        "models": [jsonable(line) for line in estimate.lines],
    }


def estimate_lines(estimate: CostEstimate, cap: float, day_cap: float) -> str:
    """Return what a request is likely to cost, as a table with its sum."""
    if not estimate.lines:
        return "Nothing that costs money is asked for, or all of it is there already."
    caps = f"at most {money(cap)} a run and {money(day_cap)} a day"
    words = (
        f"{table(ESTIMATE_COLUMNS, estimate.lines)}\n\nestimated: about {money(estimate.amount)} in"
        f" all; {caps}"
    )
    if dear := estimate.first_over_cap(min(cap, day_cap)):
        words += (
            f"\nOne call of {dear.model} may cost up to {money(dear.most)}, so it is not made:"
            " raise the caps (--budget, --budget-day)."
        )
    return words


def table(columns: Sequence[TextColumn], rows: Sequence[object]) -> str:
    """Return a plain table whose columns are as wide as they need; the last is not padded."""
    cells = [
        [column.name for column in columns],
        *([column.of(row) for column in columns] for row in rows),
    ]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    widths[-1] = 0
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def document(thing: object) -> str:
    """Return one JSON document."""
    return json.dumps(jsonable(thing), indent=2, ensure_ascii=False)


def print_result(as_json: bool, record: object, text: str) -> None:
    """Print a record as one JSON document, or the text that says the same to people."""
    say(document(record) if as_json else text)


def evaluation_tables(evaluations: Sequence[Evaluation]) -> str:
    """Return the scores of all evaluations, and beneath them what some metrics say more.

    These are FiG, FactualBench and scene-graph QA, where they are among them.
    """
    parts: list[tuple[Sequence[TextColumn], Sequence[object]]] = [
        (STAGE_COLUMNS, [item for item in evaluations if fig.has_stages(item.report)]),
        (ROUND_COLUMNS, [(item, row) for item in evaluations for row in rounds.rows(item.report)]),
        (
            GRAPH_COLUMNS,
            [
                (item, graphs.row(item.report))
                for item in evaluations
                if metrics.presentation(item.metric) == "graph"
            ],
        ),
    ]
    first = table(EVALUATION_COLUMNS, evaluations)
    return "\n\n".join([first, *(table(columns, rows) for columns, rows in parts if rows)])
