"""What a detector is asked for beside the prompt."""

from hallascope.metrics.detection.distractors import distractors
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.rules.noun_phrases.known_names import vocabulary


def test_names_of_the_vocabulary_are_distractors_unless_the_prompt_has_them() -> None:
    prompt = parse("a Dog beside a sofa")
    names = distractors(prompt, ("Dog", "sofa"), "general")
    assert set(vocabulary("general")) - set(names) == {"dog"}


def test_a_concept_of_the_prompt_is_no_distractor_whatever_phrase_it_is_looked_for_by() -> None:
    concepts = {thing.concept for thing in parse("two red circles").things}
    assert concepts
    assert not concepts & set(distractors(parse("two red circles"), (), "primer"))
