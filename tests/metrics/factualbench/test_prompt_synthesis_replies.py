"""A writer's reply is read as JSON or as labelled lines; what is doubtful is not read."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hallascope.metrics.factualbench.prompt_synthesis_replies import (
    PHRASES,
    FeasibilityReply,
    read_feasible,
    read_prompt,
)


def written(feasible: object, *phrases: object) -> str:
    return json.dumps({"reason": "They differ.", "feasible": feasible, "phrases": list(phrases)})


def test_the_asked_form_gives_feasibility_phrases_and_reason() -> None:
    reply = read_feasible(written(True, ["jumping"], ["digging."]))
    assert reply == FeasibilityReply(True, (("jumping",), ("digging",)), "They differ.")


def test_a_phrase_counts_once_only_with_as_many_texts_as_wanted_and_at_most_four_do() -> None:
    phrases = ["jumping", ["jumping"], ["small", "large"], [""], [3], ["a"], ["b"], ["c"], ["d"]]
    reply = read_feasible(written(True, *phrases))
    assert reply.phrases == (("jumping",), ("a",), ("b",), ("c",))
    assert read_feasible(written(True, *phrases), 2).phrases == (("small", "large"),)


@pytest.mark.parametrize(
    "text", ['{"feasible": true', written(True) + written(True), '{"feasible": "perhaps"}', ""]
)
def test_a_reply_that_is_broken_doubled_or_vague_says_nothing_of_feasibility(text: str) -> None:
    assert read_feasible(text).feasible is None


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ('{"prompt": "A beagle digs."}', "A beagle digs."),
        ('{"prompt": " “A beagle digs.” "}', "A beagle digs."),
        ('{"prompt": "A beagle digs."} {"prompt": "A beagle digs."}', "A beagle digs."),
        ('{"prompt": "A beagle digs."} {"prompt": "A fox digs."}', ""),
        ('{"prompt": ["A beagle digs."]}', ""),
        ("A beagle digs.", "A beagle digs."),
        ("", ""),
    ],
)
def test_a_prompt_is_read_where_there_is_exactly_one(text: str, prompt: str) -> None:
    assert read_prompt(text) == prompt


def test_text_replies_are_read() -> None:
    reply = read_feasible(
        "Feasible: yes\nReason: They differ.\nPhrases:\n1. small | large\n2. tiny | huge\n", 2
    )
    assert reply == FeasibilityReply(True, (("small", "large"), ("tiny", "huge")), "They differ.")
    assert read_prompt('Prompt: "A beagle digs."') == "A beagle digs."
    assert read_prompt("Here it is:\nA beagle digs.") == ""


@given(st.text(max_size=200), st.sampled_from([1, 2]))
@example('{"feasible": {}, "phrases": [[[]]]}', 1)
@example('{"phrases": {"a": 1}}', 1)
@example('{"prompt": {"prompt": 3}}', 1)
def test_any_reply_gives_whole_phrases_and_one_line_or_nothing(text: str, texts: int) -> None:
    reply = read_feasible(text, texts)
    assert reply.feasible in (None, True, False)
    assert len(reply.phrases) <= PHRASES
    assert all(len(phrase) == texts and all(phrase) for phrase in reply.phrases)
    assert "\n" not in read_prompt(text)
