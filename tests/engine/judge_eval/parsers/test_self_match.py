"""Prompts held against themselves: nearly all are perfect, and what others lack is named."""

from collections.abc import Mapping

import pytest

from hallascope.data.files.readings.gold_readings import gold_readings
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.engine.judge_eval.parsers import self_match
from hallascope.engine.judge_eval.parsers.self_match import evaluate_self_match, match_with_itself
from hallascope.metrics.parsing.readings.comparison import SYSTEMS, System

LEAST_PERFECT: Mapping[System, float] = {"fig": 0.99, "scene-graph": 0.995}


def test_nearly_all_prompts_that_people_wrote_are_perfect() -> None:
    prompts = [gold.prompt for gold in gold_readings("development")]
    evaluation = evaluate_self_match(prompts[::2])
    faults = [match for match in evaluation.prompts if not match.is_perfect]
    for system in SYSTEMS:
        share = evaluation.perfect(system)
        assert share.whole > 400
        assert share.value is not None
        assert share.value >= LEAST_PERFECT[system], faults


@pytest.mark.parametrize(
    "prompt",
    [
        "A white fire hydrant on the sidewalk by a car.",
        "one black cow sniffing another black cows head",
        "The striped rug was on top of the brown carpet.",
        "A stack of 3 plates. A blue plate is on the top, sitting on a blue plate. The blue plate"
        " is in the middle, sitting on a green plate. The green plate is on the bottom.",
        "four apples were picked from the tree",
        "The smooth, curved lines of the sculpture flowed effortlessly from one form to the next",
        "two dogs without collars next to at least three cats",
        "four penguins in grey ties and a fifth penguin without a tie",
        "one child chases a butterfly, and the other is asleep on a quilt",
        "a market stall with about thirty melons",
    ],
)
def test_a_prompt_lacks_nothing_of_itself(prompt: str) -> None:
    assert match_with_itself(prompt).faults == {"fig": (), "scene-graph": ()}


def test_what_a_prompt_lacks_of_itself_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def misread(prompt: str, describing: frozenset[str] = frozenset()) -> PromptReading:
        return PromptReading(prompt=prompt, objects=(AskedObject(id="o1", name="cat"),))

    monkeypatch.setattr(self_match, "read_prompt", misread)
    match = match_with_itself("a dog")
    assert not match.is_perfect
    assert match.faults["fig"] == ("object: cat", "extraneous: dog")
    assert match.faults["scene-graph"] == ("Is there a cat in the picture?",)


def test_a_prompt_that_is_not_read_is_in_no_share() -> None:
    evaluation = evaluate_self_match(["a dog", "ein roter Kreis links von einem blauen Quadrat"])
    assert [match.prompt for match in evaluation.unreadable] == [
        "ein roter Kreis links von einem blauen Quadrat"
    ]
    assert evaluation.perfect("fig")[:2] == (1, 1)
