"""Plurals that no rule of spelling turns into their singular."""

import pytest

from hallascope.metrics.parsing.words.language import plural, singular


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("wolves", "wolf"),
        ("knives", "knife"),
        ("tomatoes", "tomato"),
        ("shoes", "shoe"),
        ("cookies", "cookie"),
        ("berries", "berry"),
        ("ties", "tie"),
        ("lenses", "lens"),
        ("skis", "ski"),
        ("cacti", "cactus"),
        ("headaches", "headache"),
        ("benches", "bench"),
    ],
)
def test_a_plural_has_its_singular(many: str, one: str) -> None:
    assert (singular(many), singular(one)) == (one, one)


def test_the_first_plural_is_written() -> None:
    assert (plural("leaf"), plural("man"), plural("movie")) == ("leaves", "men", "movies")
    assert plural("cactus") == "cacti"
