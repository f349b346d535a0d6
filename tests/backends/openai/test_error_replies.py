"""What a service says is wrong is read from any JSON and any header, and never raises."""

import json
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.openai import errors
from hallascope.backends.openai.error_replies import (
    ServiceErrorReply,
    error_in_reply,
    is_refusal,
    parse_error,
    retry_after,
)
from hallascope.backends.openai.errors import ServiceIdentity
from hallascope.backends.openai.responses import MalformedReply, ServiceError, read_completion
from hallascope.data.requests import Failure

IDENTITY = ServiceIdentity(title="Pretend", model="pretend-1", service="pretend.example")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("It is wrong.", "It is wrong."),
        ("<html>Bad gateway</html>", ""),
        ({"error": {"message": "Slow down."}}, "Slow down."),
        ({"error": "it fell over"}, "it fell over"),
        ([{"error": {"message": "Quota"}}], "Quota"),
        ({"detail": "Not Found"}, "Not Found"),
        (
            {"detail": [{"loc": ["body", "model"], "msg": "is missing"}, {"msg": "and more"}]},
            "body.model: is missing; and more",
        ),
        (
            {"message": "flagged", "metadata": {"reasons": ["violence", "sex"]}},
            "flagged (violence, sex)",
        ),
        (
            {"message": "failed", "metadata": {"raw": "upstream is down"}},
            "failed (upstream is down)",
        ),
        ({"message": "failed", "metadata": {"reasons": []}}, "failed"),
        (None, ""),
        ([], ""),
        ({"error": {"error": {"error": {"error": {"message": "too deep"}}}}}, ""),
    ],
)
def test_the_message_is_found_wherever_a_service_puts_it(body: object, message: str) -> None:
    assert parse_error(400, body).message == message


def test_codes_of_all_levels_are_in_lower_case_and_a_parameter_is_named() -> None:
    body = {
        "error": {
            "code": "Content_Filter",
            "type": 3,
            "status": "INVALID",
            "param": "messages[0].content",
            "innererror": {"code": "ResponsibleAIPolicyViolation"},
        }
    }
    error = parse_error(400, body)
    assert error.codes == {"content_filter", "invalid", "responsibleaipolicyviolation"}
    assert error.parameter == "messages[0].content"
    assert parse_error(400, {"error": {"param": 3}}).parameter == ""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"error": {"code": 502, "message": "Upstream is down"}}, 502),
        ({"error": {"code": "x", "status": 429}}, 429),
        ({"error": {"code": 200, "message": "odd"}}, 500),
        ({"error": {"code": "rate_limit_exceeded"}}, 429),
        ({"error": {"code": "content_filter"}}, 400),
        ({"error": "it fell over"}, 500),
    ],
)
def test_an_error_within_a_reply_has_the_status_that_it_states_or_amounts_to(
    body: object, status: int
) -> None:
    error = error_in_reply(body)
    assert error is not None
    assert error.status == status


@pytest.mark.parametrize("body", [None, [], "error", {}, {"error": None}, {"choices": []}])
def test_a_reply_without_an_error_has_none(body: object) -> None:
    assert error_in_reply(body) is None


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (ServiceErrorReply(status=400, codes=frozenset({"content_policy"})), True),
        (ServiceErrorReply(status=403, message="Your input was flagged"), True),
        (ServiceErrorReply(status=400, message="content filter", parameter="prompt"), True),
        (ServiceErrorReply(status=400, message="content filter", parameter="moderation"), False),
        (ServiceErrorReply(status=429, codes=frozenset({"content_policy"})), False),
        (ServiceErrorReply(status=500, message="Your input was flagged"), False),
        (ServiceErrorReply(status=400, message="The size is wrong"), False),
    ],
)
def test_a_refusal_is_told_from_other_errors(error: ServiceErrorReply, refused: bool) -> None:
    assert is_refusal(error) is refused


# --- how long to wait ---


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_from_the_headers(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert parse_error(429, {}, headers).retry_after == seconds


def test_a_date_to_wait_for_becomes_seconds() -> None:
    later, earlier = (formatdate(moment, usegmt=True) for moment in (1_000_030, 999_970))
    assert retry_after({"retry-after": later}, now=1_000_000) == 30
    assert retry_after({"retry-after": earlier}, now=1_000_000) == 0


def test_gemini_says_in_the_body_how_long_to_wait_and_headers_go_before_it() -> None:
    details = [{"@type": "RetryInfo", "retryDelay": "34s"}]
    body = [{"error": {"code": 429, "message": "Quota", "details": details}}]
    assert parse_error(429, body).retry_after == 34
    assert parse_error(429, body, {"retry-after": "7"}).retry_after == 7


@given(st.text(max_size=40), st.text(max_size=20))
def test_any_header_gives_seconds_from_zero_or_none(after: str, millis: str) -> None:
    seconds = retry_after({"retry-after": after, "retry-after-ms": millis})
    assert seconds is None or 0 <= seconds < float("inf")


# --- any body ---

FIELD_NAMES = st.sampled_from(
    [
        "message",
        "error",
        "detail",
        "code",
        "type",
        "param",
        "choices",
        "delta",
        "content",
        "usage",
        "metadata",
        "loc",
    ]
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(FIELD_NAMES | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.sampled_from([400, 401, 403, 404, 422, 429, 500, 503]), ANY_JSON)
def test_any_error_body_becomes_one_sentence(status: int, body: object) -> None:
    fault = errors.call_fault(parse_error(status, body), IDENTITY)
    sentence = fault.message if isinstance(fault, Failure) else str(fault)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 600


@given(ANY_JSON)
def test_any_reply_is_read_or_said_to_be_garbled(body: object) -> None:
    try:
        completion = read_completion(json.dumps(body).encode())
    except (MalformedReply, ServiceError):
        return
    assert isinstance(completion.text, str)
