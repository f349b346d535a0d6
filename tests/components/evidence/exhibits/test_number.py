"""An image judged by a metric of one number shows the number, its scale, and its steps."""

from pathlib import Path

from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits.number import exhibit
from hallascope.components.evidence.viewer import viewer
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Report, Score
from hallascope.metrics.baselines import clipscore
from tests.support.tiles import EVIL, no_markup_of


def shown(*reports: Report, words: str = "a cat") -> Exhibit:
    tile = Tile(
        run="run1",
        key="key1",
        model="primer/exact",
        name=words,
        prompt=words,
        seed=0,
        path=Path("/a.png"),
        reports=reports,
    )
    return exhibit(tile, clipscore.metric(), [("embedder", words)])


def report(value: float | None, evidence: Evidence | None = None) -> Report:
    return Report(
        metric="clipscore",
        version="3",
        prompt="a cat",
        image="ab" * 32,
        scores={"score": Score(value, int(value is not None), int(value is None))},
        evidence=evidence,
    )


def test_the_number_stands_with_its_scale_and_version() -> None:
    numbers = shown(report(1.607)).numbers
    assert '<p class="value">1.607</p>' in numbers
    assert "from 0 to 2.5, higher is better" in numbers
    assert "embedder" in numbers
    assert "metric version</th><td>3</td>" in numbers


def test_before_the_evaluation_a_sentence_stands_in_the_place_of_the_number() -> None:
    waiting = shown()
    assert waiting.hint == "Not evaluated yet."
    assert "Not evaluated yet." in waiting.numbers


def test_what_has_no_number_says_why() -> None:
    failed = Finding(kind="score", expected="image", observed="", state="failed", note="No reply.")
    (group,) = shown(report(None, Evidence(findings=(failed,), notes=("A note.",)))).groups
    assert group.aside == "–"
    assert "<li>image: No reply.</li><li>A note.</li>" in group.body


def test_a_caption_from_which_the_number_was_made_stands_beneath_the_prompt() -> None:
    texts = shown(report(0.5, Evidence(caption="There is a cat."))).texts
    assert [text.text for text in texts] == ["a cat", "There is a cat."]
    assert shown(report(0.5)).texts == ()


def test_text_from_elsewhere_stays_text() -> None:
    finding = Finding(kind="score", expected=EVIL, observed=EVIL, state="correct", note=EVIL)
    evidence = Evidence(findings=(finding,), notes=(EVIL,), caption=EVIL)
    assert no_markup_of(EVIL, viewer([shown(report(0.5, evidence), words=EVIL)]))
