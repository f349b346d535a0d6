"""Quotes what it takes to get models before anything is fetched, and fetches them as events."""

import shutil
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import stamina

from hallascope.backends import registry, weights
from hallascope.backends.base import HallaScopeError, Transient, Unavailable
from hallascope.backends.hub import file_selection
from hallascope.backends.hub.listing import Listing, RepositoryFile
from hallascope.data.models.packs import Pack
from hallascope.data.models.specs import GB, ModelSpec
from hallascope.data.requests import Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.quotes import (
    DownloadEvent,
    DownloadOffer,
    DownloadProgress,
    DownloadQuote,
    ModelDownloaded,
    ModelDownloadFailed,
    RepositoryFiles,
)
from hallascope.engine.models.registry import ModelRegistry

ATTEMPTS = 6  # tries in a row without a byte; each of the library's own is several
# seconds between tries
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
STOPPED = Failure(
    "stopped", "It was stopped: the same again fetches the files that are left.", attempts=0
)


class ModelHub(Protocol):
    """Lists and fetches models (`hallascope.backends.hub.download.HubClient`)."""

    cache: Path

    def listing(self, repository: str, revision: str | None = None) -> Listing: ...
    def require_access(self, listing: Listing) -> None: ...
    def document(self, listing: Listing, path: str) -> dict[str, object] | None: ...
    def has(self, listing: Listing, file: RepositoryFile) -> bool: ...
    def fetch(
        self, listing: Listing, files: Sequence[RepositoryFile], revision: str | None = None
    ) -> Iterator[int]: ...


@dataclass
class _ByteCount:
    """Counts the bytes of all models: those that are there, and all that are to be there."""

    done: int
    total: int


