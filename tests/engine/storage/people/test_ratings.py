"""Ratings are kept by what they are about, and newer ones replace older ones."""

import pytest

from hallascope.data.evidence import Finding
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.people.ratings import (
    FINE,
    Rating,
    RatingStore,
    RatingSubject,
    finding_name,
)

ANN = RatingSubject("00ff", "fig", "a cat", "color: red -> blue", "Ann")
BO = RatingSubject("00ff", "fig", "a cat", "color: red -> blue", "Bo")


@pytest.fixture
def ratings(database: Database) -> RatingStore:
    times = iter(range(100))
    return RatingStore(database, clock=lambda: float(next(times)))


def test_the_last_word_of_a_person_stands_until_it_is_taken_back(ratings: RatingStore) -> None:
    ratings.keep(ANN, "four")
    ratings.keep(ANN, FINE)
    ratings.keep_values({BO: "five"})
    assert ratings.all() == [Rating(ANN, FINE, 1.0), Rating(BO, "five", 2.0)]
    assert ratings.all("fig", "Bo") == [Rating(BO, "five", 2.0)]
    assert ratings.all("grade") == []
    assert ratings.all(images={ANN.image}) == ratings.all()
    assert ratings.all(images={"another image"}) == []
    values = {"color: red -> blue": {"Ann": FINE, "Bo": "five"}}
    assert ratings.for_picture("00ff", "fig", "a cat") == values
    ratings.remove(ANN)
    ratings.remove(ANN)
    assert [rating.subject for rating in ratings.all()] == [BO]


def test_only_what_is_newer_than_the_leeway_is_kept(ratings: RatingStore) -> None:
    ratings.keep_all([Rating(ANN, "four", 10.0)])
    assert ratings.keep_newer([Rating(ANN, "old", 9.0), Rating(BO, "five", 1.0)]) == 1
    assert ratings.keep_newer([Rating(ANN, "same", 10.5)], leeway=1.0) == 0
    assert ratings.keep_newer([Rating(ANN, "new", 12.0), Rating(ANN, "less", 11.0)]) == 1
    assert ratings.all() == [Rating(BO, "five", 1.0), Rating(ANN, "new", 12.0)]


def test_a_finding_is_named_by_its_words() -> None:
    finding = Finding(kind="color", expected="red", observed="blue", state="incorrect")
    assert finding_name(finding) == "color: red -> blue"
