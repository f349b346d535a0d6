"""The rules say how sure they are of a reading, and are wrong more often where they are not."""

import pytest

from hallascope.data.files.readings.gold_readings import gold_readings
from hallascope.engine.judge_eval.parsers.parser_eval import evaluate_reader
from hallascope.metrics.parsing.confidence import LEAST_CONFIDENCE, doubt
from hallascope.metrics.parsing.reading import read_prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "a red cat sitting on a mat",
        "Three dogs are running across a field, oil painting --ar 16:9",
        "a man without a hat next to a car",
        'a wooden sign that says "open late"',
        "a slowly melting candle",
    ],
)
def test_the_rules_are_sure_where_they_account_for_every_word(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert reading.confidence == 1
    assert reading.unread == ()
    assert doubt(reading) == ""


def test_words_that_no_rule_reads_are_named() -> None:
    reading = read_prompt("a cat on a mat notwithstanding")
    assert reading.confidence == pytest.approx(3 / 4)
    assert [reading.prompt[slice(*span)] for span in reading.unread] == ["notwithstanding"]
    assert doubt(reading) == (
        "No rule reads “notwithstanding” in the prompt (confidence 0.75), so what it asks for may"
        " be read wrong."
    )


def test_of_a_prompt_that_cannot_be_read_nothing_more_is_said() -> None:
    assert doubt(read_prompt("un gato negro")) == ""


def test_low_confidence_means_more_mistakes() -> None:
    evaluation = evaluate_reader(gold_readings("development"), read_prompt)
    for system in ("fig", "scene-graph"):
        sure, unsure = evaluation.right_by_confidence(system)
        assert sure.whole > 400
        assert unsure.whole > 50
        assert (sure.value or 0) > (unsure.value or 0) + 0.1
    confidences = [comparison.reading.confidence for comparison in evaluation.comparisons]
    assert min(confidences) < LEAST_CONFIDENCE
