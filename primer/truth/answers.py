"""Answers questions about a Primer drawing from the values that it was drawn with.

Nothing is guessed: a question that the drawing does not decide has no answer.
"""

from typing import NamedTuple

from hallascope.data.lexicon import capitalize
from hallascope.primer import extra_questions
from hallascope.primer.groups import NUMBERS
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS
from hallascope.primer.world import FactValues

_CLOSED_ANSWERS = (
    (("How many ",), frozenset(map(capitalize, NUMBERS))),
    (("What color ",), frozenset(map(capitalize, COLORS))),
)
_YES_OR_NO = frozenset({"Yes", "No"})


class DrawnPicture(NamedTuple):
    """Holds a picture as it was drawn: what was asked for, and the values it was drawn with."""

    scene: Scene
    values: FactValues


class DrawnAnswer(NamedTuple):
    """Holds the answer to a question about a drawing.

    `rivals` are answers that exclude one another: where all choices are among them and the answer
    is not, none of the choices is right.
    """

    text: str
    rivals: frozenset[str]


def answer_from_drawing(scene: Scene, values: FactValues, question: str) -> DrawnAnswer | None:
    """Return what a drawing with these values answers to a question.

    First the facts of the scene are searched, then what a reader of the prompt alone asks. None
    where neither has the question, or where it has several answers.
    """
    facts = [fact for fact in scene.facts if fact.question == question]
    for fact in facts or scene.facts:
        if values.get(fact.parameter) not in fact.values:
            return None  # another version drew it, with values that are not known here
    rivals: frozenset[str] = frozenset()
    if facts:
        answers = {fact.values[values[fact.parameter]] for fact in facts}
        rivals = frozenset(text for fact in facts for text in (*fact.values.values(), *fact.others))
    elif values.keys() <= scene.truths().keys():
        asked = extra_questions.of_prompt(scene, values)
        answers = {inquiry.answer for inquiry in asked if inquiry.question == question}
    else:
        return None
    if len(answers) != 1:
        return None
    (answer,) = answers
    return DrawnAnswer(answer, rivals or _rivals(question, answer))


def _rivals(question: str, answer: str) -> frozenset[str]:
    if answer in _YES_OR_NO:
        return _YES_OR_NO
    return next(
        (rivals for starts, rivals in _CLOSED_ANSWERS if question.startswith(starts)), frozenset()
    )
