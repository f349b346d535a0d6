"""What commands print: one JSON document for programs, or lines for people. It runs nothing."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from data.records import Report, Score, Verdict
from data.requests import Failure
from engine.events import Evaluated, Evaluation, EvaluationFailed, Event, Finished, Pictured, PictureFailed, Queued, Shot, jsonable
from engine.services import Model

T = TypeVar("T")


class Column(NamedTuple):
    """A column of a table: its name and what it says of a record."""

    name: str
    of: Callable[[Any], str]


MODEL_COLUMNS = (
    Column("model", lambda m: m.spec.id),
    Column("roles", lambda m: ", ".join(m.spec.roles)),
    Column("backend", lambda m: m.spec.backend),
    Column("kind", lambda m: m.spec.kind),
    Column("can run", lambda m: "yes" if m.reason is None else f"no: {m.reason}"),
)

EVALUATION_COLUMNS = (
    Column("model", lambda e: e.model),
    Column("metric", lambda e: e.metric),
    Column("trial", lambda e: str(e.trial)),
    Column("score", lambda e: "-" if e.report.score.value is None else f"{e.report.score.value:.2f}"),
    Column("counted", lambda e: str(e.report.score.counted)),
    Column("left out", lambda e: str(e.report.score.left_out)),
    Column("answers", lambda e: " ".join(v.state for v in e.report.verdicts)),
    Column("cached", lambda e: "yes" if e.cached else "no"),
)


def table(columns: Sequence[Column], rows: Sequence[object]) -> str:
    """A plain table, columns as wide as they need; the last is not padded."""
    cells = [[column.name for column in columns], *([column.of(row) for column in columns] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    widths[-1] = 0
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells)


def document(thing: object) -> str:
    """One JSON document."""
    return json.dumps(jsonable(thing), indent=2, ensure_ascii=False)


def model_json(model: Model) -> dict[str, Any]:
    return {**jsonable(model.spec), "available": model.reason is None, "reason": model.reason}


class Outcome:
    """Gathers the events of an evaluation into what is printed at its end. `judged`: a judge was asked for."""

    def __init__(self, judged: bool = True) -> None:
        self._judged = judged
        self.run = ""
        self.notice: str | None = None
        self.stopped = False
        self.shots: dict[str, Shot] = {}
        self.evaluations: list[Evaluation] = []
        self.failures: list[dict[str, Any]] = []

    def add(self, event: Event) -> None:
        match event:
            case Queued(run=run, notice=notice):
                self.run, self.notice = run, notice
                if notice and self._judged:
                    self.failures.append({"kind": "no_questions", "message": notice})
            case Pictured(shot=shot):
                self.shots[shot.generation] = shot
            case PictureFailed(shot=shot) if shot.failure:
                self.failures.append({"model": shot.model, "seed": shot.seed, **_why(shot.failure)})
            case EvaluationFailed(generation=generation, metric=metric, failure=failure):
                self.failures.append({"model": self.shots[generation].model, "metric": metric, **_why(failure)})
            case Evaluated(evaluation=said):
                self.evaluations.append(said)
                self.failures += [_unanswered(said, verdict) for verdict in said.report.verdicts if verdict.state == "failed"]
            case Finished(stopped=stopped):
                self.stopped = stopped
            case _:
                pass

    def in_order(self, shots: Sequence[Shot]) -> None:
        """Put the evaluations into the order of the pictures asked for, not that in which they came."""
        place = {shot.generation: i for i, shot in enumerate(shots)}
        self.evaluations.sort(key=lambda e: (place[e.generation], e.metric, e.trial))

    def json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "cached": bool(self.evaluations) and all(e.cached for e in self.evaluations),
            "evaluations": [self._evaluation(e) for e in self.evaluations],
            "failures": self.failures,
            "notice": self.notice,
            "stopped": self.stopped,
        }

    def _evaluation(self, said: Evaluation) -> dict[str, Any]:
        shot, report = self.shots[said.generation], said.report
        about = {"model": said.model, "image": shot.path, "sha256": said.image, "prompt": report.prompt, "seed": shot.seed}
        return about | {
            "metric": said.metric,
            "version": report.version,
            "judge": said.judge,
            "trial": said.trial,
            "score": _score(report.score),
            "strict": _value(report, "strict"),
            "published": dict(report.published),
            "verdicts": [_verdict(verdict) for verdict in report.verdicts],
            "cached": said.cached,
        }


def _why(failure: Failure) -> dict[str, Any]:
    return {"kind": failure.kind, "message": failure.message, "attempts": failure.attempts}


def _unanswered(said: Evaluation, verdict: Verdict) -> dict[str, Any]:
    return {"model": said.model, "metric": said.metric, "question": verdict.question.text, "kind": "unanswered", "message": verdict.failure}


def _score(score: Score) -> dict[str, Any]:
    return {"value": score.value, "counted": score.counted, "left_out": score.left_out}


def _value(report: Report, name: str) -> float | None:
    return report.scores[name].value if name in report.scores else None


def _verdict(verdict: Verdict) -> dict[str, Any]:
    asked = verdict.question
    about = {"question": asked.text, "choices": list(asked.choices), "gold": asked.gold, "answer": verdict.answer, "state": verdict.state}
    return about | {"coi": asked.coi, "raw": verdict.raw, "probability": verdict.probability, "failure": verdict.failure}
