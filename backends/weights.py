"""Locates the weights of models on this disk, and tells their versions apart."""

import hashlib
import json
import os
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

EMBEDDED = Path(__file__).parent / "embedded"
HASHES = "hashes.json"
_MAX_FULL_HASH = 64 * 2**20  # bytes up to which a file is hashed in full
_SAMPLES = 256  # evenly spread pieces of a larger file that are hashed
_SAMPLE_SIZE = 64 * 2**10  # bytes of each


def locate(repository: str) -> str:
    """Return the folder or Hub id to load from.

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


def cached_folder(repository: str, revision: str | None, file: str) -> Path | None:
    """Return the folder of a Hub model in the cache of this machine that has `file`, or None.

    No server is asked.
    """
    if is_path(repository) or not find_spec("huggingface_hub"):
        return None
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(repository, file, revision=revision)
    return Path(path).parent if isinstance(path, str) else None


def size_in_bytes(repository: str, revision: str | None) -> int:
    """Sum the bytes of the safetensors of a folder, or of a model in the Hub's cache.

    0 where there are none.
    """
    source = locate(repository)
    indices = (
        cached_folder(source, revision, name) for name in ("model_index.json", "config.json")
    )
    root = Path(source) if os.path.isdir(source) else next(filter(None, indices), None)
    return sum(file.stat().st_size for file in root.rglob("*.safetensors")) if root else 0


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hex. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_mismatch(folder: Path) -> str | None:
    """Return which file of a folder differs from ``hashes.json`` (path in it -> SHA-256, hex).

    None where none does, or the folder has no such file.
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
    """Return 16 hex digits that change with the name, the size or the bytes of any of the files.

    Raises OSError.

    Of a file above 64 MiB only pieces spread evenly over it are read, since training changes all
    of its weights.
    """
    whole = hashlib.sha256()
    for path in sorted(files):
        stat = path.stat()
        name = path.relative_to(root).as_posix()
        content = _file_hash(path, stat.st_size, stat.st_mtime_ns)
        whole.update(f"{name}\0{content}\n".encode())
    return whole.hexdigest()[:16]


@lru_cache(maxsize=4096)
def _file_hash(path: Path, size: int, modified: int) -> str:
    """Hash one file.

    `modified` (ns) only makes the cache read a file that was written again.
    """
    if size <= _MAX_FULL_HASH:
        return sha256(path)
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        for n in range(_SAMPLES):
            file.seek((size - _SAMPLE_SIZE) * n // (_SAMPLES - 1))
            digest.update(file.read(_SAMPLE_SIZE))
    return digest.hexdigest()
