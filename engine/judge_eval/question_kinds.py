"""Tries a judge on every kind of question that the Primer world can answer, beside I-HallA's."""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.backends.base import Judge
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box, window
from hallascope.data.requests import Answer, Ask
from hallascope.engine.judge_eval.harness import ask_uncached, save_picture
from hallascope.engine.trials.records import KindShares, Share
from hallascope.primer import extra_questions
from hallascope.primer.benchmark import judge_samples, pair_criteria
from hallascope.primer.benchmark.judge_samples import JudgeSample

# px of the pictures
SIZE = 512
TEMPLATE = "kinds-1"
_INSTRUCTION = (
    "Answer in a few words for the picture as it is. If it does not show what is asked about,"
    " answer: I cannot tell."
)


class KindQuestion(NamedTuple):
    """Holds a question of a kind with the one right answer."""

    kind: str
    ask: Ask
    answer: str


def kind_questions(
    sample: JudgeSample, name: str, folder: Path, chance: random.Random
) -> list[KindQuestion]:
    """Return all questions on a sample: on a region, on a picture, and on it and its reference.

    The pictures are written to the folder, under `name`.
    """
    picture = save_picture(sample.picture.drawing.image(SIZE), folder / f"{name} 0.png")
    reference = save_picture(sample.reference.drawing.image(SIZE), folder / f"{name} 1.png")
    single = picture if sample.seen is sample.picture else reference
    region = sample.look.region
    crop = Box(*(side / SIZE for side in window(region, SIZE, SIZE, square=True)))
    questions = []
    for inquiry in extra_questions.of_region(sample.seen, sample.look, crop, chance):
        kind = f"region: {inquiry.kind}"
        questions.append(_question(kind, (single,), inquiry.question, inquiry.answer, region))
    for inquiry in extra_questions.of_picture(sample.seen, chance):
        kind = f"picture: {inquiry.kind}"
        questions.append(_question(kind, (single,), inquiry.question, inquiry.answer))
    pair_region = region if sample.by_region else None
    for aspect, answer in sample.compared.items():
        text = pair_criteria.QUESTIONS[aspect]
        pair = (picture, reference)
        questions.append(_question(f"pair: {aspect}", pair, text, answer, pair_region))
    return questions


def _question(
    kind: str, pictures: tuple[Picture, ...], question: str, answer: str, region: Box | None = None
) -> KindQuestion:
    ask = Ask(
        images=pictures,
        text=f"{question}\n{_INSTRUCTION}",
        question=question,
        template=TEMPLATE,
        region=region,
    )
    return KindQuestion(kind, ask, answer)


def try_kinds(judge: Judge, count: int = 200, seed: int = 0) -> KindShares:
    """Ask the judge all there is to ask about so many held-out pictures with their references."""
    asked = 0
    rows: list[tuple[str, bool, bool, bool]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            name = f"trial of kinds {seed} {number}"
            chance = random.Random(name)
            sample = judge_samples.sitting(name, chance)
            questions = kind_questions(sample, str(number), Path(folder), chance)
            asked += len(questions)
            replies = ask_uncached(judge, [question.ask for question in questions])
            for question, reply in zip(questions, replies, strict=True):
                if isinstance(reply, Answer):
                    is_right = is_same_answer(reply.text, question.answer)
                    says_unknown = is_same_answer(reply.text, CANNOT_TELL)
                    is_unknown = question.answer == CANNOT_TELL
                    rows.append((question.kind, is_right, is_unknown, says_unknown))
    return KindShares(
        sittings=count,
        by_kind={
            kind: _share([is_right for own, is_right, *_ in rows if own == kind])
            for kind in sorted({kind for kind, *_ in rows})
        },
        precision=_share([is_unknown for *_, is_unknown, says in rows if says]),
        recall=_share([says for *_, is_unknown, says in rows if is_unknown]),
        unanswered=asked - len(rows),
    )


def _share(right: Sequence[bool]) -> Share:
    return Share(sum(right), len(right))


def is_same_answer(text: str, answer: str) -> bool:
    """Return whether a reply says the answer and nothing else.

    Case, a full stop and an article at the front do not matter.
    """
    return _normalize(text) == _normalize(answer)


def _normalize(text: str) -> str:
    words = " ".join(text.split()).casefold().strip(" .!\"'")
    for article in ("a ", "an ", "the "):
        if words.startswith(article):
            return words.removeprefix(article)
    return words
