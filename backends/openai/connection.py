"""Makes the calls to one OpenAI-compatible service, each within its time.

Faults are returned, not raised: what is raised would carry the request, and the key, along.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from hallascope.backends.base import Denied, ModelSpec, OnStep, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network import deadlines, service_addresses
from hallascope.backends.network.public_addresses import ForbiddenAddress, resolve
from hallascope.backends.openai import errors, images, responses
from hallascope.backends.openai.error_replies import ServiceErrorReply, parse_error
from hallascope.backends.openai.errors import ServiceIdentity
from hallascope.backends.openai.requests import model_name
from hallascope.backends.openai.responses import ChatCompletion, PictureReply, limit_bytes

if TYPE_CHECKING:
    import httpx

    from hallascope.backends.network.public_addresses import Resolve

# Seconds, where `settings.timeout` does not say.
TIMEOUT = 120.0
CONNECT_TIMEOUT = 10.0
# A service that needs no key is sent this one: the package requires one.
NO_KEY = "none"
# Limits of a reply: with the probabilities of its tokens, and with a picture in base64.
MAX_CHAT_BYTES = 16 * 2**20
MAX_PICTURE_BYTES = 48 * 2**20
# A picture is paid for already, so a few attempts are made to fetch it.
FETCH_ATTEMPTS = 3

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
        client: httpx.Client | None = None,
        look_up: Resolve | None = None,
    ) -> None:
        import httpx

        self.identity = _make_identity(spec, keys)
        self._seconds = float(spec.settings.get("timeout") or TIMEOUT)
        timeout = httpx.Timeout(self._seconds, connect=min(self._seconds, CONNECT_TIMEOUT))
        self.http = client or httpx.Client(timeout=timeout)
        if client is None:
            weakref.finalize(self, self.http.close)
        deadlines.guard(self.http, look_up=look_up or resolve)
        self._client = _make_client(spec, self.identity.secret or NO_KEY, self.http, timeout)
        address = service_addresses.place(spec)
        self._host = address.host if address else ""
        self._look_up = look_up

    def complete_chat(
        self, parameters: Mapping[str, Any], on_step: OnStep | None = None
    ) -> ChatCompletion | CallError:
        """Request a chat completion; `on_step` is called after each piece of a stream."""

        def report(pieces: int) -> None:
            if on_step:
                on_step(pieces, 0)

        def read(response: httpx.Response) -> ChatCompletion:
            chunks = limit_bytes(response.iter_bytes(), MAX_CHAT_BYTES)
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                return responses.read_stream(chunks, report)
            return responses.read_completion(b"".join(chunks))

        report(0)
        # `extra_body` is sent as it is; named arguments are validated first, which takes a third of
        # a call's time.
        create = self._client.chat.completions.with_streaming_response.create
        model = parameters["model"]
        return self._call(lambda: create(model=model, messages=(), extra_body=parameters), read)

    def generate_picture(self, parameters: Mapping[str, Any]) -> PictureReply | CallError:
        """Request the generation of a picture."""
        generate = self._client.images.with_streaming_response.generate

        def read(response: httpx.Response) -> PictureReply:
            chunks = limit_bytes(response.iter_bytes(), MAX_PICTURE_BYTES)
            return responses.read_picture(b"".join(chunks))

        return self._call(lambda: generate(**parameters), read)

    def list_models(self) -> tuple[dict[str, Any], ...] | CallError:
        """Request the models that the key may use, as the service lists them; it costs nothing."""

        def read(response: httpx.Response) -> tuple[dict[str, Any], ...]:
            content = b"".join(limit_bytes(response.iter_bytes(), MAX_CHAT_BYTES))
            return responses.read_models(content)

        return self._call(self._client.models.with_streaming_response.list, read)

    def picture_bytes(self, picture: Mapping[str, Any]) -> bytes:
        """Decode or fetch the bytes of a picture; b"" where there is none.

        Raises BadPicture.
        """
        import httpx

        encoded, url = picture.get("b64_json"), picture.get("url")
        if isinstance(encoded, str) and encoded:
            return images.decode_base64(encoded)
        if not isinstance(url, str) or not url:
            return b""
        for _ in range(FETCH_ATTEMPTS):
            try:
                with deadlines.time_limit(images.FETCH_SECONDS):
                    return images.fetch_picture(url, self.http, self._host, self._look_up)
            except (httpx.HTTPError, httpx.InvalidURL):
                continue
        raise images.BadPicture("cannot be fetched from where it lies")

    def _call(self, send: Callable[[], Any], read: Callable[[Any], T]) -> T | CallError:
        """Make one call within its time, and return its result or fault.

        No redirect is followed: a picture and a key go to the host of the entry alone.
        """
        import httpx
        import openai

        try:
            with deadlines.time_limit(self._seconds), send() as response:
                return read(response)
        except openai.APIStatusError as error:
            if error.response.has_redirect_location:
                return errors.redirect_error(self.identity)
            reply = parse_error(error.status_code, error.body, error.response.headers)
            return self.identity.scrub_error(reply)
        except responses.ServiceError as error:
            return self.identity.scrub_error(error.error)
        except responses.MalformedReply as error:
            return errors.malformed_reply_error(self.identity, str(error), error.usage)
        except (openai.APITimeoutError, httpx.TimeoutException) as error:
            return errors.timeout_error(self.identity, _may_have_been_sent(error))
        except ForbiddenAddress:
            return errors.private_address_error(self.identity)
        except (openai.APIError, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
            if deadlines.find_forbidden_address(error):
                return errors.private_address_error(self.identity)
            return errors.connection_error(self.identity, _may_have_been_sent(error))


def _make_identity(spec: ModelSpec, keys: ApiKeys) -> ServiceIdentity:
    secret = keys.get(spec.key) if spec.key else None
    if secret and not (secret.isascii() and secret.isprintable()):
        raise Denied(
            f"The key {spec.key} holds characters that no key has: copy it again into {spec.key} or"
            " the key field."
        )
    return ServiceIdentity(
        title=spec.title,
        model=model_name(spec),
        service=service_addresses.service_name(spec),
        key=spec.key,
        secret=secret,
        hidden_addresses=service_addresses.hidden_addresses(spec),
    )


def _make_client(spec: ModelSpec, key: str, http: httpx.Client, timeout: httpx.Timeout) -> Any:
    import openai

    address = service_addresses.address(spec)
    # The package takes a client of httpx too, but its types name httpx2 alone.
    options: dict[str, Any] = {
        "api_key": key,
        "http_client": http,
        "timeout": timeout,
        "max_retries": 0,
    }
    if spec.service != "azure":
        return openai.OpenAI(base_url=address, **options)
    return openai.AzureOpenAI(
        azure_endpoint=address, api_version=os.environ.get("OPENAI_API_VERSION"), **options
    )


def _may_have_been_sent(error: Exception) -> bool:
    """Return whether the service may have got the request, i.e. whether there was a connection."""
    import httpx

    without_connection = (
        httpx.ConnectError,
        httpx.ConnectTimeout,
        httpx.PoolTimeout,
        httpx.UnsupportedProtocol,
        httpx.InvalidURL,
    )
    return not isinstance(error.__cause__ or error, without_connection)
