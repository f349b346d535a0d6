"""Counts what came of a folder of images: how many by model, their scores, what was left out."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from hallascope.data.files.tables import Complaint
from hallascope.data.records import Score
from hallascope.engine.events import Evaluated, EvaluationFailed, PictureFailed, Queued
from hallascope.engine.image_folders.judging import (
    FolderJudged,
    ImageTaken,
    JudgingEvent,
    PromptNotJudged,
)
from hallascope.engine.image_folders.records import OpenedImages, UnmatchedFile
from hallascope.engine.run.evaluation import unanswered_items, unanswered_reason


@dataclass
class MetricSum:
    """Adds up the scores of a model by a metric, and what was left out of them."""

    images: int = 0
    total: float = 0.0
    scored: int = 0
    left_out: int = 0

    def add(self, score: Score) -> None:
        self.images += 1
        self.left_out += score.left_out
        if score.value is not None:
            self.total += score.value
            self.scored += 1

    @property
    def mean(self) -> float | None:
        return self.total / self.scored if self.scored else None


@dataclass
class JudgingReport:
    """Counts what came of a folder: images by model, scores, and what is wrong by file.

    `faults` are failures of judging, each sentence once with how often it was met.
    """

    new: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    known: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    means: dict[tuple[str, str], MetricSum] = field(default_factory=lambda: defaultdict(MetricSum))
    unmatched: list[UnmatchedFile] = field(default_factory=list)
    notes: list[Complaint] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    not_run: dict[str, None] = field(default_factory=dict)
    sweep: str = ""
    spent: float = 0.0
    stopped: bool = False
    unconfirmed: float = 0.0

    @property
    def images(self) -> int:
        return sum(self.new.values()) + sum(self.known.values())

    @property
    def failed(self) -> bool:
        """Return whether anything was left out or failed."""
        return bool(self.unmatched or self.faults or self.not_run or self.stopped)

    def add(self, event: JudgingEvent) -> None:
        match event:
            case UnmatchedFile():
                self.unmatched.append(event)
            case ImageTaken(name, model, known, notes):
                (self.known if known else self.new)[model] += 1
                self.notes += [Complaint(name, None, None, note) for note in notes]
            case PromptNotJudged(message=message, images=images):
                self.faults[message] += images
            case Queued(not_run=not_run):
                self.not_run |= dict.fromkeys(metric.sentence for metric in not_run)
            case Evaluated(evaluation=evaluation):
                key = (evaluation.model, evaluation.metric)
                self.means[key].add(evaluation.report.score)
                for item in unanswered_items(evaluation.report):
                    self.faults[unanswered_reason(item)] += 1
            case EvaluationFailed(failure=failure):
                self.faults[failure.message] += 1
            case PictureFailed(shot=shot):
                self.faults[shot.failure.message if shot.failure else "an image failed"] += 1
            case FolderJudged(sweep, spent, stopped, unconfirmed):
                self.sweep, self.stopped = sweep, stopped
                self.spent, self.unconfirmed = spent, unconfirmed
            case _:
                pass

    def document(self, opened: OpenedImages) -> dict[str, Any]:
        """Return all of it as JSON-able values, for programs."""
        document = opened.document() | vars(self)
        del document["means"]
        return document | {
            "scores": [
                {
                    "model": model,
                    "metric": metric,
                    "images": mean.images,
                    "mean": mean.mean,
                    "n": mean.scored,
                    "left_out": mean.left_out,
                }
                for (model, metric), mean in sorted(self.means.items())
            ],
            "not_run": list(self.not_run),
        }
