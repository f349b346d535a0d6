"""Tries the correction of scores on a labeled folder, of which every prompt's truth is known.

A judge answers the questions of all labeled images. Then random samples of the prompts are taken as
the labels, and the rest as if nobody had labeled it: how often does the corrected interval hold
what people say of all?
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from hallascope.backends.base import Judge, OnStep
from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, Label, LabelItem
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.harness import (
    ReportProgress,
    ask_texts,
    ignore_progress,
    ihalla_request,
)
from hallascope.engine.judge_eval.labelled import picture_complaint
from hallascope.engine.labeling.label_sources import marks_by_item, read_folder
from hallascope.engine.labeling.label_sums import (
    LabelSample,
    QuestionLabel,
    correct_by_labels,
    sum_labels,
)
from hallascope.metrics.replies.letters import read_letter
from hallascope.metrics.statistics.corrected_scores import CorrectedScore
from hallascope.metrics.statistics.intervals import FloatPair, mean_interval
from hallascope.metrics.statistics.prediction_powered import MIN_LABELED
from hallascope.metrics.statistics.rogan_gladen import RoganGladen

SIZES = (20, 40, 80)  # labeled prompts of a sample
DRAWS = 500  # samples of each size


@dataclass(frozen=True, kw_only=True)
class CoverageOfSamples:
    """Says how often intervals hold what people say of all prompts, and how wide they are.

    `covered` in [0, 1] is of the samples from which an interval follows, `known` of them;
    `half_width` is the mean of half the width. Both are None where none follows.
    """

    covered: float | None
    half_width: float | None
    known: int


@dataclass(frozen=True, kw_only=True)
class SampleSize:
    """Holds what comes of `draws` random samples of `labeled` prompts.

    `corrected` are intervals of prediction-powered inference, `rogan_gladen` those by sensitivity
    and specificity, `people` those by the sample's labels alone. `first` and `first_rogan_gladen`
    are the scores of the first sample.
    """

    labeled: int
    draws: int
    corrected: CoverageOfSamples
    rogan_gladen: CoverageOfSamples
    people: CoverageOfSamples
    first: CorrectedScore | None
    first_rogan_gladen: RoganGladen | None


@dataclass(frozen=True, kw_only=True)
class ModelCorrectionTrial:
    """Holds the trial of one model's score, with every question weighing the same.

    `people` is the score that people give to the questions that they could tell, of all `prompts`;
    `judge` is the judge's on these, `judge_of_all` on all questions, those among them that nobody
    could tell.
    """

    model: str
    prompts: int
    questions: int
    untold: int
    people: float
    judge: float
    judge_of_all: float
    sizes: tuple[SampleSize, ...]


@dataclass(frozen=True, kw_only=True)
class CorrectionTrial:
    """Holds the trial of a judge's corrected scores on a labeled folder, by model.

    `labelers`: how many images each has labeled. `unanswered` questions, which the judge left
    without an answer, count nowhere.
    """

    judge: str
    folder: str
    labelers: Mapping[str, int]
    unanswered: int
    seed: int
    models: tuple[ModelCorrectionTrial, ...]

    @property
    def target(self) -> str:
        """Return in a sentence what the intervals are compared with."""
        return (
            "An interval is for prompts of the same kind, but is held against what people say of"
            " this finite set, of which the sample is a part: where a large part is labeled, it"
            " holds that more often than 95 %."
        )


class RememberingJudge:
    """Asks a judge each question once, and gives the same answer again."""

    def __init__(self, judge: Judge) -> None:
        self.spec = judge.spec
        self.limits = judge.limits
        self.revision = judge.revision
        self._judge = judge
        self._answers: dict[Ask, Answer | Failure] = {}

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        """Return the judge's answers, those that are known without asking."""
        missing = list(dict.fromkeys(ask for ask in requests if ask not in self._answers))
        if missing:
            replies = self._judge.ask(missing, on_step)
            self._answers.update(zip(missing, replies, strict=True))
        return [self._answers[ask] for ask in requests]


def try_corrections(
    judge: Judge,
    folder: Path,
    *,
    labeler: str | None = None,
    sizes: Sequence[int] = SIZES,
    draws: int = DRAWS,
    seed: int = 0,
    on_progress: ReportProgress = ignore_progress,
) -> CorrectionTrial:
    """Ask the judge all questions of the labeled images, and correct its scores by samples.

    `labeler`: only the labels by this person. `sizes`: labeled prompts of a sample; one that leaves
    no prompt without a label is left out. `draws`: samples of each size. `on_progress` is told the
    images done, of how many. An image that is not the one that was labeled is left out.

    Raises BadRequest where the folder holds no labels, or too few to correct any model's score.
    """
    items, labels, _ = read_folder(folder)
    if labeler:
        labels = {name: own for name, own in labels.items() if name == labeler}
    by_item = marks_by_item(labels)
    labeled = [item for item in items if item.id in by_item and not picture_complaint(folder, item)]
    questions: list[QuestionLabel] = []
    unanswered = 0
    for done, item in enumerate(labeled):
        on_progress(done, len(labeled))
        answered = list(_label_questions(judge, folder, item, by_item[item.id]))
        questions += answered
        asked = sum(_is_labeled(by_item[item.id], n) for n in range(len(item.questions)))
        unanswered += asked - len(answered)
    on_progress(len(labeled), len(labeled))
    samples = sum_labels(questions, over_questions=True)
    told = {key: sample for key, sample in samples.items() if sample.told > MIN_LABELED}
    if not told:
        raise BadRequest(
            f"The folder {str(folder)!r} has labels of too few prompts to try a correction: label"
            f" more than {MIN_LABELED} images of a model."
        )
    return CorrectionTrial(
        judge=judge.spec.id,
        folder=str(folder),
        labelers={labeler: len(own) for labeler, own in labels.items()},
        unanswered=unanswered,
        seed=seed,
        models=tuple(
            _try_model(model, sample, sizes, draws, seed)
            for (model, _), sample in sorted(told.items())
        ),
    )


