"""A judge's answer on a picture with a label is read as Normal or Weird with its evidence."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Failure
from hallascope.metrics.ihalla.reasoning import (
    LabeledPicture,
    Reasoning,
    parse_reasoning,
    response,
)

RIGHT = LabeledPicture(Picture("aa" * 32, Path("right.png")), factual=True)
WRONG = LabeledPicture(Picture("bb" * 32, Path("wrong.png")), factual=False)
# The form of reply the paper asks for (appendix J), with the reasoning of its table 5.
TABLE_5 = """- Response: Normal
- Reasoning: The image accurately represents the structure of a methane molecule.
- **Visual Evidence**: The illustration shows one central carbon atom with four hydrogen atoms
surrounding it in a tetrahedral configuration.
- **Contextual Evidence**: Methane is the simplest alkane."""


def says(response: str, visual: str = "four atoms", contextual: str = "CH4") -> Answer:
    return Answer(
        json.dumps(
            {"response": response, "visual_evidence": visual, "contextual_evidence": contextual}
        )
    )


def test_the_reply_form_of_the_paper_is_read() -> None:
    reasoning = parse_reasoning(RIGHT, Answer(TABLE_5))
    assert (reasoning.state, reasoning.response) == ("correct", "Normal")
    assert (
        reasoning.general == "The image accurately represents the structure of a methane molecule."
    )
    assert reasoning.visual.endswith(
        "four hydrogen atoms\nsurrounding it in a tetrahedral configuration."
    )
    assert reasoning.contextual == "Methane is the simplest alkane."
    assert reasoning.raw == TABLE_5


@pytest.mark.parametrize(
    "text",
    [
        '{"response": "Weird", "visual_evidence": "v", "contextual_evidence": "c"}',
        '```json\n{"Response": "weird.", "Visual Evidence": "v", "Contextual Evidence": "c"}\n```',
        'I see.\n{"response": "Weird", "reasoning": {"visual_evidence": "v", "contextual": "c"}}',
        "Response: Weird\nVisual Evidence: v\nContextual Evidence: c",
        "**Response:** <Weird>\n**Visual Evidence:** v\n**Contextual Evidence:** c",
        "### Response: **Weird**\n\n- Visual evidence: v\n\n- Contextual evidence: c",
        "- Response: The image is weird.\n- **Visual Evidence**: v\n- **Contextual Evidence**: c",
        (
            "<think>Response: Normal?</think>\nResponse: Weird\nVisual Evidence: v\nContextual"
            " Evidence: c"
        ),
        "Response: Hallucinated\nVisual Evidence: v\nContextual Evidence: c",
    ],
)
def test_every_form_of_a_reply_is_read(text: str) -> None:
    reasoning = parse_reasoning(WRONG, Answer(text))
    assert (reasoning.state, reasoning.response, reasoning.visual, reasoning.contextual) == (
        "correct",
        "Weird",
        "v",
        "c",
    )
    assert reasoning.is_usable


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot tell.",
        "Response: Normal or Weird",
        "Response: not normal",
        "Response: Abnormal",
        "Response: Normal\nResponse: Weird",
        '{"response": "Normal", "Response": "Weird"}',
        '{"response": "Normal"} {"response": "Weird"}',
        '{"response": true}',
        '{"response": "Normal", "visual_evi',
    ],
)
def test_a_reply_that_says_neither_or_both_is_unreadable(text: str) -> None:
    assert parse_reasoning(RIGHT, Answer(text)).state == "unreadable"


@given(st.sampled_from(["Normal", "Weird"]), st.text(), st.text(), st.booleans())
def test_json_is_read_whatever_the_evidence_says(
    response: str, visual: str, contextual: str, factual: bool
) -> None:
    reasoning = parse_reasoning(replace(RIGHT, factual=factual), says(response, visual, contextual))
    assert reasoning.response == response
    assert reasoning.state == ("correct" if (response == "Normal") == factual else "incorrect")


def test_a_lost_reply_is_failed_and_keeps_its_sentence() -> None:
    lost = Failure("timeout", "The judge did not answer in 30 s.")
    reasoning = parse_reasoning(RIGHT, lost)
    assert (reasoning.state, reasoning.failure, reasoning.raw) == ("failed", lost.message, "")


def test_the_text_names_each_evidence_and_leaves_out_what_is_not_there() -> None:
    reasoning = Reasoning(material=RIGHT, state="correct", visual="v", general="g")
    assert reasoning.text == "g\nVisual evidence: v"
    assert reasoning.is_usable
    assert not replace(reasoning, state="incorrect").is_usable
    assert not replace(reasoning, visual="", general="").is_usable


@pytest.mark.parametrize(
    ("text", "read"),
    [("Weird", "Weird"), ("Response: factual", "Normal"), ("two words", None), ("", None)],
)
def test_the_response_alone_is_read(text: str, read: str | None) -> None:
    assert response(text) == read
