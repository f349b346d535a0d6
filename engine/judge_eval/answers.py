"""Holds questions whose right answer is known, what a judge answers, and how often it is right.

Who says what is right, a drawing or a person, this module does not know.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from hallascope.data.evidence import State
from hallascope.data.files.label_folder import LabelMark
from hallascope.data.records import LETTERS, Letter, Picture, Question
from hallascope.data.requests import Ask, Reply
from hallascope.data.wordings.templates import Template, template
from hallascope.engine.trials.records import (
    LabelFigures,
    PictureTruth,
    Reliability,
    Share,
    share_of,
    summarize_decisions,
)
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.metrics.statistics.balanced_accuracy import FactDecision


@dataclass(frozen=True)
class TrialQuestion:
    """Holds a question about an image and its right letter, which may differ from gold.

    `right` is what the drawing shows, or the mark of a `labeler`. `concept` and `parameter` name
    the fact that is asked about on pictures that are drawn to try every concept; both are "" on all
    others. `in_set`: the question is one of the five that the prompt's set asks; the others are
    asked to try every fact. `none_right`: the true choice was taken out of the choices, so that
    "None of the above" is right. The question is put in the `order`-th order of its choices, in a
    `trial`; order 0 leaves them as they stand.
    """

    picture: Picture
    question: Question
    right: LabelMark
    violated: bool = False
    prompt: str = ""
    concept: str = ""
    parameter: str = ""
    in_set: bool = True
    none_right: bool = False
    order: int = 0
    trial: int = 0
    labeler: str = ""

    @property
    def image(self) -> str:
        return self.picture.sha256

    @property
    def right_choice(self) -> str:
        return self.question.choices[LETTERS.index(self.right)]

    @property
    def fact_violated(self) -> bool:
        """Return whether the fact that the question asks about is itself wrong.

        On a violated picture many are not.
        """
        return self.right != self.question.gold

    @property
    def side(self) -> PictureTruth:
        return "violated" if self.violated else "factual"

    @property
    def places(self) -> tuple[int, ...]:
        """Return for each place of a choice as presented where that choice stands in the question.

        "None of the above" stays where it is.
        """
        choices = self.question.choices
        if not self.order:
            return tuple(range(len(choices)))
        movable = [n for n, choice in enumerate(choices) if not plan.is_none_of_the_above(choice)]
        shuffle = random.Random(f"{self.image} {self.question.text} {self.order}")
        shuffled = iter(shuffle.sample(movable, len(movable)))
        return tuple(next(shuffled) if n in movable else n for n in range(len(choices)))

    @property
    def presented(self) -> Question:
        """Return the question with its choices in that order, and the right letter for gold."""
        places = self.places
        gold = LETTERS[places.index(LETTERS.index(self.right))]
        choices = tuple(self.question.choices[place] for place in places)
        return replace(self.question, choices=choices, gold=gold)

    def request(self, form: Template | None = None) -> Ask:
        """Return what a judge is asked, without the prompt; `form` None: as we word it."""
        case = Case(prompt="", image=self.picture)
        return plan.request(case, self.presented, form or template("ihalla_ask"))


class TrialAnswer(NamedTuple):
    """Holds a judge's answer: the letter as in the question, and the chosen place as presented.

    `letter` is None where none could be read.
    """

    asked: TrialQuestion
    letter: Letter | None
    state: State = "unreadable"
    place: int | None = None
    probability: float | None = None

    @property
    def right(self) -> bool:
        return self.letter == self.asked.right

    @property
    def sees_expected(self) -> bool | None:
        """Return whether the judge gives the expected answer; None where it gave no letter."""
        return None if self.letter is None else self.letter == self.asked.question.gold


def read_answer(asked: TrialQuestion, reply: Reply) -> TrialAnswer:
    """Read the reply to a question. Raises TypeError where it is no text."""
    verdict = plan.question_verdict(asked.presented, reply)
    if verdict.answer is None:
        return TrialAnswer(asked, None, verdict.state)
    place = LETTERS.index(verdict.answer)
    letter = LETTERS[asked.places[place]]
    return TrialAnswer(asked, letter, verdict.state, place, verdict.probability)


# --- how often they are right


Group = TypeVar("Group")


def group_answers(
    answers: Iterable[TrialAnswer], group_of: Callable[[TrialQuestion], Group]
) -> Mapping[Group, list[TrialAnswer]]:
    """Return the answers of each group, in the order in which groups come; others have none."""
    groups: dict[Group, list[TrialAnswer]] = defaultdict(list)
    for answer in answers:
        groups[group_of(answer.asked)].append(answer)
    return groups


def right_share(answers: Iterable[TrialAnswer]) -> Share:
    """Return the share of right ones of those that were answered, with the interval by picture."""
    return share_of(
        (answer.asked.image, answer.right) for answer in answers if answer.letter is not None
    )


def reliability(answers: Iterable[TrialAnswer]) -> Reliability:
    """Return how well these answers tell what is violated from what holds.

    What is unanswered is in no figure.
    """
    return summarize_decisions(
        FactDecision(answer.asked.image, answer.asked.fact_violated, not answer.sees_expected)
        for answer in answers
        if answer.letter is not None
    )


def label_figures(answers: Sequence[TrialAnswer]) -> LabelFigures:
    """Return what the judge of these answers reaches; what it left unanswered is in no figure."""
    figures = reliability(answers)
    kappa = replace(figures.kappa, left_out=sum(answer.letter is None for answer in answers))
    return LabelFigures(**{**vars(figures), "kappa": kappa, "overall": right_share(answers)})
