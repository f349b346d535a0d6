"""A fact's first value is its truth, and a variation changes one parameter of its concept."""

from hallascope.primer.concepts import concepts
from hallascope.primer.world import Fact


def test_the_first_value_is_the_truth_and_the_others_are_violations() -> None:
    fact = Fact(
        parameter="legs",
        coi="counting",
        criterion="details",
        question="How many legs?",
        values={8: "Eight", 6: "Six", 4: "Four"},
        parts=("leg",),
    )
    assert (fact.truth, fact.gold, fact.violations) == (8, "Eight", (6, 4))


def test_a_factual_drawing_has_the_base_of_its_variation() -> None:
    for concept in concepts():
        truths = concept.truths()
        assert {fact.parameter for fact in concept.facts} <= set(truths)
        own = {fact.parameter for fact in concept.facts}
        if concept.variation and concept.variation.fact.parameter not in own:
            assert truths[concept.variation.fact.parameter] == concept.variation.base
