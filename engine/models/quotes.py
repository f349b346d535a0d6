"""Defines download quotes (sizes, licenses, what cannot be had) and the events of a download."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hallascope.backends.hub.listing import Listing, RepositoryFile
from hallascope.data.models.specs import GB, ModelSpec
from hallascope.data.requests import Failure

SPARE = 1e9  # bytes of a disk that stay free


class RepositoryFiles(NamedTuple):
    """Holds the files of one repository that are to be fetched, in this order."""

    listing: Listing
    revision: str | None
    files: tuple[RepositoryFile, ...]


@dataclass(frozen=True, kw_only=True)
class DownloadOffer:
    """Holds one model's size and the rest of it in bytes, its license, or why it cannot be had.

    `downloaded`: nothing of it has to be fetched.
    """

    spec: ModelSpec
    size: int = 0
    bytes_left: int = 0
    license: str = ""
    failure: Failure | None = None
    repositories: tuple[RepositoryFiles, ...] = ()
    downloaded: bool = False


@dataclass(frozen=True, kw_only=True)
class DownloadQuote:
    """Holds what it takes to get some models.

    `free`: bytes on the disk of `folder`; `memory_gb`: of the largest, None where it is not known.
    """

    title: str
    offers: tuple[DownloadOffer, ...]
    folder: Path
    free: int
    about: str = ""
    memory_gb: float | None = None

    @property
    def bytes_left(self) -> int:
        return sum(offer.bytes_left for offer in self.offers)

    @property
    def has_downloads(self) -> bool:
        """Return whether there is something to fetch that can be had."""
        return any(not offer.downloaded and not offer.failure for offer in self.offers)

    @property
    def disk_shortage(self) -> str | None:
        """Return one sentence where the disk has no room for what is to come, else None."""
        if not self.bytes_left or self.free >= self.bytes_left + SPARE:
            return None
        return (
            f"{self.bytes_left / GB:.1f} GB are to be fetched and {self.folder} has"
            f" {self.free / GB:.1f} GB free: make room there, or set HF_HUB_CACHE to another disk."
        )


# --- events ---


@dataclass(frozen=True)
class DownloadProgress:
    """Counts the bytes of all models: those that are there, and all that are to be there.

    Files of this repository are being fetched for the model.
    """

    model: str
    repository: str
    done: int
    total: int


@dataclass(frozen=True)
class ModelDownloaded:
    """Reports that all files of the model are there and are what the Hub promised."""

    model: str


@dataclass(frozen=True)
class ModelDownloadFailed:
    """Reports that the model could not be fetched; the files that came stay for the next time."""

    model: str
    failure: Failure


DownloadEvent = DownloadProgress | ModelDownloaded | ModelDownloadFailed
