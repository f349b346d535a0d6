"""Questions on regions, parts and pairs have the answers that the drawings lead to, and no question
has two.
"""

import random
from collections import Counter

import numpy as np
import pytest

from hallascope.data.records import CANNOT_TELL
from hallascope.data.regions import Box, window
from hallascope.primer import extra_questions, scenes
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.benchmark.judge_samples import JudgeSample
from tests.primer.views import draw_view


def _cut(view: RenderedScene, region: Box) -> Box:
    return Box(*(side / 512 for side in window(region, 512, 512, square=True)))


# --- regions and pictures
# ------------------------------------------------------------------------------------------------


def test_a_region_is_asked_for_name_color_shape_texture_and_caption() -> None:
    view = draw_view("a red circle above a blue star")
    star = next(look for look in view.looks() if look.name == "star")
    said = {
        q.kind: q.answer
        for q in extra_questions.of_region(view, star, _cut(view, star.region), random.Random(0))
        if q.kind != "check"
    }
    assert said == {
        "name": "Star",
        "color": "Blue",
        "shape": "Star-shaped",
        "texture": "Plain",
        "caption": "A blue star",
    }


@pytest.mark.full
def test_what_a_region_of_a_part_does_not_show_cannot_be_told(sittings: list[JudgeSample]) -> None:
    unknown = 0
    for made in sittings:
        shown = _cut(made.seen, made.look.region)
        asked = extra_questions.of_region(made.seen, made.look, shown, random.Random(1))
        seen = {
            made.seen.drawing.parts[i].name
            for i in np.unique(made.seen.parts_in_region(shown))
            if i >= 0
        }
        facts = {fact.question: fact for fact in made.look.concept.own_facts}
        for q in asked:
            if q.kind == "unknown":
                unknown += 1
                assert q.answer == CANNOT_TELL
                assert not seen & set(facts[q.question].parts)
            if q.kind == "fact":
                assert (
                    q.answer
                    == facts[q.question].values[made.look.values[facts[q.question].parameter]]
                )
    assert unknown > 8


def test_a_part_is_only_looked_at_where_it_is_plain_what_is_meant(
    sittings: list[JudgeSample],
) -> None:
    parts = [made for made in sittings if made.look.part]
    assert len(parts) > 15
    for made in parts:
        seen = made.seen.parts_in_region(_cut(made.seen, made.look.region))
        assert np.isin(seen, made.look.indices).sum() > 0.35 * (seen >= 0).sum()


def test_questions_on_parts_of_a_picture_agree_with_what_is_drawn(
    sittings: list[JudgeSample],
) -> None:
    kinds: Counter[str] = Counter()
    for made in sittings:
        view = made.seen
        names = {part.name for part in view.drawing.parts}
        for q in extra_questions.of_picture(view, random.Random(2)):
            kinds[f"{q.kind} {q.answer}" if q.kind == "presence" else q.kind] += 1
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
    assert min(kinds["part"], kinds["unknown"], kinds["presence Yes"], kinds["presence No"]) > 10


def test_a_part_that_a_violation_has_taken_away_is_not_there() -> None:
    view = draw_view("a ladybug", feelers="none")
    found = [q for n in range(60) for q in extra_questions.of_picture(view, random.Random(n))]
    assert ("unknown", "What color is the antenna in the image?", CANNOT_TELL) in found
    assert ("presence", "Is there an antenna in the image?", "No") in found
    assert not {q for q in found if "antenna" in q.question and q.answer not in (CANNOT_TELL, "No")}


@pytest.mark.full
def test_no_question_about_one_picture_has_two_answers(sittings: list[JudgeSample]) -> None:
    for made in sittings:
        view = made.seen
        told: dict[str, str] = {
            fact.question: scenes.right_answer(fact, view.values) for fact in view.scene.facts
        }
        for n in range(2):
            for q in extra_questions.of_picture(view, random.Random(n)):
                assert told.setdefault(q.question, q.answer) == q.answer
