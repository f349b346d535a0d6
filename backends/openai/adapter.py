"""Asks models of any OpenAI-compatible service: OpenAI, Azure, Gemini, vLLM, Ollama and more.

They are judges, captioners, writers and generators.

There is one call a request, and only parameters that a service does not take cause another: the
engine retries the rest. No key leaves this object: not in an answer, not in an error, not in what
an error carries along.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hallascope.backends.base import CallLimits, Denied, ModelSpec, OnStep, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network import service_addresses
from hallascope.backends.openai import errors, images, responses
from hallascope.backends.openai.connection import CallError, ServiceConnection
from hallascope.backends.openai.error_replies import ServiceErrorReply, is_refusal
from hallascope.backends.openai.requests import (
    UnsupportedParameters,
    amend,
    apply_changes,
    chat_parameters,
    guess,
    model_name,
    not_applied,
    picture_parameters,
)
from hallascope.backends.openai.responses import ChatCompletion, PictureReply
from hallascope.data.models.specs import Price
from hallascope.data.models.token_limits import LARGER, most_usage
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Failure,
    Generate,
    Generated,
    Usage,
    Write,
    sum_of,
)

if TYPE_CHECKING:
    import httpx

    from hallascope.backends.network.public_addresses import Resolve

T = TypeVar("T")


class OpenAICompatible:
    """Runs a model of a service. `client` carries the requests; without one it makes its own.

    `look_up` finds the addresses of a host.

    Settings: temperature, seed, reasoning_effort (of models that reason first), max_tokens, detail
    (of pictures in the request), structured and
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
        self.spec = spec
        self.revision = self.fingerprint(spec)
        self._connection = ServiceConnection(spec, keys or ApiKeys(), client, look_up)
        self._identity = self._connection.identity
        self._unsupported = UnsupportedParameters()
        self._is_paid = spec.price is not None and spec.price.cost(Usage(1, 1, 1)) > 0

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
        return self.ask([request.as_question() for request in requests], on_step)

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
                f"An image for {self.spec.title} cannot be read ({type(error).__name__}): make or"
                " upload it again.",
            )

        def attempt(sent: dict[str, Any]) -> ChatCompletion | CallError:
            return self._connection.complete_chat(sent, on_step)

        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        completion = self._send_adapted(parameters, attempt, most)
        if isinstance(completion, _Adapted) and _used_up(completion.reply, self.spec):
            first = completion.reply.usage
            parameters["max_tokens"] *= LARGER
            completion = self._send_adapted(parameters, attempt, most)
            completion = _with_usage_before(completion, first)
        if isinstance(completion, Failure):
            return completion
        reply = self._parse_reply(completion.reply, choices, parameters["max_tokens"], most)
        if isinstance(reply, Failure):
            return reply
        return replace(reply, not_applied=completion.not_applied)

    def _parse_reply(
        self, completion: ChatCompletion, choices: int, token_limit: int, most: Usage
    ) -> Answer | Failure:
        """Read an answer from a reply.

        A failure has the usage, or the `most` it may be where the service does not count.
        """
        identity = self._identity
        text = identity.clean(completion.text)
        if completion.filtered:
            words = identity.quote(completion.refusal)
            return errors.refusal_failure(words, identity, completion.usage or most)
        if not text.strip():
            remedy = "run it again, or choose another model"
            if completion.cut:
                remedy = (
                    f"its {token_limit} tokens were used up before: raise `max_tokens` in its"
                    " settings"
                )
            return Failure(
                "empty",
                f"{identity.title} answers with nothing; {remedy}.",
                usage=completion.usage or most,
            )
        probabilities = None
        if choices:
            probabilities = responses.probabilities(completion.tokens, choices)
        return Answer(text, probabilities, completion.usage, completion.cut)

    # --- pictures ---

    def _picture(self, request: Generate, on_step: OnStep | None) -> Generated | Failure:
        if on_step:
            on_step(1, 1)
        parameters = picture_parameters(self.spec, request)
        most = most_usage(request, self.spec.price or Price(), self.spec.settings)
        reply = self._send_adapted(parameters, self._connection.generate_picture, most)
        if isinstance(reply, Failure):
            return reply
        generated = self._generated(reply.reply)
        if isinstance(generated, Failure):
            return generated
        # these services take no seed
        names = ", ".join(("seed", *reply.not_applied))
        return replace(generated, notes={**generated.notes, "not_applied": names})

    def _generated(self, reply: PictureReply) -> Generated | Failure:
        """Return the picture of a reply as PNG, with what it took."""
        title = self._identity.title
        usage = Usage(pictures=1)
        if reply.usage:
            usage = Usage(reply.usage.input_tokens, reply.usage.output_tokens, 1)
        try:
            data = self._connection.picture_bytes(reply.picture)
            png = images.as_png(data) if data else None
        except images.BadPicture as error:
            return Failure(
                "broken",
                f"The image that {title} sends {error}: try again, or choose another model.",
                usage=usage,
            )
        if png is None:
            return Failure(
                "empty",
                f"{title} sends no image: try again, or choose another model.",
                usage=usage,
            )
        prompt = reply.picture.get("revised_prompt")
        notes = {"revised_prompt": self._identity.clean(prompt)} if isinstance(prompt, str) else {}
        return Generated(png, notes, usage=usage)

    # --- one request, adapted to its service ---

    def _send_adapted(
        self,
        parameters: dict[str, Any],
        attempt: Callable[[dict[str, Any]], T | CallError],
        most: Usage,
    ) -> _Adapted[T] | Failure:
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
                return _Adapted(outcome, not_applied(parameters, changes))
            fault = errors.call_fault(outcome, self._identity)
            if outcome.is_partial:
                return _failure_or_raise(errors.add_charge(fault, most, outcome.usage))
            if is_refusal(outcome):
                return _failure_or_raise(fault)
            amended = amend(parameters, changes, outcome)
            if amended is None and isinstance(fault, Failure):
                amended = guess(parameters, changes, outcome)
                if amended and may_be_stray:
                    amended = changes
                    may_be_stray = False
                elif amended:
                    guessed = frozenset(set(amended) - set(changes))
            if amended is None:
                return _failure_or_raise(fault)
            if amended.get("max_tokens", "") is None and self._is_paid:
                return errors.no_token_limit_failure(self._identity)
            changes = amended


@dataclass(frozen=True)
class _Adapted(Generic[T]):
    """Holds a reply, and what of its request the service did not take."""

    reply: T
    not_applied: tuple[str, ...]


def _used_up(completion: ChatCompletion, spec: ModelSpec) -> bool:
    """Return whether a model that reasons used up its tokens before it said anything."""
    is_empty = completion.cut and not completion.text.strip()
    return is_empty and bool(spec.settings.get("reasoning_effort"))


def _with_usage_before(
    completion: _Adapted[ChatCompletion] | Failure, before: Usage | None
) -> _Adapted[ChatCompletion] | Failure:
    """Return what a second call gave, charged with the first one, too."""
    if before is None:
        return completion
    if isinstance(completion, Failure):
        return replace(completion, usage=sum_of(before, completion.usage))
    completion.reply.usage = sum_of(before, completion.reply.usage)
    return completion


def _failure_or_raise(fault: errors.CallFault) -> Failure:
    if isinstance(fault, Failure):
        return fault
    raise fault
