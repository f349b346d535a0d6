"""Tries a judge by I-HallA's questions where the truth is known, and sums up its answers."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hallascope.data.records import COIS, LETTERS, NONE_OF_THE_ABOVE
from hallascope.data.wordings.packs import WordingPack
from hallascope.engine.judge_eval.answers import (
    TrialAnswer,
    TrialQuestion,
    group_answers,
    reliability,
    right_share,
)
from hallascope.engine.judge_eval.harness import save_picture
from hallascope.engine.trials.records import (
    SIDES,
    JudgeAnswer,
    Reliability,
    Share,
    Trial,
    share_of,
)
from hallascope.metrics.ihalla import plan
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


# --- questions


def primer_items(pictures: int, folder: Path, seed: int = 0) -> Iterator[TrialQuestion]:
    """Return questions on pictures no model was trained on, every second one violated.

    The prompts are those of Primer's benchmark in turn.
    """
    for number in range(pictures):
        violated = number % 2 == 1
        prompt = primer_prompt(number)
        name = f"trial {seed} {number}"
        share = VIOLATION if violated else 0.0
        for item in _draw_questions(prompt, name, share, folder / f"{number}.png"):
            if item.in_set:
                yield replace(item, violated=violated)


def primer_prompt(number: int) -> str:
    """Return the prompt of a held-out picture: each is drawn factual, then violated, in turn."""
    prompts = scenes.benchmark()
    return prompts[(number // 2) % len(prompts)]


def concept_items(each: int, folder: Path, seed: int = 0) -> Iterator[TrialQuestion]:
    """Return questions on every fact of so many pictures of each concept alone.

    Each fact is violated with probability `VIOLATION`. No model was trained on the pictures, and
    they are none of `primer_items`.
    """
    for concept in concepts():
        for number in range(each):
            name = f"concept trial {seed} {concept.name} {number}"
            path = folder / f"{concept.name} {number}.png"
            for item in _draw_questions(concept.phrase, name, VIOLATION, path):
                yield replace(item, concept=concept.name)


def none_right_items(items: Iterable[TrialQuestion], seed: int = 0) -> Iterator[TrialQuestion]:
    """Return a part of the questions without their true choice: "None of the above" is right.

    Each question is drawn with probability `NONE_RIGHT`, always the same ones for a seed. The
    choices that stay are wrong, as each of them answers otherwise than the true one. The expected
    answer is "None of the above", too, where it is the true one.
    """
    for item in items:
        chance = random.Random(f"none right {seed} {item.image} {item.question.text}")
        if chance.random() < NONE_RIGHT:
            yield _take_out_right_choice(item)


def _take_out_right_choice(item: TrialQuestion) -> TrialQuestion:
    question = item.question
    gold = question.choice(question.gold)
    choices = tuple(choice for choice in question.choices if choice != item.right_choice)
    if NONE_OF_THE_ABOVE not in choices:  # it was right before
        choices = (*choices, NONE_OF_THE_ABOVE)
    none = LETTERS[choices.index(NONE_OF_THE_ABOVE)]
    letter = LETTERS[choices.index(gold)] if item.fact_violated else none
    asked = replace(question, choices=choices, gold=letter)
    return replace(item, question=asked, right=none, none_right=True)


def _draw_questions(prompt: str, name: str, share: float, path: Path) -> Iterator[TrialQuestion]:
    """Draw a picture and yield a question on each fact.

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
        yield TrialQuestion(
            picture,
            question,
            right=LETTERS[question.choices.index(choice)],
            violated=True,
            prompt=prompt,
            parameter=fact.parameter,
            in_set=number < scenes.ASKED,
        )


# --- results


