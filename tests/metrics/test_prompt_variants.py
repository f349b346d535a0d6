"""Versions of a prompt are read from a reply by their label; what is no version is left out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.requests import Answer, Failure, Reply, Write
from hallascope.metrics.prompt_variants import (
    MOST_CHARACTERS,
    PromptVariants,
    are_readable_variants,
    ask_prompt_variants,
    parse_prompt_variants,
)

PROMPT = "two red apples on a table"
WANTED = {"German": "translate it into German", "Spanish": "translate it into Spanish"}
REPLY = json.dumps(
    {
        "versions": [
            {"label": "spanish", "prompt": "dos manzanas rojas sobre una mesa"},
            {"label": "German", "prompt": "zwei rote Äpfel auf einem Tisch"},
            {"label": "Latin", "prompt": "duo mala rubra in mensa"},
        ]
    },
    ensure_ascii=False,
)


def written(reply: Reply) -> tuple[Write, PromptVariants]:
    plan = ask_prompt_variants(PROMPT, WANTED)
    (request,) = next(plan)
    assert isinstance(request, Write)
    with pytest.raises(StopIteration) as done:
        plan.send([reply])
    return request, done.value.value


def test_what_was_asked_for_comes_in_its_order_and_nothing_else() -> None:
    request, variants = written(Answer(REPLY))
    assert "- German: translate it into German" in request.text
    assert PROMPT in request.text
    assert variants.value
    assert list(variants.value) == ["German", "Spanish"]
    assert variants.value["Spanish"] == "dos manzanas rojas sobre una mesa"
    assert variants.problem == ""
    assert are_readable_variants(request, Answer(REPLY), prompt=PROMPT, versions=WANTED)


@pytest.mark.parametrize(
    "reply",
    [
        Answer("I cannot do that."),
        Answer(REPLY, truncated=True),
        Answer(json.dumps({"versions": [{"label": "German", "prompt": PROMPT}]})),
        Answer(REPLY.replace("German", "1. German")),
        Failure("timeout", "The writer did not answer in time."),
    ],
)
def test_without_two_versions_there_are_none_and_one_sentence(reply: Reply) -> None:
    request, variants = written(reply)
    assert variants.value is None
    assert variants.problem.endswith(".")
    assert not are_readable_variants(request, reply, prompt=PROMPT, versions=WANTED)


@given(st.text())
def test_any_reply_is_read_without_an_error(text: str) -> None:
    for label, prompt in parse_prompt_variants(text).items():
        assert label
        assert 0 < len(prompt) <= MOST_CHARACTERS
