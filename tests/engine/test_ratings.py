"""What people say of findings is kept by picture, metric, prompt, finding and rater, and goes into no score."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.evidence import Finding
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.ratings import FINE, About, Ratings, name

STAR = About("ab" * 32, "fig", "two circles", "extraneous:  -> star")


@pytest.fixture
def ratings(url: str, tmp_path: Path) -> Iterator[Ratings]:
    database = Database(url, tmp_path)
    yield Ratings(database, clock=iter(range(100)).__next__)
    database.close()


def said(ratings: Ratings, about: About = STAR) -> object:
    return ratings.of(about.image, about.metric, about.prompt)


def test_nothing_is_said_before_somebody_says_it(ratings: Ratings) -> None:
    assert said(ratings) == {}


def test_what_is_said_again_takes_the_place_of_what_was_said(ratings: Ratings) -> None:
    ratings.keep(STAR, FINE)
    ratings.keep(STAR, "wrong")
    assert said(ratings) == {STAR.finding: {"": "wrong"}}


def test_people_and_findings_are_kept_apart(ratings: Ratings) -> None:
    ratings.keep(STAR, FINE)
    ratings.keep(replace(STAR, rater="ann"), "wrong")
    ratings.keep(replace(STAR, finding="extraneous:  -> moon"), FINE)
    assert said(ratings) == {STAR.finding: {"": FINE, "ann": "wrong"}, "extraneous:  -> moon": {"": FINE}}


def test_all_that_was_said_is_told_in_the_order_it_was_said(ratings: Ratings) -> None:
    other = replace(STAR, metric="ihalla", rater="ann")
    for about, value in ((other, FINE), (STAR, "wrong"), (replace(STAR, rater="bob"), FINE)):
        ratings.keep(about, value)
    assert [(one.about, one.value) for one in ratings.all()] == [(other, FINE), (STAR, "wrong"), (replace(STAR, rater="bob"), FINE)]
    assert [one.about.rater for one in ratings.all(metric="fig")] == ["", "bob"]
    assert [one.about for one in ratings.all(rater="ann")] == [other]
    assert ratings.all(metric="fig", rater="ann") == []


@pytest.mark.parametrize("field", ["image", "metric", "prompt"])
def test_another_picture_metric_or_prompt_is_another_matter(ratings: Ratings, field: str) -> None:
    ratings.keep(STAR, FINE)
    assert said(ratings, replace(STAR, **{field: "another"})) == {}


def test_what_was_said_can_be_taken_back_twice(ratings: Ratings) -> None:
    ratings.keep(STAR, FINE)
    ratings.remove(replace(STAR, rater="ann"))
    assert said(ratings) == {STAR.finding: {"": FINE}}
    ratings.remove(STAR)
    ratings.remove(STAR)
    assert said(ratings) == {}


def test_any_text_can_be_spoken_of(ratings: Ratings) -> None:
    strange = replace(STAR, prompt="a\0b'\"; drop table rating" * 200, finding="メタン\0")
    ratings.keep(strange, FINE)
    assert list(ratings.of(strange.image, strange.metric, strange.prompt).values()) == [{"": FINE}]
    ratings.remove(strange)
    assert said(ratings, strange) == {}


def test_a_finding_is_named_by_what_it_says_and_not_by_who_found_it() -> None:
    one = Finding("extraneous", "", "star", "incorrect", segments=("s4",))
    assert name(one) == name(replace(one, segments=("s1",), note="seen twice")) == STAR.finding
    assert name(one) != name(replace(one, seen="moon"))
