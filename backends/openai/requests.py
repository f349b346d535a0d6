"""Builds what is sent to a service, and what replaces a parameter that it complains of.

Services differ in what they take; nobody keeps a list of it that is true. So everything is asked
for that is of use, and what a service complains of is left out, and remembered. Temperature is
never among it: it changes what is measured.
"""

import re
import threading
from collections.abc import Mapping
from typing import Any

from hallascope.backends.openai.errors import ServiceErrorReply
from hallascope.backends.openai.images import data_url
from hallascope.data.models.specs import ModelSpec
from hallascope.data.models.token_limits import token_limit
from hallascope.data.records import LETTERS
from hallascope.data.requests import Ask, Generate, JsonSchema, Setting, Write

TOP = 20  # tokens whose probabilities are asked for, the most that OpenAI gives
TRUST = 50  # requests for which a guess holds before it is tried again
FEWER = 5  # what others give at most
_PICTURE_SETTINGS = ("size", "quality", "style", "background", "moderation")

RequestParameters = Mapping[str, Any]
Change = str | int | None  # another name, another value, or None: leave it out
Changes = Mapping[str, Change]

_OPTIONAL: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "logprobs": r"\b(?:top_)?log_?probs?\b|log probabilities",
        "response_format": r"response_?format|json_?schema|structured outputs?|\bgrammar\b",
        "stream_options": r"stream_options|include_usage",
        "seed": r"\bseed\b",
        "max_tokens": r"\bmax_(?:completion_)?tokens\b",
    }.items()
}
_GUESSED = (
    "response_format",
    "logprobs",
)  # left out where a service only says that something is wrong
_COMPLAINS = (400, 403, 404, 422, 500, 501)


def chat(spec: ModelSpec, request: Ask | Write) -> dict[str, Any]:
    """The parameters of a chat completion; pictures go before the text.

    Raises OSError, ValueError where a picture cannot be read.
    """
    settings = spec.settings
    choices = request.choices if isinstance(request, Ask) else ()
    wanted: dict[str, Any] = {
        "model": model_name(spec),
        "messages": [{"role": "user", "content": _content(request, settings)}],
    }
    wanted["max_tokens"] = token_limit(request, settings)
    for name, asked in (("temperature", request.temperature), ("seed", request.seed)):
        if (value := _effective_setting(settings, name, asked)) is not None:
            wanted[name] = value
    schema = request.schema or (letters_schema(len(choices)) if choices else None)
    if schema and settings.get("structured") is not False:
        wanted["response_format"] = _form(schema)
    if choices and settings.get("logprobs") is not False:
        wanted |= {"logprobs": True, "top_logprobs": TOP}
    if not choices:
        wanted |= {"stream": True, "stream_options": {"include_usage": True}}
    return wanted


def picture(spec: ModelSpec, request: Generate) -> dict[str, Any]:
    """The parameters of an image generation.

    The request's settings go before those of the entry.
    """
    settings = {**spec.settings, **request.settings}
    name = model_name(spec)
    wanted: dict[str, Any] = {"model": name, "prompt": request.prompt, "n": 1}
    for setting in _PICTURE_SETTINGS:
        if (value := settings.get(setting)) is not None:
            wanted[setting] = (
                f"{value}x{value}" if setting == "size" and isinstance(value, int) else value
            )
    if (
        "dall-e" in name or "imagen" in name
    ):  # the newer ones give bytes anyway, and do not know the parameter
        wanted["response_format"] = "b64_json"
    return wanted


def model_name(spec: ModelSpec) -> str:
    """What the service calls the model."""
    return spec.repository or spec.id


def letters_schema(count: int) -> JsonSchema:
    """A JSON object with one of the first letters as its answer."""
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
    regions = (
        request.region if isinstance(request, Ask) else None,
        *[None] * len(images),
    )  # of the first picture only
    urls = [data_url(image, region) for image, region in zip(images, regions, strict=False)]
    seen = [{"type": "image_url", "image_url": {"url": url, **detail}} for url in urls]
    return [*seen, {"type": "text", "text": request.text}]


def _effective_setting(settings: Mapping[str, Setting], name: str, asked: Setting) -> Setting:
    """The request's value, else the entry's.

    An entry that says `null` says that the model takes none.
    """
    if name in settings and settings[name] is None:
        return None
    return settings.get(name) if asked is None else asked


