"""Labels are read as things, and compared by the lenient rule."""

import pytest

from hallascope.metrics.parsing.labels import label_phrase, labels_alike, name_phrase


@pytest.mark.parametrize(
    ("label", "head"), [("wine glass", "glass"), ("eyes", "eye"), ("painting", "painting")]
)
def test_a_label_is_read_as_a_thing(label: str, head: str) -> None:
    phrase = label_phrase(label)
    assert phrase is not None
    assert phrase.head == head


def test_a_label_without_a_noun_is_no_thing() -> None:
    assert label_phrase("") is None


def test_labels_are_compared_by_the_lenient_rule() -> None:
    assert labels_alike("dog", "puppy")
    assert labels_alike("Dog", "dog")
    assert not labels_alike("dog", "cat")
    assert not labels_alike("", "cat")


@pytest.mark.parametrize(
    ("name", "lemmas"),
    [
        ("fire hydrant", ("fire", "hydrant")),
        ("coat rack", ("coat", "rack")),
        ("soda can", ("soda", "can")),
        ("bottle of wine", ("bottle", "wine")),
        ("glasses", ("glasses",)),
        ("wine glass", ("wine", "glass")),
    ],
)
def test_a_name_has_all_its_words(name: str, lemmas: tuple[str, ...]) -> None:
    assert name_phrase(name).lemmas == lemmas
