"""Puts a judge on trial: how often it is right where the truth is known. It does not touch the store."""

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from backends.base import Judge
from data.primer import scenes
from data.records import COIS, LETTERS, NONE_OF_THE_ABOVE, CoI, Letter, Picture, Question
from data.requests import Ask
from data.templates import template
from metrics import ihalla
from metrics.base import Case
from metrics.judging.conduct import Calibration, Choice, PositionBias, Sure, calibration, position_bias

VIOLATION = 0.4  # the chance of each fact to be violated in the violated half


@dataclass(frozen=True)
class Item:
    """One question on one held-out picture with the letter that is right for it, which need not be the gold one."""

    picture: Picture
    question: Question
    right: Letter
    violated: bool


@dataclass(frozen=True)
class Share:
    """Right answers among those asked; `value` is None where nothing was asked."""

    right: int
    asked: int

    @property
    def value(self) -> float | None:
        return self.right / self.asked if self.asked else None


@dataclass(frozen=True)
class Kinds:
    """What a judge got right by other kinds of questions than I-HallA's, of what it answered.

    `precision`: of what it said it cannot tell, what indeed cannot be told; `recall`: of what cannot be told, where it said so.
    """

    sittings: int
    by_kind: Mapping[str, Share]
    precision: Share
    recall: Share
    unanswered: int


@dataclass(frozen=True)
class Trial:
    """What a judge got right: over all, by CoI, on factual and on violated pictures, and what it left unanswered.

    `positions`: whether it prefers a place among the choices; `calibration`: how far its probabilities can be taken at their word.
    `kinds` is there where it was tried on other questions, too.
    """

    judge: str
    benchmark: str
    pictures: int
    overall: Share
    by_coi: Mapping[CoI, Share]
    by_kind: Mapping[str, Share]
    unanswered: int
    positions: PositionBias
    calibration: Calibration
    kinds: Kinds | None = None


def primer_items(pictures: int, folder: Path, seed: int = 0) -> Iterator[Item]:
    """Questions on pictures no model was trained on: Primer's benchmark prompts in turn, every second picture violated."""
    prompts = scenes.benchmark()
    for n in range(pictures):
        violated = n % 2 == 1
        scene = scenes.parse(prompts[(n // 2) % len(prompts)])
        name = f"trial {seed} {n}"
        values = scenes.violate(scene, VIOLATION if violated else 0.0, random.Random(name))
        path = folder / f"{n}.png"
        scene.draw(values, name).image(512).save(path)
        picture = Picture(sha256(path.read_bytes()).hexdigest(), path)
        for fact, question in zip(scene.facts, scene.questions().questions, strict=False):
            answer = scenes.right_answer(fact, values)
            right = LETTERS[question.choices.index(answer if answer in question.choices else NONE_OF_THE_ABOVE)]
            yield Item(picture, question, right, violated)


class Result(NamedTuple):
    """An item with the letter the judge gave, None where it gave none that could be read, and its probability where it gave one."""

    item: Item
    letter: Letter | None
    probability: float | None = None

    @property
    def right(self) -> bool:
        return self.letter == self.item.right


def try_on_primer(judge: Judge, pictures: int = 400, seed: int = 0) -> Trial:
    """Ask the judge all five questions about each of so many held-out Primer pictures."""
    with tempfile.TemporaryDirectory() as folder:
        results = [r for batch in _batches(primer_items(pictures, Path(folder), seed), 5) for r in _answers(judge, batch)]
    return Trial(
        judge.spec.id,
        "primer",
        pictures,
        _share(results),
        {coi: _share(rows) for coi in COIS if (rows := [r for r in results if r.item.question.coi == coi])},
        {kind: _share([r for r in results if r.item.violated == (kind == "violated")]) for kind in ("factual", "violated")},
        sum(result.letter is None for result in results),
        position_bias([Choice(LETTERS.index(r.letter), LETTERS.index(r.item.right)) for r in results if r.letter], len(LETTERS)),
        calibration([Sure(r.probability, r.right) for r in results if r.probability is not None]),
    )


def _answers(judge: Judge, items: Sequence[Item]) -> Iterator[Result]:
    for item, reply in zip(items, judge.ask([_ask(item) for item in items]), strict=True):
        verdict = ihalla.judged(item.question, reply)
        yield Result(item, verdict.answer, verdict.probability)


def _share(results: Sequence[Result]) -> Share:
    return Share(sum(r.right for r in results), len(results))


def _ask(item: Item) -> Ask:
    return ihalla.request(Case("", item.picture), item.question, template("ihalla_ask"))


def _batches(items: Iterator[Item], size: int) -> Iterator[Sequence[Item]]:
    while batch := list(islice(items, size)):
        yield batch
