"""Tries a judge by I-HallA's questions where the truth is known; it keeps nothing.

It makes the questions, and sums up the answers.
"""

import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from hallascope.backends.base import Judge
from hallascope.data.evidence import State
from hallascope.data.prompts.templates import template
from hallascope.data.records import (
    COIS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    CoI,
    Difficulty,
    Letter,
    Picture,
    Question,
)
from hallascope.data.requests import Ask, Reply
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.metrics.statistics.intervals import bootstrap
from hallascope.metrics.statistics.response_statistics import (
    AnswerConfidence,
    Calibration,
    Consistency,
    PositionBias,
    ShuffledChoice,
    abstention_rate,
    answer_rate,
    calibration,
    consistency,
    position_bias,
)
from hallascope.primer import scenes

VIOLATION = 0.4  # the chance of each fact to be violated in the violated half
BENCHMARK = "primer"
PictureTruth = Literal["factual", "violated"]
SIDES: tuple[PictureTruth, ...] = ("factual", "violated")


@dataclass(frozen=True)
class HeldOutQuestion:
    """One question on one held-out picture with its right letter, which may not be the gold one."""

    picture: Picture
    question: Question
    right: Letter
    violated: bool
    prompt: str = ""

    @property
    def fact_violated(self) -> bool:
        """Whether the fact that the question asks about is itself wrong.

        On a violated picture many are not.
        """
        return self.right != self.question.gold

    @property
    def side(self) -> PictureTruth:
        return "violated" if self.violated else "factual"


@dataclass(frozen=True)
class Share:
    """So many of so many, such as right answers of the questions that were answered.

    `value` is None where there were none.

    The 95 % interval is a bootstrap by picture, None under two pictures or where nobody took one.
    """

    right: int
    asked: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        return self.right / self.asked if self.asked else None


@dataclass(frozen=True)
class KindShares:
    """What a judge got right by other kinds of questions than I-HallA's, of what it answered.

    `precision`: of what it said it cannot tell, what indeed cannot be told; `recall`: of what
    cannot be told, where it said so.
    """

    sittings: int
    by_kind: Mapping[str, Share]
    precision: Share
    recall: Share
    unanswered: int


@dataclass(frozen=True)
class DifficultyResult:
    """The protocol of I-HallA's table 1: five times Normal or Weird of each picture.

    `told`: how often that was right, of what could be read, over all and by what the picture is.
    `pictures` by difficulty; those without five readable replies are `left_out`.
    """

    told: Share
    by_side: Mapping[PictureTruth, Share]
    pictures: Mapping[Difficulty, int]
    left_out: int


@dataclass(frozen=True)
class Cost:
    """Holds what answers took that were asked anew: how many, USD, and seconds in all.

    None came from the cache.
    """

    answers: int
    amount: float
    seconds: float

    @property
    def seconds_each(self) -> float | None:
        return self.seconds / self.answers if self.answers else None

    @property
    def thousand(self) -> float | None:
        """USD for a thousand answers."""
        return 1000 * self.amount / self.answers if self.answers else None


@dataclass(frozen=True)
class JudgeAnswer:
    """What a judge said to one question about a picture (its SHA-256), in the words of the choices.

    None where nothing could be read.
    """

    picture: str
    question: str
    coi: CoI
    right: str
    said: str | None


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Holds what a judge got right of what it answered: in all, by CoI, and by kind of picture.

    Pictures are factual or violated.

    These count the first time each question is asked. `answered`: the replies that could be read,
    of all; `abstained`: of those, the ones that find no choice to fit where one does. `positions`:
    whether it prefers a place among the choices, over all orders they were asked in; `calibration`:
    how far its probabilities can be taken at their word. `repeated` and `reordered`: how alike it
    answers the same question again, and with its choices in another order; None where it was asked
    once. `kinds`, `difficulty` and `cost`: where they were tried. `violated_facts`: of the
    questions whose own fact is wrong in the picture (on a violated picture many are not), those
    answered right. `answers` are the first ones, question by question; `version` is of the template
    and the reading rule.
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
    kinds: KindShares | None = None
    answered: Share = Share(0, 0)
    abstained: Share = Share(0, 0)
    repeated: Consistency | None = None
    reordered: Consistency | None = None
    difficulty: DifficultyResult | None = None
    cost: Cost | None = None
    violated_facts: Share = Share(0, 0)
    answers: tuple[JudgeAnswer, ...] = ()
    seed: int = 0
    version: str = ""


# --- questions
# --------------------------------------------------------------------------------------------------


