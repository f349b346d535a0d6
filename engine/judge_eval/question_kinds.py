"""Tries a judge on every kind of question that the Primer world can answer, beside I-HallA's.

It does not touch the store.
"""

import random
import tempfile
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope.backends.base import Judge
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box, window
from hallascope.data.requests import Ask, Failure
from hallascope.engine.judge_eval.ihalla import KindShares, Share
from hallascope.primer import extra_questions
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.benchmark import judge_samples, pair_criteria
from hallascope.primer.benchmark.judge_samples import JudgeSample

SIZE = 512  # px of the pictures
TEMPLATE = "kinds-1"
_HOW = (
    "Answer in a few words for the picture as it is. If it does not show what is asked about,"
    " answer: I cannot tell."
)


class KindQuestion(NamedTuple):
    """A question of a kind with the one right answer."""

    kind: str
    ask: Ask
    answer: str


def tasks(made: JudgeSample, name: str, folder: Path, chance: random.Random) -> list[KindQuestion]:
    """All questions of one sitting, its pictures written to the folder."""
    pictures = {
        id(view): _save_view(view, folder / f"{name} {n}.png")
        for n, view in enumerate((made.picture, made.reference))
    }
    seen = pictures[id(made.seen)]
    cut = window(made.look.region, SIZE, SIZE, square=True)
    shown = Box(*(side / SIZE for side in cut))
    pair = (pictures[id(made.picture)], pictures[id(made.reference)])
    region = made.look.region if made.by_region else None
    of_region = extra_questions.of_region(made.seen, made.look, shown, chance)
    of_picture = extra_questions.of_picture(made.seen, chance)
    return [
        *(
            _task(f"region: {q.kind}", (seen,), q.question, q.answer, made.look.region)
            for q in of_region
        ),
        *(_task(f"picture: {q.kind}", (seen,), q.question, q.answer) for q in of_picture),
        *(
            _task(f"pair: {aspect}", pair, pair_criteria.QUESTIONS[aspect], answer, region)
            for aspect, answer in made.compared.items()
        ),
    ]


def _save_view(view: RenderedScene, path: Path) -> Picture:
    view.drawing.image(SIZE).save(path)
    return Picture(sha256(path.read_bytes()).hexdigest(), path)


def _task(
    kind: str, pictures: tuple[Picture, ...], question: str, answer: str, region: Box | None = None
) -> KindQuestion:
    return KindQuestion(
        kind,
        Ask(
            images=pictures,
            text=f"{question}\n{_HOW}",
            question=question,
            template=TEMPLATE,
            region=region,
        ),
        answer,
    )


def try_kinds(judge: Judge, count: int = 200, seed: int = 0) -> KindShares:
    """Ask the judge all there is to ask about so many held-out pictures with their references."""
    told: list[tuple[KindQuestion, str | None]] = []
    with tempfile.TemporaryDirectory() as folder:
        for n in range(count):
            name = f"trial of kinds {seed} {n}"
            chance = random.Random(name)
            told += _ask_questions(
                judge, tasks(judge_samples.sitting(name, chance), str(n), Path(folder), chance)
            )
    return kind_shares(count, told)


def _ask_questions(
    judge: Judge, asked: Sequence[KindQuestion]
) -> Iterator[tuple[KindQuestion, str | None]]:
    for task, reply in zip(asked, judge.ask([task.ask for task in asked]), strict=True):
        yield task, None if isinstance(reply, Failure) else reply.text


def kind_shares(count: int, told: Sequence[tuple[KindQuestion, str | None]]) -> KindShares:
    """The shares by kind; None is a question without an answer."""
    answered = [
        (task, is_same_answer(text, task.answer), is_same_answer(text, CANNOT_TELL))
        for task, text in told
        if text is not None
    ]
    kinds = sorted({task.kind for task, _, _ in answered})
    by_kind = {
        kind: _share([right for task, right, _ in answered if task.kind == kind]) for kind in kinds
    }
    precision = _share([task.answer == CANNOT_TELL for task, _, unknown in answered if unknown])
    recall = _share([unknown for task, _, unknown in answered if task.answer == CANNOT_TELL])
    return KindShares(count, by_kind, precision, recall, len(told) - len(answered))


def _share(right: Sequence[bool]) -> Share:
    return Share(sum(right), len(right))


def is_same_answer(text: str, answer: str) -> bool:
    """Whether a reply says the answer and nothing else.

    Case, a full stop and an article at the front do not matter.
    """
    return _plain(text) == _plain(answer)


def _plain(text: str) -> str:
    said = " ".join(text.split()).casefold().strip(" .!\"'")
    return next(
        (said.removeprefix(word) for word in ("a ", "an ", "the ") if said.startswith(word)), said
    )
