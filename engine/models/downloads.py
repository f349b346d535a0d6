"""Getting models: what it takes, said before anything is fetched, and the fetching as events.

It knows no page and no command.
"""

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
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.quotes import (
    GB,
    DownloadEvent,
    DownloadOffer,
    DownloadProgress,
    DownloadQuote,
    ModelDownloaded,
    ModelDownloadFailed,
    RepositoryFiles,
)
from hallascope.engine.models.registry import ModelRegistry

ATTEMPTS = 6  # in a row that bring nothing
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0  # seconds between them


class ModelHub(Protocol):
    """Where models come from (`hallascope.backends.hub.download.HubClient`)."""

    cache: Path

    def look(self, repository: str, revision: str | None = None) -> Listing: ...
    def may_have(self, listing: Listing) -> None: ...
    def document(self, listing: Listing, path: str) -> dict[str, object] | None: ...
    def has(self, listing: Listing, file: RepositoryFile) -> bool: ...
    def begun(self, listing: Listing, file: RepositoryFile) -> int: ...
    def fetch(self, listing: Listing, file: RepositoryFile) -> Iterator[int]: ...
    def name(self, listing: Listing, revision: str | None) -> None: ...


# --- what it takes
# --------------------------------------------------------------------------------------------------


class ModelDownloader:
    """Gets models of the roster.

    `hub` makes the Hub when it is first needed; `free` tells the bytes free on a folder's disk.
    """

    def __init__(
        self,
        roster: ModelRegistry,
        packs: Mapping[str, Pack],
        hub: Callable[[], ModelHub],
        free: Callable[[Path], int] | None = None,
    ) -> None:
        self._roster = roster
        self.packs = packs
        self._make = hub
        self._free = free or free_bytes
        self._made: ModelHub | None = None

    @property
    def hub(self) -> ModelHub:
        self._made = self._made or self._make()
        return self._made

    def quote(self, names: Sequence[str]) -> DownloadQuote:
        """What it takes to get packs and models by name; asks the Hub about each.

        Raises UnknownModel, BadRequest.
        """
        return self._quote(names, self._offers)

    def _quote(
        self,
        names: Sequence[str],
        offer: Callable[[Sequence[ModelSpec]], tuple[DownloadOffer, ...]],
    ) -> DownloadQuote:
        if not names:
            packs = ", ".join(self.packs)
            raise BadRequest(
                f"No model is named: name a pack ({packs}) or models, e.g. `hallascope models get"
                f" {next(iter(self.packs))}`."
            )
        chosen = [self.packs[name] for name in names if name in self.packs]
        ids = dict.fromkeys(
            model
            for name in names
            for model in (self.packs[name].models if name in self.packs else (name,))
        )
        offers = offer([self._spec(name) for name in ids])
        memory = max((offer.spec.memory_gb or 0 for offer in offers), default=0) or None
        title = ", ".join(self.packs[name].title if name in self.packs else name for name in names)
        about = " ".join(pack.about for pack in chosen)
        return DownloadQuote(
            title=title,
            offers=offers,
            folder=self.hub.cache,
            free=self._free(self.hub.cache),
            about=about,
            memory_gb=memory,
        )

    def outline(self, names: Sequence[str]) -> DownloadQuote:
        """The same as far as the entries and this disk tell, without a word to the Hub.

        Raises UnknownModel, BadRequest.
        """
        return self._quote(names, lambda specs: tuple(map(_outline_offer, specs)))

    def _spec(self, name: str) -> ModelSpec:
        spec = self._roster.spec(name)
        if spec.family:
            raise BadRequest(
                f"{name!r} stands for every model of a service, of which none is fetched: name a"
                " model of this machine."
            )
        return spec

    def _offers(self, specs: Sequence[ModelSpec]) -> tuple[DownloadOffer, ...]:
        """One a model; where the Hub cannot be reached it is not asked again and again."""
        offers = list[DownloadOffer]()
        down = None
        for spec in specs:
            try:
                offers.append(
                    _failed_offer(spec, down) if down and _is_of_hub(spec) else self._offer(spec)
                )
            except Transient as error:
                offers.append(_failed_offer(spec, down := error))
            except HallaScopeError as error:
                offers.append(_failed_offer(spec, error))
        return tuple(offers)

    def _offer(self, spec: ModelSpec) -> DownloadOffer:
        """Raises what the Hub raises."""
        if not _is_of_hub(spec):
            return DownloadOffer(spec=spec, licence=spec.licence or "", there=True)
        parcels = tuple(self._parcels(spec))
        files = [(parcel.listing, file) for parcel in parcels for file in parcel.files]
        left = sum(file.size - self.hub.begun(listing, file) for listing, file in files)
        there = all(self.hub.has(listing, file) for listing, file in files)
        licence = spec.licence or parcels[0].listing.licence or "not stated"
        return DownloadOffer(
            spec=spec,
            size=file_selection.size(file for _, file in files),
            left=left,
            licence=licence,
            parcels=parcels,
            there=there,
        )

    def _parcels(self, spec: ModelSpec) -> Iterator[RepositoryFiles]:
        repository = spec.repository or ""
        listing = self.hub.look(repository, spec.revision)
        self.hub.may_have(listing)
        index = self.hub.document(listing, file_selection.INDEX)
        yield RepositoryFiles(
            listing,
            spec.revision,
            _choose_files(spec, lambda: file_selection.select_files(spec, listing, index)),
        )
        if adapter := str(spec.settings.get("ip_adapter") or ""):
            beside = self.hub.look(adapter)
            yield RepositoryFiles(
                beside, None, _choose_files(spec, lambda: file_selection.adapter(spec, beside))
            )

    # --- fetching
    # ----------------------------------------------------------------------------------------------

    def get(
        self, quote: DownloadQuote, stop: threading.Event | None = None
    ) -> Iterator[DownloadEvent]:
        """Fetch what the quote lists, model by model.

        The same again goes on where it was left, after any kind of end.
        """
        signal = stop or threading.Event()
        able = [offer for offer in quote.offers if not offer.failure]
        count = _ByteCount(
            sum(offer.size - offer.left for offer in able), sum(offer.size for offer in able)
        )
        for offer in quote.offers:
            failure = offer.failure or (
                Failure("unavailable", quote.disk_shortage)
                if quote.disk_shortage and not offer.there
                else None
            )
            if failure is None and not offer.there:
                failure = yield from self._model(offer, count, signal)
            yield (
                ModelDownloadFailed(offer.spec.id, failure)
                if failure
                else ModelDownloaded(offer.spec.id)
            )

    def _model(
        self, offer: DownloadOffer, count: "_ByteCount", stop: threading.Event
    ) -> Generator[DownloadEvent, None, Failure | None]:
        try:
            for parcel in offer.parcels:
                for file in parcel.files:
                    if failure := (
                        yield from self._file(offer.spec.id, parcel.listing, file, count, stop)
                    ):
                        return failure
                self.hub.name(parcel.listing, parcel.revision)
        except HallaScopeError as error:
            return Failure(error.kind, str(error))
        return None

    def _file(
        self,
        model: str,
        listing: Listing,
        file: RepositoryFile,
        count: "_ByteCount",
        stop: threading.Event,
    ) -> Generator[DownloadEvent, None, Failure | None]:
        """One file, tried again while something comes.

        Raises what the Hub raises once that is of no use any more.
        """
        tries = 0
        while not stop.is_set():
            try:
                for size in self.hub.fetch(listing, file):
                    tries, count.done = 0, count.done + size
                    yield DownloadProgress(model, file.path, count.done, count.total)
                    if stop.is_set():
                        return STOPPED
                return None
            except Transient as error:
                tries += 1
                if tries >= ATTEMPTS:
                    raise
                stop.wait(_pause(error, tries))
        return STOPPED


