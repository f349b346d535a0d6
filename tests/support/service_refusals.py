"""What `tests.support.service` refuses, in the words and error objects of each service."""

import re
from typing import Any

from tests.support.service_lists import ServedModel

_INVALID = "invalid_request_error"
_QUOTA = "You exceeded your current quota, please check your plan and billing details."
# What any request may meet: status, message, type, code.
STOPS: dict[str, tuple[int, str, str, str | None]] = {
    "wrong_key": (401, "Incorrect API key provided: sk-s***4711.", _INVALID, "invalid_api_key"),
    "not_allowed": (403, "You have insufficient permissions.", _INVALID, None),
    "redirect": (307, "Moved.", "server_error", None),
    "unavailable": (503, "The server is not ready yet.", "server_error", None),
}
# What whoever asks a model may meet.
FAULTS = STOPS | {
    "no_credit": (402, "Insufficient credits.", _INVALID, None),
    "insufficient_quota": (429, _QUOTA, "insufficient_quota", "insufficient_quota"),
}


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
        if service == "router" and self.status == 401:
            return {"error": "Invalid username or password."}
        codes = {"type": self.kind, "param": self.param, "code": self.code}
        return {"error": {"message": str(self), **codes}}

    def headers(self) -> dict[str, str]:
        """Return what it says beside: where to go."""
        return {"Location": "https://elsewhere.example/v1"} if self.name == "redirect" else {}


def stop(name: str) -> Refusal:
    """Return the refusal of that name among `FAULTS`."""
    return Refusal(name, *FAULTS[name])


def check_parameters(service: str, model: ServedModel, body: dict[str, Any]) -> None:
    """Refuse what OpenAI's models that reason do not take."""
    if service != "openai":
        return
    effort = body.get("reasoning_effort")
    if effort and not model.efforts:
        message = "Unrecognized request argument supplied: reasoning_effort"
        raise Refusal("reasoning_effort", 400, message)
    sent = {name for name, value in body.items() if value is not None and value is not False}
    sent -= {name for name in ("temperature", "top_p") if body.get(name) == 1}
    refused = ("temperature", "max_tokens", "logprobs", "top_logprobs", "top_p")
    for name in refused if model.efforts else ():
        if name in sent:
            raise _unsupported(name, body[name], "Only the default (1) value is supported.")
    if effort and effort not in model.efforts:
        taken = ", ".join(map(repr, model.efforts))
        raise _unsupported("reasoning_effort", effort, f"Supported values are: {taken}.")


def _unsupported(name: str, value: object, supported: str) -> Refusal:
    if name in ("temperature", "reasoning_effort"):
        message = f"Unsupported value: '{name}' does not support {value!r} with this model."
        message = f"{message} {supported}"
        return Refusal(name, 400, message, code="unsupported_value", param=name)
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    if name == "max_tokens":
        message += " Use 'max_completion_tokens' instead."
    return Refusal(name, 400, message, code="unsupported_parameter", param=name)


def check_image_parameters(model: ServedModel, body: dict[str, Any]) -> None:
    """Refuse what OpenAI's image models do not take."""
    if name := next((each for each in ("response_format", "style") if each in body), ""):
        message = f"Unknown parameter: '{name}'."
        raise Refusal(name, 400, message, code="unknown_parameter", param=name)
    qualities = ["low", "medium", "high", "auto"]
    qualities += ["xhigh", "max"] if model.id.startswith("gpt-image-2.5") else []
    sizes = ["1024x1024", "1024x1536", "1536x1024", "auto"]
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
