"""A reading is held against a gold one element by element, and nothing is counted twice."""

from collections.abc import Mapping, Sequence

import pytest

from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    GoldObject,
    GoldReading,
    GoldRelation,
    GoldText,
    PromptReading,
)
from hallascope.metrics.parsing.readings.comparison import ReadingComparison, compare_reading


def _gold(
    objects: Mapping[str, GoldObject],
    relations: Sequence[GoldRelation] = (),
    texts: Sequence[GoldText] = (),
) -> GoldReading:
    return GoldReading(
        prompt="-", stratum="own", objects=objects, relations=tuple(relations), texts=tuple(texts)
    )


def _gold_object(name: str, *attributes: str, **more: object) -> GoldObject:
    return GoldObject(key=name, names=(name,), attributes=attributes, **more)  # type: ignore[arg-type]


def _asked(id: str, name: str, *attributes: str, **more: object) -> AskedObject:
    words = tuple(AskedAttribute(word) for word in attributes)
    return AskedObject(id=id, name=name, attributes=words, **more)  # type: ignore[arg-type]


def _compare(gold: GoldReading, *objects: AskedObject, **more: object) -> ReadingComparison:
    return compare_reading(gold, PromptReading(prompt="-", objects=objects, **more))  # type: ignore[arg-type]


def _mistakes(comparison: ReadingComparison) -> list[tuple[str, str, str]]:
    return [(mistake.kind, mistake.what, mistake.words) for mistake in comparison.mistakes]


def test_what_is_equal_is_right_for_both_systems() -> None:
    gold = _gold({"car": _gold_object("car", "red", count=Count.exactly(2))})
    comparison = _compare(gold, _asked("o1", "car", "red", count=Count.exactly(2)))
    assert comparison.mistakes == []
    assert comparison.right("fig")
    assert comparison.right("scene-graph")
    assert comparison.counts["color"].both == comparison.counts["count"].both == 1


def test_what_is_missing_and_what_nobody_asked_for_are_told_apart() -> None:
    gold = _gold({"dog": _gold_object("dog"), "cat": _gold_object("cat")})
    comparison = _compare(gold, _asked("o1", "dog"), _asked("o2", "energy"))
    assert _mistakes(comparison) == [
        ("object", "missing", "cat"),
        ("object", "not asked for", "energy"),
    ]


def test_a_material_may_be_a_word_of_the_name_or_describe() -> None:
    gold = _gold({"table": _gold_object("table", "wood")})
    assert _compare(gold, _asked("o1", "wood table")).mistakes == []
    assert _compare(gold, _asked("o1", "table", "wood")).mistakes == []


def test_a_name_with_a_word_that_the_prompt_does_not_give_it_is_wrong() -> None:
    gold = _gold({"collar": _gold_object("pants"), "sign": _gold_object("stop sign")})
    comparison = _compare(gold, _asked("o1", "collar pants"), _asked("o2", "sign"))
    assert {mistake.kind for mistake in comparison.mistakes} == {"object"}
    assert comparison.counts["object"].both == 0


def test_a_shape_counts_for_the_scene_graph_alone() -> None:
    gold = _gold({"table": _gold_object("table", "round")})
    comparison = _compare(gold, _asked("o1", "table"))
    assert comparison.right("fig")
    assert not comparison.right("scene-graph")


def test_two_of_a_name_are_paired_by_what_describes_them() -> None:
    blue = GoldObject(key="car 2", names=("car",), attributes=("blue",))
    gold = _gold({"car": _gold_object("car", "red"), "car 2": blue})
    comparison = _compare(gold, _asked("o1", "car", "blue"), _asked("o2", "car", "red"))
    assert comparison.mistakes == []


@pytest.mark.parametrize(
    ("expected", "read"),
    [(Count.exactly(2), None), (None, MANY), (Count.at_least(3), Count.exactly(3))],
)
def test_another_count_is_a_mistake(expected: Count | None, read: Count | None) -> None:
    comparison = _compare(
        _gold({"cat": _gold_object("cat", count=expected)}), _asked("o1", "cat", count=read)
    )
    assert {mistake.kind for mistake in comparison.mistakes} == {"count"}


def test_what_is_absent_must_be_read_as_absent() -> None:
    gold = _gold({"hat": _gold_object("hat", absent=True)})
    assert _compare(gold, _asked("o1", "hat", absent=True)).mistakes == []
    assert _mistakes(_compare(gold, _asked("o1", "hat"))) == [("negation", "missing", "hat")]


def test_what_is_optional_counts_nowhere() -> None:
    gold = _gold({"cat": _gold_object("cat"), "mat": _gold_object("mat", "red", optional=True)})
    without = _compare(gold, _asked("o1", "cat"))
    assert without.mistakes == []
    assert without.counts["object"].gold == 1
    assert _compare(gold, _asked("o1", "cat"), _asked("o2", "mat")).mistakes == []


def test_a_relation_may_be_said_the_other_way_round() -> None:
    gold = _gold(
        {"cat": _gold_object("cat"), "mat": _gold_object("mat")},
        [GoldRelation(subject="cat", words=("left of",), target="mat")],
    )
    objects = (_asked("o1", "mat"), _asked("o2", "cat"))
    right = _compare(gold, *objects, relations=(AskedRelation("o1", "right of", "o2"),))
    wrong = _compare(gold, *objects, relations=(AskedRelation("o1", "left of", "o2"),))
    assert right.mistakes == []
    assert _mistakes(wrong) == [
        ("position", "not asked for", "mat left of cat"),
        ("position", "missing", "cat left of mat"),
    ]


def test_of_an_action_the_verb_decides_and_of_a_position_the_whole() -> None:
    objects = {"man": _gold_object("man"), "sea": _gold_object("sea")}
    asked = (_asked("o1", "man"), _asked("o2", "sea"))
    looking = _gold(objects, [GoldRelation(subject="man", words=("looking at",), target="sea")])
    assert (
        _compare(looking, *asked, relations=(AskedRelation("o1", "looking", "o2"),)).mistakes == []
    )
    beside = _gold(objects, [GoldRelation(subject="man", words=("next to",), target="sea")])
    wrong = _compare(beside, *asked, relations=(AskedRelation("o1", "in", "o2"),))
    assert {mistake.kind for mistake in wrong.mistakes} == {"position"}


def test_a_place_in_the_picture_is_a_relation_to_it() -> None:
    gold = _gold(
        {"man": _gold_object("man")},
        [GoldRelation(subject="man", words=("left",), target=PICTURE)],
    )
    read = AskedRelation("o1", "left", PICTURE)
    assert _compare(gold, _asked("o1", "man"), relations=(read,)).mistakes == []


def test_texts_are_compared_by_letters_and_digits() -> None:
    gold = _gold({}, texts=[GoldText(text="PRO MILK")])
    assert _compare(gold, texts=(AskedText("pro milk."),)).mistakes == []
    assert {mistake.kind for mistake in _compare(gold).mistakes} == {"text"}
