"""Lists the rounds of "Which of these is not ...", and draws them: four images, one wrong fact.

`odd_one_out.toml` has them. It knows no judge. The rounds are chosen: in some of them the embedded
judge errs, in others it is not asked about what is wrong.
"""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import TypeAdapter

from hallascope.primer.teaching.lesson_drawing import LessonDrawing
from hallascope.primer.world import FactValue


@dataclass(frozen=True)
class OddOneOutSpec:
    """Says what a round shows: a Primer prompt, and which fact is drawn wrongly in which image.

    `name` stands after "Which of these is not". `seeds` are those of the images in their order,
    `odd` is the place of the wrong one, from 0.
    """

    prompt: str
    name: str
    parameter: str
    value: FactValue
    seeds: tuple[int, ...]
    odd: int

    @cached_property
    def images(self) -> tuple[LessonDrawing, ...]:
        """Return the images in their order. They raise BadLesson where Primer cannot draw them."""
        right = [LessonDrawing(self.prompt, seed) for seed in self.seeds]
        wrong = LessonDrawing(self.prompt, self.seeds[self.odd], self.parameter, self.value)
        return (*right[: self.odd], wrong, *right[self.odd + 1 :])

    @property
    def wrong(self) -> LessonDrawing:
        """Return the odd image."""
        return self.images[self.odd]


_FILE = Path(__file__).with_suffix(".toml")
# an example, then the rounds from easy to hard
EXAMPLE, *ROUNDS = TypeAdapter(tuple[OddOneOutSpec, ...]).validate_python(
    tomllib.loads(_FILE.read_text(encoding="utf-8"))["rounds"]
)
