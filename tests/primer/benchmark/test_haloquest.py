"""Primer's questions in HaloQuest's manner: what they take for granted is not there, and every
reference follows from the drawing.
"""

import re
from functools import cache

import numpy as np

from hallascope.data.benchmarks.haloquest import HALLUCINATIONS
from hallascope.metrics.haloquest.rules import grade
from hallascope.primer import extra_questions
from hallascope.primer.benchmark import haloquest
from hallascope.primer.benchmark.haloquest import HaloItem
from hallascope.primer.groups import SHAPE_NAMES

COUNT = 90


@cache
def made() -> tuple[HaloItem, ...]:
    return tuple(haloquest.items(COUNT))


def of(hallucination: str) -> list[HaloItem]:
    return [item for item in made() if item.question.hallucination == hallucination]


def test_the_three_sorts_come_in_turn_and_no_question_twice() -> None:
    assert [item.question.hallucination for item in made()] == [
        HALLUCINATIONS[n % 3] for n in range(COUNT)
    ]
    assert len({(item.prompt, item.question.text) for item in made()}) == COUNT


def test_what_a_false_premise_names_as_absent_is_in_no_part_of_the_drawing() -> None:
    for item in of("false premises"):
        (absent,) = {
            found[1]
            for reference in item.question.references
            if (found := re.fullmatch(r"There is no (.*) in the image\.", reference))
        }
        drawn = {part.name for part in item.drawing.parts} | {
            part.owner for part in item.drawing.parts
        }
        assert absent in item.question.text
        if absent.split()[-1] in SHAPE_NAMES:  # "a blue circle" beside a red one
            assert absent not in item.prompt
        else:
            assert not extra_questions.stems(absent) & extra_questions.stems(" ".join(drawn))


def test_a_part_that_was_cut_off_is_nowhere_in_what_is_left_and_something_else_is() -> None:
    cut = [item for item in of("insufficient context") if item.seen.area < 1]
    assert len(cut) > 3
    for item in cut:
        found = re.fullmatch(r"The (.*) is not shown in the image\.", item.question.references[0])
        assert found
        index = item.drawing.part_map(96, item.seen)
        left = {item.drawing.parts[i].name for i in np.unique(index) if i >= 0}
        assert found[1] not in left
        assert found[1] in {part.name for part in item.drawing.parts}
        assert left


def test_every_reference_is_right_by_rule_and_what_takes_the_bait_is_wrong() -> None:
    for item in made():
        assert all(grade(item.question, reference).agree for reference in item.question.references)
    for item in (*of("false premises"), *of("insufficient context")):
        assert not any(
            grade(item.question, bait).agree
            for bait in ("Red.", "Yes.", "No.", "Nothing.", "In the middle.", "Three.")
        )
    for item in of("false premises"):
        assert not grade(item.question, "I cannot tell.").agree
