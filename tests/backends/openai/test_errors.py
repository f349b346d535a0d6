"""Every fault of a service is told for what it is, in one sentence with the remedy, and none of
them tells the key.
"""

import traceback
from dataclasses import replace
from typing import Any

import httpx
import pytest

from hallascope.backends.base import Denied, HallaScopeError, Transient
from hallascope.data.requests import Answer, Ask, Failure, Generate, Usage, Write
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


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (
            error(429, "Slow down."),
            "rate_limited",
            (
                "pretend.example gets too many requests (it says: “Slow down”): run it again in a"
                " while."
            ),
        ),
        (
            error(500, "Oops."),
            "unavailable",
            "pretend.example has a fault (HTTP 500) (it says: “Oops”): run it again later.",
        ),
        (
            httpx.Response(502, text="<html>Bad gateway</html>"),
            "unavailable",
            "pretend.example has a fault (HTTP 502): run it again later.",
        ),
        (error(408), "unavailable", "run it again later"),
        (error(409), "unavailable", "run it again later"),
        (error(529, "Overloaded"), "unavailable", "run it again later"),
        (httpx.ReadTimeout("too long"), "timeout", "pretend.example did not answer in time"),
        (httpx.ConnectTimeout("too long"), "timeout", "pretend.example did not answer in time"),
        (
            httpx.ConnectError("refused"),
            "unavailable",
            "pretend.example could not be reached",
        ),
        (
            httpx.ReadError("reset"),
            "unavailable",
            "pretend.example could not be reached",
        ),
        (
            httpx.RemoteProtocolError("cut"),
            "unavailable",
            "pretend.example could not be reached",
        ),
        (
            httpx.Response(200, text="<html>hello</html>"),
            "unavailable",
            "The reply of pretend.example is not whole, or no JSON: run it again.",
        ),
        (
            httpx.Response(200, text='{"choices": [{"mess'),
            "unavailable",
            "is not whole, or no JSON",
        ),
        (httpx.Response(200, json={"object": "list"}), "unavailable", "holds no answer"),
        (httpx.Response(200, json={"choices": None}), "unavailable", "holds no answer"),
        (
            httpx.Response(200, json={"error": {"code": 502, "message": "Upstream is down"}}),
            "unavailable",
            "Upstream is down",
        ),
        (
            httpx.Response(200, json={"error": {"code": 429, "message": "Too fast"}}),
            "rate_limited",
            "Too fast",
        ),
    ],
)
def test_what_may_pass_is_raised_to_be_tried_again(reply: Any, kind: str, said: str) -> None:
    outcome = _outcome(reply)
    assert isinstance(outcome, Transient)
    assert outcome.kind == kind
    assert said in str(outcome)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            error(401, "Incorrect API key provided: sk-te*******fgh."),
            f"expired or wrong: put a valid one into {NAME} or the key field.",
        ),
        (
            error(
                400, "API key not valid. Please pass a valid API key.", status="INVALID_ARGUMENT"
            ),
            f"put a valid one into {NAME}",
        ),
        (
            error(403, "Country not supported"),
            "not let us use 'pretend-1' (it says: “Country not supported”);"
            " the key is expired, wrong",
        ),
        (
            error(404, "The model does not exist", code="model_not_found"),
            "pretend.example knows no model 'pretend-1', or there is no such",
        ),
        (error(400, "No.", code="model_not_found"), "knows no model 'pretend-1'"),
        (
            httpx.Response(
                400, json={"detail": "Server is pinned to 'writer'; requested 'pretend-1'."}
            ),
            "knows no model 'pretend-1'",
        ),
        (
            httpx.Response(404, json={"detail": "Not Found"}),
            "or there is no such address (it says: “Not Found”)",
        ),
        (
            error(429, "You exceeded your current quota", code="insufficient_quota"),
            "There is no credit left at pretend.example",
        ),
        (error(402, "Add credits"), "There is no credit left at pretend.example"),
        (
            error(400, "Billing hard limit has been reached", code="billing_hard_limit_reached"),
            "There is no credit left",
        ),
    ],
)
def test_what_will_not_pass_is_denied_at_once_with_the_remedy(
    reply: httpx.Response, said: str
) -> None:
    service = Service(reply)
    with pytest.raises(Denied) as caught:
        service.model().ask([ASK])
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")
    assert len(service.sent) == 1


def test_where_the_entry_names_no_key_the_sentence_says_to_name_one() -> None:
    with pytest.raises(Denied, match="name one in its entry"):
        Service(error(401)).model(replace(SPEC, needs=())).ask([ASK])


@pytest.mark.parametrize(
    "reply",
    [
        error(400, "Your request was rejected by the safety system.", code="moderation_blocked"),
        error(
            400,
            "Filtered.",
            code="content_filter",
            innererror={"code": "ResponsibleAIPolicyViolation"},
        ),
        error(
            400, "It violates our content policy.", code="content_policy_violation", param="prompt"
        ),
        error(
            403,
            "pretend requires moderation and your input was flagged",
            metadata={"reasons": ["violence"]},
        ),
        chat(None, message={"content": None, "refusal": "I will not look at this."}),
        chat("I will n", "content_filter"),
    ],
)
def test_a_refusal_is_a_failure_with_the_service_s_words_and_is_not_asked_again(
    reply: httpx.Response,
) -> None:
    service = Service(reply)
    (failure,) = service.model().ask([ASK])
    assert isinstance(failure, Failure)
    assert failure.kind == "refused"
    assert failure.message.startswith("Pretend refuses this request")
    assert len(service.sent) == 1


