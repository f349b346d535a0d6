"""Tests what a document says of the scores with knowledge beside those without."""

from dataclasses import replace

from hallascope.data.records import Report, Score
from hallascope.engine.documents.knowledge import changes
from hallascope.engine.events import Evaluation, GeneratedPicture


def evaluation(generation: str, value: float | None) -> Evaluation:
    report = Report(
        metric="ihalla",
        version="1",
        prompt="a penguin",
        image=generation,
        scores={"score": Score(value, 1 if value is not None else 0, 0)},
    )
    return Evaluation(
        generation=generation,
        model="primer/exact",
        image=generation,
        metric="ihalla",
        judge="primer/judge",
        trial=0,
        report=report,
    )


PLAIN = GeneratedPicture(generation="plain", model="primer/exact", seed=0)
WITH_TEXT = replace(PLAIN, generation="text", injected="text")
PICTURES = {picture.generation: picture for picture in (PLAIN, WITH_TEXT)}


def test_of_a_picture_without_knowledge_nothing_is_said() -> None:
    without = evaluation("plain", 0.5)
    assert changes(without, PICTURES, [without]) == {}


def test_the_change_is_the_score_with_knowledge_less_that_without() -> None:
    without = evaluation("plain", 0.25)
    within = evaluation("text", 0.75)
    expected = {"injected": "text", "change": {"score": 0.5}}
    assert changes(within, PICTURES, [without, within]) == expected


def test_without_a_score_on_both_sides_there_is_no_change() -> None:
    within = evaluation("text", 0.75)
    unknown = {"injected": "text", "change": {"score": None}}
    assert changes(within, PICTURES, [evaluation("plain", None), within]) == unknown
    other_trial = replace(evaluation("plain", 0.25), trial=1)
    assert changes(within, PICTURES, [other_trial, within]) == unknown
