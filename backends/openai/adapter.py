"""Asks models of any OpenAI-compatible service: OpenAI, Azure, Gemini, vLLM, Ollama and more.

They are judges, captioners, writers and generators.

It makes one call a request and tries none again (the engine does), but for parameters a service
does not take. No key leaves this object: not in an answer, not in an error, not in what an error
carries along.
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
from hallascope.backends.openai import requests as openai_sending
from hallascope.backends.openai.errors import ServiceErrorReply, ServiceIdentity
from hallascope.backends.openai.responses import ChatCompletion, bounded
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

TIMEOUT, CONNECT_TIMEOUT = 120.0, 10.0  # seconds; the first where `settings.timeout` does not say
NO_KEY = "none"  # what a service is sent that wants no key: the package will not go without
MOST_WORDS, MOST_PICTURE = (
    16 * 2**20,
    48 * 2**20,
)  # bytes of a reply, with the probabilities of its tokens, or with a picture in base64
FETCHES = 3  # a picture that is paid for is fetched again before it is given up

T = TypeVar("T")
# a try at a call: what came of it, or what the service complains of, or a fault that may pass
RequestAttempt = Callable[[dict[str, Any]], T | ServiceErrorReply | Transient | Denied]


class OpenAICompatible:
    """A model of a service. `client` carries the requests; without one it makes its own.

    `look_up` finds the addresses of a host.

    Settings: temperature, seed, max_tokens, detail (of pictures it is shown), structured and
    logprobs (false: not asked for), timeout (seconds); for pictures it makes: size, quality, style,
    background, moderation.
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
        place = service_addresses.place(spec)
        secret = (keys or ApiKeys()).get(spec.key) if spec.key else None
        called = service_addresses.service_name(spec)
        self._who = ServiceIdentity(
            title=spec.title,
            model=openai_sending.model_name(spec),
            service=called,
            key=spec.key,
            secret=secret,
            untold=service_addresses.untold(spec),
        )
        if secret and not (secret.isascii() and secret.isprintable()):
            raise Denied(
                f"The key {spec.key} holds characters that no key has: copy it again into"
                f" {spec.key} or the key field."
            )
        seconds = float(spec.settings.get("timeout") or TIMEOUT)
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_TIMEOUT))
        self._seconds = seconds
        self._http = client or httpx.Client(timeout=timeout)
        deadlines.guard(self._http, look_up=look_up or resolve)
        self._client = _client(spec, secret or NO_KEY, self._http, timeout)
        self._habits = openai_sending.UnsupportedParameters()
        self._is_paid = spec.price is not None and spec.price.cost(Usage(1, 1, 1)) > 0
        self._own = place.host if place else ""
        self._look_up = look_up

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the model's revision or name, and its address unless that is OpenAI's.

        So two services share no replies.
        """
        name = spec.revision or openai_sending.model_name(spec)
        where = service_addresses.fingerprint(spec)
        return f"{name}@{where}" if where else name

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Whether there is an address, and on this machine a server at it.

        A service far away is not called.
        """
        if spec.service == "azure" and not os.environ.get("OPENAI_API_VERSION"):
            return (
                "the version of Azure's API is not set; put it into the environment variable"
                " OPENAI_API_VERSION."
            )
        return service_addresses.trouble(spec)

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        """Answers in order. Raises Transient, Denied, Stopped.

        Free text comes in pieces, with `on_step` after each; a choice comes at once, with its
        probabilities.
        """
        return [self._answer(request, len(request.choices), on_step) for request in requests]

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Descriptions in order: the same call as a question in free text.

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
        """Texts in order. Raises Transient, Denied, Stopped."""
        return [self._answer(request, 0, on_step) for request in requests]

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Pictures in order. Raises Transient, Denied, Stopped.

        The seed is not sent: these services take none.
        """
        return [self._picture(request, on_step) for request in requests]

    # --- words
    # ----------------------------------------------------------------------------------------------

    def _answer(
        self, request: Ask | Write, choices: int, on_step: OnStep | None
    ) -> Answer | Failure:
        try:
            wanted = openai_sending.chat(self.spec, request)
        except (OSError, ValueError) as error:
            return Failure(
                "broken",
                f"A picture for {self.spec.title} cannot be read ({type(error).__name__}): make or"
                " upload it again.",
            )
        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        said = self._send_adapted(wanted, partial(self._chat, on_step or _go_on), most)
        return (
            said
            if isinstance(said, Failure)
            else self._parse_reply(said, choices, wanted["max_tokens"], most)
        )

    def _chat(
        self, on_step: OnStep, sent: dict[str, Any]
    ) -> ChatCompletion | ServiceErrorReply | Transient | Denied:
        on_step(0, 0)

        def read(response: Any) -> ChatCompletion:
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                return responses.streamed(
                    bounded(response.iter_bytes(), MOST_WORDS), lambda count: on_step(count, 0)
                )
            return responses.whole(b"".join(bounded(response.iter_bytes(), MOST_WORDS)))

        # `extra_body` is sent as it is; what is given by name is walked through first, which takes
        # a third of a call's time
        create = self._client.chat.completions.with_streaming_response.create
        named = {"model": sent["model"], "messages": ()}
        return self._once(lambda: create(**named, extra_body=sent), read)

    def _parse_reply(
        self, said: ChatCompletion, choices: int, limit: int, most: Usage
    ) -> Answer | Failure:
        """What a reply says.

        A failure says what it took, or the `most` it may be where the service does not count.
        """
        who = self._who
        text = self._who.clean(said.text)
        if said.filtered:
            return errors.refusal(who.quote(said.refusal), who, said.usage or most)
        if not text.strip():
            short = f"its {limit} tokens were used up before: raise `max_tokens` in its settings"
            why = short if said.cut else "run it again, or choose another model"
            return Failure(
                "empty", f"{who.title} answers with nothing; {why}.", usage=said.usage or most
            )
        chances = responses.probabilities(said.tokens, choices) if choices else None
        return Answer(text, chances, said.usage, said.cut)

    # --- pictures
    # ----------------------------------------------------------------------------------------------

    def _picture(self, request: Generate, on_step: OnStep | None) -> Generated | Failure:
        (on_step or _go_on)(1, 1)
        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        made = self._send_adapted(openai_sending.picture(self.spec, request), self._draw, most)
        if isinstance(made, Failure):
            return made
        found, counted = made
        used = (
            Usage(counted.input_tokens, counted.output_tokens, 1) if counted else Usage(pictures=1)
        )
        try:
            data = self._bytes(found)
            if not data:
                return Failure(
                    "empty",
                    f"{self._who.title} sends no picture: try again, or choose another model.",
                    usage=used,
                )
            png = images.as_png(data)
        except images.BadPicture as error:
            return Failure(
                "broken",
                f"The picture that {self._who.title} sends {error}: try again, or choose another"
                " model.",
                usage=used,
            )
        notes = (
            {"revised_prompt": self._who.clean(found["revised_prompt"])}
            if isinstance(found.get("revised_prompt"), str)
            else {}
        )
        return Generated(png, notes, usage=used)

    def _draw(
        self, sent: dict[str, Any]
    ) -> tuple[Any, Usage | None] | ServiceErrorReply | Transient | Denied:
        def read(response: Any) -> tuple[Any, Usage | None]:
            body = responses.document(b"".join(bounded(response.iter_bytes(), MOST_PICTURE)))
            return responses.picture(body), (
                responses.usage(body.get("usage")) if isinstance(body, dict) else None
            )

        return self._once(
            lambda: self._client.images.with_streaming_response.generate(**sent), read
        )

    def _bytes(self, found: Any) -> bytes:
        """The bytes of a picture that is sent, or that lies somewhere; b"" where there is none.

        Raises BadPicture.
        """
        import httpx

        if isinstance(sent := found.get("b64_json"), str) and sent:
            return images.decoded(sent)
        if not isinstance(url := found.get("url"), str) or not url:
            return b""
        for _ in range(FETCHES):
            try:
                with deadlines.limited(images.FETCH_SECONDS):
                    return images.fetched(url, self._http, self._own, self._look_up)
            except (httpx.HTTPError, httpx.InvalidURL):
                continue
        raise images.BadPicture("cannot be fetched from where it lies")

    # --- one call
    # ----------------------------------------------------------------------------------------------

    def _send_adapted(
        self, wanted: dict[str, Any], attempt: RequestAttempt[T], most: Usage
    ) -> T | Failure:
        """What came of a request, asked otherwise where the service complains of a parameter.

        Raises Transient, Denied.

        A complaint that names nothing may be a stray one: the same is sent once more before
        anything is left out for it.
        """
        changes = self._habits.changes()
        guessed = frozenset[str]()
        again = True
        while True:
            sent = openai_sending.fitted(wanted, changes)
            came = attempt(sent)
            if isinstance(came, Transient | Denied):
                raise came
            if not isinstance(came, ServiceErrorReply):
                self._habits.keep(changes, guessed)
                return came
            if openai_sending.names_temperature(sent, came):
                return errors.warm(self._who, sent["temperature"])
            fault = errors.fault(came, self._who)
            more = openai_sending.amend(wanted, changes, came)
            if more is None and isinstance(fault, Failure) and not errors.refused(came):
                more = openai_sending.guess(wanted, changes, came)
                if more and again:
                    more = changes
                    again = False
                elif more:
                    guessed = frozenset(set(more) - set(changes))
            if came.begun:
                fault = errors.charged(fault, most, came.usage)
                more = None
            if more and more.get("max_tokens", "") is None and self._is_paid:
                return errors.endless(self._who)
            if more is None or errors.refused(came):
                if isinstance(fault, Failure):
                    return fault
                raise fault
            changes = more

    def _once(
        self, send: Callable[[], Any], read: Callable[[Any], T]
    ) -> T | ServiceErrorReply | Transient | Denied:
        """One call, within its time.

        No redirect is followed: a picture and a key go to the host of the entry alone.

        Faults are given back, not raised: what is raised here would carry the request, and the key,
        along.
        """
        import httpx
        import openai

        try:
            with deadlines.limited(self._seconds), send() as response:
                return read(response)
        except openai.APIStatusError as error:
            if error.response.has_redirect_location:
                return errors.redirected(self._who)
            return self._who.heard(
                errors.complaint(error.status_code, error.body, error.response.headers)
            )
        except responses.ServiceError as error:
            return self._who.heard(error.said)
        except responses.MalformedReply as error:
            return errors.garbled(self._who, str(error), error.usage)
        except (openai.APITimeoutError, httpx.TimeoutException) as error:
            return errors.timed_out(self._who, _was_sent(error))
        except ForbiddenAddress:
            return errors.private(self._who)
        except (openai.APIError, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
            if deadlines.forbidden(error):
                return errors.private(self._who)
            return errors.unreachable(self._who, _was_sent(error))


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


def _was_sent(error: Exception) -> bool:
    """Whether the service may have got the request: not where no connection came about."""
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
    """Nobody wants to know, and nobody stops it."""