def summarize_results(
    judge: str, answers: Sequence[TrialAnswer], seed: int = 0, pack: WordingPack | None = None
) -> Trial:
    """Return the trial that these answers make. Without any, every share is of nothing.

    `pack`: the wording that the judge was asked in, None for ours.

    Answers on pictures of single concepts count by concept and by fact only, and answers without
    the true choice by themselves.
    """
    of_none = [answer for answer in answers if answer.asked.none_right]
    of_facts = [answer for answer in answers if answer.asked.concept and _is_first(answer.asked)]
    of_concepts = [answer for answer in of_facts if answer.asked.in_set]
    answers = [each for each in answers if not (each.asked.none_right or each.asked.concept)]
    once = [answer for answer in answers if not answer.asked.trial]
    in_order = [answer for answer in answers if not answer.asked.order]
    first = [answer for answer in answers if _is_first(answer.asked)]
    states = [answer.state for answer in answers]
    choices = [
        ShuffledChoice(answer.place, LETTERS.index(answer.asked.presented.gold))
        for answer in once
        if answer.place is not None
    ]
    by_coi = group_answers(first, lambda asked: asked.question.coi)
    by_side = group_answers(first, lambda asked: asked.side)
    return Trial(
        judge=judge,
        benchmark=BENCHMARK,
        pictures=len({answer.asked.image for answer in first}),
        overall=right_share(first),
        by_coi={coi: right_share(by_coi[coi]) for coi in COIS if coi in by_coi},
        by_kind={side: right_share(by_side[side]) for side in SIDES},
        unanswered=sum(answer.letter is None for answer in first),
        positions=position_bias(choices, len(LETTERS)),
        calibration=calibration(
            [
                AnswerConfidence(answer.probability, answer.right)
                for answer in first
                if answer.probability is not None
            ]
        ),
        answered=Share(*answer_rate(states)),
        abstained=Share(*abstention_rate(states)),
        repeated=_consistency(in_order, lambda asked: asked.trial),
        reordered=_consistency(once, lambda asked: asked.order),
        violated_facts=right_share(answer for answer in first if answer.asked.fact_violated),
        reliability=reliability(first),
        reliability_by_coi={coi: reliability(own) for coi, own in by_coi.items()},
        by_concept=_flagged_by(of_concepts, lambda asked: asked.concept),
        by_fact=_flagged_by(of_facts, lambda asked: f"{asked.concept} / {asked.parameter}"),
        all_right={side: _share_all_right(by_side[side]) for side in SIDES},
        none_right=right_share(of_none),
        none_right_unanswered=sum(answer.letter is None for answer in of_none),
        answers=tuple(map(_judge_answer, first)),
        seed=seed,
        version=apply_wording(plan.metric, pack).version,
    )


def _is_first(asked: TrialQuestion) -> bool:
    """Return whether a question is put for the first time, with its choices as they stand."""
    return not asked.trial and not asked.order


def worst_first(by_slice: Mapping[str, Reliability]) -> list[tuple[str, Reliability]]:
    """Return the slices in which violated facts were asked, those flagged least first.

    Of those that are flagged alike, the one that is accepted least comes first.
    """
    asked = [(name, own) for name, own in by_slice.items() if own.sensitivity.asked]
    return sorted(
        asked,
        key=lambda row: (row[1].sensitivity.value or 0.0, row[1].specificity.value or 0.0, row[0]),
    )


def _flagged_by(
    answers: Sequence[TrialAnswer], slice_of: Callable[[TrialQuestion], str]
) -> dict[str, Reliability]:
    """Return sensitivity and specificity of each slice, and nothing else."""
    by_slice = {name: reliability(own) for name, own in group_answers(answers, slice_of).items()}
    return {name: Reliability(own.sensitivity, own.specificity) for name, own in by_slice.items()}


def _share_all_right(answers: Sequence[TrialAnswer]) -> Share:
    """Return the share of the pictures of which every question is answered right.

    A picture with an unanswered question is in no share.
    """
    return share_of(
        (picture, all(answer.right for answer in own))
        for picture, own in group_answers(answers, lambda asked: asked.image).items()
        if all(answer.letter is not None for answer in own)
    )


def _consistency(
    answers: Sequence[TrialAnswer], repetition: Callable[[TrialQuestion], int]
) -> Consistency | None:
    """Return how alike the same questions are answered; None where each was put once."""
    if len({repetition(answer.asked) for answer in answers}) < 2:
        return None
    questions = group_answers(answers, lambda asked: (asked.image, asked.question.text))
    return consistency([answer.letter for answer in own] for own in questions.values())


def _judge_answer(answer: TrialAnswer) -> JudgeAnswer:
    question = answer.asked.question
    return JudgeAnswer(
        answer.asked.image,
        question.text,
        question.coi,
        answer.asked.right_choice,
        question.choice(answer.letter) if answer.letter else None,
    )
