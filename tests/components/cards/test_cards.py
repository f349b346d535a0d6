"""Cards say everything in words and escape everything that came from elsewhere."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.components.cards import cards
from hallascope.data.evidence import Evidence, Finding
from tests.support.tiles import EVIL, no_markup_of, report, tile, verdict


def test_a_picture_with_findings_has_a_sign_for_each_of_them() -> None:
    found = Evidence(
        findings=(
            Finding(kind="color", expected="red circle", observed="", state="incorrect"),
            Finding(kind="extraneous", expected="", observed="star", state="incorrect"),
        )
    )
    shown = tile(questions=(), reports=(replace(report(), evidence=found),))
    assert shown.alt_text == "a molecule, by primer/hasty: 0 of 1 correct, 1 not in the prompt"
    html = cards.tile_card(shown)
    assert 'aria-label="color, red circle: incorrect"' in html
    assert 'aria-label="extraneous, star: incorrect"' in html


@pytest.mark.parametrize("field", ["prompt", "model", "name", "key", "run", "doing"])
def test_a_card_shows_text_from_elsewhere_as_text(field: str) -> None:
    assert no_markup_of(
        EVIL, cards.grid([tile(**{field: EVIL}), tile(path=Path("/tmp/a.png"), **{field: EVIL})])
    )


def test_a_place_without_a_picture_says_what_is_being_done_or_what_failed() -> None:
    assert "step 3 of 30" in cards.tile_card(tile(doing="step 3 of 30"))
    failed = cards.tile_card(
        tile(doing="outside the model’s vocabulary", why="The prompt is empty.")
    )
    assert "outside the model’s vocabulary" in failed
    assert "failed" in failed


def test_a_card_changes_its_version_with_what_is_to_be_seen() -> None:
    versions = {
        re.findall('data-version="([^"]*)"', cards.tile_card(t))[0]
        for t in (
            tile(),
            tile(path=Path("/a.png")),
            tile(path=Path("/a.png"), reports=(report(verdict("correct")),)),
            tile(why="no"),
        )
    }
    assert len(versions) == 4


def test_the_alternative_text_states_the_verdict() -> None:
    html = cards.tile_card(
        tile(path=Path("/a.png"), reports=(report(verdict("correct"), verdict("incorrect", "D")),))
    )
    assert 'alt="a molecule, by primer/hasty: 1 of 2 correct"' in html