def _form(schema: JsonSchema) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": _is_strict(schema), "schema": schema},
    }


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


# --- where a service complains
# -----------------------------------------------------------------------------------------


class UnsupportedParameters:
    """What a service turned out not to take. Safe to use from many threads.

    What it names stays out. What was only guessed, because it complained of nothing in particular
    and took the request without it, is asked for again after `TRUST` requests, and each time it is
    refused again after twice as many.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes: dict[str, Change] = {}
        self._guesses: dict[str, Change] = {}
        self._trust = TRUST
        self._left = 0

    def changes(self) -> Changes:
        """What to change of the next request."""
        with self._lock:
            self._left -= 1
            if self._guesses and self._left == 0:
                return dict(self._changes)  # this request finds out whether it still holds
            return {**self._guesses, **self._changes}

    def keep(self, changes: Changes, guessed: frozenset[str] = frozenset()) -> None:
        """Remember changes with which a request went well.

        `guessed` names those that the service did not ask for.
        """
        with self._lock:
            self._changes.update(
                {
                    name: change
                    for name, change in changes.items()
                    if name not in guessed and name not in self._guesses
                }
            )
            if guessed:
                self._trust = 2 * self._trust if self._guesses else TRUST
                self._guesses = {name: changes[name] for name in guessed}
                self._left = self._trust
            elif self._left <= 0 and not set(self._guesses) & set(changes):
                self._guesses = {}  # it takes them after all


def fitted(wanted: RequestParameters, changes: Changes) -> dict[str, Any]:
    """What is sent: that which is wanted, changed as the service likes it."""
    sent = {}
    for name, value in wanted.items():
        match changes.get(name, name):
            case None:
                continue
            case str(other):
                sent[other] = value
            case other:
                sent[name] = other
    return sent


def guess(wanted: RequestParameters, changes: Changes, said: ServiceErrorReply) -> Changes | None:
    """Leave out what services stumble over, after a complaint that names nothing.

    None where nothing of it was sent.
    """
    there = {name for name in _GUESSED if name in wanted and changes.get(name, name) is not None}
    return {**changes, **_drop_parameters(there)} if there and said.status in (400, 422) else None


def amend(wanted: RequestParameters, changes: Changes, said: ServiceErrorReply) -> Changes | None:
    """More changes after a complaint: what it names is changed.

    None where it names nothing that could help.
    """
    if said.status not in _COMPLAINS:
        return None
    sent = {name for name in wanted if changes.get(name, name) is not None}
    named = [
        name
        for name, pattern in _OPTIONAL.items()
        if name in sent and (_root(said) == name or pattern.search(said.words))
    ]
    more: dict[str, Change] = {}
    for name in named:
        more |= _adapt_parameters(name, wanted, changes, said)
    return {**changes, **more} if more else None


def names_temperature(sent: RequestParameters, said: ServiceErrorReply) -> bool:
    """Whether the complaint is about the temperature that was sent."""
    if "temperature" not in sent or said.status not in (400, 422):
        return False
    return _root(said) == "temperature" or (
        not said.param and re.search(r"\btemperature\b", said.words, re.IGNORECASE) is not None
    )


def _root(said: ServiceErrorReply) -> str:
    root = re.split(r"[.\[]", said.param, maxsplit=1)[0]
    return {"top_logprobs": "logprobs", "max_completion_tokens": "max_tokens"}.get(root, root)


def _adapt_parameters(
    name: str, wanted: RequestParameters, changes: Changes, said: ServiceErrorReply
) -> dict[str, Change]:
    if name == "max_tokens" and name not in changes:
        return {name: "max_completion_tokens"}
    # a number in the complaint is likely a limit
    if (
        name == "logprobs"
        and changes.get("top_logprobs", "") != FEWER
        and re.search(r"\d", said.words)
    ):
        return {"top_logprobs": FEWER}
    return _drop_parameters({name})


def _drop_parameters(names: set[str]) -> dict[str, Change]:
    return {
        each: None
        for name in names
        for each in (("logprobs", "top_logprobs") if name == "logprobs" else (name,))
    }