def primer_items(pictures: int, folder: Path, seed: int = 0) -> Iterator[HeldOutQuestion]:
    """Return questions on pictures no model was trained on, every second one violated.

    The prompts are those of Primer's benchmark in turn.
    """
    prompts = scenes.benchmark()
    for n in range(pictures):
        violated = n % 2 == 1
        prompt = prompts[(n // 2) % len(prompts)]
        scene = scenes.parse(prompt)
        name = f"trial {seed} {n}"
        values = scenes.violate(scene, VIOLATION if violated else 0.0, random.Random(name))
        path = folder / f"{n}.png"
        scene.draw(values, name).image(512).save(path)
        picture = Picture(sha256(path.read_bytes()).hexdigest(), path)
        for fact, question in zip(scene.facts, scene.questions().questions, strict=False):
            answer = scenes.right_answer(fact, values)
            right = LETTERS[
                question.choices.index(answer if answer in question.choices else NONE_OF_THE_ABOVE)
            ]
            yield HeldOutQuestion(picture, question, right, violated, prompt)


class QuestionPresentation(NamedTuple):
    """An item as it is put to the judge: in the `order`-th order of its choices, in a trial.

    Order 0: as they stand.
    """

    item: HeldOutQuestion
    order: int = 0
    trial: int = 0

    @property
    def places(self) -> tuple[int, ...]:
        """For each place of a choice, where that choice stands in the item.

        "None of the above" stays where it is.
        """
        choices = self.item.question.choices
        moved = [n for n, choice in enumerate(choices) if not plan.is_none_of_the_above(choice)]
        if self.order:
            mixed = random.Random(
                f"{self.item.picture.sha256} {self.item.question.text} {self.order}"
            ).sample(moved, len(moved))
            taken = iter(mixed)
            return tuple(next(taken) if n in moved else n for n in range(len(choices)))
        return tuple(range(len(choices)))

    @property
    def question(self) -> Question:
        """The question with its choices in that order, and the right letter for gold."""
        asked = self.item.question
        places = self.places
        gold = LETTERS[places.index(LETTERS.index(self.item.right))]
        return replace(asked, choices=tuple(asked.choices[place] for place in places), gold=gold)

    def ask(self) -> Ask:
        return plan.request(
            Case(prompt="", image=self.item.picture), self.question, template("ihalla_ask")
        )


class QuestionResult(NamedTuple):
    """Holds a question's result: the letter as in the item, and the chosen place as asked."""

    put: QuestionPresentation
    state: State
    letter: Letter | None
    place: int | None = None
    probability: float | None = None

    @property
    def right(self) -> bool:
        return self.state == "correct"


def result(put: QuestionPresentation, reply: Reply) -> QuestionResult:
    """Raises TypeError where the reply is no text."""
    verdict = plan.question_verdict(put.question, reply)
    if verdict.answer is None:
        return QuestionResult(put, verdict.state, None)
    place = LETTERS.index(verdict.answer)
    return QuestionResult(
        put, verdict.state, LETTERS[put.places[place]], place, verdict.probability
    )


# --- what they come to
# --------------------------------------------------------------------------------------------------


def try_on_primer(judge: Judge, pictures: int = 400, seed: int = 0) -> Trial:
    """Ask a loaded judge all five questions about held-out Primer pictures, past the cache.

    It costs nothing.
    """
    results: list[QuestionResult] = []
    with tempfile.TemporaryDirectory() as folder:
        items = primer_items(pictures, Path(folder), seed)
        while batch := [QuestionPresentation(item) for item in islice(items, len(LETTERS))]:
            results += [
                result(put, reply)
                for put, reply in zip(batch, judge.ask([put.ask() for put in batch]), strict=True)
            ]
    return summarize_results(judge.spec.id, results, seed)


def summarize_results(judge: str, results: Sequence[QuestionResult], seed: int = 0) -> Trial:
    """The trial that these results make. Without any, every share is of nothing."""
    first = [r for r in results if not r.put.order and not r.put.trial]
    once = [r for r in results if not r.put.trial]
    states = [r.state for r in results]
    said = answer_rate(states)
    none = abstention_rate(states)
    return Trial(
        judge=judge,
        benchmark=BENCHMARK,
        pictures=len({r.put.item.picture.sha256 for r in first}),
        overall=share(first),
        by_coi={
            coi: share(rows)
            for coi in COIS
            if (rows := [r for r in first if r.put.item.question.coi == coi])
        },
        by_kind={side: share([r for r in first if r.put.item.side == side]) for side in SIDES},
        unanswered=sum(r.letter is None for r in first),
        positions=position_bias(
            [
                ShuffledChoice(r.place, LETTERS.index(r.put.question.gold))
                for r in once
                if r.place is not None
            ],
            len(LETTERS),
        ),
        calibration=calibration(
            [AnswerConfidence(r.probability, r.right) for r in first if r.probability is not None]
        ),
        answered=Share(said.part, said.of),
        abstained=Share(none.part, none.of),
        repeated=_again([r for r in results if not r.put.order], lambda put: put.trial),
        reordered=_again(once, lambda put: put.order),
        violated_facts=share([r for r in first if r.put.item.fact_violated]),
        answers=tuple(map(_judge_answer, first)),
        seed=seed,
        version=plan.version(template("ihalla_ask")),
    )


def share(results: Sequence[QuestionResult]) -> Share:
    """Right ones of those that were answered, with the interval by picture."""
    clusters: dict[str, list[bool]] = defaultdict(list)
    for one in results:
        if one.letter is not None:
            clusters[one.put.item.picture.sha256].append(one.right)
    right = [sum(some) for some in clusters.values()]
    counts = [len(some) for some in clusters.values()]
    low, high = (bootstrap(right, counts) if right else None) or (None, None)
    return Share(sum(right), sum(counts), low, high)


def _again(
    results: Sequence[QuestionResult], which: Callable[[QuestionPresentation], int]
) -> Consistency | None:
    """How alike the same questions are answered; None where each was put once."""
    if len({which(r.put) for r in results}) < 2:
        return None
    answers: dict[tuple[str, str], list[Letter | None]] = defaultdict(list)
    for one in results:
        answers[one.put.item.picture.sha256, one.put.item.question.text].append(one.letter)
    return consistency(answers.values())


def _judge_answer(found: QuestionResult) -> JudgeAnswer:
    item = found.put.item
    said = item.question.choice(found.letter) if found.letter else None
    return JudgeAnswer(
        item.picture.sha256,
        item.question.text,
        item.question.coi,
        item.question.choice(item.right),
        said,
    )
