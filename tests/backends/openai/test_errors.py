"""Every fault of a service is told for what it is, in one sentence with the remedy, and none of
them tells the key.
"""

import json
import time
import traceback
from dataclasses import replace
from email.utils import formatdate
from itertools import product
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.base import Denied, HallaScopeError, Transient
from hallascope.backends.openai import errors
from hallascope.backends.openai.errors import ServiceIdentity, parse_error
from hallascope.data.requests import Answer, Ask, Failure, Generate, Usage, Write
from tests.support.any_json import any_json
from tests.support.fake_service import KEY, NAME, SPEC, Service, chat, error, piece, stream

ASK = Ask(images=(), text="Which?", question="Which?", choices=("Red", "Blue"))
WRITE = Write("Tell.")


def _outcome(*replies: Any, request: Ask | Write | Generate = ASK) -> Any:
    """The reply, or the error that is raised."""
    model = Service(*replies).model()
    try:
        match request:
            case Ask():
                return model.ask([request])[0]
            case Write():
                return model.write([request])[0]
            case _:
                return model.generate([request])[0]
    except HallaScopeError as error:
        return error


def _kind(outcome: Any) -> str:
    return str(outcome.kind)


def test_what_may_pass_is_raised_to_be_tried_again_and_says_whether_it_may_be_charged() -> None:
    for reply, kind, charged, said in (
        (
            error(429, "Slow down."),
            "rate_limited",
            False,
            "too many requests (it says: “Slow down”)",
        ),
        (error(500, "Oops."), "unavailable", False, "has a fault (HTTP 500) (it says: “Oops”)"),
        (httpx2.Response(502, text="<html>Bad</html>"), "unavailable", False, "(HTTP 502): run"),
        (error(408), "unavailable", False, "run it again later"),
        (error(409), "unavailable", False, "run it again later"),
        (error(529, "Overloaded"), "unavailable", False, "run it again later"),
        (httpx2.ReadTimeout("late"), "timeout", True, "pretend.example did not answer in time"),
        (httpx2.ConnectTimeout("late"), "timeout", False, "pretend.example did not answer in time"),
        (httpx2.ConnectError("refused"), "unavailable", False, "could not be reached"),
        (httpx2.ReadError("reset"), "unavailable", True, "could not be reached"),
        (httpx2.RemoteProtocolError("cut"), "unavailable", True, "could not be reached"),
        (httpx2.Response(200, text="<html>"), "unavailable", True, "is not whole, or no JSON"),
        (httpx2.Response(200, text='{"choices": [{"m'), "unavailable", True, "is not whole"),
        (httpx2.Response(200, json={"choices": None}), "unavailable", True, "holds no answer"),
        (
            httpx2.Response(200, json={"error": {"code": 429, "message": "Too fast"}}),
            "rate_limited",
            False,
            "Too fast",
        ),
    ):
        outcome = _outcome(reply)
        assert isinstance(outcome, Transient), said
        assert (outcome.kind, outcome.may_be_charged) == (kind, charged), said
        assert said in str(outcome)


def test_what_will_not_pass_is_denied_at_once_with_the_remedy() -> None:
    for reply, said in (
        (error(401, "Incorrect key: sk-te*****fgh."), f"put a valid one into {NAME}"),
        (error(400, "API key not valid.", status="INVALID_ARGUMENT"), f"valid one into {NAME}"),
        (error(403, "Country not supported"), "not let us use 'pretend-1' (it says: “Country"),
        (error(404, "No such", code="model_not_found"), "knows no model 'pretend-1', or there is"),
        (error(400, "No.", code="model_not_found"), "knows no model 'pretend-1'"),
        (
            httpx2.Response(400, json={"detail": "Pinned to 'writer'; requested 'pretend-1'."}),
            "knows no model 'pretend-1'",
        ),
        (httpx2.Response(404, json={"detail": "Not Found"}), "or there is no such address"),
        (error(429, "Over quota", code="insufficient_quota"), "There is no credit left at pretend"),
        (error(402, "Add credits"), "There is no credit left at pretend.example"),
        (error(400, "Hard limit", code="billing_hard_limit_reached"), "There is no credit left"),
    ):
        service = Service(reply)
        with pytest.raises(Denied) as caught:
            service.model().ask([ASK])
        assert said in str(caught.value)
        assert str(caught.value).endswith(".")
        assert len(service.sent) == 1