# --- asking ---


def _is_labeled(labels: Sequence[Label], number: int) -> bool:
    """Return whether any person labeled the question of that number."""
    return any(label.answers[number] for label in labels)


def _label_questions(
    judge: Judge, folder: Path, item: LabelItem, labels: Sequence[Label]
) -> Iterator[QuestionLabel]:
    """Yield what people and the judge say of the labeled questions of an image.

    Those that the judge does not answer are left out.
    """
    numbers = [n for n in range(len(item.questions)) if _is_labeled(labels, n)]
    picture = Picture(item.sha256, label_folder.picture(folder, item.id))
    requests = [ihalla_request(picture, item.questions[n]) for n in numbers]
    for number, text in zip(numbers, ask_texts(judge, requests), strict=True):
        question = item.questions[number]
        if text is None:
            continue
        letter = read_letter(text, question.choices, question.text)
        if letter is None:
            continue
        marks = [label.answers[number] for label in labels]
        told = [mark == question.gold for mark in marks if mark and mark != CANNOT_BE_TOLD]
        judge_sees = float(letter == question.gold)
        yield QuestionLabel(item.model, "", item.prompt, told, judge_sees)


# --- samples ---


def _try_model(
    model: str, labels: LabelSample, sizes: Sequence[int], draws: int, seed: int
) -> ModelCorrectionTrial:
    prompts = labels.prompts
    people = _ratio([said.people for said in prompts.values()])
    judged = {prompt: said.judge for prompt, said in prompts.items()}
    told = sum(said.questions for said in prompts.values())
    asked = round(sum(weight for _, weight in judged.values()))
    errors = labels.total_errors
    return ModelCorrectionTrial(
        model=model,
        prompts=len(prompts),
        questions=told,
        untold=asked - told,
        people=people,
        judge=(errors.accepted + errors.violated - errors.flagged) / told,
        judge_of_all=_ratio(list(judged.values())),
        sizes=tuple(
            _try_size(labels, judged, people, size, draws, seed)
            for size in sizes
            if MIN_LABELED <= size < len(prompts)
        ),
    )


class _Correction(NamedTuple):
    """Holds a sample's intervals, each None where it does not follow."""

    corrected: CorrectedScore | None
    rogan_gladen: RoganGladen | None
    people: FloatPair | None


def _try_size(
    labels: LabelSample,
    judged: Mapping[str, FloatPair],
    truth: float,
    size: int,
    draws: int,
    seed: int,
) -> SampleSize:
    chance = random.Random(f"{seed} {size}")
    names = sorted(labels.prompts)
    corrections = [
        _correct_sample(judged, labels.select(chance.sample(names, size))) for _ in range(draws)
    ]
    return SampleSize(
        labeled=size,
        draws=draws,
        corrected=_coverage([_ends(found.corrected) for found in corrections], truth),
        rogan_gladen=_coverage([_ends(found.rogan_gladen) for found in corrections], truth),
        people=_coverage([found.people for found in corrections], truth),
        first=corrections[0].corrected,
        first_rogan_gladen=corrections[0].rogan_gladen,
    )


def _correct_sample(judged: Mapping[str, FloatPair], labels: LabelSample) -> _Correction:
    correction = correct_by_labels(judged, labels)
    told = [said.people for said in labels.prompts.values() if said.people[1] > 0]
    alone = mean_interval(*zip(*told, strict=True)) if told else None
    return _Correction(
        correction.score, correction.rogan_gladen, (alone.low, alone.high) if alone else None
    )


def _ends(found: CorrectedScore | RoganGladen | None) -> FloatPair | None:
    return (found.low, found.high) if found else None


def _coverage(intervals: Sequence[FloatPair | None], truth: float) -> CoverageOfSamples:
    known = [interval for interval in intervals if interval]
    if not known:
        return CoverageOfSamples(covered=None, half_width=None, known=0)
    return CoverageOfSamples(
        covered=fmean(low <= truth <= high for low, high in known),
        half_width=fmean((high - low) / 2 for low, high in known),
        known=len(known),
    )


def _ratio(pairs: Sequence[FloatPair]) -> float:
    return sum(total for total, _ in pairs) / sum(weight for _, weight in pairs)
