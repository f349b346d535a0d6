"""Makes the calls to one OpenAI-compatible service, each within its time.

Faults are returned, not raised: what is raised would carry the request, and the key, along.
"""

from __future__ import annotations

import base64
import json
import os
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2

from hallascope.backends.base import Denied, HallaScopeError, ModelSpec, OnStep, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network import service_addresses
from hallascope.backends.network.guarded_client import BadReply, Redirected, call_limits, guard
from hallascope.backends.network.public_addresses import ForbiddenAddress, Resolve, check, resolve
from hallascope.backends.openai import errors
from hallascope.backends.openai.errors import ServiceErrorReply, parse_error
from hallascope.backends.openai.responses import Completion, ServiceError, raise_error

if TYPE_CHECKING:
    from openai.types import ImagesResponse

# Seconds, where `settings.timeout` does not say.
TIMEOUT = 120.0
CONNECT_TIMEOUT = 10.0
# A service that needs no key is sent this one: the package requires one.
NO_KEY = "none"
# Limits of a reply: with the probabilities of its tokens, and with an image in base64.
MAX_CHAT_BYTES = 16 * 2**20
MAX_IMAGE_BYTES = 48 * 2**20
# An image is paid for already, so a few attempts are made to fetch it.
FETCH_ATTEMPTS = 3
FETCH_SECONDS = 60.0
MAX_FETCHED_BYTES = 20 * 2**20
# Faults after which the service cannot have got the request.
_UNSENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.InvalidURL,
)
T = TypeVar("T")
CallError = ServiceErrorReply | Transient | Denied


