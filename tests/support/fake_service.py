"""A service that exists only within a test: it answers from a list and keeps what it was sent."""

import json
from collections.abc import Callable
from typing import Any

import httpx2

from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.specs import ModelSpec

KEY = "sk-test-4711-abcdefgh"
PUBLIC = "93.184.215.14"  # where every host lies
NAME = "PRETEND_API_KEY"
SPEC = ModelSpec(
    id="pretend/model",
    title="Pretend",
    roles=("judge", "writer", "generator"),
    backend="openai",
    repository="pretend-1",
    settings={"temperature": 0},
    needs=(f"key:{NAME}",),
    kind="api",
    base_url="https://pretend.example/v1",
)

Reply = httpx2.Response | Exception | Callable[[dict[str, Any]], httpx2.Response]


class Service:
    """Gives its replies in order, the last one again and again.

    `sent` are the bodies, `requests` all of it.
    """

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[httpx2.Request] = []

    @property
    def sent(self) -> list[dict[str, Any]]:
        return [
            json.loads(request.content) for request in self.requests if request.method == "POST"
        ]

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        found = reply(json.loads(request.content)) if callable(reply) else reply
        if not found.is_closed:
            return found
        # whole in a test, it comes over the net in a real service
        body = httpx2.ByteStream(found.content)
        return httpx2.Response(found.status_code, headers=found.headers, stream=body)

    def model(self, spec: ModelSpec = SPEC, keys: ApiKeys | None = None) -> OpenAICompatible:
        client = httpx2.Client(transport=httpx2.MockTransport(self))
        return OpenAICompatible(spec, keys or ApiKeys({NAME: KEY}), client, lambda host: [PUBLIC])


def chat(text: str | None = "B", finish: str = "stop", **more: Any) -> httpx2.Response:
    """A whole reply; `more` stands in its choice."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": finish,
    } | more
    return httpx2.Response(
        200,
        json={
            "choices": [choice],
            "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
        },
    )


def error(
    status: int,
    message: str = "It is wrong.",
    /,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> httpx2.Response:
    return httpx2.Response(status, json={"error": {"message": message, **more}}, headers=headers)


def stream(*pieces: object, done: bool = True) -> httpx2.Response:
    """Server-sent events, one a piece."""
    lines = [f"data: {json.dumps(piece)}\n\n" for piece in pieces] + (
        ["data: [DONE]\n\n"] if done else []
    )
    return httpx2.Response(
        200,
        content="".join(lines).encode(),
        headers={"content-type": "text/event-stream; charset=utf-8"},
    )


def piece(text: str | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """One piece of a stream."""
    return {
        "choices": [
            {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
        ],
        **more,
    }
