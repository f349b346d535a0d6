"""Asks the Hub about models, and downloads them in a process that can be stopped at any time.

The downloads are those of `huggingface_hub.snapshot_download`, in its cache, so that every library
finds what came. Files that are whole stay, whatever ends a download; the same again fetches the
rest. Nothing is tried twice here: the engine does that.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from hallascope.backends import base
from hallascope.backends.base import Transient, Unavailable
from hallascope.backends.hub.errors import RESUME, hub_fault
from hallascope.backends.hub.listing import Listing, RepositoryFile, make_listing

T = TypeVar("T")
LIST_SECONDS = 30.0
MAX_DOCUMENT_BYTES = 4 * 2**20
_FETCH = "hallascope.backends.hub.fetch"
_ROOT = Path(base.__file__).parents[2]  # where the process finds this package


class HubClient:
    """Lists and downloads models.

    Where `endpoint` and `cache` are not given, the environment says them (HF_ENDPOINT,
    HF_HUB_CACHE). The token is that of HF_TOKEN or `hf auth login`; the library reads it.
    """

    def __init__(self, endpoint: str | None = None, cache: Path | None = None) -> None:
        from huggingface_hub import HfApi, constants

        self.endpoint = (endpoint or constants.ENDPOINT).rstrip("/")
        self.cache = cache or Path(constants.HF_HUB_CACHE)
        self._api = HfApi(endpoint=self.endpoint, library_name="hallascope")

    def listing(self, repository: str, revision: str | None = None) -> Listing:
        """Return the listing of a model's repository. Raises Unavailable, Denied, Transient."""
        return self._ask(
            repository,
            lambda: make_listing(
                repository,
                self._api.model_info(
                    repository, revision=revision, files_metadata=True, timeout=LIST_SECONDS
                ),
            ),
        )

    def require_access(self, listing: Listing) -> None:
        """Raise Denied where the model is gated and its owners have not let us in."""
        if listing.gated:
            self._ask(listing.repository, lambda: self._api.auth_check(listing.repository))

    def document(self, listing: Listing, path: str) -> dict[str, Any] | None:
        """Read a JSON object of the repository, None where there is no such file.

        Raises what `listing` raises. It is not kept: an index in the cache tells others that a
        model is there.
        """
        listed = listing.file(path)
        if not listed or listed.size > MAX_DOCUMENT_BYTES:
            return None
        with TemporaryDirectory() as folder:
            file = self._ask(
                listing.repository,
                lambda: self._api.hf_hub_download(
                    listing.repository, path, revision=listing.commit, cache_dir=folder
                ),
            )
            try:
                content = json.loads(Path(file).read_bytes())
            except ValueError as error:
                raise Unavailable(
                    f"The file {path} of {listing.repository!r} cannot be read: choose another"
                    " model."
                ) from error
        return content if isinstance(content, dict) else None

    def has(self, listing: Listing, file: RepositoryFile) -> bool:
        """Return whether the cache has the file where libraries look for it."""
        from huggingface_hub import try_to_load_from_cache

        place = try_to_load_from_cache(listing.repository, file.path, self.cache, listing.commit)
        return isinstance(place, str)

    def fetch(
        self, listing: Listing, files: Sequence[RepositoryFile], revision: str | None = None
    ) -> Iterator[int]:
        """Download files of a repository, the last ones last, and yield the bytes that have come.

        They are yielded several times a second, so that the caller can close the iterator, which
        ends the process at once. `revision`: the name under which the commit was found, None for
        main.

        Raises Transient, Denied, Unavailable, and BadWeights where a file is not what the Hub
        promised; that file is removed.
        """
        job = {
            "repository": listing.repository,
            "revision": revision,
            "endpoint": self.endpoint,
            "cache": str(self.cache.absolute()),
            "files": files,
        }
        with subprocess.Popen(
            [sys.executable, "-m", _FETCH],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            text=True,
            encoding="utf-8",
        ) as process:
            assert process.stdin
            assert process.stdout
            try:
                print(json.dumps(job), file=process.stdin, flush=True)
                is_done = yield from _read_reports(process.stdout)
            finally:
                process.stdin.close()  # the process ends itself
        if not is_done:
            raise Transient(f"The download of {listing.repository!r} was ended: {RESUME}.")

    def _ask(self, repository: str, call: Callable[[], T]) -> T:
        try:
            return call()
        except Exception as error:  # the library raises errors of many types over a server's reply
            raise hub_fault(error, repository, self.endpoint, self.cache) from error


def _read_reports(lines: Iterable[str]) -> Generator[int, None, bool]:
    """Yield the bytes that a downloading process reports; return whether it came to its end.

    Raises the error that it reports.
    """
    for line in lines:
        report = json.loads(line)
        if error := report.get("error"):
            kind = getattr(base, error)
            raise kind(report["message"], *report["details"])
        yield int(report["bytes"])
        if report["is_done"]:
            return True
    return False


def served_models(names: Iterable[str], token: str | None) -> list[Mapping[str, Any]]:
    """Return those text-to-image models that an Inference Provider serves now.

    They have the form of a service's list. A model that cannot be asked about is left out.
    """
    import httpx2
    from huggingface_hub import HfApi

    api = HfApi(token=token or False)
    served: list[Mapping[str, Any]] = []
    for name in names:
        try:
            info = api.model_info(name, expand=["inferenceProviderMapping"], timeout=10)
        except (httpx2.HTTPError, OSError, ValueError):
            continue
        providers = info.inference_provider_mapping or []
        if any(each.task == "text-to-image" and each.status == "live" for each in providers):
            modalities = {"input_modalities": ["text"], "output_modalities": ["image"]}
            served.append({"id": name, "architecture": modalities})
    return served
