"""Takes in a model that a person names by its id on the Hub or a service's address.

It says what it would be able to do.

It loads nothing. An entry holds until the process ends, or stands in the person's own file of
models.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from hallascope.backends.hub import file_selection
from hallascope.backends.hub.listing import Listing
from hallascope.backends.hub.recognise import UnrecognizedModel, recognised
from hallascope.backends.network import service_addresses
from hallascope.data.models.custom import append
from hallascope.data.models.specs import ANY, MORE, BadModels, ModelSpec, Price, read_models
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.downloads import ModelHub
from hallascope.engine.models.quotes import GB
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.storage.store import home

OVERHEAD = 1.3  # memory of a working model to the bytes of its weights, about
NEEDS_GPU = 8.0  # GB from which on a generator without a GPU is of no use
SERVES: tuple[Role, ...] = ("judge", "captioner", "writer")
TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_WORD = re.compile(r"[^a-z0-9.]+")


@dataclass(frozen=True)
class ModelCandidate:
    """Holds a model that could be taken in: its entry, bytes to fetch, and a service's models.

    A service names at most 40.
    """

    spec: ModelSpec
    size: int = 0
    serves: tuple[str, ...] = ()


def own_file() -> Path:
    """Return a person's own file of models: of HALLASCOPE_MODELS, else ``models.yaml`` at home."""
    named = os.environ.get(MORE, "").strip()
    return Path(named) if named else home() / "models.yaml"


def all_models() -> Mapping[str, ModelSpec]:
    """Ours, with the entries of a person's own file added to them, or in their place.

    Raises BadModels.
    """
    file = own_file()
    there = not os.environ.get(MORE, "").strip() and file.exists()
    return {**read_models(), **read_models(file)} if there else read_models()


class CustomModels:
    """Looks at models that a person names and takes them in.

    `client` carries the question to a service.
    """

    def __init__(
        self,
        roster: ModelRegistry,
        hub: Callable[[], ModelHub],
        client: Callable[[], httpx.Client] | None = None,
    ) -> None:
        self._roster = roster
        self._hub = hub
        self._client = client or (lambda: httpx.Client(timeout=TIMEOUT))

    def look(self, named: str) -> ModelCandidate:
        """What a Hub id or an address would be.

        Raises BadRequest, and what the Hub raises, each one sentence.
        """
        named = named.strip().removeprefix("https://huggingface.co/").strip("/")
        if not named:
            raise BadRequest(
                "No model is named: paste the id of a model on the Hub, like owner/name, or the"
                " address of a service."
            )
        return (
            self._service(named)
            if named.startswith(("http://", "https://"))
            else self._of_hub(named)
        )

    def add(self, candidate: ModelCandidate, keep: bool) -> str:
        """Take it in until the process ends, or for good where it is to be kept.

        Says what was done. Raises BadRequest.
        """
        spec = candidate.spec
        if keep:
            try:
                append(own_file(), spec)
            except BadModels as error:
                raise BadRequest(str(error)) from error
        self._roster.add(spec)
        called = f"{spec.id[:-1]}NAME" if spec.family else spec.id
        return f"{called} is among the models now" + (
            f", and stands in {own_file()}." if keep else ", until HallaScope is stopped."
        )

    # --- of the Hub
    # ----------------------------------------------------------------------------------------------

    def _of_hub(self, repository: str) -> ModelCandidate:
        if there := self._roster.of_repository(repository):
            raise BadRequest(
                f"{repository!r} is among the models already, as {there!r}: choose it there."
            )
        hub = self._hub()
        listing = hub.look(repository)
        hub.may_have(listing)
        return self._candidate(hub, listing)

    def _candidate(self, hub: ModelHub, listing: Listing) -> ModelCandidate:
        index = hub.document(listing, file_selection.INDEX)
        try:
            kind = recognised(index, hub.document(listing, file_selection.CONFIG))
            title = listing.repository.rpartition("/")[2]
            spec = ModelSpec(
                id=self._free_name(title),
                title=title,
                roles=kind.roles,
                backend=kind.backend,
                repository=listing.repository,
                licence=listing.licence or None,
            )
            spec, size = _with_size(
                replace(spec, settings=kind.settings, needs=("download",), gated=listing.gated),
                listing,
                index,
            )
        except (file_selection.NoWeights, UnrecognizedModel) as error:
            raise BadRequest(f"{listing.repository!r} cannot be used: {error}.") from error
        memory = round(size / GB * OVERHEAD, 1) or 0.1
        needs = (
            ("gpu", "download")
            if memory > NEEDS_GPU and "generator" in kind.roles
            else ("download",)
        )
        return ModelCandidate(
            replace(spec, size_gb=round(size / GB, 1) or 0.1, memory_gb=memory, needs=needs), size
        )

    # --- a service
    # ----------------------------------------------------------------------------------------------

    def _service(self, address: str) -> ModelCandidate:
        parts = urlsplit(address)
        if not parts.hostname or parts.username or parts.password or parts.query:
            raise BadRequest(
                "The address is none of a service: give its base URL without name, password or"
                " query, like http://localhost:8000/v1."
            )
        base = address.rstrip("/").removesuffix("/chat/completions").removesuffix("/models")
        here = service_addresses.is_local(parts.hostname)
        name = _WORD.sub(
            "-", f"{parts.hostname}{f'-{parts.port}' if parts.port else ''}".lower()
        ).strip("-")
        listed, key = self._served_models(base)
        spec = ModelSpec(
            id=self._free_name(name, ANY),
            title=f"Any model at {parts.netloc}",
            roles=SERVES,
            backend="openai",
            kind="local" if here else "api",
            base_url=base,
        )
        needs = (f"key:{_WORD.sub('_', name).upper().replace('.', '_')}_KEY",) if key else ()
        settings = {"temperature": 0, "timeout": 600} if here else {"temperature": 0}
        return ModelCandidate(
            replace(spec, settings=settings, needs=needs, price=Price() if here else None),
            serves=listed,
        )

    def _served_models(self, base: str) -> tuple[tuple[str, ...], bool]:
        """The models that the service names, and whether it wants a key before it tells.

        Raises BadRequest.
        """
        try:
            with self._client() as client:
                response = client.get(f"{base}/models")
            if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                return (), True
            said = response.raise_for_status().json()
            return tuple(str(model["id"]) for model in said["data"])[:40], False
        except httpx.HTTPError as error:
            raise BadRequest(
                f"Nothing that speaks OpenAI's language answers at {base} ({type(error).__name__}):"
                " check the address and that it runs."
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise BadRequest(
                f"What answers at {base} does not list its models as OpenAI does: give its base"
                " URL, which often ends in /v1."
            ) from error

    def _free_name(self, title: str, end: str = "") -> str:
        """A name that no entry has yet."""
        plain = _WORD.sub("-", title.lower()).strip("-") or "model"
        tries = (f"{plain}{f'-{n}' if n > 1 else ''}{end}" for n in range(1, 1000))
        return next(name for name in tries if not self._roster.has(name))


def _with_size(
    spec: ModelSpec, listing: Listing, index: Mapping[str, Any] | None
) -> tuple[ModelSpec, int]:
    """The entry, with a variant where there are no other weights, and the bytes of its files.

    Raises NoWeights.
    """
    try:
        return spec, file_selection.size(file_selection.select_files(spec, listing, index))
    except file_selection.NoWeights as error:
        if error.variant is None:
            raise
        of_variant = replace(spec, settings={**spec.settings, "variant": error.variant})
        return of_variant, file_selection.size(
            file_selection.select_files(of_variant, listing, index)
        )
