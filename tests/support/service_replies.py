"""What models of `tests.support.service` say: letters, forms, questions, and streams."""

import json
import math
import re
from typing import Any

from tests.support.question_making import SETS

SENTENCE = "A cat has four paws."
# tokens that a model thinks, by effort
REASONING = {"none": 0, "minimal": 20, "low": 150, "medium": 600, "high": 2000, "xhigh": 4000}
REASONING |= {"max": 8000}
SEEN_TOKENS = 765  # of each image in a question
_WANTS_LETTER = re.compile(r"(?:reply|answer) with (?:a|one|the) (?:single )?letter", re.IGNORECASE)


def count_tokens(text: str) -> int:
    """Return how many tokens a text counts for."""
    return math.ceil(len(text) / 4)


def read_messages(body: dict[str, Any]) -> tuple[str, int]:
    """Return the text of the messages, and how many images they hold."""
    texts, images = [], 0
    for message in body.get("messages", ()):
        content = message.get("content") or ""
        for part in [{"text": content}] if isinstance(content, str) else content:
            texts.append(part.get("text", ""))
            images += part.get("type") == "image_url"
    return "\n".join(texts), images


def say(body: dict[str, Any], text: str) -> str:
    """Return what a model answers: in the form asked for, else as the text of the prompt wants."""
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    if '"sets"' in (json.dumps(schema) if schema else text):
        return json.dumps({"sets": SETS})
    if schema:
        return json.dumps(_fill(schema), separators=(",", ":"))
    return "A" if _WANTS_LETTER.search(text) else SENTENCE


def _fill(schema: dict[str, Any], name: str = "") -> Any:
    """Return the least that a schema allows: the first of its choices, one item of a list."""
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return _fill(options[0], name)
    if choices := schema.get("enum"):
        return choices[0]
    kind = schema.get("type", "object")
    if kind == "object":
        return {each: _fill(form, each) for each, form in schema.get("properties", {}).items()}
    if kind == "array":
        return [_fill(schema.get("items", {"type": "string"}))]
    plain = {"integer": 1, "number": 1, "boolean": True, "null": None}
    return plain.get(kind, "A" if name == "answer" else SENTENCE)


def token_chances(text: str, top: int) -> list[dict[str, Any]]:
    """Return the tokens of a text with their probabilities: 0.9 for the letter A."""
    tokens = []
    for token in re.findall(r"\w+|\W+", text):
        chances = {"A": 0.9} | dict.fromkeys("BCDE", 0.025) if token == "A" else {token: 1.0}
        tops = [{"token": each, "logprob": math.log(chance)} for each, chance in chances.items()]
        tokens.append({"token": token, "logprob": tops[0]["logprob"], "top_logprobs": tops[:top]})
    return tokens


def stream(head: dict[str, Any], choice: dict[str, Any], usage: dict[str, Any] | None) -> bytes:
    """Return the events of a stream."""
    head = {**head, "object": "chat.completion.chunk"}

    def made(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    parts = re.findall(r"(?s).{1,40}", choice["message"]["content"])
    pieces = [made({"role": "assistant", "content": words}) for words in parts]
    pieces.append(made({}, choice["finish_reason"]))
    if usage:
        pieces.append({**head, "choices": [], "usage": usage})
    events = "".join(f"data: {json.dumps(each)}\n\n" for each in pieces)
    return f"{events}data: [DONE]\n\n".encode()
