"""A teacher's set of exercises, and what the class answered."""

from hallascope.components.teach import lesson_editor
from hallascope.data.teaching.lesson import DrawnItem
from tests.support.tiles import EVIL, no_markup_of

ITEM = DrawnItem("a ladybug", "legs", 4, 2)


def test_an_exercise_of_the_list_has_its_words_beside_it() -> None:
    entry = lesson_editor.exercise_entry(ITEM, "a ladybug: four legs")
    assert entry == {"item": ["a ladybug", "legs", 4, 2], "words": "a ladybug: four legs"}


def test_a_set_that_is_there_comes_with_its_token_and_key() -> None:
    entry = lesson_editor.exercise_entry(ITEM, "")
    assert lesson_editor.existing_set("A set", [entry], "token", "key") == {
        "title": "A set",
        "items": [entry],
        "token": "token",
        "key": "key",
    }


def test_the_editor_knows_what_can_be_practiced_and_drawn() -> None:
    panel = lesson_editor.editor_panel([], ["a ladybug"], "editor")
    assert panel.props["known"]["prompts"] == ["a ladybug"]
    assert "coi" in panel.props["known"]["sorts"]


def test_before_the_first_answer_a_sentence_stands_in_the_place_of_the_table() -> None:
    assert "No answers yet." in lesson_editor.class_results([], [], ("name",))


def test_the_names_of_a_class_stay_text() -> None:
    html = lesson_editor.class_results([(EVIL, "1 of 1", "–")], [(EVIL, "yes")], ("name", "fact"))
    assert no_markup_of(EVIL, html)
    assert "The class" in html
    assert "Every answer" in html
