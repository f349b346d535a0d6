"""Parses what the Hub says of a model: its files with sizes and hashes, its license and gate."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

_HASH = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


class RepositoryFile(NamedTuple):
    """Describes a file of a repository; `size` is in bytes.

    Large files have the `sha256` of their bytes, others only `blob`, their hash in git.
    """

    path: str
    size: int
    sha256: str | None
    blob: str

    @property
    def etag(self) -> str:
        """Return the name of its bytes in the cache."""
        return self.sha256 or self.blob

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def folder(self) -> str:
        """Return the folder it lies in; "" for the repository itself."""
        parent = str(PurePosixPath(self.path).parent)
        return "" if parent == "." else parent


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Describes a repository at one commit.

    `task` and `library` are those of its card; `gated`: one has to agree to its terms first.
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
    """Tells that a reply is not that of a Hub."""


def parse_listing(repository: str, reply: Any) -> Listing:
    """Parse the reply of ``/api/models/REPOSITORY?blobs=true``. Raises UnreadableListing."""
    try:
        commit = reply["sha"]
        files = tuple(file for sibling in reply["siblings"] if (file := _file(sibling)))
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableListing(f"it says nothing of the files of {repository!r}") from error
    if not isinstance(commit, str) or not _HASH.fullmatch(commit):
        raise UnreadableListing(f"it names no commit of {repository!r}")
    card = reply.get("cardData")
    # A license of the name "other" has a name of its own beside it.
    names = (card.get("license_name") or card.get("license")) if isinstance(card, dict) else None
    return Listing(
        repository=repository,
        commit=commit,
        files=files,
        licence=", ".join(map(str, names)) if isinstance(names, list) else str(names or ""),
        gated=bool(reply.get("gated")),
        task=str(reply.get("pipeline_tag") or ""),
        library=str(reply.get("library_name") or ""),
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
