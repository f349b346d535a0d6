"""A service on loopback that refuses what the services refuse.

It speaks the language of OpenAI or of Hugging Face's router, with their lists on a day, their error
objects and their charges, and keeps every request with what it cost. A model that reasons does so
with medium effort where the request does not say; the real gpt-5.1 and gpt-5.4 do not reason then.

As "router" it is also the Hub that `InferenceClient.text_to_image` asks. HF_ENDPOINT=ADDRESS
(without /v1, set before huggingface_hub is imported) leads the look-up of a model's provider here.
No variable leads the call for the image here: its host is a constant of the package, which
`hub_pointed` replaces within one process; a model given as ADDRESS/hf-inference/models/NAME needs
neither.
"""

import base64
import itertools
import json
import math
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.images import png
from tests.support.service_lists import (
    HUB,
    ServedModel,
    describe_hub_model,
    find_model,
    list_models,
)
from tests.support.service_refusals import (
    FAULTS,
    STOPS,
    Refusal,
    check_image_parameters,
    check_parameters,
    image_size,
    stop,
)
from tests.support.service_replies import (
    REASONING,
    SEEN_TOKENS,
    count_tokens,
    read_messages,
    say,
    stream,
    token_chances,
)

KEY = "sk-secret-of-a-test-4711"
# of an image of 1024 x 1024, by quality
IMAGE_TOKENS = {"low": 272, "medium": 1056, "high": 4160, "xhigh": 8320, "max": 16640}
ACCOUNT = {"type": "user", "name": "tester", "fullname": "A Tester", "avatarUrl": ""}
_HUB_MODELS = "/hf-inference/models/"


@dataclass
class ServedRequest:
    """Holds a request and what became of it: `cost` in USD, and what was wrong ("": nothing)."""

    path: str
    body: dict[str, Any]
    status: int
    cost: float
    refusal: str


@dataclass
class _Reply:
    body: Any  # bytes, or what is sent as JSON
    status: int = 200
    cost: float = 0.0
    refusal: str = ""
    media: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)

    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


