"""Asks models of any OpenAI-compatible service: OpenAI, Azure, Gemini, vLLM, Ollama and more.

They are judges, captioners, writers and generators.

There is one call a request, and only parameters that a service does not take, or an answer that its
limit left empty, cause another: the engine repeats the rest. No key leaves this object: not in an
answer, not in an error, not in what an error carries along.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from hallascope.backends.base import CallLimits, Denied, ModelSpec, OnStep, Transient
from hallascope.backends.images import DAMAGES, as_png
from hallascope.backends.keys import ApiKeys
from hallascope.backends.loading import wrong_number
from hallascope.backends.network import service_addresses
from hallascope.backends.openai.errors import REFUSAL, TOO_LONG, ServiceErrorReply, call_fault
from hallascope.backends.openai.negotiation import (
    LIMITS,
    OFTEN_REFUSED,
    Negotiation,
    not_applied,
)
from hallascope.backends.openai.requests import chat_parameters, image_parameters
from hallascope.backends.openai.responses import probabilities, usage
from hallascope.data.models.specs import Price
from hallascope.data.models.token_limits import LARGER, most_usage
from hallascope.data.records import JudgingProtocol
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
    import httpx2

    from hallascope.backends.network.public_addresses import Resolve
    from hallascope.backends.openai.connection import CallError

T = TypeVar("T")
# Of errors that may be about a parameter, whatever else they mean.
_ABOUT_PARAMETERS = (200, 400, 403, 404, 422, 500, 501)


class OpenAICompatible:
    """Runs a model of a service. `client` carries the requests; without one it makes its own.

    `look_up` finds the addresses of a host.

    Settings: temperature, seed, top_p, max_tokens, reasoning_effort, detail (of images in the
    request), structured and logprobs (false: not requested), timeout (seconds); for generated
    images: size, quality, style, background, moderation. What is null is not sent.

    `negotiations` hold what the service does not take, of words and of images; another object of
    the same model may take them over.
    """

    limits = CallLimits(batch=1, concurrency=16, start=8)

    def __init__(
        self,
        spec: ModelSpec,
        keys: ApiKeys | None = None,
        client: httpx2.Client | None = None,
        look_up: Resolve | None = None,
    ) -> None:
        from hallascope.backends.openai.connection import ServiceConnection

        self.spec = spec
        self.revision = self.fingerprint(spec)
        self._connection = ServiceConnection(spec, keys or ApiKeys(), client, look_up)
        self._identity = self._connection.identity
        self._is_paid = spec.price is not None and spec.price.cost(Usage(1, 1, 1)) > 0
        untaken = [name for name, value in spec.settings.items() if value is None]
        self.negotiations = Negotiation(untaken), Negotiation([*untaken, "seed"])

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the model's revision or name, and its address unless that is OpenAI's.

        So two services share no replies.
        """
        where = service_addresses.fingerprint(spec)
        return f"{spec.revision or spec.source}{where and '@'}{where}"

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
        return (
            wrong_number(spec.settings, "timeout", 0)
            or wrong_number(spec.settings, "max_tokens", 0, step=1)
            or service_addresses.trouble(spec)
        )

    def ask(
        self, requests: Sequence[Ask | Write], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Answer, or write, in order. Raises Transient, Denied, Stopped.

        Free text is streamed, with `on_step` after each piece; a choice comes whole, with its
        probabilities.
        """
        return [self._answer(request, on_step) for request in requests]

    write = ask

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        """Describe in order, by the same call as a question in free text.

        Raises Transient, Denied, Stopped.
        """
        return self.ask([request.as_question() for request in requests], on_step)

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Generate images in order. Raises Transient, Denied, Stopped.

        The seed is not sent: these services take none.
        """
        return [self._picture(request, on_step) for request in requests]

    def _answer(self, request: Ask | Write, on_step: OnStep | None) -> Answer | Failure:
        title, complete = self.spec.title, partial(self._connection.complete_chat, on_step=on_step)
        try:
            wanted = chat_parameters(self.spec, request)
        except DAMAGES as error:
            return Failure(
                "broken",
                f"An image for {title} cannot be read ({type(error).__name__}): make or upload it"
                " again.",
            )
        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        reply = self._negotiate(self.negotiations[0], wanted, complete, most)
        if isinstance(reply, Failure):
            return reply
        completion, sent = reply
        remedy = "run it again, or choose another model"
        reasons = bool(self.spec.settings.get("reasoning_effort"))
        if reasons and completion.is_cut and not completion.text.strip():
            larger = {
                name: LARGER * value if name in LIMITS else value for name, value in sent.items()
            }
            if completion.follow(complete(larger), most):
                sent = larger
        text, used = self._identity.clean(completion.text), completion.usage
        if completion.is_filtered:
            message = self._identity.say(REFUSAL, completion.refusal)
            return Failure("refused", message, usage=used or most)
        if not text.strip():
            if completion.is_cut:
                limit = max(sent.get(name, 0) for name in LIMITS)
                remedy = (
                    f"its {limit} tokens were used up before: raise `max_tokens` in its settings"
                )
            message = f"{title} returned no text; {remedy}."
            return Failure("empty", message, usage=used or most)
        chances = None
        protocol: JudgingProtocol | None = None
        if isinstance(request, Ask) and request.choices:
            chances = probabilities(completion.tokens, len(request.choices))
            protocol = "schema" if "response_format" in sent else "free"
        missing = not_applied(wanted, sent)
        return Answer(
            text, chances, used, completion.is_cut, not_applied=missing, protocol=protocol
        )

    def _picture(self, request: Generate, on_step: OnStep | None) -> Generated | Failure:
        if on_step:
            on_step(1, 1)
        wanted = image_parameters(self.spec, request)
        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        generate = self._connection.generate_image
        reply = self._negotiate(self.negotiations[1], wanted, generate, most)
        if isinstance(reply, Failure):
            return reply
        made, sent = reply
        counted = usage(made, "input_tokens", "output_tokens") or Usage()
        used = replace(counted, pictures=1)
        title = self.spec.title
        picture = made.data[0] if isinstance(made.data, list) and made.data else None
        try:
            data = self._connection.image_bytes(picture)
            png = as_png(data) if data else None
        except ValueError as error:
            message = f"The image that {title} sends {error}: try again, or choose another model."
            return Failure("broken", message, usage=used)
        if png is None:
            message = f"{title} sends no image: try again, or choose another model."
            return Failure("empty", message, usage=used)
        missing = [name for name in not_applied(wanted, sent) if name != "schema"]
        notes = {"not_applied": ", ".join(missing)}
        prompt = getattr(picture, "revised_prompt", None)
        if isinstance(prompt, str):
            notes["revised_prompt"] = self._identity.clean(prompt)
        return Generated(png, notes, usage=used)

    def _negotiate(
        self,
        negotiation: Negotiation,
        wanted: Mapping[str, Any],
        send: Callable[[dict[str, Any]], T | CallError],
        most: Usage,
    ) -> tuple[T, Mapping[str, Any]] | Failure:
        """Send a request, and again while the service refuses a parameter; return what was sent.

        Raises Transient, Denied.

        An error that names no parameter may be a stray one: the same request is sent once more
        before anything is left out for it.
        """
        unnamed = 0
        while True:
            sent = negotiation.apply(wanted)
            guessed = sent.keys() & OFTEN_REFUSED if unnamed > 1 else frozenset[str]()
            sent = {name: value for name, value in sent.items() if name not in guessed}
            if self._is_paid and "messages" in sent and not sent.keys() & {*LIMITS}:
                return Failure(
                    "broken",
                    f"{self.spec.title} takes no limit for the length of its replies"
                    " (`max_tokens`), so no cap can hold for what it costs: choose another model.",
                )
            reply = send(sent)
            if isinstance(reply, Transient | Denied):
                raise reply
            if not isinstance(reply, ServiceErrorReply):
                negotiation.refused |= guessed
                return reply, sent
            if self._is_paid and negotiation.is_limit_too_high(sent, reply):
                return Failure("broken", self._identity.say(TOO_LONG, reply.message))
            fault = call_fault(reply, self._identity)
            is_refusal = isinstance(fault, Failure) and fault.kind == "refused"
            if not reply.is_partial and not is_refusal:
                if reply.status in _ABOUT_PARAMETERS and negotiation.learn(sent, reply):
                    continue
                is_unnamed = isinstance(fault, Failure) and reply.status in (400, 422)
                if is_unnamed and unnamed < 2 and sent.keys() & OFTEN_REFUSED:
                    unnamed += 1
                    continue
            if not isinstance(fault, Failure):
                raise fault
            return replace(fault, usage=fault.usage or most) if reply.is_partial else fault
