"""Answers questions about a Primer drawing from the values that it was drawn with.

Nothing is guessed: a question that the drawing does not decide has no answer.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hallascope.data.lexicon import capitalize
from hallascope.primer import extra_questions
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.groups import NUMBERS
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS
from hallascope.primer.world import Fact, FactValues

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
    if facts:
        return _of_facts(facts, values)
    if not _knows_all(scene, values):
        return None
    view = RenderedScene(scene, values, Drawing("", ()))  # nobody looks at its pixels
    asked = extra_questions.of_prompt(view)
    answers = {inquiry.answer for inquiry in asked if inquiry.question == question}
    if len(answers) != 1:
        return None
    (answer,) = answers
    return DrawnAnswer(answer, _rivals(question, answer))


def _of_facts(facts: Sequence[Fact], values: FactValues) -> DrawnAnswer | None:
    if not all(values.get(fact.parameter) in fact.values for fact in facts):
        return None  # another version drew it, with values that are not known here
    answers = {fact.values[values[fact.parameter]] for fact in facts}
    if len(answers) != 1:
        return None
    (answer,) = answers
    return DrawnAnswer(answer, frozenset(text for fact in facts for text in _offered(fact)))


def _offered(fact: Fact) -> Iterator[str]:
    yield from fact.values.values()
    yield from fact.others


def _knows_all(scene: Scene, values: FactValues) -> bool:
    """Return whether every fact of the scene has one of its values, and nothing else has any."""
    is_known = all(values.get(fact.parameter) in fact.values for fact in scene.facts)
    return is_known and values.keys() <= scene.truths().keys()


def _rivals(question: str, answer: str) -> frozenset[str]:
    if answer in _YES_OR_NO:
        return _YES_OR_NO
    return next(
        (rivals for starts, rivals in _CLOSED_ANSWERS if question.startswith(starts)), frozenset()
    )
