"""Builds the requests to a service: all that the metric and the model's entry want."""

from typing import Any

from hallascope.backends.images import data_url
from hallascope.data.models.specs import ModelSpec
from hallascope.data.models.token_limits import token_limit
from hallascope.data.records import LETTERS
from hallascope.data.requests import Ask, Generate, JsonSchema, Write

# Tokens whose probabilities are requested: the most that OpenAI returns.
TOP_LOGPROBS = 20


def chat_parameters(spec: ModelSpec, request: Ask | Write) -> dict[str, Any]:
    """Build the parameters of a chat completion; images come before the text.

    Raises what `backends.images.DAMAGES` names where an image cannot be read.
    """
    settings = spec.settings
    count = len(request.offered) if isinstance(request, Ask) else 0
    limit = "max_completion_tokens" if "reasoning_effort" in settings else "max_tokens"
    wanted: dict[str, Any] = {
        "model": spec.source,
        "messages": [{"role": "user", "content": _content(spec, request)}],
        limit: token_limit(request, settings),
        **{
            name: settings.get(name)
            for name in ("temperature", "seed", "top_p", "reasoning_effort")
        },
    }
    if request.temperature is not None:
        wanted["temperature"] = request.temperature
    if request.seed is not None:
        wanted["seed"] = request.seed
    schema = request.schema or (letters_schema(count) if count else None)
    if schema and settings.get("structured") is not False:
        form = {"name": "reply", "strict": True, "schema": schema}
        wanted["response_format"] = {"type": "json_schema", "json_schema": form}
    if not count:
        return {**wanted, "stream": True, "stream_options": {"include_usage": True}}
    if settings.get("logprobs") is False:
        return wanted
    return {**wanted, "logprobs": True, "top_logprobs": TOP_LOGPROBS}


def image_parameters(spec: ModelSpec, request: Generate) -> dict[str, Any]:
    """Build the parameters of an image generation."""
    settings = spec.settings
    size, name = settings.get("size"), spec.source
    wanted = {each: settings.get(each) for each in ("quality", "style", "background", "moderation")}
    # OpenAI's send bytes anyway, and do not know the parameter
    if "gpt-image" not in name:
        wanted["response_format"] = "b64_json"
    return {
        **wanted,
        "model": name,
        "prompt": request.prompt,
        "n": 1,
        "size": f"{size}x{size}" if isinstance(size, int) else size,
        "seed": request.seed,
    }


def letters_schema(count: int) -> JsonSchema:
    """Return the schema of a JSON object with one of the first letters as its answer."""
    return {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": list(LETTERS[:count])}},
        "required": ["answer"],
        "additionalProperties": False,
    }


def _content(spec: ModelSpec, request: Ask | Write) -> str | list[dict[str, Any]]:
    if not isinstance(request, Ask) or not request.images:
        return request.text
    first, *others = request.images
    stated = spec.settings.get("detail")
    detail = {"detail": stated} if stated else {}
    urls = [data_url(first, request.region), *map(data_url, others)]
    pictures = [{"type": "image_url", "image_url": {"url": url, **detail}} for url in urls]
    return [*pictures, {"type": "text", "text": request.text}]
