"""Step by step: a phrase without a box, a box without an outline, and what was said are all to be
seen.
"""

from dataclasses import replace

from hallascope.components.evidence.exhibits.fig_steps import keys, steps
from hallascope.data.evidence import Evidence
from tests.support import viewer_app

FOUND = viewer_app.evidence()


def test_a_phrase_that_was_not_found_is_told_from_one_that_was() -> None:
    body = steps(FOUND).body
    assert '<span>circle</span> <span class="soft">2 boxes, sure to 91%, 91%</span>' in body
    assert body.index("<span>tulip</span>") < body.index("not found")
    assert "<i>not in the prompt</i>" in body, "the star was not looked for by the prompt"


def test_a_box_without_an_outline_says_why() -> None:
    broken = replace(FOUND.segments[0], mask=None, failure="The segmenter did not answer.")
    body = steps(replace(FOUND, segments=(broken, *FOUND.segments[1:]))).body
    assert "3 of 4 outlined" in body
    assert "s1, circle: The segmenter did not answer." in body


def test_what_was_read_has_a_column_only_where_something_was() -> None:
    assert "read in it" not in steps(FOUND).body
    written = replace(FOUND.segments[2], written="OPEN")
    body = steps(replace(FOUND, segments=(*FOUND.segments[:2], written))).body
    assert "read in it" in body
    assert "<td>OPEN</td>" in body


def test_the_row_of_a_segment_leads_to_itself_and_shares_the_keys_of_its_findings() -> None:
    assert keys(0, FOUND.segments[0], FOUND.findings) == (
        "segment=1",
        "finding=1",
        "finding=4",
        "finding=6",
    )


def test_pairs_count_what_was_left_out_apart() -> None:
    assert "4 of 6 met, 1 left out" in steps(FOUND).body


def test_nothing_seen_is_said_at_every_step() -> None:
    body = steps(Evidence()).body
    for words in (
        "There are no noun phrases",
        "No boxes",
        "nothing to mask",
        "nothing to describe",
        "No caption was written",
        "nothing to compare",
    ):
        assert words in body