def test_where_the_entry_names_no_key_the_sentence_says_to_name_one() -> None:
    with pytest.raises(Denied, match="name one in its entry"):
        Service(error(401)).model(replace(SPEC, needs=())).ask([ASK])


def test_a_refusal_is_a_failure_with_the_service_s_words_and_is_not_asked_again() -> None:
    for reply in (
        error(400, "Your request was rejected by the safety system.", code="moderation_blocked"),
        error(400, "No.", code="content_filter", innererror={"code": "ResponsibleAIPolicy"}),
        error(400, "Against the policy.", code="content_policy_violation", param="prompt"),
        error(403, "your input was flagged", metadata={"reasons": ["violence"]}),
        chat(None, message={"content": None, "refusal": "I will not look at this."}),
        chat("I will n", "content_filter"),
    ):
        service = Service(reply)
        (failure,) = service.model().ask([ASK])
        assert isinstance(failure, Failure)
        assert failure.kind == "refused"
        assert failure.message.startswith("Pretend refuses this request")
        assert len(service.sent) == 1


def test_refusals_say_why_and_what_they_took() -> None:
    blocked = _outcome(error(403, "Your input was flagged", metadata={"reasons": ["violence"]}))
    assert "“Your input was flagged: violence”. Change the prompt" in blocked.message
    spoken = _outcome(chat(None, message={"content": None, "refusal": "I will not look at this."}))
    assert "“I will not look at this”" in spoken.message
    assert spoken.usage == Usage(7, 2)
    picture = _outcome(
        error(400, "Rejected by the safety system.", code="moderation_blocked"),
        request=Generate("a fight", 0),
    )
    assert _kind(picture) == "refused"


def test_a_refusal_within_a_stream_is_one_refusal() -> None:
    struck = {"error": {"message": "Filtered.", "code": "content_filter"}}
    assert _kind(_outcome(stream(piece("Half"), struck, done=False), request=WRITE)) == "refused"
    pieces = [{"choices": [{"delta": {"refusal": part}}]} for part in ("I will ", "not.")]
    outcome = _outcome(stream(*pieces, piece(None, "stop")), request=WRITE)
    assert (outcome.kind, "“I will not”" in outcome.message) == ("refused", True)


@pytest.mark.parametrize("text", ["", None, "  \n"])
def test_nothing_is_an_empty_failure_with_what_it_took(text: str | None) -> None:
    outcome = _outcome(chat(text))
    assert (outcome.kind, outcome.usage) == ("empty", Usage(7, 2))


def test_a_request_that_is_not_taken_is_broken_with_the_service_s_words() -> None:
    for status in (400, 413, 422, 500, 501):
        outcome = _outcome(error(status, "image input is not supported"))
        assert _kind(outcome) == "broken"
        assert f"(HTTP {status}) (it says: “image input is not supported”)" in outcome.message


def test_a_stream_that_breaks_off_is_tried_again_and_one_with_a_mark_of_its_end_is_whole() -> None:
    half, fallen = piece("Half"), {"message": "it fell over", "code": None}
    for reply, said in (
        (stream(piece("Half a sen"), done=False), "broke off in the middle"),
        (stream(half, {"error": "it fell over"}, done=False), "it fell over"),
        (stream(half, {"error": fallen}), "it fell over"),
    ):
        outcome = _outcome(reply, request=WRITE)
        assert isinstance(outcome, Transient)
        assert said in str(outcome)
    assert _outcome(stream(piece("Done")), request=WRITE) == Answer("Done")
    assert _outcome(stream(piece("Done", "stop"), done=False), request=WRITE) == Answer("Done")


# --- the key ---

_ECHOES = [
    *(
        error(status, f"Wrong key {KEY} in Bearer {KEY}", code=f"x{KEY}")
        for status in (400, 401, 403, 404, 409, 422, 429, 500, 503)
    ),
    error(400, f"content policy: {KEY}"),
    httpx2.Response(500, text=f"Authorization: Bearer {KEY}"),
    httpx2.Response(200, text=f"no JSON, but {KEY}"),
    httpx2.Response(200, json={"error": f"{KEY} is not right"}),
    httpx2.ConnectError(f"failed with {KEY}"),
    httpx2.ReadTimeout(f"failed with {KEY}"),
    chat(f"Your key is {KEY}."),
    chat(None, message={"content": None, "refusal": f"Not with {KEY}."}),
]


