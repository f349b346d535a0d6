"""Replies are read whole and streamed, with the probability of each letter and the usage."""

import json
import math
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat.chat_completion import ChoiceLogprobs

from hallascope.backends.openai import responses
from hallascope.data.records import LETTERS
from hallascope.data.requests import Answer, Usage, Write
from tests.support.any_json import any_json
from tests.support.fake_service import Service, chat, piece, stream
from tests.support.service_requests import choice_question, only

EVENTS = {"content-type": "text/event-stream"}


def test_a_letter_comes_back_with_the_probability_of_each_choice_and_its_usage() -> None:
    letters = {"A": 0.1, '"B"': 0.5, " B": 0.2, "C": 0.1, "Blue": 0.05, "b": 0.05}
    told = [{"token": token, "logprob": math.log(chance)} for token, chance in letters.items()]
    tokens = [
        {"token": '{"answer":', "logprob": 0.0, "top_logprobs": []},
        {"token": '"B"', "logprob": -0.7, "top_logprobs": told},
    ]
    reply = only(
        Service(chat('{"answer":"B"}', logprobs={"content": tokens}))
        .model()
        .ask([choice_question()])
    )
    assert reply == Answer('{"answer":"B"}', reply.probabilities, Usage(7, 2), protocol="schema")
    assert reply.probabilities == pytest.approx((0.1 / 0.95, 0.75 / 0.95, 0.1 / 0.95, 0.0, 0.0))


def test_pieces_are_put_together_and_counted_aloud() -> None:
    heard: list[tuple[int, int]] = []
    usage = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 3}}
    service = Service(stream(piece("Red "), piece("and blue"), piece(None, "stop"), usage))
    reply = only(
        service.model().ask([choice_question(choices=())], lambda *step: heard.append(step))
    )
    assert reply == Answer("Red and blue", None, Usage(11, 3))
    assert heard == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]


@given(
    st.lists(st.text(max_size=8), min_size=1, max_size=6),
    st.integers(1, 9),
    st.sampled_from(["\n\n", "\r\n\r\n"]),
)
def test_a_stream_says_the_same_however_it_is_cut(texts: list[str], size: int, end: str) -> None:
    raw = [json.dumps(piece(text), ensure_ascii=False) for text in texts] + [
        json.dumps(piece(None, "stop")),
        "[DONE]",
    ]
    whole = ": a comment\n" + "".join(f"data: {line}{end}" for line in raw)
    data = whole.encode("utf-8", "surrogatepass")
    chunks = (data[at : at + size] for at in range(0, len(data), size))
    service = Service(httpx2.Response(200, content=chunks, headers=EVENTS))
    reply = only(service.model().write([Write("Say.")]))
    said = "".join(texts)
    assert reply.text == said.replace("\0", "") if said.strip() else reply.kind == "empty"


def test_a_server_that_answers_at_once_though_asked_for_pieces_is_understood() -> None:
    assert only(Service(chat("All of it", "length")).model().write([Write("Go on.")])) == Answer(
        "All of it", None, Usage(7, 2), truncated=True
    )


def test_a_character_that_comes_in_halves_is_put_together_and_half_a_one_can_be_stored() -> None:
    service = Service(stream(piece("\ud83d"), piece("\ude00 \ud83d \0done", "stop")))
    assert only(service.model().write([Write("Smile.")])).text == "\U0001f600 \ufffd done"


def _built(tokens: list[Any]) -> list[Any]:
    """As the package builds them, without checking."""
    return ChoiceLogprobs.construct(content=tokens).content or []


_json = any_json(st.sampled_from(["token", "logprob", "top_logprobs", "x"]))


_token = st.fixed_dictionaries(
    {
        "token": st.sampled_from([*LETTERS, '"B"', " C", "Blue", '{"answer":"'])
        | st.text(max_size=4),
        "top_logprobs": st.lists(
            st.fixed_dictionaries(
                {
                    "token": st.sampled_from([*LETTERS, " A", "x"]),
                    "logprob": st.floats(max_value=0.5) | st.none(),
                }
            )
        ),
    }
)


@given(st.lists(_token | _json, max_size=6), st.integers(0, 6))
def test_probabilities_are_one_a_choice_and_sum_to_one_whatever_comes(
    tokens: list[object], count: int
) -> None:
    found = responses.probabilities(_built(tokens), count)
    if found is not None:
        assert len(found) == count
        assert all(0 <= each <= 1 for each in found)
        assert sum(found) == pytest.approx(1)
