"""What a judge says of labeled pictures has its place and stays text."""

from pathlib import Path

from hallascope.components.judges.reasoning import render_reasoning
from hallascope.data.records import Picture
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from tests.support.tiles import EVIL, no_markup_of

RIGHT = LabeledPicture(Picture("ab" * 32, Path("/tmp/a.png")), factual=True)


def test_every_answer_has_its_place_from_the_beginning_and_a_sign_when_it_comes() -> None:
    said = [
        Reasoning(material=RIGHT, state="correct", response="Normal", visual="Four atoms."),
        Reasoning(material=RIGHT, state="failed", failure="No reply."),
    ]
    html = render_reasoning([RIGHT], said, {})
    assert html.count('class="answer waiting"') == 3
    assert "told right" in html
    assert "kept" in html
    assert "No reply." in html
    assert "1 of 2 told right, easy" in render_reasoning(
        [RIGHT], said, {"ab" * 32: "easy"}, done=True
    )


def test_what_a_judge_says_is_text() -> None:
    assert no_markup_of(
        EVIL,
        render_reasoning(
            [RIGHT],
            [
                Reasoning(
                    material=RIGHT, state="correct", response="Normal", visual=EVIL, contextual=EVIL
                ),
                Reasoning(material=RIGHT, state="unreadable", raw=EVIL),
            ],
            {},
        ),
    )