class ServiceConnection:
    """Calls one model of a service, with the key and the time limit of its entry.

    `client` carries the requests; without one it makes its own. `look_up` finds the addresses of a
    host. Raises Denied where the key cannot be one.
    """

    def __init__(
        self,
        spec: ModelSpec,
        keys: ApiKeys,
        client: httpx2.Client | None = None,
        look_up: Resolve | None = None,
    ) -> None:
        import openai

        secret = keys.get(spec.key) if spec.key else None
        if secret and not (secret.isascii() and secret.isprintable()):
            raise Denied(
                f"The key {spec.key} holds characters that no key has: copy it again into"
                f" {spec.key} or the key field."
            )
        self.identity = errors.ServiceIdentity(
            title=spec.title,
            model=spec.source,
            service=service_addresses.service_name(spec),
            key=spec.key,
            secret=secret,
            hidden_addresses=service_addresses.hidden_addresses(spec),
        )
        place = service_addresses.place(spec)
        self._host = place.host if place else ""
        self._look_up = look_up or resolve
        self._seconds = float(spec.settings.get("timeout") or TIMEOUT)
        timeout = httpx2.Timeout(self._seconds, connect=min(self._seconds, CONNECT_TIMEOUT))
        self.http = guard(client or httpx2.Client(timeout=timeout), self._look_up)
        if client is None:
            weakref.finalize(self, self.http.close)
        # The engine repeats calls itself, as it settles the money of each.
        options: Any = {
            "api_key": secret or NO_KEY,
            "http_client": self.http,
            "timeout": timeout,
            "max_retries": 0,
        }
        address = service_addresses.address(spec)
        if spec.service == "azure":
            options |= {"azure_endpoint": address}
            version = os.environ.get("OPENAI_API_VERSION")
            self._client: openai.OpenAI = openai.AzureOpenAI(api_version=version, **options)
        else:
            self._client = openai.OpenAI(base_url=address, **options)

    def complete_chat(
        self, parameters: Mapping[str, Any], on_step: OnStep | None = None
    ) -> Completion | CallError:
        """Request a chat completion; `on_step` is called after each piece of a stream."""
        import openai
        from openai.types.chat import ChatCompletion, ChatCompletionChunk

        completion = Completion()
        step = on_step or (lambda pieces, of: None)

        def send() -> Completion:
            step(0, 0)
            # its own method walks through all that the parameters hold, which takes longer than
            # the call
            reply: Any = self._client.post(
                "/chat/completions",
                cast_to=ChatCompletion,
                body=parameters,
                stream=bool(parameters.get("stream")),
                stream_cls=openai.Stream[ChatCompletionChunk],
            )
            if isinstance(reply, openai.Stream):
                with reply:
                    head, body = reply.response.headers, reply.response.stream
                    if "event-stream" in head.get("content-type", ""):
                        for count, piece in enumerate(reply, 1):
                            completion.add(piece)
                            step(count, 0)
                        # What marks the end is read, else all bytes.
                        if not completion.finish and getattr(body, "is_read_out", False):
                            raise BadReply("broke off in the middle")
                        return completion
                    # It answers at once, though asked for pieces.
                    reply = ChatCompletion.construct(**json.loads(reply.response.read()))
            completion.add(_checked(reply, ChatCompletion))
            if not reply.choices:
                raise BadReply("holds no answer")
            return completion

        return self._call(send, MAX_CHAT_BYTES, completion)

    def generate_image(self, parameters: Mapping[str, Any]) -> ImagesResponse | CallError:
        """Request the generation of an image."""
        from openai.types import ImagesResponse

        generate = self._client.images.generate
        return self._call(lambda: _checked(generate(**parameters), ImagesResponse), MAX_IMAGE_BYTES)

    def list_models(self) -> tuple[dict[str, Any], ...] | CallError:
        """Request the models that the key may use, as the service lists them; it costs nothing."""
        from openai.pagination import SyncPage

        def send() -> tuple[dict[str, Any], ...]:
            page = _checked(self._client.models.list(), SyncPage)
            named = [item for item in page.data if isinstance(item.id, str)]
            items = [item.model_dump(warnings=False) for item in named]
            # Google's names begin with "models/"
            return tuple({**item, "id": item["id"].removeprefix("models/")} for item in items)

        return self._call(send, MAX_CHAT_BYTES)

    def image_bytes(self, picture: Any) -> bytes:
        """Decode or fetch the bytes of an image; b"" where there is none.

        Raises BadReply.
        """
        stated = (getattr(picture, "b64_json", None), getattr(picture, "url", None))
        text = next((each for each in stated if isinstance(each, str)), "")
        if text == stated[1] and not text.startswith("data:"):
            return self.fetch_image(text)
        try:
            return base64.b64decode(text.rpartition(",")[2], validate=True)
        except ValueError as error:
            raise BadReply("is no base64") from error

    def fetch_image(self, url: str) -> bytes:
        """Fetch the bytes at an address that the service named; no key is sent there.

        Only what lies in the public net is fetched, or on the host of the service itself. No
        redirect is followed. Raises BadReply.
        """
        for _ in range(FETCH_ATTEMPTS):
            try:
                is_own = httpx2.URL(url).host == self._host
                if not is_own:
                    check(url, self._look_up)
                with call_limits(FETCH_SECONDS, MAX_FETCHED_BYTES, not is_own):
                    # a connection is made in the name of one of the hosts that share an address
                    headers = {"Connection": "close"}
                    reply = self.http.get(url, headers=headers, follow_redirects=False)
                    return reply.raise_for_status().content
            except ForbiddenAddress as error:
                raise BadReply(f"lies at an address that {error}") from error
            except (OSError, UnicodeError) as error:
                raise BadReply("lies at a host that is not found") from error
            except (httpx2.HTTPError, httpx2.InvalidURL):
                continue
        raise BadReply("cannot be fetched from where it lies")

    def _call(
        self, send: Callable[[], T], most_bytes: int, partial: Completion | None = None
    ) -> T | CallError:
        """Make one call within its time, and return its result or fault.

        `partial` is what came of a reply before a fault. No redirect is followed: an image and a
        key go to the host of the entry alone.
        """
        import openai

        identity, came = self.identity, partial or Completion()
        try:
            with call_limits(self._seconds, most_bytes):
                return send()
        except HallaScopeError:
            raise
        except openai.APIStatusError as error:
            reply = parse_error(error.status_code, error.body, error.response.headers)
        except ServiceError as error:
            reply = parse_error(200, error.error)
        # the package reads any JSON without checking, and may raise anything
        except Exception as error:
            cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
            if fault := transport_fault(cause or OSError(), identity):
                return fault
            if not isinstance(cause, openai.APIError):
                said = str(cause) if isinstance(cause, BadReply) else "is not whole, or no JSON"
                message = f"The reply of {identity.service} {said}: run it again."
                return Transient(message, may_be_charged=True, usage=came.usage)
            reply = parse_error(200, cause.body)  # within a stream
        reply = replace(reply, is_partial=bool(came.text), usage=came.usage)
        return identity.scrub_error(reply)


def _checked(reply: Any, kind: type[T]) -> T:
    """Return a reply of the package. Raises ServiceError, and BadReply where it is none."""
    raise_error(reply)
    if not isinstance(reply, kind):
        raise BadReply("is not whole, or no JSON")
    return reply


def transport_fault(
    error: BaseException, identity: errors.ServiceIdentity
) -> Denied | Transient | None:
    """Return the error for a call that got no reply, None where another fault is to blame.

    It may be charged where the service may have got the request.
    """
    is_sent = not isinstance(error, _UNSENT)
    match error:
        case ForbiddenAddress():
            fault = Transient if isinstance(error, Redirected) else Denied
            return fault(identity.say(errors.ELSEWHERE, why=identity.clean(str(error))))
        case TimeoutError() | httpx2.TimeoutException():
            return Transient(identity.say(errors.LATE), "timeout", may_be_charged=is_sent)
        case OSError() | httpx2.HTTPError() | httpx2.InvalidURL():
            return Transient(identity.say(errors.UNREACHED), may_be_charged=is_sent)
    return None
