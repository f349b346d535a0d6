"""What commands print: one JSON document for programs, or lines for people. It runs nothing."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from hallascope import metrics
from hallascope.cli.output import graphs, rounds, stages
from hallascope.data.evidence import Finding
from hallascope.data.models.specs import CURRENCY
from hallascope.data.records import LETTERS, Question, Report, Score, Verdict
from hallascope.data.requests import Failure
from hallascope.engine.events import (
    Evaluated,
    Evaluation,
    EvaluationFailed,
    Event,
    Finished,
    GeneratedPicture,
    Pictured,
    PictureFailed,
    Queued,
    jsonable,
)
from hallascope.engine.money.budget import CostEstimate, money
from hallascope.engine.run.evaluation import unanswered_items
from hallascope.engine.services import ModelAvailability
from hallascope.metrics.base import Presentation
from hallascope.metrics.factualbench.plan import as_json
from hallascope.metrics.fig.report import NAME as FIG
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.reasoning import Reasoning

T = TypeVar("T")


class TextColumn(NamedTuple):
    """A column of a table: its name and what it says of a record."""

    name: str
    of: Callable[[Any], str]


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


def _field(name: str, pair: tuple[Evaluation, NamedTuple]) -> str:
    return str(getattr(pair[1], name))


def _field_or_dash(name: str, pair: tuple[Evaluation, NamedTuple]) -> str:
    return _field(name, pair) or "-"


STAGE_COLUMNS = (
    TextColumn("model", lambda e: e.model),
    TextColumn("trial", lambda e: str(e.trial)),
    *(TextColumn(name, partial(_stage_cell, name)) for name in stages.STAGES),
    TextColumn("chair_i", lambda e: stages.cell(e.report, "chair_i")),
    TextColumn("nobody asked for", lambda e: ", ".join(stages.extraneous(e.report)) or "-"),
)

ROUND_COLUMNS = (
    TextColumn("model", lambda pair: pair[0].model),
    *(TextColumn(name, partial(_field_or_dash, name)) for name in rounds.RoundRow._fields),
)
GRAPH_COLUMNS = (
    TextColumn("model", lambda pair: pair[0].model),
    *(TextColumn(name, partial(_field, name)) for name in graphs.PictureGraphRow._fields),
)
_MORE: dict[Presentation, Callable[[Report], dict[str, Any]]] = {
    "rounds": as_json,
    "graph": graphs.as_json,
}

ESTIMATE_COLUMNS = (
    TextColumn("model", lambda line: line.model),
    TextColumn("calls", lambda line: f"{line.calls:,}"),
    TextColumn("tokens read", lambda line: f"{line.input_tokens:,}"),
    TextColumn("written", lambda line: f"{line.output_tokens:,}"),
    TextColumn("pictures", lambda line: f"{line.pictures:,}"),
    TextColumn(
        "about", lambda line: "price not known" if line.amount is None else money(line.amount)
    ),
)


QUESTION_SET_COLUMNS = (
    TextColumn("prompt", lambda s: s.prompt),
    TextColumn("questions", lambda s: str(len(s.questions))),
    TextColumn("source", lambda s: s.source),
    TextColumn("made", lambda s: s.provenance.made if s.provenance else ""),
)


def questions_lines(questions: Sequence[Question]) -> str:
    """Questions as people read them, the right answer marked."""
    return "\n\n".join(
        f"{i}. {q.text} [{q.coi}]\n" + "\n".join(_choice_lines(q))
        for i, q in enumerate(questions, 1)
    )


def _choice_lines(question: Question) -> list[str]:
    pairs = zip(LETTERS, question.choices, strict=False)
    return [
        f"   {'*' if letter == question.gold else ' '} {letter}) {choice}"
        for letter, choice in pairs
    ]


def made_json(reasoned: MergedReasoning, made: GeneratedQuestions, saved: bool) -> dict[str, Any]:
    """What came of making questions for a prompt."""
    return {
        "reasoning": reasoned.text,
        "answers": [
            {
                "image": r.material.picture.sha256,
                "factual": r.material.factual,
                **_reasoning_document(r),
            }
            for r in reasoned.reasonings
        ],
        "difficulty": dict(reasoned.difficulty),
        "questions": [jsonable(question) for question in made.questions],
        "rejected": [jsonable(one) for one in made.rejected],
        "problems": [said for said in (reasoned.problem, made.failure, made.note) if said],
        "saved": saved,
    }


def _reasoning_document(told: Reasoning) -> dict[str, Any]:
    return {
        "state": told.state,
        "response": told.response,
        "visual": told.visual,
        "contextual": told.contextual,
        "failure": told.failure,
    }


def made_lines(reasoned: MergedReasoning, made: GeneratedQuestions) -> str:
    rejected = [f"set {one.number} rejected: {one.reason}" for one in made.rejected]
    problems = [said for said in (reasoned.problem, made.failure, made.note) if said]
    return "\n\n".join(
        filter(
            None,
            [reasoned.text, questions_lines(made.questions), "\n".join([*rejected, *problems])],
        )
    )


def estimate_json(estimate: CostEstimate) -> dict[str, Any]:
    lines = [jsonable(line) for line in estimate.lines]
    return {
        "amount": estimate.amount,
        "currency": estimate.currency,
        "unpriced": list(estimate.unpriced),
        "models": lines,
    }


def estimate_lines(estimate: CostEstimate, cap: float, day_cap: float) -> str:
    """What a request is likely to cost, as a table with its sum."""
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
    """A plain table, columns as wide as they need; the last is not padded."""
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
    """One JSON document."""
    return json.dumps(jsonable(thing), indent=2, ensure_ascii=False)


def model_json(model: ModelAvailability) -> dict[str, Any]:
    return {**jsonable(model.spec), "available": model.reason is None, "reason": model.reason}


class EvaluationSummary:
    """Gathers the events of an evaluation into what is printed at its end.

    `judged`: a judge was asked for.
    """

    def __init__(self, judged: bool = True) -> None:
        self._judged = judged
        self.run = ""
        self.notice: str | None = None
        self.stopped = False
        self.spent = 0.0
        self.shots: dict[str, GeneratedPicture] = {}
        self._said: list[Evaluation] = []
        self._places: dict[str, int] = {}
        self.failures: list[dict[str, Any]] = []

    @property
    def evaluations(self) -> list[Evaluation]:
        """In the order of the pictures asked for, not that in which they came."""
        return sorted(self._said, key=lambda e: (self._places[e.generation], e.metric, e.trial))

    def add(self, event: Event) -> None:
        match event:
            case Queued(run=run, notice=notice, shots=shots, not_run=not_run):
                self.run = run
                self.notice = notice
                self._places = {shot.generation: i for i, shot in enumerate(shots)}
                if notice and self._judged:
                    self.failures.append({"kind": "no_questions", "message": notice})
                self.failures += [
                    {"kind": "not_run", "metric": one.metric, "message": one.message}
                    for one in not_run
                ]
            case Pictured(shot=shot):
                self.shots[shot.generation] = shot
            case PictureFailed(shot=shot) if shot.failure:
                self.failures.append(
                    {"model": shot.model, "seed": shot.seed, **_failure_document(shot.failure)}
                )
            case EvaluationFailed(generation=generation, metric=metric, failure=failure):
                self.failures.append(
                    {
                        "model": self.shots[generation].model,
                        "metric": metric,
                        **_failure_document(failure),
                    }
                )
            case Evaluated(evaluation=said):
                self._said.append(said)
                self.failures += [
                    _left_out_document(said, one) for one in unanswered_items(said.report)
                ]
            case Finished(stopped=stopped, spent=spent):
                self.stopped = stopped
                self.spent = spent
            case _:
                pass

    def json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "cached": bool(self.evaluations) and all(e.cached for e in self.evaluations),
            "evaluations": [self._evaluation(e) for e in self.evaluations],
            "failures": self.failures,
            "notice": self.notice,
            "stopped": self.stopped,
            "spent": {"amount": self.spent, "currency": CURRENCY},
        }

    def _evaluation(self, said: Evaluation) -> dict[str, Any]:
        shot = self.shots[said.generation]
        report = said.report
        about = {
            "model": said.model,
            "image": shot.path,
            "sha256": said.image,
            "prompt": report.prompt,
            "seed": shot.seed,
        }
        return about | {
            "metric": said.metric,
            "version": report.version,
            "judge": said.judge,
            "lineup": dict(said.lineup),
            "trial": said.trial,
            "score": _score(report.score),
            "strict": _value(report, "strict"),
            "published": dict(report.published),
            "verdicts": [_verdict(verdict) for verdict in report.verdicts],
            "cached": said.cached,
            **rounds.changes(said, self.shots, self._said),
            **_more(report),
        }


def _more(report: Report) -> dict[str, Any]:
    """Return what some metrics tell beside their scores, as JSON-able values.

    It is the evidence they rest on, FiG's stages, FactualBench's rounds, or graphs.
    """
    if report.evidence is None:
        return {}
    more = (
        stages.as_json if report.metric == FIG else _MORE.get(metrics.presentation(report.metric))
    )
    return (more(report) if more else {}) | {"evidence": report.evidence}


def evaluation_tables(found: Sequence[Evaluation]) -> str:
    """Return the scores of all evaluations, and beneath them what some metrics say more.

    These are FiG, FactualBench and scene-graph QA, where they are among them.
    """
    staged = [said for said in found if said.metric == FIG]
    judged = [(said, row) for said in found for row in rounds.rows(said.report)]
    graded = [
        (said, graphs.row(said.report))
        for said in found
        if metrics.presentation(said.metric) == "graph"
    ]
    parts: list[tuple[Sequence[TextColumn], Sequence[object]]] = [
        (STAGE_COLUMNS, staged),
        (ROUND_COLUMNS, judged),
        (GRAPH_COLUMNS, graded),
    ]
    return "\n\n".join(
        [
            table(EVALUATION_COLUMNS, found),
            *(table(columns, some) for columns, some in parts if some),
        ]
    )


def _failure_document(failure: Failure) -> dict[str, Any]:
    return {"kind": failure.kind, "message": failure.message, "attempts": failure.attempts}


def _left_out_document(said: Evaluation, left_out: Verdict | Finding) -> dict[str, Any]:
    about = {"model": said.model, "metric": said.metric}
    if isinstance(left_out, Verdict):
        return about | {
            "question": left_out.question.text,
            "kind": "unanswered",
            "message": left_out.failure,
        }
    return about | {
        "question": f"{left_out.kind}: {left_out.expected}",
        "kind": "unanswered",
        "message": left_out.note,
    }


def _score(score: Score) -> dict[str, Any]:
    return {"value": score.value, "counted": score.counted, "left_out": score.left_out}


def _value(report: Report, name: str) -> float | None:
    return report.scores[name].value if name in report.scores else None


def _verdict(verdict: Verdict) -> dict[str, Any]:
    asked = verdict.question
    about = {
        "question": asked.text,
        "choices": list(asked.choices),
        "gold": asked.gold,
        "answer": verdict.answer,
        "state": verdict.state,
    }
    return about | {
        "coi": asked.coi,
        "raw": verdict.raw,
        "probability": verdict.probability,
        "failure": verdict.failure,
    }
