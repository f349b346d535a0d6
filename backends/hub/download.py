"""Asks the Hub about models over the network, and downloads their files in pieces.

An interrupted download continues where it was. A file gets its name only once its size and its hash
are right. Nothing is tried twice here: the engine does that. The cache is that of the package
huggingface_hub, so that every library finds what was downloaded.

`hf_hub_download` of that package (2.4.0) is not used: it removes what came of a file that is
stopped or cut off, so that the next call begins at the first byte; it checks the size of a file and
not its hash; and while it runs, its caller waits.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from hallascope.backends import weights
from hallascope.backends.base import BadWeights, Transient, Unavailable
from hallascope.backends.hub import errors
from hallascope.backends.hub.listing import (
    Listing,
    RepositoryFile,
    UnreadableListing,
    parse_listing,
)

# bytes that are lost at most where a connection is cut, and between two checks for a stop
PIECE = 2**16
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_ID = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)
_LARGEST_DOCUMENT = 4 * 2**20  # bytes of a configuration


class HubClient:
    """Holds the addresses of the Hub and its cache as `endpoint` and `cache`.

    Where they are not given, the environment says them (HF_ENDPOINT, HF_HUB_CACHE).
    """

    def __init__(
        self,
        endpoint: str | None = None,
        cache: Path | None = None,
        client: httpx.Client | None = None,
    ) -> None:
        from huggingface_hub import constants

        self.endpoint = (endpoint or constants.ENDPOINT).rstrip("/")
        self.cache = cache or Path(constants.HF_HUB_CACHE)
        self._client = client or httpx.Client(timeout=TIMEOUT, follow_redirects=True)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    # --- looking ---

    def listing(self, repository: str, revision: str | None = None) -> Listing:
        """Return the listing of a model's repository.

        Raises Unavailable, Denied where it is gated and we may not have it, Transient.
        """
        if not _ID.fullmatch(repository) or ".." in repository:
            raise Unavailable(
                f"{repository!r} is no id of a model on the Hub: write it as owner/name."
            )
        at = f"/revision/{quote(revision, safe='')}" if revision else ""
        response = self._get(
            f"{self.endpoint}/api/models/{repository}{at}", repository, {"blobs": "true"}
        )
        try:
            return parse_listing(repository, response.json())
        except (UnreadableListing, ValueError) as error:
            raise Unavailable(
                f"The server at {self.endpoint} does not answer as the Hub does ({error}): check"
                " HF_ENDPOINT."
            ) from error

    def require_access(self, listing: Listing) -> None:
        """Raise Denied where the model is gated and its owners have not let us in."""
        if listing.gated:
            self._get(
                f"{self.endpoint}/api/models/{listing.repository}/auth-check",
                listing.repository,
                {},
            )

    def document(self, listing: Listing, path: str) -> dict[str, Any] | None:
        """Read a JSON object of the repository, None where there is no such file.

        Raises what `listing` raises.
        """
        file = listing.file(path)
        if file is None or file.size > _LARGEST_DOCUMENT:
            return None
        cached = self._pointer(listing, file)
        try:
            data = (
                cached.read_bytes()
                if cached.exists()
                else self._get(self._address(listing, file), listing.repository, {}).content
            )
            content = json.loads(data)
        except (OSError, ValueError) as error:
            raise Unavailable(
                f"The file {path} of {listing.repository!r} cannot be read: choose another model."
            ) from error
        return content if isinstance(content, dict) else None

    # --- fetching ---

    def has(self, listing: Listing, file: RepositoryFile) -> bool:
        """Return whether the cache has the file where libraries look for it."""
        from huggingface_hub import try_to_load_from_cache

        place = try_to_load_from_cache(listing.repository, file.path, self.cache, listing.commit)
        return isinstance(place, str)

    def fetched_bytes(self, listing: Listing, file: RepositoryFile) -> int:
        """Count the bytes of a file that are there already."""
        if self.has(listing, file) or self._blob(listing, file).exists():
            return file.size
        part = self._part(listing, file)
        return min(part.stat().st_size, file.size) if part.exists() else 0

    def fetch(self, listing: Listing, file: RepositoryFile) -> Iterator[int]:
        """Download a file into the cache and yield the bytes of each piece.

        It continues behind what is there. Less than 0 bytes mean that it began anew.

        Raises Transient where the connection breaks, BadWeights where the bytes are not those that
        the Hub promised, Unavailable where the disk is full, Denied. What came stays, but for wrong
        bytes.
        """
        try:
            with self._locked(listing, file):
                if not self.has(listing, file) and not self._blob(listing, file).exists():
                    yield from self._pieces(listing, file)
                    self._check(listing, file)
                self._store_blob(listing, file)
        except OSError as error:
            raise errors.disk(error, self.cache) from error

    def record_revision(self, listing: Listing, revision: str | None) -> None:
        """Note which commit the revision (None: main) is, so that libraries find it offline."""
        if revision == listing.commit:
            return
        place = self._root(listing) / "refs" / (revision or "main")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(listing.commit, encoding="ascii")
        except OSError as error:
            raise errors.disk(error, self.cache) from error

    @contextmanager
    def _locked(self, listing: Listing, file: RepositoryFile) -> Iterator[None]:
        """Hold the lock of huggingface_hub, so that nobody else downloads the file.

        Raises Transient, OSError.
        """
        from filelock import FileLock, Timeout

        lock = self.cache / ".locks" / self._root(listing).name / f"{file.etag}.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        held = FileLock(lock, timeout=0)
        try:
            held.acquire()
        except Timeout as error:
            raise Transient(
                f"{file.path} is being fetched by another process: wait until it is done, and run"
                " it again."
            ) from error
        try:
            yield
        finally:
            held.release()

    def _pieces(self, listing: Listing, file: RepositoryFile) -> Iterator[int]:
        part = self._part(listing, file)
        part.parent.mkdir(parents=True, exist_ok=True)
        begun = part.stat().st_size if part.exists() else 0
        if begun >= file.size and begun:
            return
        more = {"Range": f"bytes={begun}-"} if begun else {}
        try:
            with self._client.stream(
                "GET", self._address(listing, file), headers=_headers() | more
            ) as response:
                self._require_success(response, listing.repository)
                goes_on = response.status_code == httpx.codes.PARTIAL_CONTENT
                if begun and not goes_on:
                    yield -begun
                with part.open("ab" if goes_on else "wb") as stream:
                    for piece in response.iter_bytes(PIECE):
                        stream.write(piece)
                        yield len(piece)
        except httpx.HTTPError as error:
            raise errors.cut(file, error) from error

    def _check(self, listing: Listing, file: RepositoryFile) -> None:
        """Check size and hash of the bytes that came.

        Raises Transient where some are missing, BadWeights where they are others.
        """
        from huggingface_hub.utils.sha import git_hash

        part = self._part(listing, file)
        came = part.stat().st_size
        if came < file.size:
            raise Transient(
                f"The connection was cut in the middle of {file.path}: run it again to go on where"
                " it was left."
            )
        if came == file.size:
            digest = weights.sha256(part) if file.sha256 else git_hash(part.read_bytes())
            if digest == file.etag:
                return
        part.unlink()
        raise BadWeights(
            f"{file.path} of {listing.repository!r} came with other bytes than the Hub promises"
            " (its hash is another), and was removed: run it again, or look what stands between"
            " this machine and the Hub."
        )

    def _store_blob(self, listing: Listing, file: RepositoryFile) -> None:
        """Rename the part to the blob, and link the snapshot to it."""
        part = self._part(listing, file)
        blob = self._blob(listing, file)
        pointer = self._pointer(listing, file)
        if not blob.exists() and not pointer.exists():
            part.replace(blob)
        if pointer.exists():
            return
        pointer.parent.mkdir(parents=True, exist_ok=True)
        pointer.unlink(missing_ok=True)
        try:
            pointer.symlink_to(os.path.relpath(blob, pointer.parent))
        except OSError:  # a file system without links
            blob.replace(pointer)

    # --- where things are ---

    def _root(self, listing: Listing) -> Path:
        from huggingface_hub.file_download import repo_folder_name

        name: str = repo_folder_name(repo_id=listing.repository, repo_type="model")
        return self.cache / name

    def _blob(self, listing: Listing, file: RepositoryFile) -> Path:
        return self._root(listing) / "blobs" / file.etag

    def _part(self, listing: Listing, file: RepositoryFile) -> Path:
        return self._root(listing) / "blobs" / f"{file.etag}.part"

    def _pointer(self, listing: Listing, file: RepositoryFile) -> Path:
        return self._root(listing) / "snapshots" / listing.commit / file.path

    def _address(self, listing: Listing, file: RepositoryFile) -> str:
        return f"{self.endpoint}/{listing.repository}/resolve/{listing.commit}/{quote(file.path)}"

    # --- the wire ---

    def _get(self, address: str, repository: str, query: Mapping[str, str]) -> httpx.Response:
        from huggingface_hub import constants

        if constants.is_offline_mode():
            raise Unavailable(
                "The Hub is not asked, since HF_HUB_OFFLINE is set: unset it and run it again."
            )
        try:
            response = self._client.get(address, params=dict(query) or None, headers=_headers())
        except httpx.HTTPError as error:
            raise Transient(
                f"The Hub at {self.endpoint} cannot be reached ({type(error).__name__}): connect"
                " and run it again."
            ) from error
        self._require_success(response, repository)
        return response

    def _require_success(self, response: httpx.Response, repository: str) -> None:
        if not response.is_success:
            errors.complain(response, repository, self.endpoint)


def _headers() -> dict[str, str]:
    """Build the headers, with the token of the environment or of `hf auth login` if any."""
    from huggingface_hub.utils import build_hf_headers

    sent: dict[str, str] = build_hf_headers(library_name="hallascope")
    return sent | {"Accept-Encoding": "identity"}