def test_refusals_say_why_and_what_they_took() -> None:
    blocked = _outcome(error(403, "Your input was flagged", metadata={"reasons": ["violence"]}))
    assert (
        blocked.message
        == "Pretend refuses this request: “Your input was flagged (violence)”. Change the prompt,"
        " or choose another model."
    )
    spoken = _outcome(chat(None, message={"content": None, "refusal": "I will not look at this."}))
    assert "“I will not look at this”" in spoken.message
    assert spoken.usage == Usage(7, 2)
    picture = _outcome(
        error(400, "Rejected by the safety system.", code="moderation_blocked"),
        request=Generate("a fight", 0),
    )
    assert _kind(picture) == "refused"


def test_a_filter_that_strikes_within_a_stream_is_a_refusal() -> None:
    struck = {"error": {"message": "Filtered.", "code": "content_filter"}}
    assert _kind(_outcome(stream(piece("Half"), struck, done=False), request=WRITE)) == "refused"


def test_a_refusal_in_pieces_is_one_refusal() -> None:
    pieces = [{"choices": [{"delta": {"refusal": part}}]} for part in ("I will ", "not.")]
    outcome = _outcome(stream(*pieces, piece(None, "stop")), request=WRITE)
    assert (outcome.kind, "“I will not”" in outcome.message) == ("refused", True)


@pytest.mark.parametrize("text", ["", None, "  \n"])
def test_nothing_is_an_empty_failure_with_what_it_took(text: str | None) -> None:
    outcome = _outcome(chat(text))
    assert (outcome.kind, outcome.usage) == ("empty", Usage(7, 2))
    cut = _outcome(chat(text, "length"))
    assert "300 tokens were used up before: raise `max_tokens`" in cut.message


@pytest.mark.parametrize("status", [400, 413, 422, 500, 501])
def test_a_request_that_is_not_taken_is_broken_with_the_service_s_words(status: int) -> None:
    outcome = _outcome(error(status, "image input is not supported"))
    assert _kind(outcome) == "broken"
    assert f"(HTTP {status}) (it says: “image input is not supported”)" in outcome.message


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (stream(piece("Half a sen"), done=False), "broke off in the middle"),
        (stream(piece("Half"), {"error": "it fell over"}, done=False), "it fell over"),
        (
            stream(piece("Half"), {"error": {"message": "it fell over", "code": None}}),
            "it fell over",
        ),
    ],
)
def test_a_stream_that_breaks_off_is_tried_again(reply: httpx.Response, said: str) -> None:
    outcome = _outcome(reply, request=WRITE)
    assert isinstance(outcome, Transient)
    assert said in str(outcome)


def test_a_stream_with_only_one_mark_of_its_end_is_whole() -> None:
    assert _outcome(stream(piece("Done")), request=WRITE) == Answer("Done")
    assert _outcome(stream(piece("Done", "stop"), done=False), request=WRITE) == Answer("Done")


# --- the key ---

_ECHOES = [
    *(
        error(status, f"Wrong key {KEY} in Bearer {KEY}", code=f"x{KEY}")
        for status in (400, 401, 403, 404, 409, 422, 429, 500, 503)
    ),
    error(400, f"content policy: {KEY}"),
    httpx.Response(500, text=f"Authorization: Bearer {KEY}"),
    httpx.Response(200, text=f"no JSON, but {KEY}"),
    httpx.Response(200, json={"error": f"{KEY} is not right"}),
    httpx.ConnectError(f"failed with {KEY}"),
    httpx.ReadTimeout(f"failed with {KEY}"),
    chat(f"Your key is {KEY}."),
    chat(None, message={"content": None, "refusal": f"Not with {KEY}."}),
]


@pytest.mark.parametrize("reply", _ECHOES, ids=range(len(_ECHOES)))
@pytest.mark.parametrize(
    "request_", [ASK, WRITE, Generate("a cat", 0)], ids=["ask", "write", "generate"]
)
def test_a_service_that_repeats_the_key_cannot_make_us_tell_it(reply: Any, request_: Any) -> None:
    outcome = _outcome(reply, request=request_)
    shown = repr(outcome)
    if isinstance(outcome, HallaScopeError):
        # also where somebody follows what an error carries along, or prints all locals
        assert outcome.__cause__ is None
        assert outcome.__context__ is None
        shown += str(outcome) + "".join(traceback.format_exception(outcome))
        shown += _locals(traceback.TracebackException.from_exception(outcome, capture_locals=True))
    assert KEY not in shown
    assert KEY[3:] not in shown


def _locals(story: traceback.TracebackException) -> str:
    """All local variables of our own modules, as an eager error page shows them."""
    return "".join(
        str(frame.locals)
        for frame in story.stack
        if "/backends/openai" in frame.filename and "/tests/" not in frame.filename
    )


def test_stars_in_a_repeated_key_do_not_help_it_out() -> None:
    outcome = _outcome(error(403, "The key sk-te****************fgh may not."))
    assert "fgh" not in str(outcome)
