"""The claims of a prompt are its words, and each holds or does not in a composition."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.primer import scenes
from hallascope.primer.benchmark.composition_sampler import composition
from hallascope.primer.claims import claims
from hallascope.primer.truth.compositions import Composition
from tests.support.compositions import made_of

SEEDS = st.integers(0, 5_000)


def said(made: Composition) -> list[tuple[str, str, bool | None]]:
    return [(claim.kind, claim.asked, claim.holds) for claim in claims(made)]


def test_the_claims_of_a_prompt_are_its_words_in_their_order() -> None:
    made = made_of(
        "two red circles above the planet Saturn", "two red circles", "the planet Saturn"
    )
    assert made.errors == ()
    assert said(made) == [
        ("object", "circles", True),
        ("number", "two", True),
        ("color", "red", True),
        ("object", "planet Saturn", True),
        ("position", "above", True),
    ]


def test_a_claim_is_false_where_the_picture_breaks_it_and_void_where_its_thing_is_not_there() -> (
    None
):
    wrong = made_of(
        "two red circles above a ladybug",
        "one red circle and two blue circles",
        "a ladybug",
        relation="below",
    )
    assert [error[:4] for error in wrong.errors] == [
        ("number", "circle", "two", "three"),
        ("color", "circle", "red", "blue and red"),
        ("position", "circle", "above", "below"),
    ]
    assert said(wrong)[1:3] == [("number", "two", False), ("color", "red", False)]
    assert said(wrong)[-1] == ("position", "above", False)
    without = made_of("two red circles above a ladybug", "two red stars", "a ladybug")
    assert {error.kind for error in without.errors} == {"omission", "extraneous"}
    assert [holds for _, _, holds in said(without)] == [False, None, None, True, None]


def test_an_article_says_no_number() -> None:
    assert made_of("a red circle", "two red circles").errors == ()


@given(SEEDS)
@settings(max_examples=60)
def test_the_spans_of_a_claim_hold_its_words_and_its_truth_agrees_with_the_errors(
    seed: int,
) -> None:
    made = composition(seed)
    found = claims(made)
    assert [claim.kind for claim in found].count("object") == len(made.scene.groups)
    for claim in found:
        start, end = claim.spans[0]
        assert made.prompt[start:end] == claim.asked
        noun = made.prompt[slice(*claim.spans[-1 if claim.kind != "position" else 1])]
        assert scenes.nouns()[noun.lower()].concept.name == claim.subject
    kinds = {"omission": "object"}
    wrong = {
        (kinds.get(error.kind, error.kind), error.subject)
        for error in made.errors
        if error.kind != "extraneous"
    }
    assert {(claim.kind, claim.subject) for claim in found if claim.holds is False} == wrong
