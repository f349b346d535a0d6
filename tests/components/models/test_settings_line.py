"""The line of settings names what a run uses, and leads to the settings."""

from hallascope.components.models.settings_line import summary_html
from tests.support.tiles import EVIL, no_markup_of


def test_the_line_names_its_parts_and_the_settings_that_it_unfolds() -> None:
    html = summary_html(["3 models", "primer/judge"], "settings")
    assert "<span>3 models</span><span>primer/judge</span>" in html
    assert 'aria-controls="settings"' in html
    assert 'aria-expanded="false"' in html


def test_what_a_person_typed_is_escaped() -> None:
    assert no_markup_of(EVIL, summary_html([EVIL], "settings"))
