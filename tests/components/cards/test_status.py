"""The line between controls and pictures says in words how far a run is and what went wrong."""

from hallascope.components.cards import status
from tests.support.tiles import EVIL, no_markup_of


def test_progress_is_a_bar_and_words() -> None:
    html = status.progress(2, 5, "2 of 5", "about 3 s left")
    assert '<progress max="5" value="2"' in html
    assert "2 of 5 · about 3 s left" in html
    assert 'max="1"' in status.progress(0, 0, "starting"), "a bar needs a length"


def test_what_went_wrong_stands_beneath_the_result() -> None:
    html = status.result_message("Done.", ["No key.", "No reply."])
    assert "<li>No key.</li><li>No reply.</li>" in html
    assert "<ul" not in status.result_message("Done.")
    assert status.idle_message("Done.") == status.result_message("Done.")


def test_an_error_is_announced_at_once() -> None:
    assert 'role="alert"' in status.error_message("The prompt is empty.")


def test_text_from_elsewhere_stays_text() -> None:
    assert no_markup_of(EVIL, status.progress(1, 2, EVIL, EVIL))
    assert no_markup_of(EVIL, status.result_message(EVIL, [EVIL]) + status.error_message(EVIL))