class ModelDownloader:
    """Quotes and downloads models of the registry.

    `make_hub` makes the Hub when it is first needed; `free` returns the bytes free on a folder's
    disk.
    """

    def __init__(
        self,
        registry: ModelRegistry,
        packs: Mapping[str, Pack],
        make_hub: Callable[[], ModelHub],
        free: Callable[[Path], int] | None = None,
    ) -> None:
        self._registry = registry
        self.packs = packs
        self._make_hub = make_hub
        self._free = free or free_bytes
        self._hub: ModelHub | None = None

    @property
    def hub(self) -> ModelHub:
        self._hub = self._hub or self._make_hub()
        return self._hub

    # --- quotes ---

    def quote(self, names: Sequence[str]) -> DownloadQuote:
        """Return what it takes to get packs and models by name; asks the Hub about each.

        Raises UnknownModel, BadRequest.
        """
        specs = self._specs(names)
        offers: list[DownloadOffer] = []
        outage: Transient | None = None  # where the Hub cannot be reached it is not asked again
        for spec in specs:
            if outage and _is_of_hub(spec):
                offers.append(_failed_offer(spec, outage))
                continue
            try:
                offers.append(self._offer(spec))
            except HallaScopeError as error:
                offers.append(_failed_offer(spec, error))
                if isinstance(error, Transient):
                    outage = error
        return self._quote(names, offers)

    def outline(self, names: Sequence[str]) -> DownloadQuote:
        """Return a quote from the entries and this disk alone; the Hub is not asked.

        Raises UnknownModel, BadRequest.
        """
        return self._quote(names, [_outline_offer(spec) for spec in self._specs(names)])

    def _specs(self, names: Sequence[str]) -> list[ModelSpec]:
        """Return the entries of these packs and models, each once."""
        if not names:
            packs = ", ".join(self.packs)
            raise BadRequest(
                f"No model is named: name a pack ({packs}) or models, e.g. `hallascope models get"
                f" {next(iter(self.packs))}`."
            )
        ids: dict[str, None] = {}
        for name in names:
            ids |= dict.fromkeys(self.packs[name].models if name in self.packs else (name,))
        specs: list[ModelSpec] = []
        for name in ids:
            spec = self._registry.spec(name)
            if spec.family:
                raise BadRequest(
                    f"{name!r} stands for every model of a service, of which none is fetched: name"
                    " a model of this machine."
                )
            specs.append(spec)
        return specs

    def _quote(self, names: Sequence[str], offers: Sequence[DownloadOffer]) -> DownloadQuote:
        packs = [self.packs[name] for name in names if name in self.packs]
        return DownloadQuote(
            title=", ".join(
                self.packs[name].title if name in self.packs else name for name in names
            ),
            offers=tuple(offers),
            folder=self.hub.cache,
            free=self._free(self.hub.cache),
            about=" ".join(pack.about for pack in packs),
            memory_gb=max((offer.spec.memory_gb or 0 for offer in offers), default=0) or None,
        )

    def _offer(self, spec: ModelSpec) -> DownloadOffer:
        """Return the offer of a model by its files on the Hub. Raises what the Hub raises."""
        if not _is_of_hub(spec):
            return DownloadOffer(spec=spec, license=spec.license or "", downloaded=True)
        repositories = tuple(self._repositories(spec))
        return DownloadOffer(
            spec=spec,
            size=sum(file_selection.size(each.files) for each in repositories),
            bytes_left=sum(map(self._missing_bytes, repositories)),
            license=spec.license or repositories[0].listing.license or "not stated",
            repositories=repositories,
            downloaded=all(
                self.hub.has(each.listing, file) for each in repositories for file in each.files
            ),
        )

    def _repositories(self, spec: ModelSpec) -> Iterator[RepositoryFiles]:
        listing = self.hub.listing(spec.repository or "", spec.revision)
        self.hub.require_access(listing)
        index = self.hub.document(listing, file_selection.INDEX)
        try:
            files = file_selection.select_files(spec, listing, index)
            yield RepositoryFiles(listing, spec.revision, files)
            if adapter := str(spec.settings.get("ip_adapter") or ""):
                listing = self.hub.listing(adapter)
                yield RepositoryFiles(
                    listing, None, file_selection.select_adapter_files(spec, listing)
                )
        except file_selection.NoWeights as error:
            raise Unavailable(f"{spec.title} cannot be fetched: {error}.") from error

    # --- downloads ---

    def download(
        self, quote: DownloadQuote, stop: threading.Event | None = None
    ) -> Iterator[DownloadEvent]:
        """Fetch what the quote lists, model by model.

        The same again fetches what is left, after any kind of end.
        """
        stop = stop or threading.Event()
        available = [offer for offer in quote.offers if not offer.failure]
        total = sum(offer.size for offer in available)
        count = _ByteCount(total - sum(offer.bytes_left for offer in available), total)
        for offer in quote.offers:
            failure = offer.failure
            if not failure and not offer.downloaded:
                if quote.disk_shortage:
                    failure = Failure("unavailable", quote.disk_shortage)
                else:
                    failure = yield from self._download_model(offer, count, stop)
            if failure:
                yield ModelDownloadFailed(offer.spec.id, failure)
            else:
                yield ModelDownloaded(offer.spec.id)

    def _download_model(
        self, offer: DownloadOffer, count: _ByteCount, stop: threading.Event
    ) -> Generator[DownloadEvent, None, Failure | None]:
        try:
            for repository in offer.repositories:
                for done in self._fetch(repository, count.done, stop):
                    count.done = done
                    name = repository.listing.repository
                    yield DownloadProgress(offer.spec.id, name, count.done, count.total)
                if stop.is_set():
                    return STOPPED
        except HallaScopeError as error:
            return Failure(error.kind, str(error))
        return None

    def _fetch(
        self, repository: RepositoryFiles, before: int, stop: threading.Event
    ) -> Iterator[int]:
        """Fetch the files of a repository, and yield the bytes that are there of all models.

        It is tried again while something comes. Raises what the Hub raises once another try is of
        no use.
        """
        listing, revision, files = repository
        tries = 0
        missing = self._missing_bytes(repository)
        while not stop.is_set():
            done = before + missing - self._missing_bytes(repository)
            try:
                for size in self.hub.fetch(listing, files, revision):
                    if stop.is_set():
                        return
                    tries = 0 if size else tries
                    yield done + size
                yield before + missing
                return
            except Transient as error:
                tries += 1
                if tries >= ATTEMPTS:
                    raise
                stop.wait(_pause(error, tries))

    def _missing_bytes(self, repository: RepositoryFiles) -> int:
        return file_selection.size(
            file for file in repository.files if not self.hub.has(repository.listing, file)
        )


def _outline_offer(spec: ModelSpec) -> DownloadOffer:
    size = int((spec.size_gb or 0) * GB)
    downloaded = not _is_of_hub(spec) or registry.is_downloaded(spec)
    return DownloadOffer(
        spec=spec,
        size=size,
        bytes_left=0 if downloaded else size,
        license=spec.license or "",
        downloaded=downloaded,
    )


def _failed_offer(spec: ModelSpec, error: HallaScopeError) -> DownloadOffer:
    return DownloadOffer(
        spec=spec,
        size=int((spec.size_gb or 0) * GB),
        license=spec.license or "",
        failure=Failure(error.kind, str(error)),
    )


def _pause(error: Transient, tries: int) -> float:
    """Return the seconds until the next try: what the Hub asks for, else doubled each time."""
    if stamina.is_testing():
        return 0.0
    seconds = error.retry_after if error.retry_after is not None else FIRST_WAIT * 2 ** (tries - 1)
    return min(seconds, LONGEST_WAIT)


def _is_of_hub(spec: ModelSpec) -> bool:
    """Return whether the entry names a repository of the Hub.

    A folder, a model that ships with us, or one of a service is none.
    """
    repository = spec.repository or ""
    return (
        spec.kind == "local"
        and not spec.base_url
        and bool(repository)
        and not Path(repository).is_dir()
        and not weights.is_path(repository)
    )


def free_bytes(folder: Path) -> int:
    """Return the bytes free on the disk of a folder that may not be there yet."""
    place = next((place for place in (folder, *folder.parents) if place.exists()), Path("/"))
    return shutil.disk_usage(place).free
