"""Describes a model on the Hub: its files with sizes and hashes, its license and its gate."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple


class RepositoryFile(NamedTuple):
    """Describes a file of a repository; `size` is in bytes.

    Large files have the `sha256` of their bytes, others only `blob`, their hash in git.
    """

    path: str
    size: int
    sha256: str | None
    blob: str

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def folder(self) -> str:
        """Return the folder it lies in; "" for the repository itself."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Describes a repository at one commit; `gated`: one has to agree to its terms first."""

    repository: str
    commit: str
    files: tuple[RepositoryFile, ...]
    license: str = ""
    gated: bool = False

    def file(self, path: str) -> RepositoryFile | None:
        return next((file for file in self.files if file.path == path), None)


def make_listing(repository: str, info: Any) -> Listing:
    """Return the listing of a `huggingface_hub.ModelInfo` with the metadata of its files.

    Files without size and hash are left out, as they could not be verified. Raises ValueError where
    the reply was not that of a Hub.
    """
    if not info.sha or info.siblings is None:
        raise ValueError(f"it lists no files of {repository!r}")
    files = [
        RepositoryFile(file.rfilename, file.size, file.lfs and file.lfs.sha256, file.blob_id)
        for file in info.siblings
        if isinstance(file.rfilename, str) and isinstance(file.size, int) and file.blob_id
    ]
    card = info.card_data or {}
    # a license of the name "other" has a name of its own beside it
    names = card.get("license_name") or card.get("license") or ""
    return Listing(
        repository=repository,
        commit=info.sha,
        files=tuple(files),
        license=", ".join(map(str, names)) if isinstance(names, list) else str(names),
        gated=bool(info.gated),
    )