class Service:
    """Is one service and what it has seen. Safe to use from many threads."""

    def __init__(self, kind: str = "openai", day: str = "2026-11-28", key: str = KEY) -> None:
        self.kind, self.day, self.key = kind, day, key
        self.requests: list[ServedRequest] = []
        self._faults: dict[str, float] = {}
        self._drawn = itertools.count()
        self._lock = threading.Lock()

    @property
    def bill(self) -> float:
        """Return USD for all that was charged."""
        with self._lock:
            return sum(request.cost for request in self.requests)

    def refuse(self, kind: str, times: float = math.inf) -> None:
        """Switch on a fault of `FAULTS`, for so many of the requests that can meet it; 0: off."""
        assert kind in FAULTS, kind
        with self._lock:
            self._faults[kind] = times

    def answer(self, method: str, path: str, key: str, body: dict[str, Any]) -> _Reply:
        """Return the reply to a request, and keep it."""
        try:
            reply = self._answer(method, urlsplit(path).path, key, body)
        except Refusal as refusal:
            document, headers = refusal.document(self.kind), refusal.headers()
            reply = _Reply(document, refusal.status, refusal=refusal.name, headers=headers)
        with self._lock:
            self.requests.append(ServedRequest(path, body, reply.status, reply.cost, reply.refusal))
        return reply

    def _answer(self, method: str, path: str, key: str, body: dict[str, Any]) -> _Reply:
        asks = method == "POST"
        if self.kind == "router" and not asks and path.startswith("/api/models"):
            return self._hub(path.removeprefix("/api/models").strip("/"))
        if name := self._meet(FAULTS if asks else STOPS):
            raise stop(name)
        if key != self.key and (path, self.kind) != ("/v1/models", "router"):
            raise stop("wrong_key")
        match method, path, self.kind:
            case "POST", "/v1/chat/completions", _:
                return self._chat(body)
            case "POST", "/v1/images/generations", "openai":
                return self._draw(body)
            case "POST", _, "router" if path.startswith(_HUB_MODELS):
                return self._draw_at_hub(path.removeprefix(_HUB_MODELS), body)
            case "GET", "/v1/models", _:
                return _Reply({"object": "list", "data": list_models(self.kind, self.day)})
            case ("GET", "/api/whoami-v2", "router"):
                return _Reply(ACCOUNT)
        raise Refusal("no_such_address", 404, f"Invalid URL ({method} {path})")

    def _meet(self, kinds: Iterable[str]) -> str:
        """Return the first of these faults that is switched on, and count it down; "": none is."""
        with self._lock:
            name = next((kind for kind in kinds if self._faults.get(kind, 0) > 0), "")
            if name:
                self._faults[name] -= 1
            return name

    def _model(self, body: dict[str, Any], made: str) -> ServedModel:
        """Return the model that is asked, which makes this."""
        name = body.get("model")
        model = find_model(self.kind, self.day, str(name))
        if model is None:
            message = f"The model '{name}' does not exist or you do not have access to it."
            raise Refusal("model_not_found", 404, message, code="model_not_found")
        if made not in model.made:
            message = f"{model.id} is not a model for this endpoint."
            raise Refusal("wrong_model", 404, message, param="model")
        return model

    def _chat(self, body: dict[str, Any]) -> _Reply:
        model = self._model(body, "text")
        text, images = read_messages(body)
        if images and "image" not in model.given:
            raise Refusal("no_vision", 400, "This model does not take image_url.")
        check_parameters(self.kind, model, body)
        said = say(body, text)
        thought = REASONING[body.get("reasoning_effort") or "medium"] if model.efforts else 0
        spent, finish = thought + count_tokens(said), "stop"
        limit = body.get("max_completion_tokens") or body.get("max_tokens") or spent + 1
        if thought and spent >= limit:
            said, spent, finish = "", limit, "length"
        elif spent > limit:
            said, spent, finish = said[: 4 * limit], limit, "length"
        message = {"role": "assistant", "content": said, "refusal": None}
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
        if body.get("logprobs") and not model.efforts:
            choice["logprobs"] = {"content": token_chances(said, body.get("top_logprobs") or 0)}
        read = count_tokens(text) + images * SEEN_TOKENS
        usage = {
            "prompt_tokens": read,
            "completion_tokens": spent,
            "total_tokens": read + spent,
            "completion_tokens_details": {"reasoning_tokens": min(thought, spent)},
        }
        cost = (read * model.read + spent * model.written) / 1e6
        head = {"id": "chatcmpl-1", "created": 1760000000, "model": model.id}
        if body.get("stream"):
            is_counted = (body.get("stream_options") or {}).get("include_usage")
            data = stream(head, choice, usage if is_counted else None)
            return _Reply(data, cost=cost, media="text/event-stream")
        document = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        return _Reply(document, cost=cost)

    def _draw(self, body: dict[str, Any]) -> _Reply:
        model = self._model(body, "image")
        check_image_parameters(model, body)
        prompt, count = str(body.get("prompt", "")), body.get("n") or 1
        tokens = IMAGE_TOKENS.get(body.get("quality") or "auto", IMAGE_TOKENS["medium"])
        written = count * math.ceil(tokens * math.prod(image_size(body)) / 1024**2)
        read = count_tokens(prompt)
        usage = {
            "input_tokens": read,
            "output_tokens": written,
            "total_tokens": read + written,
            "input_tokens_details": {"text_tokens": read, "image_tokens": 0},
        }
        data = [{"b64_json": base64.b64encode(self._paint(prompt)).decode()} for _ in range(count)]
        document = {"created": 1760000000, "data": data, "usage": usage}
        return _Reply(document, cost=(read * model.read + written * model.written) / 1e6)

    def _draw_at_hub(self, name: str, body: dict[str, Any]) -> _Reply:
        model = self._model({"model": name}, "image")
        data = self._paint(str(body.get("inputs")))
        return _Reply(data, cost=model.picture, media="image/png")

    def _paint(self, prompt: str) -> bytes:
        """Return another image each time."""
        return png(f"{prompt}{'x' * next(self._drawn)}", 64)

    def _hub(self, name: str) -> _Reply:
        found = [describe_hub_model(each) for each in HUB if name in ("", each.id)]
        if not found:
            headers = {"X-Error-Code": "RepoNotFound"}
            return _Reply({}, 404, refusal="no_such_model", headers=headers)
        return _Reply(found[0] if name else found)


class _Handler(BaseHTTPRequestHandler):
    service: Service
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each reply waits for 40 ms

    def do_GET(self) -> None:
        self._serve({})

    def do_POST(self) -> None:
        self._serve(json.loads(self.rfile.read(int(self.headers["content-length"]))))

    def _serve(self, body: dict[str, Any]) -> None:
        key = (self.headers["authorization"] or "").removeprefix("Bearer ")
        reply = self.service.answer(self.command, self.path, key, body)
        data = reply.data()
        self.send_response(reply.status)
        lengths = {"Content-Type": reply.media, "Content-Length": str(len(data))}
        for name, value in (reply.headers | lengths).items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):  # who asked is gone; it is charged all the same
            self.wfile.write(data)

    def log_message(self, *said: object) -> None:
        """Say nothing."""


@contextmanager
def served(
    kind: str = "openai", day: str = "2026-11-28", key: str = KEY
) -> Iterator[tuple[str, Service]]:
    """Yield the address of a service, which ends in /v1, and the service."""
    service = Service(kind, day, key)
    handler = type("Handler", (_Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", service
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def hub_pointed(address: str) -> Iterator[None]:
    """Lead what huggingface_hub of this process asks for images to a service that is a router."""
    from huggingface_hub import constants
    from huggingface_hub.inference._providers import PROVIDERS, _common, hf_inference

    root = address.removesuffix("/v1")
    helper = PROVIDERS["hf-inference"]["text-to-image"]
    caches = (_common._fetch_inference_provider_mapping, hf_inference._check_supported_task)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, "ENDPOINT", root)
        patch.setattr(constants, "INFERENCE_PROXY_TEMPLATE", f"{root}/{{provider}}")
        patch.setattr(helper, "base_url", f"{root}/hf-inference")
        try:
            for cache in caches:
                cache.cache_clear()
            yield
        finally:
            for cache in caches:
                cache.cache_clear()
