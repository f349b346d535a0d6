"""The viewer as a whole: one picture or two, each with its texts, rows and numbers.

Text from elsewhere stays text.
"""

from dataclasses import replace
from pathlib import Path

from markupsafe import Markup

from hallascope.components.evidence import viewer
from hallascope.components.evidence.exhibit import (
    AnnotatedSpan,
    AnnotatedText,
    EvidenceGroup,
    Exhibit,
    ImageRegion,
)
from hallascope.components.evidence.exhibits import verdicts
from hallascope.data.records import Question
from hallascope.data.regions import Box
from tests.support.tiles import EVIL, QUESTION, no_markup_of, report, tile, verdict

SQUARE = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))


def made(**changes: object) -> Exhibit:
    shown = Exhibit(
        run="run1",
        key="key1",
        name="hasty",
        path=Path("/a.png"),
        alt="a molecule, by hasty: 1 of 1 wrong",
        marks=(
            ImageRegion(
                name="atom",
                keys=("finding=1",),
                polygons=(SQUARE,),
                box=Box(0.1, 0.1, 0.3, 0.3),
                kind="incorrect",
            ),
        ),
        texts=(
            AnnotatedText(
                "Prompt", "a red atom", (AnnotatedSpan((2, 5), ("finding=1",), "incorrect"),)
            ),
        ),
        groups=(EvidenceGroup("Color", Markup("<table></table>"), "0 of 1"),),
        numbers=Markup("<h2>Score</h2>"),
    )
    return replace(shown, **changes)  # type: ignore[arg-type]


def test_nothing_chosen_is_an_empty_viewer() -> None:
    assert "panel" not in viewer.viewer(())


def test_an_exhibit_has_a_picture_its_words_and_its_numbers_in_this_order() -> None:
    html = viewer.viewer([made()])
    places = [html.index(part) for part in ("panel picture", "panel questions", "panel numbers")]
    assert places == sorted(places)
    assert 'alt="a molecule, by hasty: 1 of 1 wrong"' in html
    assert html.count('data-keys="[&#34;finding=1&#34;]"') == 4, (
        "outline, label, number and word share their key"
    )


def test_two_exhibits_stand_side_by_side_with_their_own_run_and_picture() -> None:
    html = viewer.viewer([made(), made(run="run2", name="other")])
    assert 'class="evidence pair"' in html
    assert html.count('<article class="exhibit"') == 2
    assert 'data-run="run1"' in html
    assert 'data-run="run2"' in html


def test_the_viewer_shows_text_from_elsewhere_as_text() -> None:
    asked = Question(
        text=EVIL,
        choices=(EVIL, "b", "c", "d", "None of the above"),
        gold="A",
        coi="color",
        regions=(EVIL,),
    )
    changes = dict.fromkeys(
        ("prompt", "name", "model", "key", "run", "judge", "notice", "why"), EVIL
    )
    shown = tile(path=Path(f"/tmp/{EVIL}.png"), questions=(asked,), **changes)
    assert no_markup_of(EVIL, viewer.viewer([verdicts.exhibit(shown, {EVIL: [SQUARE]})]))
    hostile = made(
        **dict.fromkeys(("run", "key", "name", "alt", "placeholder", "hint", "revised"), EVIL),
        marks=(ImageRegion(name=EVIL, keys=("finding=1",), polygons=(SQUARE,), words=EVIL),),
        texts=(
            AnnotatedText(EVIL, EVIL, (AnnotatedSpan((0, 9), ("finding=1",)),)),
            AnnotatedText(EVIL, "", (), EVIL),
        ),
        groups=(EvidenceGroup(EVIL, Markup(), EVIL),),
    )
    assert no_markup_of(EVIL, viewer.viewer([hostile, replace(hostile, path=None)]))


def test_a_picture_that_is_not_there_gives_its_reason_in_its_place() -> None:
    html = viewer.viewer([made(path=None, placeholder="The model took too long.")])
    assert '<div class="stage empty"><p>The model took too long.</p></div>' in html


def test_the_prompt_as_the_service_changed_it_can_be_read() -> None:
    assert "The provider rewrote the prompt" in viewer.viewer([made(revised="A serene molecule.")])
    assert "The service changed" not in viewer.viewer([made()])


def test_the_questions_of_a_picture_stand_beside_it() -> None:
    html = viewer.viewer(
        [verdicts.exhibit(tile(path=Path("/a.png"), reports=(report(verdict("correct")),)))]
    )
    assert QUESTION.text in html
