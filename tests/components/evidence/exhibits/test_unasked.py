"""Errors that no question asks for are rows of their own, which light up their parts."""

from hallascope.components.evidence.exhibits import verdicts
from hallascope.components.evidence.exhibits.unasked import error_sentence, unasked_group
from hallascope.metrics.true_answers import UnaskedError
from tests.support.tiles import EVIL, no_markup_of, report, tile, verdict

ERROR = UnaskedError(
    "What shape are the outer atoms?", "Square", "Round", "shape", ("hydrogen atom",)
)


def test_a_row_says_what_is_expected_and_what_is_drawn() -> None:
    group = unasked_group([ERROR])
    assert group.aside == "1"
    assert error_sentence(ERROR) in group.body
    assert 'data-keys="[&#34;fact=1&#34;]"' in group.body
    assert "data-whole" not in group.body
    everywhere = UnaskedError("Where is it?", "In space", "In a room", "scene", ())
    assert "data-whole" in unasked_group([everywhere]).body


def test_the_part_of_an_error_is_marked_and_leads_to_its_row() -> None:
    shapes = {"hydrogen atom": [((0.1, 0.1), (0.2, 0.1), (0.2, 0.2))]}
    judged = tile(reports=(report(verdict("correct")),), unasked=(ERROR,))
    shown = verdicts.exhibit(judged, shapes)
    (mark,) = shown.marks
    assert mark.keys == ("question=1", "fact=1")
    assert "wrong, not asked" in mark.words
    assert [group.title for group in shown.groups] == ["I-HallA", "Not asked"]
    without = verdicts.exhibit(tile(reports=(report(verdict("correct")),)), shapes)
    assert [group.title for group in without.groups] == ["I-HallA"]


def test_text_from_elsewhere_stays_text() -> None:
    assert no_markup_of(
        EVIL, unasked_group([UnaskedError(EVIL, EVIL, EVIL, "others", (EVIL,))]).body
    )
