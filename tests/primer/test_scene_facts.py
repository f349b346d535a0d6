"""What is true of a scene follows from its groups, their relation and a variation."""

import random

from hallascope.data.records import NONE_OF_THE_ABOVE
from hallascope.primer import scenes
from hallascope.primer.scene_facts import question


def test_the_number_of_several_things_is_asked_first_and_never_names_zero() -> None:
    fact = scenes.parse("two tulips").facts[0]
    assert (fact.coi, fact.gold) == ("counting", "Two")
    assert 0 not in fact.values


def test_a_relation_is_asked_from_both_sides_and_hangs_on_one_parameter() -> None:
    first, second = scenes.parse("a red circle above a blue square").facts[:2]
    assert first.parameter == second.parameter == "@relation"
    assert (first.gold, second.gold) == ("Circle", "Square")
    assert first.values["below"] == "Square"


def test_a_variation_is_asked_before_the_facts_of_its_concept() -> None:
    scene = scenes.parse("a white bat")
    assert scene.variation is not None
    assert scene.facts[0] == scene.variation.fact


def test_a_pair_without_a_relation_asks_which_things_are_shown() -> None:
    kinds = scenes.parse("a tulip and a spider").facts[-1]
    assert kinds.gold == "Tulips and spiders"
    assert kinds.violations == ()


def test_a_question_has_its_gold_among_five_different_choices() -> None:
    for prompt in ("a spider", "three red circles", "a tulip above a spider"):
        for fact in scenes.parse(prompt).facts:
            asked = question(fact, random.Random(1))
            assert asked.choice(asked.gold) == fact.gold
            assert asked.choices[-1] == NONE_OF_THE_ABOVE
            assert len(set(asked.choices)) == len(asked.choices)