def test_a_service_that_repeats_the_key_cannot_make_us_tell_it() -> None:
    requests: tuple[Ask | Write | Generate, ...] = (ASK, WRITE, Generate("a cat", 0))
    for request, reply in product(requests, _ECHOES):
        outcome = _outcome(reply, request=request)
        shown = repr(outcome)
        if isinstance(outcome, HallaScopeError):
            # also where somebody follows what an error carries along, or prints all locals
            assert outcome.__cause__ is None
            assert outcome.__context__ is None
            shown += str(outcome) + "".join(traceback.format_exception(outcome))
            story = traceback.TracebackException.from_exception(outcome, capture_locals=True)
            shown += "".join(
                str(frame.locals)
                for frame in story.stack
                if "/backends/openai" in frame.filename and "/tests/" not in frame.filename
            )
        assert KEY not in shown, (request, reply)
        assert KEY[3:] not in shown, (request, reply)


# --- what a service says is wrong is read from any JSON and any header ---


def test_stars_in_a_repeated_key_do_not_help_it_out() -> None:
    outcome = _outcome(error(403, "The key sk-te****************fgh may not."))
    assert "fgh" not in str(outcome)


@pytest.mark.parametrize(
    "body, kind, said",
    [
        ({"error": {"code": 502, "message": "Upstream is down"}}, "unavailable", "HTTP 502"),
        ({"error": {"code": "x", "status": 429}}, "rate_limited", "too many requests"),
        ({"error": {"code": 200, "message": "odd"}}, "unavailable", "odd"),
        ({"error": {"code": "rate_limit_exceeded"}}, "rate_limited", "too many requests"),
        ({"error": {"code": "content_filter"}}, "refused", "refuses this request"),
        ({"error": "it fell over"}, "unavailable", "it fell over"),
    ],
)
def test_an_error_within_a_reply_means_what_it_states_or_amounts_to(
    body: object, kind: str, said: str
) -> None:
    outcome = _outcome(httpx2.Response(200, json=body))
    assert _kind(outcome) == kind
    assert said in (outcome.message if isinstance(outcome, Failure) else str(outcome))


def test_how_long_to_wait_is_read_from_the_headers() -> None:
    for headers, seconds in (
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ):
        assert parse_error(429, {}, headers).retry_after == seconds, headers


def test_a_date_to_wait_for_becomes_seconds() -> None:
    later, earlier = (formatdate(time.time() + seconds, usegmt=True) for seconds in (30, -30))
    assert parse_error(429, {}, {"retry-after": later}).retry_after == pytest.approx(30, abs=2)
    assert parse_error(429, {}, {"retry-after": earlier}).retry_after == 0


def test_gemini_says_in_the_body_how_long_to_wait_and_headers_go_before_it() -> None:
    details = [{"@type": "RetryInfo", "retryDelay": "34s"}]
    body = [{"error": {"code": 429, "message": "Quota", "details": details}}]
    assert parse_error(429, body).retry_after == 34
    assert parse_error(429, body, {"retry-after": "7"}).retry_after == 7


# --- any body ---

FIELDS = "message error detail code type param choices delta content usage metadata loc data url"
FIELDS += " b64_json prompt_tokens logprobs finish_reason refusal _fields_set"
FIELD_NAMES = st.sampled_from(FIELDS.split())
ANY_JSON = any_json(FIELD_NAMES | st.text(max_size=4))


@given(ANY_JSON)
def test_any_reply_is_read_or_said_to_be_garbled(body: object) -> None:
    data = json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    for request in (ASK, WRITE, Generate("a cat", 0)):
        outcome = _outcome(httpx2.Response(200, content=data, headers=headers), request=request)
        assert isinstance(outcome, Answer | Failure | Transient | Denied)
    outcome = _outcome(stream(body), request=WRITE)
    assert isinstance(outcome, Answer | Failure | Transient | Denied)


IDENTITY = ServiceIdentity(title="Pretend", model="pretend-1", service="pretend.example")


@given(st.sampled_from([400, 401, 403, 404, 422, 429, 500, 503]), ANY_JSON)
def test_any_error_body_becomes_one_sentence(status: int, body: object) -> None:
    fault = errors.call_fault(parse_error(status, body), IDENTITY)
    sentence = fault.message if isinstance(fault, Failure) else str(fault)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 600


@given(st.text(max_size=40), st.text(max_size=20))
def test_any_header_gives_seconds_from_zero_or_none(after: str, millis: str) -> None:
    seconds = parse_error(429, {}, {"retry-after": after, "retry-after-ms": millis}).retry_after
    assert seconds is None or 0 <= seconds < float("inf")
