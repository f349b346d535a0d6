"""Names are the same by lemmas, and alike by synonyms and kinds."""

import pytest

from hallascope.metrics.parsing.name_matching import alike, same_name, synonyms
from hallascope.metrics.parsing.parser import parse


@pytest.mark.parametrize(
    ("asked", "said", "strict", "soft"),
    [
        ("a glass", "a wine glass", True, True),
        ("a wine glass", "a glass", False, True),
        ("a bottle of wine", "a wine bottle", True, True),
        ("wine", "a wine bottle", False, False),
        ("a dog", "a hot dog", False, False),
        ("a person", "a woman", False, True),
        ("a man", "a woman", False, False),
        ("a slice of pizza", "a pizza", False, True),
        ("Saturn", "the planet Saturn", True, True),
        ("the planet Saturn", "Saturn", True, True),
        ("the planet Saturn", "the planet Mars", False, False),
        ("a sofa", "a couch", False, True),
    ],
)
def test_names_are_the_same_by_lemmas_and_alike_by_synonyms(
    asked: str, said: str, strict: bool, soft: bool
) -> None:
    one, other = parse(asked).things[0], parse(said).things[0]
    assert (same_name(one, other), alike(one, other)) == (strict, soft)


def test_no_name_is_its_own_synonym_and_all_are_in_lower_case() -> None:
    assert all(name not in others for name, others in synonyms().items())
    assert all(
        name == name.casefold() and name for others in synonyms().values() for name in others
    )
