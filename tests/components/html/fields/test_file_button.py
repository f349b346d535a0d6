"""A file button calls for its file at the click, and has a place for what goes wrong."""

from hallascope.components.html.fields.file_button import chosen_file_button, file_button
from tests.support.tiles import EVIL, no_markup_of


def test_a_button_names_its_file_and_can_say_what_is_wrong() -> None:
    button = file_button("Download CSV", dict, "board-file")
    assert button.elem_id == "board-file"
    assert '<button type="button" class="file-button">Download CSV</button>' in button.value
    assert 'role="alert"' in button.value


def test_the_words_of_a_button_stay_text() -> None:
    assert no_markup_of(EVIL, file_button(EVIL, dict, "file").value)


def test_a_button_of_a_picker_asks_for_what_is_chosen_in_it() -> None:
    button = chosen_file_button("Download", lambda chosen: {"name": chosen}, "file", "plans")
    assert 'data-picker="plans"' in button.value
    (ask,) = button.server_fns
    assert ask({"chosen": "abc"}) == {"name": "abc"}
    assert ask({}) == ask(None) == {"name": ""}
    assert no_markup_of(EVIL, chosen_file_button(EVIL, lambda chosen: {}, "file", EVIL).value)
