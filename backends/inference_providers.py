"""Generates images with Hugging Face's Inference Providers, by `huggingface_hub`'s client.

Each call is charged to the owner of the token.

Judges, captioners and writers that they serve need no class: their router speaks OpenAI's language
(`hf/*` in ``data/models/models.yaml``). Nothing is tried twice here (the engine does that), and the
token leaves this object in no reply, error or text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from hallascope.backends.base import CallLimits, Denied, ModelSpec, OnStep, Transient, Unavailable
from hallascope.backends.images import UnreadableImage, encode_png
from hallascope.backends.keys import ApiKeys
from hallascope.backends.loading import wrong_number
from hallascope.backends.network.public_addresses import resolve
from hallascope.backends.openai.errors import (
    UNREACHED,
    ServiceIdentity,
    call_fault,
    parse_error,
)
from hallascope.data.requests import Failure, Generate, Generated, Setting, Usage

if TYPE_CHECKING:
    from PIL.Image import Image

TIMEOUT = 120.0  # seconds, where the setting `timeout` does not say
MAX_BYTES = 48 * 2**20  # of a reply
SERVICE = "Inference Providers"
_AUTO = "auto"  # the first provider of a person's own order


class ProvidedImages:
    """Generates images. `client` makes the calls; without one it makes its own.

    Settings: provider, steps, guidance, size or width and height, negative_prompt, timeout
    (seconds).
    """

    limits = CallLimits(batch=1, concurrency=4)

    def __init__(self, spec: ModelSpec, keys: ApiKeys | None = None, client: Any = None) -> None:
        self.spec = spec
        self.revision = self.fingerprint(spec)
        secret = (keys or ApiKeys()).get(spec.key) if spec.key else None
        self._who = ServiceIdentity(
            title=spec.title, model=spec.source, service=SERVICE, key=spec.key, secret=secret
        )
        self._own = client is None
        self._seconds = float(spec.settings.get("timeout") or TIMEOUT)
        self._client = client or _client(spec, secret, self._seconds)

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the model and its provider, since providers may run it in their own ways."""
        return f"{spec.revision or spec.source}@{_provider(spec)}"

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Return why the provider cannot be used, without calling it; None where it can."""
        from huggingface_hub import InferenceClient

        provider = _provider(spec)
        stated = get_type_hints(InferenceClient.__init__)["provider"]
        known = {name for names in get_args(stated) for name in get_args(names)}
        if provider in known:
            return wrong_number(spec.settings, "timeout", 0)
        return f"its provider {provider!r} is not known; use one of {', '.join(sorted(known))}."

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Generate images in order; the seed is sent. Raises Transient, Denied, Stopped."""
        return [self._picture(request, on_step) for request in requests]

    def _picture(self, request: Generate, on_step: OnStep | None) -> Generated | Failure:
        if on_step:
            on_step(0, 0)
        image = self._request_image(
            request.prompt,
            {**_arguments(self.spec.settings), "seed": request.seed},
        )
        if isinstance(image, Failure):
            return image
        if isinstance(image, Exception):
            raise image
        try:
            png = encode_png(image)
        except UnreadableImage as error:
            return self._broken(str(error))
        return Generated(png, {"provider": _provider(self.spec)}, usage=Usage(pictures=1))

    def _broken(self, why: str) -> Failure:
        """Return the failure of an image that came, and is charged, but cannot be read."""
        message = (
            f"The image that {self.spec.title} sends {why}: try again, or choose another model."
        )
        return Failure("broken", message, usage=Usage(pictures=1))

    def _request_image(
        self, prompt: str, arguments: dict[str, Any]
    ) -> Image | Denied | Transient | Unavailable | Failure:
        """Make one call and return its image, or its fault.

        Faults are returned, not raised: what is raised here would carry the request, and the
        token, along.
        """
        from huggingface_hub import get_session

        from hallascope.backends.network.guarded_client import call_limits, guard

        if self._own:  # the package's one client, which may be another one by now
            guard(get_session(), resolve)
        try:
            with call_limits(self._seconds, MAX_BYTES):
                image: Image = self._client.text_to_image(
                    prompt, model=self.spec.source, **arguments
                )
            return image
        except Exception as error:  # what the package raises is of many classes
            return self._fault(error)

    def _fault(self, error: Exception) -> Denied | Transient | Unavailable | Failure:
        from huggingface_hub.errors import HfHubHTTPError
        from PIL import Image, UnidentifiedImageError

        from hallascope.backends.network.guarded_client import BadReply
        from hallascope.backends.openai.connection import transport_fault

        if isinstance(error, UnidentifiedImageError | Image.DecompressionBombError):
            return self._broken("is damaged")
        if isinstance(error, HfHubHTTPError):
            response = error.response
            complaint = parse_error(response.status_code, response.text, response.headers)
            return call_fault(self._who.scrub_error(complaint), self._who)
        fault = transport_fault(error, self._who)
        if isinstance(error, JSONDecodeError | BadReply):
            cut = isinstance(error, JSONDecodeError)
            said = "is not whole, or no JSON" if cut else self._who.quote(str(error))
            return Transient(f"The reply of {SERVICE} {said}: run it again.", may_be_charged=True)
        if isinstance(error, ValueError) and not fault:
            why = self._who.quote(str(error))
            return Denied(
                f"{SERVICE} make no image with {self.spec.title} ({why}): choose another model or"
                " provider."
            )
        return fault or Transient(self._who.say(UNREACHED), may_be_charged=True)


def _provider(spec: ModelSpec) -> str:
    return str(spec.settings.get("provider") or _AUTO)


def _client(spec: ModelSpec, secret: str | None, timeout: float) -> Any:
    from huggingface_hub import InferenceClient

    provider: Any = _provider(spec)
    return InferenceClient(provider=provider, token=secret or "", timeout=timeout)


def _arguments(settings: Mapping[str, Setting]) -> dict[str, Any]:
    """Translate settings to the arguments of the call."""
    size = settings.get("size")
    sent = {
        "width": settings.get("width") or size,
        "height": settings.get("height") or size,
        "num_inference_steps": settings.get("steps"),
        "guidance_scale": settings.get("guidance"),
        "negative_prompt": settings.get("negative_prompt"),
    }
    return {name: value for name, value in sent.items() if value is not None}
