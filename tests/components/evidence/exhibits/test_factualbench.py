"""The rounds of T2I-FactualBench: concepts with their criteria, the task, the composition."""

from dataclasses import replace
from pathlib import Path

from hallascope.components.evidence.exhibits import factualbench
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.signs import SIGNS
from hallascope.components.tiles.tile import Tile
from hallascope.data.concepts import ConceptRef
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Picture, Report, Score
from tests.support.tiles import no_markup_of

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
    assert SIGNS[texture.state].kind == "left-out"
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
    assert no_markup_of(
        EVIL, viewer([factualbench.exhibit(tile), factualbench.reference(concept, "run", "one")])
    )
