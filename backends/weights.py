"""Where the weights of a model lie on this disk, and what tells one version of them from another.

It loads none of them.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

EMBEDDED = Path(__file__).parent / "embedded"
HASHES = "hashes.json"
_WHOLE = 64 * 2**20  # bytes up to which a file is read whole for its print
_SAMPLES, _SAMPLE = (
    256,
    64 * 2**10,
)  # of a larger file: so many pieces, spread evenly, of so many bytes


def locate(repository: str) -> str:
    """The folder or Hub id to load from.

    ``embedded:NAME`` is a folder that ships with the package.
    """
    kind, _, name = repository.partition(":")
    return str(EMBEDDED / name) if kind == "embedded" else repository


def is_path(source: str) -> bool:
    """Return whether a source can only be a folder, as ``name`` may also be a Hub id."""
    return (
        source.startswith((".", "~"))
        or source.count("/") > 1
        or os.path.isabs(source)
        or "\\" in source
    )


def cached(repository: str, revision: str | None, file: str) -> Path | None:
    """The folder of a Hub model in the cache of this machine, where `file` of it is there.

    Asks no server.
    """
    if is_path(repository) or not find_spec("huggingface_hub"):
        return None
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(repository, file, revision=revision)
    return Path(found).parent if isinstance(found, str) else None


def weight(repository: str, revision: str | None) -> int:
    """The bytes of the safetensors of a folder, or of what the Hub's cache has of a model.

    0 where nothing is there.
    """
    source = locate(repository)
    indices = (cached(source, revision, name) for name in ("model_index.json", "config.json"))
    root = (
        Path(source) if os.path.isdir(source) else next((found for found in indices if found), None)
    )
    return sum(file.stat().st_size for file in root.rglob("*.safetensors")) if root else 0


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unlike(folder: Path) -> str | None:
    """What of a folder is not as its ``hashes.json`` (path in the folder -> SHA-256, hex) says.

    None where all is, or it has none.
    """
    if not (folder / HASHES).is_file():
        return None
    try:
        meant = json.loads((folder / HASHES).read_text("utf-8"))
    except ValueError:
        return f"{HASHES} is damaged"
    for name, expected in meant.items() if isinstance(meant, dict) else ():
        file = folder / name
        if not file.resolve().is_relative_to(folder.resolve()) or not file.is_file():
            return f"{HASHES} names {name!r}, which is not there"
        if sha256(file) != str(expected).lower():
            return f"{name} is not the file that {HASHES} means (its SHA-256 is another)"
    return None


def fingerprint(root: Path, files: Iterable[Path]) -> str:
    """16 hex digits that change with the name, the size or the bytes of any of the files.

    Raises OSError.

    Of a file above 64 MiB its first bytes and pieces spread evenly over it are read: training
    changes all of its weights.
    """
    whole = hashlib.sha256()
    for path in sorted(files):
        about = path.stat()
        name = path.relative_to(root).as_posix()
        content = _print(path, about.st_size, about.st_mtime_ns)
        whole.update(f"{name}\0{content}\n".encode())
    return whole.hexdigest()[:16]


@lru_cache(maxsize=4096)
def _print(path: Path, size: int, changed: int) -> str:
    """The print of one file.

    `changed` (ns) is only there so that a file that was written again is read again.
    """
    if size <= _WHOLE:
        return sha256(path)
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        for n in range(_SAMPLES):
            file.seek((size - _SAMPLE) * n // (_SAMPLES - 1))
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()
