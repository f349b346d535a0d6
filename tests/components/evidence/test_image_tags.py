"""Tags are chips that can be removed, and what people typed stays text."""

from hallascope.components.evidence.image_tags import tag_row
from tests.support.tiles import EVIL, no_markup_of


def test_each_tag_has_a_button_that_removes_it() -> None:
    row = tag_row(["blurry", "extra fingers"])
    assert row.count('class="tag-chip"') == 2
    assert 'aria-label="Remove the tag extra fingers"' in row
    assert "Add a tag" in tag_row([])


def test_text_of_people_stays_text() -> None:
    assert no_markup_of(EVIL, tag_row([EVIL]))
