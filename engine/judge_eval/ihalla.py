"""Tries a judge by I-HallA's questions where the truth is known, and sums up its answers."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from hallascope.data.evidence import State
from hallascope.data.records import COIS, LETTERS, NONE_OF_THE_ABOVE, Letter, Picture, Question
from hallascope.data.requests import Ask, Reply
from hallascope.data.wordings.packs import WordingPack
from hallascope.data.wordings.templates import Template
from hallascope.engine.judge_eval.harness import ihalla_request, save_picture
from hallascope.engine.trials.records import (
    SIDES,
    JudgeAnswer,
    PictureTruth,
    Reliability,
    Share,
    Trial,
    share_of,
    summarize_decisions,
)
from hallascope.metrics.ihalla import plan
from hallascope.metrics.statistics.balanced_accuracy import FactDecision
from hallascope.metrics.statistics.response_statistics import (
    AnswerConfidence,
    Consistency,
    ShuffledChoice,
    abstention_rate,
    answer_rate,
    calibration,
    consistency,
    position_bias,
)
from hallascope.metrics.wording import apply_wording
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts

# the chance of each fact to be violated in the violated half, and on images of single concepts
VIOLATION = 0.5
# the chance of each question to be asked once more without its true choice
NONE_RIGHT = 0.1
BENCHMARK = "primer"


@dataclass(frozen=True)
class HeldOutQuestion:
    """Holds a question on a held-out picture and its right letter, which may differ from gold.

    `concept` and `parameter` name the fact that is asked about on pictures that are drawn to try
    every concept; both are "" on all others. `in_set`: the question is one of the five that the
    prompt's set asks; the others are asked to try every fact. `none_right`: the true choice was
    taken out of the choices, so that "None of the above" is right.
    """

    picture: Picture
    question: Question
    right: Letter
    violated: bool
    prompt: str = ""
    concept: str = ""
    parameter: str = ""
    in_set: bool = True
    none_right: bool = False

    @property
    def fact_violated(self) -> bool:
        """Return whether the fact that the question asks about is itself wrong.

        On a violated picture many are not.
        """
        return self.right != self.question.gold

    @property
    def side(self) -> PictureTruth:
        return "violated" if self.violated else "factual"


# --- questions


def primer_items(pictures: int, folder: Path, seed: int = 0) -> Iterator[HeldOutQuestion]:
    """Return questions on pictures no model was trained on, every second one violated.

    The prompts are those of Primer's benchmark in turn.
    """
    for number in range(pictures):
        violated = number % 2 == 1
        prompt = primer_prompt(number)
        name = f"trial {seed} {number}"
        share = VIOLATION if violated else 0.0
        for item, _ in _draw_questions(prompt, name, share, folder / f"{number}.png"):
            if item.in_set:
                yield replace(item, violated=violated)


def primer_prompt(number: int) -> str:
    """Return the prompt of a held-out picture: each is drawn factual, then violated, in turn."""
    prompts = scenes.benchmark()
    return prompts[(number // 2) % len(prompts)]


def concept_items(each: int, folder: Path, seed: int = 0) -> Iterator[HeldOutQuestion]:
    """Return questions on every fact of so many pictures of each concept alone.

    Each fact is violated with probability `VIOLATION`. No model was trained on the pictures, and
    they are none of `primer_items`.
    """
    for concept in concepts():
        for number in range(each):
            name = f"concept trial {seed} {concept.name} {number}"
            path = folder / f"{concept.name} {number}.png"
            for item, parameter in _draw_questions(concept.phrase, name, VIOLATION, path):
                yield replace(item, concept=concept.name, parameter=parameter)


def none_right_items(items: Iterable[HeldOutQuestion], seed: int = 0) -> Iterator[HeldOutQuestion]:
    """Return a part of the questions without their true choice: "None of the above" is right.

    Each question is drawn with probability `NONE_RIGHT`, always the same ones for a seed. The
    choices that stay are wrong, as each of them answers otherwise than the true one. The expected
    answer is "None of the above", too, where it is the true one.
    """
    for item in items:
        chance = random.Random(f"none right {seed} {item.picture.sha256} {item.question.text}")
        if chance.random() < NONE_RIGHT:
            yield _take_out_right_choice(item)


def _take_out_right_choice(item: HeldOutQuestion) -> HeldOutQuestion:
    question = item.question
    right = question.choice(item.right)
    gold = question.choice(question.gold)
    choices = tuple(choice for choice in question.choices if choice != right)
    if NONE_OF_THE_ABOVE not in choices:  # it was right before
        choices = (*choices, NONE_OF_THE_ABOVE)
    none = LETTERS[choices.index(NONE_OF_THE_ABOVE)]
    return replace(
        item,
        question=replace(
            question,
            choices=choices,
            gold=none if gold == right else LETTERS[choices.index(gold)],
        ),
        right=none,
        none_right=True,
    )


def _draw_questions(
    prompt: str, name: str, share: float, path: Path
) -> Iterator[tuple[HeldOutQuestion, str]]:
    """Draw a picture and yield a question on each fact, with the parameter of the fact.

    `share` is the chance of each fact to be violated; the picture is written to `path`.
    """
    scene = scenes.parse(prompt)
    values = scenes.violate(scene, share, random.Random(name))
    picture = save_picture(scene.draw(values, name).image(512), path)
    for number, (fact, question) in enumerate(
        zip(scene.facts, scene.fact_questions(), strict=True)
    ):
        answer = scenes.right_answer(fact, values)
        choice = answer if answer in question.choices else NONE_OF_THE_ABOVE
        right = LETTERS[question.choices.index(choice)]
        item = HeldOutQuestion(
            picture,
            question,
            right,
            violated=True,
            prompt=prompt,
            in_set=number < scenes.ASKED,
        )
        yield item, fact.parameter


class QuestionPresentation(NamedTuple):
    """Puts an item to the judge in the `order`-th order of its choices, in a trial.

    Order 0 leaves them as they stand.
    """

    item: HeldOutQuestion
    order: int = 0
    trial: int = 0

    @property
    def places(self) -> tuple[int, ...]:
        """Return for each place of a choice where that choice stands in the item.

        "None of the above" stays where it is.
        """
        choices = self.item.question.choices
        if not self.order:
            return tuple(range(len(choices)))
        movable = [n for n, choice in enumerate(choices) if not plan.is_none_of_the_above(choice)]
        shuffle = random.Random(
            f"{self.item.picture.sha256} {self.item.question.text} {self.order}"
        )
        shuffled = iter(shuffle.sample(movable, len(movable)))
        return tuple(next(shuffled) if n in movable else n for n in range(len(choices)))

    @property
    def question(self) -> Question:
        """Return the question with its choices in that order, and the right letter for gold."""
        question = self.item.question
        places = self.places
        gold = LETTERS[places.index(LETTERS.index(self.item.right))]
        choices = tuple(question.choices[place] for place in places)
        return replace(question, choices=choices, gold=gold)

    def request(self, form: Template | None = None) -> Ask:
        return ihalla_request(self.item.picture, self.question, form)


class QuestionResult(NamedTuple):
    """Holds a question's result: the letter as in the item, and the chosen place as presented."""

    presentation: QuestionPresentation
    state: State
    letter: Letter | None
    place: int | None = None
    probability: float | None = None

    @property
    def item(self) -> HeldOutQuestion:
        return self.presentation.item

    @property
    def right(self) -> bool:
        return self.state == "correct"


