"""Prompts in other words are drawn as what they name, and near ones can always be drawn."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.lexicon import without_article
from hallascope.engine.run.primer_prompts import (
    MOST_THINGS,
    NEAR,
    SYNONYMS,
    WELL_KNOWN,
    UnderstoodPrompt,
    find_near_prompts,
    noun_forms,
    understand_prompt,
)
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS
from hallascope.primer.world import Concept

OPENINGS = ("", "a photo of ", "A Picture of ", "the drawing of ", "Draw me ", "an image of ")
ENDS = ("", ".", "!", "  ")
CONCEPTS = st.sampled_from(concepts())
ANYTHING = st.text(max_size=60) | st.lists(
    st.sampled_from([*noun_forms(), "a", "and", "on", "seven", "3", "red", "photo of", "dog"])
).map(" ".join)


@pytest.mark.parametrize(
    ("prompt", "drawn"),
    [
        ("ladybird", "a ladybug"),
        ("A LADYBIRD.", "a ladybug"),
        ("3 ladybirds", "three ladybugs"),
        ("methane molecule", "a molecule of methane"),
        ("CH4", "a molecule of methane"),
        ("CH₄", "a molecule of methane"),
        ("two H2O molecules", "two molecules of water"),
        ("A photo of a ladybug on a leaf", "a ladybug sitting on a leaf"),
        ("penguin with a red scarf", "a gentoo penguin wearing a red scarf"),
        ("three penguins", "three gentoo penguins"),
        ("a bee above a tulip", "a honeybee above a tulip"),
        ("a castle and a knight", "a medieval castle and a medieval knight"),
        ("please draw a picture of Saturn", "the planet Saturn"),
        ("2 red circles", "two red circles"),
    ],
)
def test_the_same_in_other_words_is_drawn_as_what_it_names(prompt: str, drawn: str) -> None:
    assert understand_prompt(prompt) == UnderstoodPrompt(drawn)


@pytest.mark.parametrize(
    ("prompt", "drawn"),
    [
        ("A photo of a ladybug on a table", "a ladybug"),
        ("the Eiffel Tower in Paris at sunset", "the Eiffel Tower"),
        ("a woman in a hanbok in a garden", "a woman in a hanbok"),
        ("two zebras under a tree", "two zebras"),
    ],
)
def test_a_setting_that_is_not_drawn_is_left_out_and_said(prompt: str, drawn: str) -> None:
    assert understand_prompt(prompt) == UnderstoodPrompt(drawn, leaves_out=True)
    facts = scenes.parse(drawn).facts
    words = {"table", "sunset", "garden", "tree"}
    assert not words & set(" ".join(fact.question for fact in facts).lower().split())


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "  ",
        "a dog",
        "a red penguin",
        "a dog chasing a zebra",
        "seven penguins",
        "99999999999 ladybugs",
        "メタンの分子",
        "<script>alert(1)</script>",
        "a ladybug and a tulip and a spider",
        "x" * 10_000,
    ],
)
def test_what_primer_does_not_draw_is_not_understood(prompt: str) -> None:
    assert understand_prompt(prompt) is None


@pytest.mark.parametrize(
    ("prompt", "first"),
    [
        ("seven penguins", "four gentoo penguins"),
        ("a red penguin", "a gentoo penguin"),
        ("a ladybugg", "a ladybug"),
        ("a volcano", "a volcanic eruption"),
        ("a dog chasing a zebra", "a zebra"),
        ("watermelon", "a slice of watermelon"),
    ],
)
def test_the_nearest_prompt_comes_first(prompt: str, first: str) -> None:
    assert find_near_prompts(prompt)[0] == first


def test_of_a_prompt_with_nothing_near_nothing_is_offered_but_the_well_known() -> None:
    assert find_near_prompts("メタンの分子") == ()
    assert all(scenes.parse(prompt).prompt == prompt for prompt in WELL_KNOWN)


def test_every_synonym_is_of_a_concept_and_means_no_other() -> None:
    table = tomllib.loads(SYNONYMS.read_text("utf-8"))["synonyms"]
    assert table.keys() <= {concept.name for concept in concepts()}
    own = {
        form: concept.name
        for concept in concepts()
        for form in (
            concept.plural.lower(),
            without_article(concept.phrase).lower(),
            concept.name.lower(),
        )
    }
    for name, pairs in table.items():
        for form in (form for pair in pairs for form in pair):
            assert own.get(form, name) == name, f"{form!r} is a name of {own.get(form)!r}"
            assert noun_forms()[form].concept.name == name, f"{form!r} stands for two concepts"
            assert form == form.casefold()


@given(ANYTHING)
def test_what_is_understood_can_be_drawn_and_means_itself(prompt: str) -> None:
    understood = understand_prompt(prompt)
    if understood is None:
        with pytest.raises(scenes.CannotDraw):
            scenes.parse(prompt)
        return
    scenes.parse(understood.prompt)
    assert understand_prompt(understood.prompt) == UnderstoodPrompt(understood.prompt)


@given(ANYTHING)
@settings(max_examples=15)
def test_near_prompts_are_few_differ_and_can_be_drawn(prompt: str) -> None:
    near = find_near_prompts(prompt)
    assert len(set(near)) == len(near) <= NEAR
    for offered in near:
        scenes.parse(offered)


@given(CONCEPTS, st.sampled_from(OPENINGS), st.sampled_from(ENDS), st.booleans())
def test_opening_case_and_end_change_nothing(
    concept: Concept, opening: str, end: str, upper: bool
) -> None:
    prompt = f"{opening}{concept.phrase}{end}"
    understood = understand_prompt(prompt.upper() if upper else prompt)
    assert understood is not None
    (group,) = scenes.parse(understood.prompt).groups
    assert (group.concept.name, group.count) == (concept.name, 1)
    assert not understood.leaves_out


@given(CONCEPTS, st.integers(1, 12), st.booleans())
def test_so_many_of_a_concept_are_understood_up_to_four(
    concept: Concept, count: int, digits: bool
) -> None:
    number = NUMBERS[count] if count < len(NUMBERS) and not digits else str(count)
    understood = understand_prompt(f"{number} {concept.plural}")
    if count > MOST_THINGS:
        assert understood is None
        return
    assert understood is not None
    (group,) = scenes.parse(understood.prompt).groups
    assert (group.concept.name, group.count) == (concept.name, count)
