"""Questions on regions, parts and pairs have the answers that the drawings lead to, and no question
has two.
"""

import random
from collections import Counter

from hallascope.data.records import CANNOT_TELL
from hallascope.data.regions import Box, window
from hallascope.primer import extra_questions
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.benchmark.judge_samples import JudgeSample
from tests.primer.views import draw_view


def _cut(view: RenderedScene, region: Box) -> Box:
    return Box(*(side / 512 for side in window(region, 512, 512, square=True)))


# --- regions and pictures


def test_a_region_is_asked_for_name_color_shape_texture_and_caption() -> None:
    view = draw_view("a red circle above a blue star")
    star = next(look for look in view.looks() if look.name == "star")
    said = {
        q.question: q.answer
        for q in extra_questions.of_region(view, star, _cut(view, star.region), random.Random(0))
        if not q.question.startswith("Is this")
    }
    assert said == {
        extra_questions.NAME: "Star",
        extra_questions.COLOR: "Blue",
        extra_questions.SHAPE: "Star-shaped",
        extra_questions.TEXTURE: "Plain",
        extra_questions.CAPTION: "A blue star",
    }


def test_questions_on_parts_of_a_picture_agree_with_what_is_drawn(
    sittings: list[JudgeSample],
) -> None:
    kinds: Counter[str] = Counter()
    for made in sittings:
        view = made.seen
        names = {part.name for part in view.drawing.parts}
        for q in extra_questions.of_picture(view, random.Random(2)):
            kinds[q.answer if q.answer in ("Yes", "No", CANNOT_TELL) else "color of a part"] += 1
            if q.question.startswith(("What color is the ", "Is there a")) and q.question not in {
                f.question for f in view.scene.facts
            }:
                named = [
                    name
                    for name in extra_questions.part_names() + tuple(names)
                    if f" {name} in the image?" in q.question
                ]
                there = bool(named) and max(named, key=len) in names
                assert there == (q.answer not in (CANNOT_TELL, "No")), q
    assert len(kinds) == 4
    assert min(kinds.values()) > 10
