"""FiG as a plan: what it asks of whom, and that nothing lost is counted as wrong."""

from typing import cast

import pytest

from hallascope.data.records import Score
from hallascope.data.requests import Detect, Detected, ReadText
from hallascope.metrics.base import Case, run
from hallascope.metrics.fig import plan as fig
from hallascope.metrics.fig import replies as fig_replies
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.pairs import AttributePair
from hallascope.metrics.reading.parsed import Parsed
from hallascope.metrics.reading.prompt import NO_OBJECT
from tests.support.fig_runs import (
    CORRECT_STEPS,
    ONE,
    PICTURE,
    SQUARE,
    caption_replies,
    detection_replies,
    mask_replies,
    report_of,
    states_by_kind,
)
from tests.support.scripted_vision import evidence_of


def test_a_picture_that_shows_what_was_asked_for_is_right_in_every_row() -> None:
    report = report_of(*CORRECT_STEPS)
    assert states_by_kind(report) == {
        "object": ["correct", "correct"],
        "color": ["correct", "correct"],
        "number": ["correct"],
        "position": ["correct"],
    }
    assert (report.metric, report.score, report.scores["soft"]) == (
        "fig",
        Score(1.0, 6, 0),
        Score(1.0, 6, 0),
    )
    assert report.scores["text"] == Score(None, 0, 0)
    assert report.scores["chair_i"] == Score(0.0, 2, 0)
    assert report.published == {
        "score": 1.0,
        "object": 1.0,
        "color": 1.0,
        "number": 1.0,
        "position": 1.0,
        "text": None,
    }


@pytest.mark.parametrize("prompt", ["", "beautiful, 8k", "the image"])
def test_a_prompt_that_names_nothing_has_no_scores_and_asks_nobody(prompt: str) -> None:
    with pytest.raises(StopIteration) as done:
        next(fig.metric().plan(Case(prompt=prompt, image=PICTURE)))
    report = done.value.value
    assert report.score == Score(None, 0, 1)
    assert evidence_of(report).notes == (NO_OBJECT,)


@pytest.mark.parametrize("prompt", ['the text "Hello World"', "an image without dogs"])
def test_a_prompt_of_writing_or_absence_alone_is_looked_for(prompt: str) -> None:
    case = Case(prompt=prompt, image=PICTURE, roles=frozenset({"reader"}))
    plan = fig.metric().plan(case)
    (request,) = next(plan)
    assert isinstance(request, Detect)
    if "dogs" in prompt:
        assert request.phrases[0] == "dog"
    else:
        assert plan.send([Detected(())]) == [ReadText(PICTURE)]


def test_a_prompt_that_cannot_be_read_is_left_out_itself_and_asks_nobody() -> None:
    case = Case(prompt="ein roter Kreis über einem blauen Quadrat", image=PICTURE)
    report = run(fig.metric().plan(case), [])
    assert report.score == Score(None, 0, 1)
    assert report.scores["soft"] == report.scores["color_soft"] == Score(None, 0, 1)
    (note,) = evidence_of(report).notes
    assert "does not read as English" in note
    assert evidence_of(report).findings == ()


def test_an_own_attribute_is_scored_and_changes_the_version() -> None:
    own = {**ATTRIBUTES, "material": ("wooden", "metal")}
    case = Case(prompt="a wooden chair and a metal chair", image=PICTURE)
    steps = (
        detection_replies(("chair", ONE), ("chair", SQUARE)),
        mask_replies(ONE, SQUARE),
        caption_replies("A chair that is wooden", "A wooden chair"),
    )
    report = run(fig.metric(attributes=own).plan(case), steps)
    assert report.scores["material"] == Score(0.5, 2, 0)
    assert report.scores["object"] == Score(1.0, 1, 0)
    assert report.version != run(fig.metric().plan(case), steps).version


def find_nothing(text: Parsed) -> list[AttributePair]:
    return []


def test_an_attribute_that_is_added_to_the_table_changes_the_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions = [fig.metric().version]
    for spec in (["wooden"], ["wooden", "metal"], find_nothing, fig.readable):
        monkeypatch.setitem(cast("dict[str, object]", ATTRIBUTES), "material", spec)
        versions.append(fig.metric().version)
    assert len(set(versions)) == len(versions)


@pytest.mark.parametrize(
    "text, phrases",
    [
        ('```json\n{"phrases": ["Dog", "dog", " wine  glass "]}\n```', ("dog", "wine glass")),
        ('{"phrases": ["a", 1]}', None),
        ('{"phrases": []}', ()),
        ('{"phrases": [""]}', None),
    ],
)
def test_phrases_are_read_each_once(text: str, phrases: tuple[str, ...] | None) -> None:
    assert fig_replies.parse_phrases(text) == phrases
