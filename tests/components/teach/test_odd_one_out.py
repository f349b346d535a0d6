"""What the browser gets of a round says what is wrong, how the judge did, and holds its images."""

import base64

from hallascope.components.teach.odd_one_out import (
    image_marks,
    image_source,
    opening,
    round_view,
)
from hallascope.data.teaching.odd_one_out import FOLDER, read_rounds

ROUNDS = read_rounds()
BY_NAME = {each.name: each for each in ROUNDS.rounds}


def test_the_panel_begins_with_the_example_and_the_first_round() -> None:
    first = opening(ROUNDS, FOLDER)
    assert first["total"] == 12
    assert (len(first["example"]["images"]), len(first["round"]["images"])) == (1, 4)
    assert first["round"]["name"] == ROUNDS.rounds[0].name
    assert 0.9 < first["sensitivity"] < 1


def test_an_image_comes_within_its_round() -> None:
    source = image_source(FOLDER / ROUNDS.rounds[0].images[0].file)
    kind, _, packed = source.partition(";base64,")
    assert kind == "data:image/webp"
    assert base64.b64decode(packed)[8:12] == b"WEBP"


def test_marks_say_what_is_drawn_and_what_the_judge_answers() -> None:
    played = ROUNDS.rounds[0]
    marks = image_marks(played, played.images[played.odd])
    wrong = [mark for mark in marks if mark["wrong"]]
    assert [(mark["word"], mark["flagged"]) for mark in wrong] == [("found", True)]
    assert wrong[0]["truth"] == (
        "How many outer atoms surround the central atom? Drawn: Five. Expected: Four."
    )
    assert wrong[0]["answer"].endswith("The judge found this error.")
    right = image_marks(played, played.images[(played.odd + 1) % 4])
    assert {(mark["wrong"], mark["flagged"], mark["word"]) for mark in right} == {
        (False, False, None)
    }


def test_a_fact_that_is_not_asked_has_no_answer() -> None:
    played = BY_NAME["a zebra"]
    *asked, last = image_marks(played, played.images[played.odd])
    assert [mark["flagged"] for mark in asked] == [False] * 5
    assert (last["wrong"], last["flagged"], last["word"]) == (True, None, "not asked")


def test_a_round_says_which_image_the_judge_chooses() -> None:
    views = [round_view(each, FOLDER) for each in ROUNDS.rounds]
    assert [view["judge"] for view in views] == [each.judge_choice for each in ROUNDS.rounds]
    assert all(view["outline"].startswith("M") and view["outline"].endswith("Z") for view in views)
