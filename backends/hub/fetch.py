"""Downloads the files of a repository: the process behind `HubClient.fetch`.

It reads its job from standard input, reports in lines of JSON on standard output, and ends as soon
as its standard input is closed, also by the death of its parent.
"""

import hashlib
import json
import os
import sys
import threading
from collections.abc import Sequence
from glob import escape
from pathlib import Path
from typing import Any

from tqdm import tqdm  # type: ignore[import-untyped]

from hallascope.backends.base import BadWeights, HallaScopeError, Transient
from hallascope.backends.hub.errors import hub_fault
from hallascope.backends.hub.file_selection import MARKERS
from hallascope.backends.hub.listing import RepositoryFile
from hallascope.backends.weights import sha256

REPORT_SECONDS = 0.1


class ByteBar(tqdm):  # type: ignore[misc]
    """Counts the bytes of a download and shows nothing.

    `before`: the bytes of earlier calls of the library; `current`: those of this one.
    """

    before = current = 0

    def display(self, *args: Any, **options: Any) -> None:
        """Keep the count for the reports: the library has a bar for what comes and one for what is
        written, beside that for the number of files.
        """
        if self.unit == "B":
            ByteBar.current = max(ByteBar.current, int(self.n))

    @classmethod
    def total(cls) -> int:
        return cls.before + cls.current

    def update(self, n: float | None = 1) -> None:
        super().update(n)
        self.display()


def main() -> None:
    job = json.loads(sys.stdin.readline())
    files = [RepositoryFile(*file) for file in job.pop("files")]
    cache = Path(job["cache"])
    unfinished = set(cache.glob("models--*/blobs/*.incomplete"))
    threading.Thread(target=_end_with_parent, args=(cache, unfinished), daemon=True).start()
    result: list[dict[str, Any]] = []
    worker = threading.Thread(target=lambda: result.append(_download(files, **job)), daemon=True)
    worker.start()
    while worker.is_alive():
        _report({"bytes": ByteBar.total(), "is_done": False})
        worker.join(REPORT_SECONDS)
    _report(result[0])


def _report(report: dict[str, Any]) -> None:
    print(json.dumps(report), flush=True)


def _end_with_parent(cache: Path, unfinished: set[Path]) -> None:
    """End the process when standard input is closed, without what came of unfinished files.

    The library cannot go on in the middle of a file that another process has begun.
    """
    sys.stdin.read()
    for file in set(cache.glob("models--*/blobs/*.incomplete")) - unfinished:
        file.unlink(missing_ok=True)
    os._exit(1)


def _download(
    files: Sequence[RepositoryFile],
    repository: str,
    revision: str | None,
    endpoint: str,
    cache: str,
) -> dict[str, Any]:
    """Download and verify, and return the last report.

    The markers come last, when all other files are verified: they tell others that it is there.
    """
    from huggingface_hub import snapshot_download

    try:
        markers = [file for file in files if file.path in MARKERS]
        for group in ([file for file in files if file not in markers], markers):
            if group:
                folder = snapshot_download(
                    repository,
                    revision=revision,
                    endpoint=endpoint,
                    cache_dir=cache,
                    library_name="hallascope",
                    allow_patterns=[escape(file.path) for file in group],
                    tqdm_class=ByteBar,
                )
                ByteBar.before, ByteBar.current = ByteBar.total(), 0
                for file in group:
                    _verify(repository, Path(folder) / file.path, file)
    except Exception as error:  # the library raises errors of many types
        return _error_report(hub_fault(error, repository, endpoint, Path(cache)))
    return {"bytes": ByteBar.total(), "is_done": True}


def _verify(repository: str, path: Path, file: RepositoryFile) -> None:
    """Check the size and the hash of a file, and remove it where it is another one.

    Raises Transient where it has not come, BadWeights.
    """
    if not path.exists():
        raise Transient(f"{file.path} of {repository!r} did not come: run it again.")
    if path.stat().st_size == file.size:
        digest = sha256(path) if file.sha256 else _git_hash(path)
        if digest == (file.sha256 or file.blob):
            return
    path.resolve().unlink()
    path.unlink(missing_ok=True)
    raise BadWeights(
        f"{file.path} of {repository!r} came with other bytes than the Hub promises (its hash is"
        " another), and was removed: run it again, or look what stands between this machine and"
        " the Hub."
    )


def _git_hash(path: Path) -> str:
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _error_report(error: HallaScopeError) -> dict[str, Any]:
    details = [error.kind, error.retry_after] if isinstance(error, Transient) else []
    return {"error": type(error).__name__, "message": str(error), "details": details}


if __name__ == "__main__":
    main()
