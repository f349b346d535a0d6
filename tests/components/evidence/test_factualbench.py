"""FactualBench in the viewer: concepts with their criteria, the slider, knowledge and its changes,
domains and the paper's numbers.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.components.cards import cards
from hallascope.components.cards.cards import Tile
from hallascope.components.comparison import domains, knowledge, slider
from hallascope.components.comparison.knowledge import KnowledgeComparison
from hallascope.components.comparison.slider import ImagePair
from hallascope.components.evidence import factualbench
from hallascope.components.evidence.viewer import viewer
from hallascope.data.concepts import ConceptRef
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.published import factualbench as published
from hallascope.data.records import Picture, Report, Score
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.factualbench.aggregate import CELLS
from tests.components.cards.test_cards import no_markup_of

EVIL = "<script>alert(1)</script>\"'`<img src=x onerror=alert(1)>"
FOUND = (
    Finding(
        kind="rating",
        expected="ladybug",
        observed="2 of 3",
        state="incorrect",
        prompt_spans=((2, 9),),
        note="1 of 4 criteria could not be told.",
    ),
    Finding(
        kind="shape",
        expected="ladybug",
        observed="met",
        state="correct",
        prompt_spans=((2, 9),),
        note="Is the shape the same? Yes.",
    ),
    Finding(
        kind="color",
        expected="ladybug",
        observed="not met",
        state="incorrect",
        prompt_spans=((2, 9),),
        note="It is blue.",
    ),
    Finding(
        kind="texture",
        expected="ladybug",
        observed="",
        state="abstained",
        prompt_spans=((2, 9),),
        note="The judge cannot tell.",
    ),
    Finding(
        kind="details", expected="ladybug", observed="met", state="correct", prompt_spans=((2, 9),)
    ),
    Finding(
        kind="task",
        expected="on the left",
        observed="not done",
        state="incorrect",
        note="It is on the right.",
    ),
    Finding(kind="rating", expected="", observed="4", state="correct"),
    *(
        Finding(kind=kind, expected="", observed="met", state="correct")
        for kind in ("seamless", "completeness", "authenticity", "following")
    ),
)
SCORES = {
    "concept": Score(0.5, 1, 0),
    "task": Score(0.0, 1, 0),
    "composition": Score(1.0, 1, 0),
    "score": Score(0.5, 3, 0),
}
REPORT = Report(
    metric="factualbench",
    version="2",
    prompt="a ladybug on the left",
    image="ab",
    scores=SCORES,
    evidence=Evidence(findings=FOUND, notes=("A note.",)),
)
TILE = Tile(
    run="run",
    key="one",
    model="primer/careless",
    name="careless",
    prompt="a ladybug on the left",
    seed=0,
    reports=(factualbench.display_report(REPORT),),
)


def _mean(
    value: float | None,
    n: int,
    left_out: int,
    low: float | None = None,
    high: float | None = None,
) -> Mean:
    return Mean(
        value=value, n=n, left_out=left_out, interval_method="bootstrap", low=low, high=high
    )


def test_every_concept_the_task_and_the_composition_have_a_table_with_what_was_judged() -> None:
    found = factualbench.groups(factualbench.display_report(REPORT).evidence)  # type: ignore[arg-type]
    assert [(one.title, one.aside) for one in found] == [
        ("Ladybug", "2 of 3"),
        ("Task", "not done"),
        ("Composition", "4 of 4"),
    ]
    assert "It is blue." in found[0].body
    assert "on the left" in found[1].body
    assert all(
        title in found[2].body
        for title in (
            "Seamless transition",
            "Visual completeness",
            "Authenticity",
            "Prompt following",
        )
    )


def test_what_a_judge_cannot_tell_is_left_out_and_no_fault_of_the_picture() -> None:
    (texture,) = [one for one in TILE.findings if one.kind == "texture"]
    assert cards.SIGNS[texture.state].kind == "left-out"
    assert "cannot tell" in factualbench.groups(TILE.reports[0].evidence)[0].body  # type: ignore[arg-type]


def test_the_picture_is_described_round_by_round_and_its_words_lead_to_the_criteria() -> None:
    shown = factualbench.exhibit(TILE)
    assert (
        shown.alt
        == "a ladybug on the left, by primer/careless: Ladybug 2 of 3; Task not done; Composition 4"
        " of 4"
    )
    assert [one.title for one in shown.texts] == ["Prompt"]
    assert {word.span for word in shown.texts[0].words} == {(2, 9)}
    assert {word.keys for word in shown.texts[0].words} == {(f"finding={n}",) for n in range(1, 6)}
    assert shown.groups[-1].title == "Notes"


def test_numbers_and_columns_tell_only_of_rounds_that_the_level_has() -> None:
    first = replace(
        REPORT, scores={**SCORES, "task": Score(None, 0, 0), "composition": Score(None, 0, 0)}
    )
    assert [column.title for column in factualbench.columns([first])] == ["All", "Concepts"]
    assert [column.title for column in factualbench.columns([first, REPORT])] == [
        "All",
        "Concepts",
        "Task",
        "Composition",
    ]
    assert "Composition" not in factualbench.numbers(first)
    assert factualbench.columns([REPORT])[2].cell_html(first) == "–"


def test_a_reference_stands_beside_the_picture_without_rows_of_its_own(tmp_path: Path) -> None:
    concept = ConceptRef(
        name="ladybug",
        domain="animal",
        definition="A beetle.",
        reference=Picture("ab", tmp_path / "a.png"),
    )
    html = viewer([factualbench.exhibit(TILE), factualbench.reference(concept, "run", "one")])
    assert '<div class="evidence beside" style="--pictures: 2">' in html
    assert "Of the domain animal. A beetle." in html
    assert html.count('class="panel questions"') == 1
    assert "left out" in viewer([factualbench.reference(ConceptRef(name="ladybug"), "run", "one")])


def test_text_from_elsewhere_stays_text(tmp_path: Path) -> None:
    evil = [
        replace(
            one,
            expected=EVIL if one.expected else "",
            observed=EVIL if one.kind == "task" else one.observed,
            note=EVIL,
        )
        for one in FOUND
    ]
    tile = replace(
        TILE,
        name=EVIL,
        prompt=EVIL,
        why=EVIL,
        reports=(replace(REPORT, evidence=Evidence(findings=tuple(evil), notes=(EVIL,))),),
    )
    concept = ConceptRef(
        name=EVIL,
        domain="animal",
        definition=EVIL,
        reference=Picture("ab", tmp_path / f"{EVIL[:8]}.png"),
    )
    parts = [
        viewer([factualbench.exhibit(tile), factualbench.reference(concept, "run", "one")]),
        knowledge.changes([KnowledgeComparison({None: tile, "text": tile})]),
        slider.sliders([ImagePair(tmp_path / "a.png", EVIL, tmp_path / "b.png", EVIL)]),
        domains.figure_description({EVIL: {"animal": _mean(0.5, 1, 0)}}),
        domains.published_table(
            {EVIL: {cell: _mean(0.5, 1, 0) for cell in CELLS}},
            published.table(),
            published.deltas(),
        ),
    ]
    assert all(no_markup_of(EVIL, part) for part in parts)


# --- knowledge
# --------------------------------------------------------------------------------------------------


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


# --- domains
# --------------------------------------------------------------------------------------------------


def test_bars_are_ours_with_intervals_and_hollow_marks_are_published() -> None:
    ours = {"exact": {"animal": _mean(0.75, 4, 1, low=0.5, high=1.0), "plant": _mean(None, 0, 2)}}
    figure = domains.bars(ours, published.by_domain(), {"exact": "#0072b2"})  # type: ignore[arg-type]
    bar, *marks = figure.data
    assert (bar.type, bar.y[0], bar.y[4]) == ("bar", 75.0, None)
    assert (bar.error_y.array[0], bar.error_y.arrayminus[0]) == (25.0, 25.0)
    assert len(marks) == 11
    assert len({mark.marker.symbol for mark in marks}) == 11
    assert all(mark.marker.symbol.endswith("-open") for mark in marks)
    dalle = next(mark for mark in marks if mark.name.startswith("DALLE-3"))
    assert dalle.y[3] is None, "no picture of a person was made"
    assert "plant no answer of 0 prompts" in domains.figure_description(ours)  # type: ignore[arg-type]


def test_the_paper_s_table_shows_the_right_differences_and_says_which_are_misprinted() -> None:
    html = domains.published_table({}, published.table(), published.deltas())
    assert "+20.5 (corrected)" in html
    assert "+4.9 (corrected)" in html
    assert html.count("(corrected)") == 2
    assert "MS-Diffusion, SKCU concept: +30.5 is printed, +20.5 is right" in html
    assert html.count("<tr class=") == len(published.table())
