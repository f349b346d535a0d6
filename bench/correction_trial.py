"""Tries the correction of scores by labels: ``python -m bench.correction_trial FOLDER``.

A judge answers the questions of all images of a labeled folder. Random samples of the prompts are
then taken as the labels, and the rest as if nobody had labeled it: how often does the corrected
interval hold what all labels say? Every question weighs the same. An interval is for prompts of
the same kind, but is held against this finite set, of which the sample is a part: where a large
part is labeled, it holds that more often than 95 %.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from bench.interval_coverage import measure_coverage
from bench.measuring import JsonOption, launch, show
from hallascope.backends.base import Judge
from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import Picture
from hallascope.engine.judge_eval.answers import TrialQuestion, read_answer
from hallascope.engine.judge_eval.labeled import picture_complaint
from hallascope.engine.labeling.labels import (
    LabelSample,
    QuestionLabel,
    read_folder,
    sum_labels,
)
from hallascope.engine.services import create_services
from hallascope.metrics.statistics.corrected_scores import correct_score
from hallascope.metrics.statistics.intervals import mean_interval
from hallascope.metrics.statistics.prediction_powered import MIN_LABELED

SIZES = (20, 40, 80)  # labeled prompts of a sample
DRAWS = 500  # samples of each size


def ask_labeled(judge: Judge, folder: Path) -> Iterator[QuestionLabel]:
    """Yield what the labels and the judge say of each labeled question that the judge answers."""
    items, labels, _ = read_folder(folder)
    for item in items:
        own = label_folder.labels_of(item, labels)
        if not own or picture_complaint(folder, item):
            continue
        marks = [[label.answers[n] for label in own] for n in range(len(item.questions))]
        picture = Picture(item.sha256, label_folder.picture(folder, item.id))
        asked = [
            (TrialQuestion(picture, question, question.gold), given)
            for question, given in zip(item.questions, marks, strict=True)
            if any(given)
        ]
        requests = [question.request() for question, _ in asked]
        replies = judge.ask(requests) if requests else ()
        for (question, given), reply in zip(asked, replies, strict=True):
            answer = read_answer(question, reply)
            if answer.letter:
                told = [mark == question.right for mark in given if mark and mark != CANNOT_BE_TOLD]
                yield QuestionLabel(item.model, "", item.prompt, told, float(answer.right))


def try_corrections(
    labels: Sequence[QuestionLabel],
    sizes: Sequence[int] = SIZES,
    draws: int = DRAWS,
    seed: int = 0,
) -> Iterator[Mapping[str, object]]:
    """Yield a row for each model and sample size; a size that leaves nothing unlabeled has none."""
    for (model, _), sample in sorted(sum_labels(labels, over_questions=True).items()):
        for size in sizes:
            if MIN_LABELED <= size < len(sample):
                yield {"model": model, **_try_size(sample, size, draws, seed)}


def _try_size(sample: LabelSample, size: int, draws: int, seed: int) -> Mapping[str, object]:
    chance = random.Random(f"{seed} {size}")
    judged = {prompt: labels.judge for prompt, labels in sample.items()}
    totals, weights = np.array([labels.people for labels in sample.values()]).T
    people = totals.sum() / weights.sum()
    chosen = [
        {name: sample[name] for name in chance.sample(sorted(sample), size)} for _ in range(draws)
    ]
    scores = [correct_score(judged, drawn) for drawn in chosen]
    intervals: dict[str, list[Any]] = {
        "corrected": [score and (score.low, score.high) for score in scores],
        "labels alone": [
            mean_interval(*zip(*told, strict=True)) if told else None
            for told in (
                [one.people for one in drawn.values() if one.people[1]] for drawn in chosen
            )
        ],
    }
    row: dict[str, object] = {"prompts": len(sample), "people": people, "labeled": size}
    for name, found in intervals.items():
        known = [interval for interval in found if interval]
        coverage = measure_coverage(known, people) if known else None
        row |= {
            f"{name} covers": coverage and coverage.covered,
            f"{name} ±": coverage and coverage.width / 2,
            f"{name} known": len(known),
        }
    return row


def main(
    folder: Annotated[Path, typer.Argument(help="A folder of labeled images.")],
    judge: Annotated[str, typer.Option(help="Who answers the questions.")] = "primer/judge",
    seed: Annotated[int, typer.Option(help="Of the samples.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Print how often corrected intervals hold what all labels say, and how wide they are."""
    labels = list(ask_labeled(create_services().registry.judge(judge), folder))
    show(list(try_corrections(labels, seed=seed)), as_json)


if __name__ == "__main__":
    launch(main)
