"""A file button calls for its file at the click, and has a place for what goes wrong."""

from hallascope.components.html.fields.file_button import file_button
from tests.support.tiles import EVIL, no_markup_of


def test_a_button_names_its_file_and_can_say_what_is_wrong() -> None:
    button = file_button("Download CSV", dict, "board-file")
    assert button.elem_id == "board-file"
    assert '<button type="button" class="file-button">Download CSV</button>' in button.value
    assert 'role="alert"' in button.value


def test_the_words_of_a_button_stay_text() -> None:
    assert no_markup_of(EVIL, file_button(EVIL, dict, "file").value)