STOPPED = Failure(
    "stopped", "It was stopped: the same again goes on where it was left.", attempts=0
)


@dataclass
class _ByteCount:
    """Bytes of all models: there already, and wanted."""

    done: int
    total: int


def _outline_offer(spec: ModelSpec) -> DownloadOffer:
    """What the entry says of its size."""
    size = int((spec.size_gb or 0) * GB)
    there = not _is_of_hub(spec) or registry.downloaded(spec)
    return DownloadOffer(
        spec=spec, size=size, left=0 if there else size, licence=spec.licence or "", there=there
    )


def _failed_offer(spec: ModelSpec, error: HallaScopeError) -> DownloadOffer:
    """Why it cannot be had, with its size as its entry says."""
    return DownloadOffer(
        spec=spec,
        size=int((spec.size_gb or 0) * GB),
        licence=spec.licence or "",
        failure=Failure(error.kind, str(error)),
    )


def _pause(error: Transient, tries: int) -> float:
    """Seconds until the next try: what the Hub asks for, else doubled each time."""
    wanted = error.retry_after if error.retry_after is not None else FIRST_WAIT * 2 ** (tries - 1)
    return 0.0 if stamina.is_testing() else min(wanted, LONGEST_WAIT)


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


def _choose_files(
    spec: ModelSpec, choose: Callable[[], tuple[RepositoryFile, ...]]
) -> tuple[RepositoryFile, ...]:
    try:
        return choose()
    except file_selection.NoWeights as error:
        raise Unavailable(f"{spec.title} cannot be fetched: {error}.") from error


def free_bytes(folder: Path) -> int:
    """Bytes free on the disk of a folder that may not be there yet."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), Path("/"))
    return shutil.disk_usage(there).free
