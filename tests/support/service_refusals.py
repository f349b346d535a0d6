"""What `tests.support.service` refuses, in the words and error objects of each service."""

import re
from collections.abc import Callable, Iterable
from email.utils import formatdate
from typing import Any

from tests.support.service_lists import ServedModel

LONGEST_PROMPT = 32_000
_INVALID = "invalid_request_error"
_QUOTA = "You exceeded your current quota, please check your plan and billing details."
_NO_MODEL = "The model '{model}' does not exist or you do not have access to it."
# What any request may meet: status, message, type, code.
STOPS: dict[str, tuple[int, str, str, str | None]] = {
    "wrong_key": (401, "Incorrect API key provided: sk-s***4711.", _INVALID, "invalid_api_key"),
    "not_allowed": (403, "You have insufficient permissions.", _INVALID, None),
    "rate_limit": (429, "Rate limit reached.", "requests", "rate_limit_exceeded"),
    "rate_limit_date": (429, "Rate limit reached.", "requests", "rate_limit_exceeded"),
    "redirect": (307, "Moved.", "server_error", None),
    "unavailable": (503, "The server is not ready yet.", "server_error", None),
    "overloaded": (529, "Overloaded.", "overloaded_error", None),
}
# What whoever asks a model may meet.
MODEL_STOPS = STOPS | {
    "no_credit": (402, "Insufficient credits.", _INVALID, None),
    "insufficient_quota": (429, _QUOTA, "insufficient_quota", "insufficient_quota"),
    "model_not_found": (404, _NO_MODEL, _INVALID, "model_not_found"),
    "unnamed_parameter": (400, "Bad request.", _INVALID, None),
}
PARAMETERS: tuple[str, ...] = ("temperature", "max_tokens", "logprobs", "top_p", "reasoning_effort")
PARAMETERS += ("response_format", "stream_options", "seed")
# What may become of a reply that is charged all the same.
ENDINGS: tuple[str, ...] = (
    "moderation",
    "plain_refusal",
    "content_filter",
    "empty_at_length",
    "no_choices",
)
ENDINGS += ("broken_json", "broken_answer")
STREAM_ENDINGS = ("half_stream", "error_in_stream")
FAULTS = (*MODEL_STOPS, *PARAMETERS, *ENDINGS, *STREAM_ENDINGS)
_GOOGLE_STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED"}
_GOOGLE_STATUS |= {404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}


class Refusal(Exception):
    """Says why a request is refused: the name of it for tests, and the fields of the error."""

    def __init__(
        self,
        name: str,
        status: int,
        message: str,
        kind: str = _INVALID,
        code: str | None = None,
        param: str | None = None,
    ) -> None:
        super().__init__(message)
        self.name, self.status, self.kind, self.code, self.param = name, status, kind, code, param

    def document(self, service: str) -> Any:
        """Return the error object as this service sends it."""
        message = str(self)
        if service == "gemini":
            status = _GOOGLE_STATUS.get(self.status, "INTERNAL")
            if self.name == "wrong_key":
                message = "API key not valid. Please pass a valid API key."
            return [{"error": {"code": self.status, "message": message, "status": status}}]
        if service == "openrouter":
            return {"error": {"message": message, "code": self.status}}
        if service == "router" and self.status == 401:
            return {"error": "Invalid username or password."}
        codes = {"type": self.kind, "param": self.param, "code": self.code}
        return {"error": {"message": message, **codes}}

    def headers(self) -> dict[str, str]:
        """Return what it says beside: when to come again, or where to go."""
        return {
            "rate_limit": {"Retry-After": "0"},
            "rate_limit_date": {"Retry-After": formatdate(usegmt=True)},
            "redirect": {"Location": "https://elsewhere.example/v1"},
        }.get(self.name, {})


def stop(name: str, body: dict[str, Any]) -> Refusal:
    """Return the refusal of that name among `MODEL_STOPS`."""
    status, message, kind, code = MODEL_STOPS[name]
    return Refusal(name, status, message.format(model=body.get("model")), kind, code)


