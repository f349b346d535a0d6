"""Asks models of any OpenAI-compatible service: OpenAI, Azure, Gemini, vLLM, Ollama and more.

They are judges, captioners, writers and generators.

There is one call a request, and only parameters that a service does not take cause another: the
engine retries the rest. No key leaves this object: not in an answer, not in an error, not in what
an error carries along.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from hallascope.backends.base import CallLimits, Denied, ModelSpec, OnStep, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network import deadlines, service_addresses
from hallascope.backends.network.public_addresses import ForbiddenAddress, resolve
from hallascope.backends.openai import errors, images, responses
from hallascope.backends.openai.errors import ServiceErrorReply, ServiceIdentity
from hallascope.backends.openai.requests import (
    UnsupportedParameters,
    amend,
    apply_changes,
    chat_parameters,
    guess,
    model_name,
    names_temperature,
    picture_parameters,
)
from hallascope.backends.openai.responses import ChatCompletion, limit_bytes
from hallascope.data.models.specs import Price
from hallascope.data.models.token_limits import most_usage
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Failure,
    Generate,
    Generated,
    Usage,
    Write,
)

if TYPE_CHECKING:
    import httpx

    from hallascope.backends.network.public_addresses import Resolve

TIMEOUT = 120.0  # seconds, where `settings.timeout` does not say
CONNECT_TIMEOUT = 10.0  # seconds
NO_KEY = "none"  # sent to a service that needs no key: the package requires one
MAX_CHAT_BYTES = 16 * 2**20  # of a reply with the probabilities of its tokens
MAX_PICTURE_BYTES = 48 * 2**20  # of a reply with a picture in base64
FETCHES = 3  # attempts at a picture, which is paid for already

T = TypeVar("T")
# one call: its result, or the complaint of the service, or a fault
RequestAttempt = Callable[[dict[str, Any]], T | ServiceErrorReply | Transient | Denied]


class OpenAICompatible:
    """Runs a model of a service. `client` carries the requests; without one it makes its own.

    `look_up` finds the addresses of a host.

    Settings: temperature, seed, max_tokens, detail (of pictures in the request), structured and
    logprobs (false: not requested), timeout (seconds); for generated pictures: size, quality,
    style, background, moderation.
    """

    limits = CallLimits(batch=1, concurrency=16, start=8)

    def __init__(
        self,
        spec: ModelSpec,
        keys: ApiKeys | None = None,
        client: httpx.Client | None = None,
        look_up: Resolve | None = None,
    ) -> None:
        import httpx

        self.spec = spec
        self.revision = self.fingerprint(spec)
        self._who = _identity(spec, keys or ApiKeys())
        address = service_addresses.place(spec)
        seconds = float(spec.settings.get("timeout") or TIMEOUT)
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_TIMEOUT))
        self._seconds = seconds
        self._http = client or httpx.Client(timeout=timeout)
        deadlines.guard(self._http, look_up=look_up or resolve)
        self._client = _client(spec, self._who.secret or NO_KEY, self._http, timeout)
        self._unsupported = UnsupportedParameters()
        self._is_paid = spec.price is not None and spec.price.cost(Usage(1, 1, 1)) > 0
        self._own = address.host if address else ""
        self._look_up = look_up

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the model's revision or name, and its address unless that is OpenAI's.

        So two services share no replies.
        """
        name = spec.revision or model_name(spec)
        where = service_addresses.fingerprint(spec)
        return f"{name}@{where}" if where else name

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Return why the model cannot be used, or None.

        A server on this machine must answer at its address; a remote service is not called.
        """
        if spec.service == "azure" and not os.environ.get("OPENAI_API_VERSION"):
            return (
                "the version of Azure's API is not set; put it into the environment variable"
                " OPENAI_API_VERSION."
            )
        return service_addresses.trouble(spec)

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        """Answer in order. Raises Transient, Denied, Stopped.

        Free text is streamed, with `on_step` after each piece; a choice comes whole, with its
        probabilities.
        """
        return [self._answer(request, len(request.choices), on_step) for request in requests]

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Describe in order, by the same call as a question in free text.

        Raises Transient, Denied, Stopped.
        """
        return self.ask(
            [
                Ask(
                    images=(r.image,),
                    text=r.text,
                    question=r.text,
                    template=r.template,
                    region=r.region,
                )
                for r in requests
            ],
            on_step,
        )

    def write(
        self, requests: Sequence[Write], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Write texts in order. Raises Transient, Denied, Stopped."""
        return [self._answer(request, 0, on_step) for request in requests]

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Generate pictures in order. Raises Transient, Denied, Stopped.

        The seed is not sent: these services take none.
        """
        return [self._picture(request, on_step) for request in requests]

    # --- words ---

    def _answer(
        self, request: Ask | Write, choices: int, on_step: OnStep | None
    ) -> Answer | Failure:
        try:
            parameters = chat_parameters(self.spec, request)
        except (OSError, ValueError) as error:
            return Failure(
                "broken",
                f"A picture for {self.spec.title} cannot be read ({type(error).__name__}): make or"
                " upload it again.",
            )
        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        completion = self._send_adapted(parameters, partial(self._chat, on_step or _go_on), most)
        if isinstance(completion, Failure):
            return completion
        return self._parse_reply(completion, choices, parameters["max_tokens"], most)

    def _chat(
        self, on_step: OnStep, sent: dict[str, Any]
    ) -> ChatCompletion | ServiceErrorReply | Transient | Denied:
        on_step(0, 0)

        def read(response: Any) -> ChatCompletion:
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                return responses.read_stream(
                    limit_bytes(response.iter_bytes(), MAX_CHAT_BYTES),
                    lambda count: on_step(count, 0),
                )
            return responses.read_completion(
                b"".join(limit_bytes(response.iter_bytes(), MAX_CHAT_BYTES))
            )

        # `extra_body` is sent as it is; named arguments are validated first, which takes a third of
        # a call's time
        create = self._client.chat.completions.with_streaming_response.create
        named = {"model": sent["model"], "messages": ()}
        return self._call(lambda: create(**named, extra_body=sent), read)

    def _parse_reply(
        self, completion: ChatCompletion, choices: int, limit: int, most: Usage
    ) -> Answer | Failure:
        """Read an answer from a reply.

        A failure has the usage, or the `most` it may be where the service does not count.
        """
        who = self._who
        text = self._who.clean(completion.text)
        if completion.filtered:
            return errors.refusal(who.quote(completion.refusal), who, completion.usage or most)
        if not text.strip():
            short = f"its {limit} tokens were used up before: raise `max_tokens` in its settings"
            why = short if completion.cut else "run it again, or choose another model"
            return Failure(
                "empty", f"{who.title} answers with nothing; {why}.", usage=completion.usage or most
            )
        chances = responses.probabilities(completion.tokens, choices) if choices else None
        return Answer(text, chances, completion.usage, completion.cut)

    # --- pictures ---

    def _picture(self, request: Generate, on_step: OnStep | None) -> Generated | Failure:
        (on_step or _go_on)(1, 1)
        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        reply = self._send_adapted(picture_parameters(self.spec, request), self._draw, most)
        if isinstance(reply, Failure):
            return reply
        picture, tokens = reply
        usage = Usage(tokens.input_tokens, tokens.output_tokens, 1) if tokens else Usage(pictures=1)
        try:
            data = self._bytes(picture)
            png = images.as_png(data) if data else None
        except images.BadPicture as error:
            return Failure(
                "broken",
                f"The picture that {self._who.title} sends {error}: try again, or choose another"
                " model.",
                usage=usage,
            )
        if png is None:
            return Failure(
                "empty",
                f"{self._who.title} sends no picture: try again, or choose another model.",
                usage=usage,
            )
        prompt = picture.get("revised_prompt")
        notes = {"revised_prompt": self._who.clean(prompt)} if isinstance(prompt, str) else {}
        return Generated(png, notes, usage=usage)

    def _draw(
        self, sent: dict[str, Any]
    ) -> tuple[Any, Usage | None] | ServiceErrorReply | Transient | Denied:
        def read(response: Any) -> tuple[Any, Usage | None]:
            body = responses.document(
                b"".join(limit_bytes(response.iter_bytes(), MAX_PICTURE_BYTES))
            )
            return responses.picture(body), (
                responses.usage(body.get("usage")) if isinstance(body, dict) else None
            )

        return self._call(
            lambda: self._client.images.with_streaming_response.generate(**sent), read
        )

    def _bytes(self, picture: Any) -> bytes:
        """Decode or fetch the bytes of a picture; b"" where there is none.

        Raises BadPicture.
        """
        import httpx

        if isinstance(sent := picture.get("b64_json"), str) and sent:
            return images.decode_base64(sent)
        if not isinstance(url := picture.get("url"), str) or not url:
            return b""
        for _ in range(FETCHES):
            try:
                with deadlines.time_limit(images.FETCH_SECONDS):
                    return images.fetch_picture(url, self._http, self._own, self._look_up)
            except (httpx.HTTPError, httpx.InvalidURL):
                continue
        raise images.BadPicture("cannot be fetched from where it lies")

    # --- one call ---

    def _send_adapted(
        self, parameters: dict[str, Any], attempt: RequestAttempt[T], most: Usage
    ) -> T | Failure:
        """Send a request, and adapt it while the service complains of a parameter.

        Raises Transient, Denied.

        A complaint that names no parameter may be a stray one: the same request is sent once more
        before anything is left out for it.
        """
        changes = self._unsupported.changes()
        guessed = frozenset[str]()
        may_be_stray = True
        while True:
            sent = apply_changes(parameters, changes)
            outcome = attempt(sent)
            if isinstance(outcome, Transient | Denied):
                raise outcome
            if not isinstance(outcome, ServiceErrorReply):
                self._unsupported.keep(changes, guessed)
                return outcome
            if names_temperature(sent, outcome):
                return errors.temperature_failure(self._who, sent["temperature"])
            fault = errors.call_fault(outcome, self._who)
            if outcome.begun:
                return _failure_or_raise(errors.with_charge(fault, most, outcome.usage))
            more = amend(parameters, changes, outcome)
            if more is None and isinstance(fault, Failure) and not errors.is_refusal(outcome):
                more = guess(parameters, changes, outcome)
                if more and may_be_stray:
                    more = changes
                    may_be_stray = False
                elif more:
                    guessed = frozenset(set(more) - set(changes))
            if more and more.get("max_tokens", "") is None and self._is_paid:
                return errors.no_token_limit_failure(self._who)
            if more is None or errors.is_refusal(outcome):
                return _failure_or_raise(fault)
            changes = more

    def _call(
        self, send: Callable[[], Any], read: Callable[[Any], T]
    ) -> T | ServiceErrorReply | Transient | Denied:
        """Make one call within its time, and return its result or fault.

        No redirect is followed: a picture and a key go to the host of the entry alone.

        Faults are returned, not raised: what is raised here would carry the request, and the key,
        along.
        """
        import httpx
        import openai

        try:
            with deadlines.time_limit(self._seconds), send() as response:
                return read(response)
        except openai.APIStatusError as error:
            if error.response.has_redirect_location:
                return errors.redirect_error(self._who)
            return self._who.scrub_error(
                errors.parse_error(error.status_code, error.body, error.response.headers)
            )
        except responses.ServiceError as error:
            return self._who.scrub_error(error.error)
        except responses.MalformedReply as error:
            return errors.malformed_reply(self._who, str(error), error.usage)
        except (openai.APITimeoutError, httpx.TimeoutException) as error:
            return errors.timeout_error(self._who, _was_sent(error))
        except ForbiddenAddress:
            return errors.private_address_error(self._who)
        except (openai.APIError, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
            if deadlines.find_forbidden_address(error):
                return errors.private_address_error(self._who)
            return errors.connection_error(self._who, _was_sent(error))


def _identity(spec: ModelSpec, keys: ApiKeys) -> ServiceIdentity:
    """Return whom requests and messages are about. Raises Denied where the key cannot be one."""
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


def _client(spec: ModelSpec, key: str, http: httpx.Client, timeout: httpx.Timeout) -> Any:
    import openai

    where = service_addresses.address(spec)
    options: dict[str, Any] = {
        "api_key": key,
        "http_client": http,
        "timeout": timeout,
        "max_retries": 0,
    }
    if spec.service != "azure":
        return openai.OpenAI(base_url=where, **options)
    return openai.AzureOpenAI(
        azure_endpoint=where, api_version=os.environ.get("OPENAI_API_VERSION"), **options
    )


def _failure_or_raise(fault: errors.CallFault) -> Failure:
    if isinstance(fault, Failure):
        return fault
    raise fault


def _was_sent(error: Exception) -> bool:
    """Return whether the service may have got the request, i.e. whether there was a connection."""
    import httpx

    before = (
        httpx.ConnectError,
        httpx.ConnectTimeout,
        httpx.PoolTimeout,
        httpx.UnsupportedProtocol,
        httpx.InvalidURL,
    )
    return not isinstance(error.__cause__ or error, before)


def _go_on(step: int, steps: int) -> None:
    """Does nothing: nobody follows the steps or stops the run."""
