"""Pictures of Hugging Face's Inference Providers, through `huggingface_hub.InferenceClient`.

Each call is paid by whose token it is.

Judges, captioners and writers that they serve need no class: their router speaks OpenAI's language
(`hf/*` in ``data/models/models.yaml``). It tries nothing twice (the engine does), and the token
leaves this object in no reply, error or text.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import CallLimits, Denied, ModelSpec, OnStep, Transient, Unavailable
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network import deadlines
from hallascope.backends.network.public_addresses import ForbiddenAddress
from hallascope.backends.openai.errors import ServiceIdentity, complaint, fault
from hallascope.data.requests import Failure, Generate, Generated, Setting, Usage

if TYPE_CHECKING:
    from PIL.Image import Image

TIMEOUT = 120.0  # seconds, where the setting `timeout` does not say
SERVICE = "Inference Providers"
_AUTO = "auto"  # the first provider of a person's own order


class ProvidedPictures:
    """A generator. `client` makes the calls; without one it makes its own.

    Settings: provider, steps, guidance, size or width and height, negative_prompt, timeout
    (seconds).
    """

    limits = CallLimits(batch=1, concurrency=4)

    def __init__(self, spec: ModelSpec, keys: ApiKeys | None = None, client: Any = None) -> None:
        self.spec = spec
        self.revision = self.fingerprint(spec)
        secret = (keys or ApiKeys()).get(spec.key) if spec.key else None
        self._who = ServiceIdentity(
            title=spec.title, model=_name(spec), service=SERVICE, key=spec.key, secret=secret
        )
        self._own = client is None
        self._client = client or _client(spec, secret)
        self._seconds = float(spec.settings.get("timeout") or TIMEOUT)

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """The model and who makes its pictures: providers may run it in their own ways."""
        return f"{spec.revision or _name(spec)}@{spec.settings.get('provider') or _AUTO}"

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Whether the provider is one that the package knows; none is called."""
        provider = str(spec.settings.get("provider") or _AUTO)
        known = _providers()
        return (
            None
            if provider in known
            else f"its provider {provider!r} is not known; use one of {', '.join(sorted(known))}."
        )

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Pictures in order; the seed is sent. Raises Transient, Denied, Stopped."""
        return [self._picture(request, on_step) for request in requests]

    def _picture(self, request: Generate, on_step: OnStep | None) -> Generated | Failure:
        if on_step:
            on_step(0, 0)
        made = self._request_image(
            request.prompt,
            {**_arguments({**self.spec.settings, **request.settings}), "seed": request.seed},
        )
        if isinstance(made, Failure):
            return made
        if isinstance(made, Exception):
            raise made
        return Generated(
            _png(made),
            {"provider": str(self.spec.settings.get("provider") or _AUTO)},
            usage=Usage(pictures=1),
        )

    def _request_image(
        self, prompt: str, arguments: dict[str, Any]
    ) -> Image | Denied | Transient | Unavailable | Failure:
        """One call.

        Faults are given back, not raised: what is raised here would carry the request, and the
        token, along.
        """
        from huggingface_hub import get_session
        from huggingface_hub.errors import HfHubHTTPError, InferenceTimeoutError

        if self._own:  # the package's one client, which may be another one by now
            deadlines.guard(get_session())
            deadlines.refuse_redirects(get_session())
        try:
            with deadlines.limited(self._seconds):
                made: Image = self._client.text_to_image(
                    prompt, model=_name(self.spec), **arguments
                )
            return made
        except ForbiddenAddress as error:
            return Denied(
                f"{SERVICE} name an address for {self.spec.title} that {error}, and nothing is"
                " asked there: choose another model."
            )
        except InferenceTimeoutError:
            return Transient(
                f"{SERVICE} did not answer in time for {self.spec.title}: run it again to ask once"
                " more.",
                "timeout",
            )
        except HfHubHTTPError as error:
            said = complaint(
                error.response.status_code, error.response.text, error.response.headers
            )
            return fault(self._who.heard(said), self._who)
        except ValueError as error:
            words = self._who.quote(str(error))
            return Denied(
                f"{SERVICE} make no picture with {self.spec.title} ({words}): choose another model"
                " or provider."
            )
        except (
            Exception
        ) as error:  # what the package raises over a connection is of no class that it names
            sent = type(error).__name__ not in ("ConnectError", "ConnectTimeout")
            return Transient(
                f"{SERVICE} cannot be reached ({type(error).__name__}): connect and run it again.",
                may_be_charged=sent,
            )


def _name(spec: ModelSpec) -> str:
    return spec.repository or spec.id


def _client(spec: ModelSpec, secret: str | None) -> Any:
    from huggingface_hub import InferenceClient

    provider: Any = str(spec.settings.get("provider") or _AUTO)
    return InferenceClient(
        provider=provider,
        token=secret or "",
        timeout=float(spec.settings.get("timeout") or TIMEOUT),
    )


def _providers() -> set[str]:
    from typing import get_args

    from huggingface_hub.inference._providers import PROVIDER_T

    return {_AUTO, *get_args(PROVIDER_T)}


def _arguments(settings: dict[str, Setting]) -> dict[str, Any]:
    """What the call is given of the settings."""
    size = settings.get("size")
    sent = {
        "width": settings.get("width") or size,
        "height": settings.get("height") or size,
        "num_inference_steps": settings.get("steps"),
        "guidance_scale": settings.get("guidance"),
        "negative_prompt": settings.get("negative_prompt"),
    }
    return {name: value for name, value in sent.items() if value is not None}


def _png(image: Image) -> bytes:
    stream = io.BytesIO()
    image.convert("RGB").save(stream, "PNG")
    return stream.getvalue()
