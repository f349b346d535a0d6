"""Takes in a model that a person names by its id on the Hub or a service's address.

It says what the model would be able to do, and loads nothing. An entry holds until the process
ends, or stands in the person's own file of models.
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
from hallascope.backends.hub.recognize import ModelKind, UnrecognizedModel, recognize_model
from hallascope.backends.network import service_addresses
from hallascope.data.models.custom import append
from hallascope.data.models.specs import ANY, GB, MORE, BadModels, ModelSpec, Price, read_models
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.downloads import ModelHub
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.storage.store import home

OVERHEAD = 1.3  # memory of a model at work, as a multiple of the size of its weights
NEEDS_GPU = 8.0  # GB; a larger generator is too slow without a GPU
SERVES: tuple[Role, ...] = ("judge", "captioner", "writer")
TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_WORD = re.compile(r"[^a-z0-9.]+")
_NO_SERVICE_ADDRESS = (
    "This is not the address of a service: give its base URL without name, password or query, like"
    " http://localhost:8000/v1."
)


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
    """Return our entries, with those of a person's own file added or in their place.

    Raises BadModels.
    """
    file = own_file()
    # read_models reads the file that the variable names by itself
    at_home = not os.environ.get(MORE, "").strip() and file.exists()
    return {**read_models(), **read_models(file)} if at_home else read_models()


class CustomModels:
    """Inspects models that a person names and adds them to the registry.

    `client` carries the question to a service.
    """

    def __init__(
        self,
        registry: ModelRegistry,
        hub: Callable[[], ModelHub],
        client: Callable[[], httpx.Client] | None = None,
    ) -> None:
        self._registry = registry
        self._hub = hub
        self._client = client or (lambda: httpx.Client(timeout=TIMEOUT))

    def inspect(self, name: str) -> ModelCandidate:
        """Return the model that a Hub id or an address would be.

        Raises BadRequest, and what the Hub raises, each one sentence.
        """
        name = name.strip().removeprefix("https://huggingface.co/").strip("/")
        if not name:
            raise BadRequest(
                "No model is named: paste the id of a model on the Hub, like owner/name, or the"
                " address of a service."
            )
        if name.startswith(("http://", "https://")):
            return self._service_candidate(name)
        return self._hub_candidate(name)

    def add(self, candidate: ModelCandidate, keep: bool) -> str:
        """Add it until the process ends, or for good where `keep` is set.

        Return a sentence about what was done. Raises BadRequest.
        """
        spec = candidate.spec
        if keep:
            try:
                append(own_file(), spec)
            except BadModels as error:
                raise BadRequest(str(error)) from error
        self._registry.add(spec)
        name = f"{spec.id[:-1]}NAME" if spec.family else spec.id
        until = f", and stands in {own_file()}." if keep else ", until HallaScope is stopped."
        return f"{name} is among the models now{until}"

    # --- models of the Hub ---

    def _hub_candidate(self, repository: str) -> ModelCandidate:
        if name := self._registry.find_by_repository(repository):
            raise BadRequest(
                f"{repository!r} is among the models already, as {name!r}: choose it there."
            )
        hub = self._hub()
        listing = hub.listing(repository)
        hub.require_access(listing)
        index = hub.document(listing, file_selection.INDEX)
        try:
            kind = recognize_model(index, hub.document(listing, file_selection.CONFIG))
            spec, size = _with_size(self._hub_spec(listing, kind), listing, index)
        except (file_selection.NoWeights, UnrecognizedModel) as error:
            raise BadRequest(f"{listing.repository!r} cannot be used: {error}.") from error
        memory = round(size / GB * OVERHEAD, 1) or 0.1
        spec = replace(spec, size_gb=round(size / GB, 1) or 0.1, memory_gb=memory)
        if memory > NEEDS_GPU and "generator" in kind.roles:
            spec = replace(spec, needs=("gpu", *spec.needs))
        return ModelCandidate(spec, size)

    def _hub_spec(self, listing: Listing, kind: ModelKind) -> ModelSpec:
        """Return the entry of a repository, without the size of its files."""
        title = listing.repository.rpartition("/")[2]
        return ModelSpec(
            id=self._free_name(title),
            title=title,
            roles=kind.roles,
            backend=kind.backend,
            repository=listing.repository,
            license=listing.license or None,
            settings=kind.settings,
            needs=("download",),
            gated=listing.gated,
        )

    # --- models of a service ---

    def _service_candidate(self, address: str) -> ModelCandidate:
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError as error:
            raise BadRequest(_NO_SERVICE_ADDRESS) from error
        hostname = parts.hostname
        if not hostname or parts.username or parts.password or parts.query:
            raise BadRequest(_NO_SERVICE_ADDRESS)
        base = address.rstrip("/").removesuffix("/chat/completions").removesuffix("/models")
        host = f"{hostname}-{port}" if port else hostname
        name = _WORD.sub("-", host.lower()).strip("-")
        models, needs_key = self._served_models(base)
        spec = ModelSpec(
            id=self._free_name(name, ANY),
            title=f"Any model at {parts.netloc}",
            roles=SERVES,
            backend="openai",
            kind="api",
            base_url=base,
            settings={"temperature": 0},
        )
        if service_addresses.is_local(hostname):
            settings = {"temperature": 0, "timeout": 600}
            spec = replace(spec, kind="local", settings=settings, price=Price())
        if needs_key:
            key = f"{_WORD.sub('_', name).upper().replace('.', '_')}_KEY"
            spec = replace(spec, needs=(f"key:{key}",))
        return ModelCandidate(spec, serves=models)

    def _served_models(self, base: str) -> tuple[tuple[str, ...], bool]:
        """Return the models that the service names, and whether it wants a key before it does.

        Raises BadRequest.
        """
        try:
            with self._client() as client:
                response = client.get(f"{base}/models")
            if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                return (), True
            document = response.raise_for_status().json()
            return tuple(str(model["id"]) for model in document["data"])[:40], False
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise BadRequest(
                f"No OpenAI-compatible server answers at {base} ({type(error).__name__}):"
                " check the address and that it runs."
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise BadRequest(
                f"What answers at {base} does not list its models as OpenAI does: give its base"
                " URL, which often ends in /v1."
            ) from error

    def _free_name(self, title: str, end: str = "") -> str:
        """Return a name that no entry has yet."""
        plain = _WORD.sub("-", title.lower()).strip("-") or "model"
        names = (f"{plain}{end}", *(f"{plain}-{number}{end}" for number in range(2, 1000)))
        return next(name for name in names if not self._registry.has(name))


def _with_size(
    spec: ModelSpec, listing: Listing, index: Mapping[str, Any] | None
) -> tuple[ModelSpec, int]:
    """Return the entry and the bytes of its files; it names a variant where only that has weights.

    Raises NoWeights.
    """
    try:
        files = file_selection.select_files(spec, listing, index)
    except file_selection.NoWeights as error:
        if error.variant is None:
            raise
        spec = replace(spec, settings={**spec.settings, "variant": error.variant})
        files = file_selection.select_files(spec, listing, index)
    return spec, file_selection.size(files)
