"""Pictures with and without knowledge stand beside each other, each change in words."""

from dataclasses import replace

import pytest

from hallascope.components.comparison import knowledge
from hallascope.components.comparison.knowledge import KnowledgeComparison
from hallascope.components.tiles.tile import Tile
from hallascope.data.records import Score
from tests.components.evidence.exhibits.test_factualbench import REPORT, SCORES, TILE
from tests.support.tiles import EVIL, no_markup_of


def scored(value: float | None) -> Tile:
    return replace(
        TILE,
        reports=(
            replace(
                REPORT,
                scores={
                    **SCORES,
                    "concept": Score(value, int(value is not None), int(value is None)),
                },
            ),
        ),
    )


@pytest.mark.parametrize(
    ("plain", "text", "said"),
    [
        (0.5, 0.75, "0.25 higher"),
        (0.75, 0.5, "0.25 lower"),
        (0.5, 0.5, "the same"),
        (None, 0.5, "0.50"),
        (0.5, None, "–"),
    ],
)
def test_the_change_of_every_score_is_said_in_words(
    plain: float | None, text: float | None, said: str
) -> None:
    html = knowledge.changes([KnowledgeComparison({None: scored(plain), "text": scored(text)})])
    line = html[html.index("Concepts</th>") :].partition("</tr>")[0]
    assert said in line
    assert ("higher" in line, "lower" in line) == ("higher" in said, "lower" in said)


def test_nothing_is_shown_for_pictures_of_the_prompt_alone_and_who_cannot_says_why() -> None:
    assert knowledge.changes([KnowledgeComparison({None: TILE})]) == ""
    unable = replace(TILE, path=None, why="Primer exact cannot use definitions.", reports=())
    assert "cannot use definitions" in knowledge.changes(
        [KnowledgeComparison({None: TILE, "text": unable})]
    )


def test_text_from_elsewhere_stays_text() -> None:
    tile = replace(TILE, name=EVIL, prompt=EVIL, why=EVIL)
    assert no_markup_of(EVIL, knowledge.changes([KnowledgeComparison({None: tile, "text": tile})]))
