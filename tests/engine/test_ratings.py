"""People's verdicts: kept with who and when, resumed, blind to what the judge said, and set beside
it without changing a score.
"""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import LETTERS
from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.labeling.labels import read_people_labels
from hallascope.engine.storage.people.ratings import RatingSubject
from tests.support.rateable_run import PROMPT, rateable_pictures


def test_each_picture_stands_once_in_an_order_of_the_raters_own_and_stays_where_it_is(
    rated_services: Any, rated_run: str
) -> None:
    list(rated_services.evaluate(EvaluateRequest(prompt=PROMPT, models=("primer/exact",))))
    ann = rateable_pictures(rated_services)
    assert {one.model for one in ann} == {"primer/exact", "primer/careless"}
    assert [one.id for one in ann] == [one.id for one in rateable_pictures(rated_services)]
    orders = {
        tuple(one.picture.sha256 for one in rateable_pictures(rated_services, who))
        for who in "abcdefghij"
    }
    assert len(orders) == 2
    assert all(ratings.find_rateable(rated_services, one.id) == one for one in ann)


def test_an_answer_stays_what_it_is_where_the_choices_stand_in_another_order(
    rated_services: Any, rated_run: str
) -> None:
    first = rateable_pictures(rated_services)[0]
    ratings.keep_marks(rated_services, first, ["A", None, None, None, None], "ann")
    question = first.questions[0]
    words = question.choices[0]
    assert ratings.answer_mark(question, words) == "A"
    assert (
        ratings.answer_mark(replace(question, choices=tuple(reversed(question.choices))), words)
        == "E"
    )
    assert ratings.answer_mark(question, "a choice that is gone") is None


@pytest.mark.parametrize(
    "marks",
    [[], ["A"] * 4, ["A"] * 6, ["A", "B", "C", "D", "F"], ["A", "B", "C", "D", 5], "ABCDE?"],
)
def test_what_is_no_answer_is_refused(rated_services: Any, rated_run: str, marks: Any) -> None:
    with pytest.raises(BadRequest, match="no answers"):
        ratings.keep_marks(rated_services, rateable_pictures(rated_services)[0], marks, "ann")
    assert rated_services.store.ratings.all() == []


def test_two_raters_at_once_lose_nothing(rated_services: Any, rated_run: str) -> None:
    items = rateable_pictures(rated_services)

    def rate(who: str, letter: str) -> None:
        for item in items:
            for n in range(1, 6):
                ratings.keep_marks(rated_services, item, [letter] * n + [None] * (5 - n), who)

    threads = [
        threading.Thread(target=rate, args=(f"rater {letter}", letter)) for letter in LETTERS
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for letter in LETTERS:
        assert ratings.read_marks(rated_services, items, f"rater {letter}") == [[letter] * 5] * 2


@pytest.mark.parametrize("then", ["changed", "taken back", "taken back twice"])
def test_an_answer_after_a_check_stays_excluded_whatever_becomes_of_the_check(
    rated_services: Any, rated_run: str, then: str
) -> None:
    item = rateable_pictures(rated_services)[0]
    check: list[str | None] = ["A", None, None, None, None]
    ratings.keep_marks(rated_services, item, check, "ann", ratings.CHECKS)
    ratings.keep_marks(rated_services, item, ["B"] * 5, "ann")
    assert read_people_labels(rated_services.store).use.excluded == 5
    if then != "changed":
        ratings.remove_mark(rated_services, item, 0, "ann", ratings.CHECKS)
        assert ratings.read_marks(rated_services, [item], "ann", ratings.CHECKS) == [[None] * 5]
    if then != "taken back":
        ratings.keep_marks(rated_services, item, ["C"] * 5, "ann", ratings.CHECKS)
        assert ratings.read_marks(rated_services, [item], "ann", ratings.CHECKS) == [["C"] * 5]
    if then == "taken back twice":
        ratings.remove_mark(rated_services, item, 0, "ann", ratings.CHECKS)
    assert read_people_labels(rated_services.store).use.excluded == 5


# --- out and in
# --------------------------------------------------------------------------------------------------
def test_a_table_of_all_comes_back_as_it_was(
    rated_services: Any, rated_run: str, tmp_path: Path
) -> None:
    one, other = rateable_pictures(rated_services)
    ratings.keep_marks(rated_services, one, ["A", "?", None, None, "E"], "=SUM(A1)")
    ratings.keep_marks(rated_services, other, ["A", "B", "C", "D", "E"], "ann", ratings.CHECKS)
    ratings.keep_marks(rated_services, other, ["4"], "メアリ", ratings.GRADED)
    rated_services.store.ratings.keep(
        RatingSubject(one.picture.sha256, "fig", PROMPT, "extraneous:  -> star"), "fine"
    )
    before = rated_services.store.ratings.all()
    path = tmp_path / "people.csv"
    path.write_text(ratings.export_table(rated_services), encoding="utf-8")
    assert "\n=SUM" not in path.read_text("utf-8")
    for rating in before:
        rated_services.store.ratings.remove(rating.subject)
    assert ratings.import_table(rated_services, path) == (len(before), [])
    assert rated_services.store.ratings.all() == before


def test_a_table_of_before_takes_the_place_of_nothing_newer(
    rated_services: Any, rated_run: str, tmp_path: Path
) -> None:
    one = rateable_pictures(rated_services)[0]
    ratings.keep_marks(rated_services, one, ["4"], "ann", ratings.GRADED)
    path = tmp_path / "people.csv"
    path.write_text(ratings.export_table(rated_services), encoding="utf-8")
    ratings.keep_marks(rated_services, one, ["6"], "ann", ratings.GRADED)
    assert ratings.import_table(rated_services, path) == (0, [])
    assert ratings.read_marks(rated_services, [one], "ann", ratings.GRADED) == [["6"]]


def test_rows_that_cannot_be_used_are_named_and_left_out(
    rated_services: Any, tmp_path: Path
) -> None:
    sha, when = "ab" * 32, "2026-01-31T12:00:00+00:00"
    rows = (
        f"{sha},p,grade,,ann,7,{when}",
        f"{sha},p,grade,,ann,9,{when}",
        f"nothing,p,grade,,ann,7,{when}",
        f"{sha},p,praise,,ann,7,{when}",
        f"{sha},p,question,,ann,Four,{when}",
        f"{sha},p,question,How many?,,Four,{when}",
        f"{sha},p,question,How many?,ann,Four,yesterday",
    )
    path = tmp_path / "people.csv"
    path.write_text("item,prompt,kind,about,rater,value,when\n" + "\n".join(rows), encoding="utf-8")
    number, complaints = ratings.import_table(rated_services, path)
    assert number == 1
    assert [complaint.row for complaint in complaints] == [3, 4, 5, 6, 7, 8]
    said = [str(complaint) for complaint in complaints]
    for one, words in zip(
        said,
        ("'9'", "'nothing'", "'praise'", "the about is empty", "the rater is empty", "'yesterday'"),
        strict=True,
    ):
        assert words in one