def read_result(presentation: QuestionPresentation, reply: Reply) -> QuestionResult:
    """Read the reply to a question. Raises TypeError where it is no text."""
    verdict = plan.question_verdict(presentation.question, reply)
    if verdict.answer is None:
        return QuestionResult(presentation, verdict.state, None)
    place = LETTERS.index(verdict.answer)
    letter = LETTERS[presentation.places[place]]
    return QuestionResult(presentation, verdict.state, letter, place, verdict.probability)


# --- results


def summarize_results(
    judge: str, results: Sequence[QuestionResult], seed: int = 0, pack: WordingPack | None = None
) -> Trial:
    """Return the trial that these results make. Without any, every share is of nothing.

    `pack`: the wording that the judge was asked in, None for ours.

    Results on pictures of single concepts count by concept and by fact only, and results without
    the true choice by themselves.
    """
    of_none = [result for result in results if result.item.none_right]
    results = [result for result in results if not result.item.none_right]
    of_facts = [result for result in results if result.item.concept]
    of_concepts = [result for result in of_facts if result.item.in_set]
    results = [result for result in results if not result.item.concept]
    once = [result for result in results if not result.presentation.trial]
    first = [result for result in once if not result.presentation.order]
    in_order = [result for result in results if not result.presentation.order]
    answered = answer_rate([result.state for result in results])
    abstained = abstention_rate([result.state for result in results])
    choices = [
        ShuffledChoice(result.place, LETTERS.index(result.presentation.question.gold))
        for result in once
        if result.place is not None
    ]
    return Trial(
        judge=judge,
        benchmark=BENCHMARK,
        pictures=len({result.item.picture.sha256 for result in first}),
        overall=share(first),
        by_coi={
            coi: share(own)
            for coi in COIS
            if (own := [result for result in first if result.item.question.coi == coi])
        },
        by_kind={
            side: share([result for result in first if result.item.side == side]) for side in SIDES
        },
        unanswered=sum(result.letter is None for result in first),
        positions=position_bias(choices, len(LETTERS)),
        calibration=calibration(
            [
                AnswerConfidence(result.probability, result.right)
                for result in first
                if result.probability is not None
            ]
        ),
        answered=Share(answered.part, answered.of),
        abstained=Share(abstained.part, abstained.of),
        repeated=_consistency(in_order, lambda presentation: presentation.trial),
        reordered=_consistency(once, lambda presentation: presentation.order),
        violated_facts=share([result for result in first if result.item.fact_violated]),
        reliability=reliability(first),
        reliability_by_coi=_reliability_by(first, lambda item: item.question.coi),
        by_concept=_only_flagged(_reliability_by(of_concepts, lambda item: item.concept)),
        by_fact=_only_flagged(
            _reliability_by(of_facts, lambda item: f"{item.concept} / {item.parameter}")
        ),
        all_right={
            side: _share_all_right([result for result in first if result.item.side == side])
            for side in SIDES
        },
        none_right=share(of_none),
        none_right_unanswered=sum(result.letter is None for result in of_none),
        answers=tuple(map(_judge_answer, first)),
        seed=seed,
        version=apply_wording(plan.metric, pack).version,
    )


