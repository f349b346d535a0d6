"""Builds the requests to a service, and adapts parameters that it complains of.

Services differ in what they take, and no list of it is reliable. So every useful parameter is sent,
and what a service complains of is left out, remembered, and named in every reply.
"""

import re
import threading
from collections.abc import Mapping
from typing import Any

from hallascope.backends.openai.error_replies import ServiceErrorReply
from hallascope.backends.openai.images import data_url
from hallascope.data.models.specs import ModelSpec
from hallascope.data.models.token_limits import token_limit
from hallascope.data.records import LETTERS
from hallascope.data.requests import Ask, Generate, JsonSchema, Setting, Write

# Tokens whose probabilities are requested: the most that OpenAI returns, and that others return.
TOP_LOGPROBS = 20
FEWER_TOP_LOGPROBS = 5
# Requests for which a guess holds before it is tried again.
GUESS_LIFETIME = 50
_PICTURE_SETTINGS = ("size", "quality", "style", "background", "moderation")

Parameters = Mapping[str, Any]
# Another name of a parameter, another value, or None: leave it out.
Change = str | int | None
Changes = Mapping[str, Change]

_OPTIONAL: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "logprobs": r"\b(?:top_)?log_?probs?\b|log probabilities",
        "response_format": r"response_?format|json_?schema|structured outputs?|\bgrammar\b",
        "stream_options": r"stream_options|include_usage",
        "seed": r"\bseed\b",
        "temperature": r"\btemperature\b",
        "reasoning_effort": r"\breasoning_effort\b",
        "style": r"\bstyle\b",
        "quality": r"\bquality\b",
        "max_tokens": r"\bmax_(?:completion_)?tokens\b",
    }.items()
}
# Parameters that change what is measured, with their names in the record of a reply.
_MEASURED = {
    "temperature": "temperature",
    "seed": "seed",
    "logprobs": "logprobs",
    "response_format": "schema",
    "reasoning_effort": "reasoning_effort",
    "quality": "quality",
    "style": "style",
}
# What is left out where a service only says that something is wrong.
_OFTEN_REJECTED = ("response_format", "logprobs")
_PARAMETER_STATUSES = (400, 403, 404, 422, 500, 501)


def chat_parameters(spec: ModelSpec, request: Ask | Write) -> dict[str, Any]:
    """Build the parameters of a chat completion; pictures come before the text.

    Raises OSError, ValueError where a picture cannot be read.
    """
    settings = spec.settings
    choices = request.choices if isinstance(request, Ask) else ()
    parameters: dict[str, Any] = {
        "model": model_name(spec),
        "messages": [{"role": "user", "content": _content(request, settings)}],
        "max_tokens": token_limit(request, settings),
    }
    wanted = {
        "temperature": request.temperature,
        "seed": request.seed,
        "reasoning_effort": None,
    }
    for name, value in wanted.items():
        effective = _effective_setting(settings, name, value)
        if effective is not None:
            parameters[name] = effective
    schema = request.schema or (letters_schema(len(choices)) if choices else None)
    if schema and settings.get("structured") is not False:
        form = {"name": "reply", "strict": _is_strict(schema), "schema": schema}
        parameters["response_format"] = {"type": "json_schema", "json_schema": form}
    if choices and settings.get("logprobs") is not False:
        parameters |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    if not choices:
        parameters |= {"stream": True, "stream_options": {"include_usage": True}}
    return parameters


def picture_parameters(spec: ModelSpec, request: Generate) -> dict[str, Any]:
    """Build the parameters of an image generation.

    The request's settings override those of the entry.
    """
    settings = {**spec.settings, **request.settings}
    name = model_name(spec)
    parameters: dict[str, Any] = {"model": name, "prompt": request.prompt, "n": 1}
    for setting in _PICTURE_SETTINGS:
        value = settings.get(setting)
        if setting == "size" and isinstance(value, int):
            value = f"{value}x{value}"
        if value is not None:
            parameters[setting] = value
    # Newer models send bytes anyway, and do not know the parameter
    if "dall-e" in name or "imagen" in name:
        parameters["response_format"] = "b64_json"
    return parameters


def model_name(spec: ModelSpec) -> str:
    """Return the name of the model at its service."""
    return spec.repository or spec.id


def letters_schema(count: int) -> JsonSchema:
    """Return the schema of a JSON object with one of the first letters as its answer."""
    answer = {"type": "string", "enum": list(LETTERS[:count])}
    return {
        "type": "object",
        "properties": {"answer": answer},
        "required": ["answer"],
        "additionalProperties": False,
    }


def _content(request: Ask | Write, settings: Mapping[str, Setting]) -> str | list[dict[str, Any]]:
    images = request.images if isinstance(request, Ask) else ()
    if not images:
        return request.text
    detail = {"detail": settings["detail"]} if settings.get("detail") else {}
    first, *others = images
    region = request.region if isinstance(request, Ask) else None
    urls = [data_url(first, region), *(data_url(image) for image in others)]
    pictures = [{"type": "image_url", "image_url": {"url": url, **detail}} for url in urls]
    return [*pictures, {"type": "text", "text": request.text}]


