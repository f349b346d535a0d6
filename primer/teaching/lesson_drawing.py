"""Draws the images of the ready lessons, and says what is true of each; it knows no judge."""

from dataclasses import dataclass
from functools import cached_property

from hallascope.data.records import Question
from hallascope.data.teaching.exercise import Exercise
from hallascope.data.teaching.lesson import DrawnItem
from hallascope.primer import scenes
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.scenes import ASKED, Scene
from hallascope.primer.teaching.exercises import (
    exercise_seed,
    fact_of,
    fault_reason,
    make_exercise,
    scene_of,
    short_question,
)
from hallascope.primer.world import Fact, FactValue, FactValues


@dataclass(frozen=True)
class LessonDrawing:
    """Draws a Primer prompt with a seed, and the wrong fact; "" where all are right.

    `asked_too`: the judge is also asked about the wrong fact, which its five questions leave out.
    Its properties raise BadLesson where Primer cannot draw it.
    """

    prompt: str
    seed: int
    parameter: str = ""
    value: FactValue = ""
    asked_too: bool = False

    @cached_property
    def scene(self) -> Scene:
        """Return what the image is to show."""
        return scene_of(self.prompt)

    @cached_property
    def values(self) -> FactValues:
        """Return the values that it is drawn with."""
        return self.scene.truths() | ({self.parameter: self.value} if self._wrong else {})

    @cached_property
    def drawing(self) -> Drawing:
        """Return the image itself."""
        return self.scene.draw(self.values, exercise_seed(self.seed))

    @property
    def exercise(self) -> Exercise | None:
        """Return the error as an exercise, with its place; None where nothing is wrong."""
        return make_exercise(self._item).exercise if self.parameter else None

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Return the facts that the judge is asked, and the wrong one where it is none of them."""
        asked = self.scene.facts[:ASKED]
        wrong = self._wrong
        return asked if wrong is None or wrong in asked else (*asked, wrong)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Return the questions to the judge, in the order of the facts.

        The last asks about the wrong fact where the plan adds it.
        """
        questions = self.scene.fact_questions()
        asked = len(self.facts) if self.asked_too else ASKED
        return tuple(questions[self.scene.facts.index(fact)] for fact in self.facts[:asked])

    @property
    def truth(self) -> tuple[str, ...]:
        """Return the answer that the image leads to, for each of the facts."""
        return self.answers(self.facts)

    def answers(self, facts: tuple[Fact, ...]) -> tuple[str, ...]:
        """Return the answer that the image leads to, for each of these facts of its scene."""
        return tuple(scenes.right_answer(fact, self.values) for fact in facts)

    @property
    def reason(self) -> str:
        """Return a sentence on why the wrong fact is wrong; "" where nothing is wrong."""
        return fault_reason(self._wrong, self.scene) if self._wrong else ""

    def question_of(self, parameter: str) -> str:
        """Return the question about a fact by its parameter. Raises KeyError."""
        return {fact.parameter: short_question(fact.question) for fact in self.scene.facts}[
            parameter
        ]

    @property
    def _wrong(self) -> Fact | None:
        return fact_of(self.scene, self._item) if self.parameter else None

    @property
    def _item(self) -> DrawnItem:
        return DrawnItem(self.prompt, self.parameter, self.value, self.seed)