def share(results: Sequence[QuestionResult]) -> Share:
    """Return the share of right ones of those that were answered, with the interval by picture."""
    return share_of(
        (result.item.picture.sha256, result.right)
        for result in results
        if result.letter is not None
    )


def reliability(results: Sequence[QuestionResult]) -> Reliability:
    """Return how well these results tell what is violated from what holds.

    What is unanswered is in no figure.
    """
    return summarize_decisions(
        FactDecision(
            image=result.item.picture.sha256,
            violated=result.item.fact_violated,
            flagged=result.letter != result.item.question.gold,
        )
        for result in results
        if result.letter is not None
    )


def worst_first(by_slice: Mapping[str, Reliability]) -> list[tuple[str, Reliability]]:
    """Return the slices in which violated facts were asked, those flagged least first.

    Of those that are flagged alike, the one that is accepted least comes first.
    """
    asked = [(name, own) for name, own in by_slice.items() if own.sensitivity.asked]
    return sorted(
        asked,
        key=lambda row: (row[1].sensitivity.value or 0.0, row[1].specificity.value or 0.0, row[0]),
    )


Slice = TypeVar("Slice", bound=str)


def _reliability_by(
    results: Sequence[QuestionResult], slice_of: Callable[[HeldOutQuestion], Slice]
) -> dict[Slice, Reliability]:
    """Return the reliability of each slice, in the order in which they come.

    Only the first answer to a question with its choices as they stand counts.
    """
    slices: dict[Slice, list[QuestionResult]] = defaultdict(list)
    for result in results:
        if not result.presentation.trial and not result.presentation.order:
            slices[slice_of(result.item)].append(result)
    return {name: reliability(own) for name, own in slices.items()}


def _only_flagged(by_slice: Mapping[str, Reliability]) -> dict[str, Reliability]:
    """Return sensitivity and specificity of each slice, and nothing else."""
    return {name: Reliability(own.sensitivity, own.specificity) for name, own in by_slice.items()}


def _share_all_right(results: Sequence[QuestionResult]) -> Share:
    """Return the share of the pictures of which every question is answered right.

    A picture with an unanswered question is in no share.
    """
    pictures: dict[str, list[QuestionResult]] = defaultdict(list)
    for result in results:
        pictures[result.item.picture.sha256].append(result)
    return share_of(
        (picture, all(result.right for result in own))
        for picture, own in pictures.items()
        if all(result.letter is not None for result in own)
    )


def _consistency(
    results: Sequence[QuestionResult], repetition: Callable[[QuestionPresentation], int]
) -> Consistency | None:
    """Return how alike the same questions are answered; None where each was put once."""
    if len({repetition(r.presentation) for r in results}) < 2:
        return None
    answers: dict[tuple[str, str], list[Letter | None]] = defaultdict(list)
    for result in results:
        answers[result.item.picture.sha256, result.item.question.text].append(result.letter)
    return consistency(answers.values())


def _judge_answer(result: QuestionResult) -> JudgeAnswer:
    question = result.item.question
    return JudgeAnswer(
        result.item.picture.sha256,
        question.text,
        question.coi,
        question.choice(result.item.right),
        question.choice(result.letter) if result.letter else None,
    )