def _effective_setting(settings: Mapping[str, Setting], name: str, value: Setting) -> Setting:
    """Return the request's value, else the entry's.

    An entry that says `null` says that the model takes none.
    """
    if name in settings and settings[name] is None:
        return None
    return settings.get(name) if value is None else value


def _is_strict(schema: object) -> bool:
    """Return whether every object of a schema is closed and needs all its fields.

    Services want that before they guarantee the form.
    """
    if isinstance(schema, list | tuple):
        return all(_is_strict(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    fields = schema.get("properties")
    if isinstance(fields, Mapping) and (
        schema.get("additionalProperties") is not False
        or set(schema.get("required", ())) != set(fields)
    ):
        return False
    return all(_is_strict(part) for part in schema.values())


# --- where a service complains ---


class UnsupportedParameters:
    """Remembers what a service does not take. Safe to use from many threads.

    A parameter that it names stays out. One that was only guessed, because the service complained
    of nothing in particular and took the request without it, is sent again after `GUESS_LIFETIME`
    requests, and each time that it fails again after twice as many.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes: dict[str, Change] = {}
        self._guesses: dict[str, Change] = {}
        self._guess_lifetime = GUESS_LIFETIME
        self._requests_left = 0

    def changes(self) -> Changes:
        """Return what to change in the next request."""
        with self._lock:
            self._requests_left -= 1
            if self._guesses and self._requests_left == 0:
                # This request finds out whether the guess still holds.
                return dict(self._changes)
            return {**self._guesses, **self._changes}

    def keep(self, changes: Changes, guessed: frozenset[str] = frozenset()) -> None:
        """Remember changes with which a request went well.

        `guessed` names those that the service did not ask for.
        """
        with self._lock:
            for name, change in changes.items():
                if name not in guessed and name not in self._guesses:
                    self._changes[name] = change
            if guessed:
                self._guess_lifetime = 2 * self._guess_lifetime if self._guesses else GUESS_LIFETIME
                self._guesses = {name: changes[name] for name in guessed}
                self._requests_left = self._guess_lifetime
            elif self._requests_left <= 0 and not set(self._guesses) & set(changes):
                # The service takes them after all.
                self._guesses = {}


def apply_changes(parameters: Parameters, changes: Changes) -> dict[str, Any]:
    """Return the parameters that are sent: those of the request with the changes applied."""
    sent = {}
    for name, value in parameters.items():
        match changes.get(name, name):
            case None:
                continue
            case str(other):
                sent[other] = value
            case other:
                sent[name] = other
    return sent


def guess(parameters: Parameters, changes: Changes, error: ServiceErrorReply) -> Changes | None:
    """Leave out what services often reject, after a complaint that names nothing.

    None where nothing of it was sent.
    """
    sent = _sent_names(parameters, changes)
    suspects = [name for name in _OFTEN_REJECTED if name in sent]
    if not suspects or error.status not in (400, 422):
        return None
    dropped: dict[str, Change] = {}
    for name in suspects:
        dropped |= _drop_parameter(name)
    return {**changes, **dropped}


def amend(parameters: Parameters, changes: Changes, error: ServiceErrorReply) -> Changes | None:
    """Add changes of the parameters that a complaint names.

    None where it names none that could help.
    """
    if error.status not in _PARAMETER_STATUSES:
        return None
    sent = _sent_names(parameters, changes)
    added: dict[str, Change] = {}
    for name, pattern in _OPTIONAL.items():
        is_named = _named_parameter(error) == name or pattern.search(error.message)
        if name in sent and is_named:
            added |= _adapt_parameter(name, changes, error)
    return {**changes, **added} if added else None


def not_applied(parameters: Parameters, changes: Changes) -> tuple[str, ...]:
    """Return which parameters that change what is measured a service did not take."""
    return tuple(
        said
        for name, said in _MEASURED.items()
        if name in parameters and changes.get(name, name) is None
    )


def _sent_names(parameters: Parameters, changes: Changes) -> set[str]:
    """Return our names of the parameters that the changes do not leave out."""
    return {name for name in parameters if changes.get(name, name) is not None}


def _named_parameter(error: ServiceErrorReply) -> str:
    """Return our name of the parameter that an error names, or ""."""
    name = re.split(r"[.\[]", error.parameter, maxsplit=1)[0]
    return {"top_logprobs": "logprobs", "max_completion_tokens": "max_tokens"}.get(name, name)


def _adapt_parameter(name: str, changes: Changes, error: ServiceErrorReply) -> dict[str, Change]:
    """Rename or lower a parameter that a service rejects, else leave it out."""
    if name == "max_tokens" and name not in changes:
        return {name: "max_completion_tokens"}
    has_fewer = changes.get("top_logprobs", "") == FEWER_TOP_LOGPROBS
    # A number in the error is likely a limit.
    if name == "logprobs" and not has_fewer and re.search(r"\d", error.message):
        return {"top_logprobs": FEWER_TOP_LOGPROBS}
    return _drop_parameter(name)


def _drop_parameter(name: str) -> dict[str, Change]:
    if name == "logprobs":
        return {"logprobs": None, "top_logprobs": None}
    return {name: None}