def moderated() -> Refusal:
    """Return the refusal of a prompt for its content."""
    message = "Your request was rejected by the safety system."
    kind = "image_generation_user_error"
    return Refusal("moderation", 400, message, kind, "moderation_blocked")


def check_parameters(
    service: str, model: ServedModel, body: dict[str, Any], meet: Callable[[Iterable[str]], str]
) -> None:
    """Refuse what OpenAI's models that reason do not take, and the faults that `meet` gives."""
    sent = {name for name, value in body.items() if value is not None and value is not False}
    sent -= {name for name in ("temperature", "top_p") if body.get(name) == 1}
    if "top_logprobs" in sent:
        sent.add("logprobs")
    refused = set[str]()
    if service == "openai" and model.efforts:
        refused = sent & {"temperature", "max_tokens", "logprobs", "top_p"}
    effort = body.get("reasoning_effort")
    if effort and service == "openai" and not model.efforts:
        message = "Unrecognized request argument supplied: reasoning_effort"
        raise Refusal("reasoning_effort", 400, message)
    if effort and service in ("openai", "gemini") and effort not in model.efforts:
        refused.add("reasoning_effort")
    name = next((each for each in PARAMETERS if each in refused), "")
    name = name or meet(each for each in PARAMETERS if each in sent)
    if name:
        raise _unsupported(name, body.get(name), model)


def _unsupported(name: str, value: object, model: ServedModel) -> Refusal:
    if name in ("temperature", "reasoning_effort"):
        message = f"Unsupported value: '{name}' does not support {value!r} with this model."
        taken = ", ".join(repr(each) for each in model.efforts if each != value)
        more = {"temperature": "Only the default (1) value is supported."}
        message = f"{message} {more.get(name, f'Supported values are: {taken}.')}"
        return Refusal(name, 400, message, code="unsupported_value", param=name)
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    if name == "max_tokens":
        message += " Use 'max_completion_tokens' instead."
    return Refusal(name, 400, message, code="unsupported_parameter", param=name)


def check_image_parameters(
    service: str, model: ServedModel, body: dict[str, Any], meet: Callable[[Iterable[str]], str]
) -> None:
    """Refuse what OpenAI's image models do not take, and the faults that `meet` gives."""
    unknown = ("response_format", "style") if service == "openai" else ()
    name = next((each for each in unknown if each in body), "")
    if name := name or meet(each for each in ("response_format", "seed") if each in body):
        message = f"Unknown parameter: '{name}'."
        raise Refusal(name, 400, message, code="unknown_parameter", param=name)
    if (length := len(body.get("prompt", ""))) > LONGEST_PROMPT:
        message = f"Invalid 'prompt': string too long, {length} of at most {LONGEST_PROMPT}."
        raise Refusal("prompt", 400, message, code="string_above_max_length", param="prompt")
    if service != "openai":
        return
    qualities = ["low", "medium", "high", "auto"]
    qualities += ["xhigh", "max"] if model.id.startswith("gpt-image-2.5") else []
    sizes = ["1024x1024", "1024x1536", "1536x1024", "auto"]
    width, height = image_size(body)
    is_free = model.id.startswith("gpt-image-2") and width % 16 == height % 16 == 0
    is_free = is_free and max(width, height) <= min(3840, 3 * min(width, height))
    if is_free and 655_360 <= width * height <= 3840 * 2160:
        sizes.append(f"{width}x{height}")
    for name, taken in (("quality", qualities), ("size", sizes)):
        if (value := body.get(name) or "auto") not in taken:
            choices = ", ".join(map(repr, taken))
            message = f"Invalid value: {value!r}. Supported values are: {choices}."
            raise Refusal(name, 400, message, code="invalid_value", param=name)


def image_size(body: dict[str, Any]) -> tuple[int, int]:
    """Return width and height; (0, 0) where the size is none."""
    size = str(body.get("size") or "auto")
    found = re.fullmatch(r"(\d+)x(\d+)", "1024x1024" if size == "auto" else size)
    return (int(found[1]), int(found[2])) if found else (0, 0)
