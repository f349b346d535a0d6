"""What the Hub says of a model: its files with sizes and hashes, its licence, whether it is gated.

It knows no entry of ours.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

_HASH = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


class RepositoryFile(NamedTuple):
    """A file of a repository: `size` in bytes.

    `sha256` of its bytes (large files), else `blob`, which is what git calls them.
    """

    path: str
    size: int
    sha256: str | None
    blob: str

    @property
    def etag(self) -> str:
        """By what name its bytes lie in the cache."""
        return self.sha256 or self.blob

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def folder(self) -> str:
        """The folder it lies in; "" for the repository itself."""
        parent = str(PurePosixPath(self.path).parent)
        return "" if parent == "." else parent


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A repository at one commit.

    `task` and `library` as its card tells; `gated`: one has to agree to its terms first.
    """

    repository: str
    commit: str
    files: tuple[RepositoryFile, ...]
    licence: str = ""
    gated: bool = False
    task: str = ""
    library: str = ""

    def file(self, path: str) -> RepositoryFile | None:
        return next((file for file in self.files if file.path == path), None)


class UnreadableListing(ValueError):
    """The reply of the server is not that of a Hub."""


def parse_listing(repository: str, said: Any) -> Listing:
    """The listing out of what ``/api/models/REPOSITORY?blobs=true`` replies. Raises Unreadable."""
    try:
        commit = said["sha"]
        siblings = said["siblings"]
        files = tuple(file for sibling in siblings if (file := _file(sibling)))
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableListing(f"it says nothing of the files of {repository!r}") from error
    if not isinstance(commit, str) or not _HASH.fullmatch(commit):
        raise UnreadableListing(f"it names no commit of {repository!r}")
    card = said.get("cardData") if isinstance(said.get("cardData"), dict) else {}
    task = said.get("pipeline_tag") or ""
    library = said.get("library_name") or ""
    return Listing(
        repository=repository,
        commit=commit,
        files=files,
        licence=_licence(card),
        gated=bool(said.get("gated")),
        task=str(task),
        library=str(library),
    )


def _file(sibling: Mapping[str, Any]) -> RepositoryFile | None:
    """Return None for what has no plain path, size and hash.

    So nothing is written outside its folder, or without a check.
    """
    path = sibling["rfilename"]
    lfs = sibling.get("lfs") or {}
    size = lfs.get("size", sibling.get("size"))
    blob = sibling.get("blobId")
    sha256 = lfs.get("sha256")
    plain = (
        isinstance(path, str)
        and path
        and not path.startswith("/")
        and not {"..", ".", ""} & set(path.split("/"))
        and "\\" not in path
    )
    named = all(
        value is None or (isinstance(value, str) and _HASH.fullmatch(value))
        for value in (blob, sha256)
    ) and (blob or sha256)
    if not plain or not named or not isinstance(size, int) or isinstance(size, bool) or size < 0:
        return None
    return RepositoryFile(path, size, sha256, blob or "")


def _licence(card: Mapping[str, Any]) -> str:
    """The licence as the card names it; ``other`` is none, the name beside it is."""
    said = card.get("license_name") or card.get("license") or ""
    if isinstance(said, list):
        said = ", ".join(map(str, said))
    return str(said)
