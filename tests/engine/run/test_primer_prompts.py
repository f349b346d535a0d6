"""Prompts in other words are drawn as what they name, and near ones can always be drawn."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.lexicon import without_article
from hallascope.data.models.specs import read_models
from hallascope.data.records import Category, Difficulty, Provenance, QuestionSet
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run.concept_resolution import prompt_facets
from hallascope.engine.run.primer_prompts import (
    MAX_NEAR_PROMPTS,
    MAX_THINGS_OF_A_KIND,
    SYNONYMS,
    WELL_KNOWN,
    UnderstoodPrompt,
    find_near_prompts,
    noun_forms,
    understand_prompt,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS
from hallascope.primer.world import Concept

ANYTHING = st.text(max_size=60) | st.lists(
    st.sampled_from([*noun_forms(), "a", "and", "on", "seven", "3", "red", "photo of", "dog"])
).map(" ".join)


@pytest.mark.parametrize(
    "prompt, drawn",
    [
        ("ladybird", "a ladybug"),
        ("A LADYBIRD.", "a ladybug"),
        ("3 ladybirds", "three ladybugs"),
        ("CH₄", "a molecule of methane"),
        ("two H2O molecules", "two molecules of water"),
        ("A photo of a ladybug on a leaf", "a ladybug sitting on a leaf"),
        ("penguin with a red scarf", "a gentoo penguin wearing a red scarf"),
        ("a castle and a knight", "a medieval castle and a medieval knight"),
        ("please draw a picture of Saturn", "the planet Saturn"),
    ],
)
def test_the_same_in_other_words_is_drawn_as_what_it_names(prompt: str, drawn: str) -> None:
    assert understand_prompt(prompt) == UnderstoodPrompt(drawn)


@pytest.mark.parametrize(
    "prompt, drawn",
    [
        ("A photo of a ladybug on a table", "a ladybug"),
        ("a woman in a hanbok in a garden", "a woman in a hanbok"),
        ("a red circle and a blue square above it", "a red circle and a blue square"),
        ("a ladybird on the left", "a ladybug"),
        ('a ladybird that says "HI"', "a ladybug"),
        ("a castle and a knight with the word HALT", "a medieval castle and a medieval knight"),
    ],
)
def test_a_setting_that_is_not_drawn_is_left_out_and_said(prompt: str, drawn: str) -> None:
    assert understand_prompt(prompt) == UnderstoodPrompt(drawn, leaves_out=True)
    facts = scenes.parse(drawn).facts
    words = {"table", "garden"}
    assert not words & set(" ".join(fact.question for fact in facts).lower().split())


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "a red penguin",
        "a dog chasing a zebra",
        "99999999999 ladybugs",
        "メタンの分子",
        "<script>alert(1)</script>",
        "a ladybug and a tulip and a spider",
        "a red circle and 2 blue circles",
        "a hamburger without lettuce",
        "x" * 10_000,
    ],
)
def test_what_primer_does_not_draw_is_not_understood(prompt: str) -> None:
    assert understand_prompt(prompt) is None


@pytest.mark.parametrize(
    "prompt, first",
    [
        ("seven penguins", "four gentoo penguins"),
        ("a red penguin", "a gentoo penguin"),
        ("a ladybugg", "a ladybug"),
        ("a volcano", "a volcanic eruption"),
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
    assert len(set(near)) == len(near) <= MAX_NEAR_PROMPTS
    for offered in near:
        scenes.parse(offered)


BOTH = ("primer/exact", "primer/diffusion-tiny")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    store = Store(folder=tmp_path / "home")
    yield Services(store, read_models())
    store.close()


@pytest.mark.parametrize(
    "prompt, drawn, note",
    [
        ("ladybird", "a ladybug", "Drawn as: A ladybug."),
        ("CH4", "a molecule of methane", "Drawn as: A molecule of methane."),
        (
            "a ladybug on a table",
            "a ladybug",
            "Drawn as: A ladybug. The rest of the prompt is neither drawn nor scored.",
        ),
        ("a unicorn", "a unicorn", ""),
    ],
)
def test_the_request_has_the_prompt_that_is_drawn(
    services: Any, prompt: str, drawn: str, note: str
) -> None:
    understood = services.understand(EvaluateRequest(prompt=prompt, models=BOTH))
    assert (understood.request.prompt, understood.note) == (drawn, note)


@pytest.mark.parametrize(
    "request_",
    [
        EvaluateRequest(prompt="ladybird", models=(*BOTH, "sdxl-turbo")),
        EvaluateRequest(prompt="ladybird", models=("no/such-model",)),
        EvaluateRequest(prompt="ladybird"),
        EvaluateRequest(prompt="ladybird", models=BOTH, concept="ladybird"),
        EvaluateRequest(
            prompt="ladybird",
            models=BOTH,
            factual=FactualPrompt(prompt="ladybird", concepts=(ConceptRef(name="ladybird"),)),
        ),
    ],
    ids=["another model draws", "unknown model", "own image", "own concept", "a benchmark's"],
)
def test_the_prompt_stays_where_it_means_more_than_primer_draws(
    services: Any, request_: EvaluateRequest
) -> None:
    assert services.understand(request_) == (request_, "")


def test_the_prompt_stays_where_a_person_has_questions_for_it(services: Any) -> None:
    own = scenes.parse("a ladybug").questions()
    services.store.keep_question_set(
        QuestionSet(
            prompt="ladybird", questions=own.questions, category=own.category, domain=own.domain
        )
    )
    request = EvaluateRequest(prompt="ladybird", models=BOTH)
    assert services.understand(request) == (request, "")


def test_the_facets_of_a_prompt_are_those_of_its_questions_and_of_the_hardest_image() -> None:
    prompt = "a hamburger on a plate"
    request = EvaluateRequest(prompt=prompt, models=(), metrics=("ihalla",))
    assert prompt_facets(request) == Facets()
    difficulty: dict[str, Difficulty] = {"a": "easy", "b": "hard", "c": "medium"}
    made = Provenance(judge="j", writer="w", reasoning="", difficulty=difficulty)
    for about, facet, value in (
        ({"domain": "food"}, "domain", "food"),
        ({"category": Category.EASTERN_MODERN}, "field", "History"),
        ({"field": "Science"}, "field", "Science"),
        ({"provenance": made}, "difficulty", "hard"),
        ({"provenance": made, "difficulty": "easy"}, "difficulty", "easy"),
    ):
        fields: dict[str, Any] = {"prompt": prompt, "questions": (), **about}
        facets = prompt_facets(request, QuestionSet(**fields))
        assert getattr(facets, facet) == value, about


OPENINGS = ("", "a photo of ", "A Picture of ", "the drawing of ", "Draw me ", "an image of ")


ENDS = ("", ".", "!", "  ")


CONCEPTS = st.sampled_from(concepts())


PARTHENON = next(concept for concept in concepts() if concept.name == "Parthenon")


@example(PARTHENON, "Draw me ", "", False)
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
    if count > MAX_THINGS_OF_A_KIND:
        assert understood is None
        return
    assert understood is not None
    (group,) = scenes.parse(understood.prompt).groups
    assert (group.concept.name, group.count) == (concept.name, count)
