"""Unpacks a zip of images into a folder of its own, and refuses one that is not what it seems.

Everything is checked by the archive's table of contents before a file is written, and again by the
bytes that come out.
"""

import re
import stat
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from hallascope.engine.errors import BadRequest

_GB, _MB = 2**30, 2**20
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst", ".jar")
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"BZh", b"\xfd7zXZ\x00")
_WORKBOOKS = (".xlsx",)  # a zip, too, and read as a table
_DRIVE = re.compile(r"[A-Za-z]:")
_BLOCK = 2**20
_DAMAGED = (BadZipFile, LargeZipFile, zlib.error, EOFError, NotImplementedError, ValueError)


class BadArchive(BadRequest):
    """Raised where an archive is damaged, or would do harm; the message says which file of it."""


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Bounds what is unpacked.

    `files` and `bytes` are of the whole, `file_bytes` of one file. A file of more than
    `checked_bytes` that is packed to less than 1 in `ratio` is a bomb: images hardly pack at all.
    """

    files: int = 50_000
    bytes: int = 20 * _GB
    file_bytes: int = 256 * _MB
    ratio: int = 100
    checked_bytes: int = _MB
    depth: int = 16


@contextmanager
def unpacked(path: Path, limits: ArchiveLimits | None = None) -> Iterator[Path]:
    """Give the folder that a zip holds, unpacked; it is deleted in the end.

    Where all lies in one folder of the archive, it is this one. Raises BadArchive.
    """
    limits = limits or ArchiveLimits()
    try:
        with tempfile.TemporaryDirectory(prefix="hallascope-zip-") as folder:
            root = Path(folder)
            _unpack(path, root, limits)
            yield _only_folder(root)
    except OSError as error:
        raise BadArchive(
            f"The archive {path.name!r} cannot be unpacked ({error.strerror or error}): check that"
            " it is there and that the disk has room."
        ) from error


def _unpack(path: Path, root: Path, limits: ArchiveLimits) -> None:
    try:
        with ZipFile(path) as archive:
            listed = [entry for entry in archive.infolist() if not _is_clutter(entry)]
            check_contents(path.name, listed, limits)
            for entry in listed:
                if not entry.is_dir():
                    _write(archive, entry, root, path.name, limits)
    except BadArchive:
        raise
    except RuntimeError as error:
        raise BadArchive(
            f"The archive {path.name!r} cannot be opened ({error}): pack it again as a plain .zip."
        ) from error
    except _DAMAGED as error:
        raise BadArchive(
            f"The archive {path.name!r} is damaged or no .zip: pack it again."
        ) from error


def check_contents(name: str, entries: Sequence[ZipInfo], limits: ArchiveLimits) -> None:
    """Check the table of contents of an archive. Raises BadArchive with the first fault."""
    if len(entries) > limits.files:
        raise BadArchive(
            f"The archive {name!r} has {len(entries):,} files; at most {limits.files:,} are taken:"
            " split it."
        )
    total = sum(entry.file_size for entry in entries)
    if total > limits.bytes:
        raise BadArchive(
            f"The archive {name!r} would fill {total / _GB:,.1f} GB; at most"
            f" {limits.bytes / _GB:,.1f} GB are taken: split it."
        )
    seen: set[str] = set()
    for entry in entries:
        if problem := _fault(entry, limits):
            raise BadArchive(f"The archive {name!r} is refused: {entry.filename!r} {problem}.")
        lowered = entry.filename.rstrip("/").casefold()
        if lowered in seen and not entry.is_dir():
            raise BadArchive(f"The archive {name!r} is refused: {entry.filename!r} is there twice.")
        seen.add(lowered)


def _fault(entry: ZipInfo, limits: ArchiveLimits) -> str | None:
    """Return what is wrong with an entry, in words that follow its name."""
    # what ZipInfo cuts off or replaces is in orig_filename
    original = entry.orig_filename
    parts = PurePosixPath(original.replace("\\", "/")).parts
    if not parts or "\0" in original or not original.isprintable():
        return "has a name that cannot be shown"
    if original.startswith(("/", "\\")) or _DRIVE.match(original) or ".." in parts:
        return "leads out of the folder"
    if len(parts) > limits.depth:
        return f"lies more than {limits.depth} folders deep"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind and not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        return "is a link or a device, and no file"
    if entry.flag_bits & 0x1:
        return "is encrypted"
    if PurePosixPath(original).suffix.casefold() in _ARCHIVES:
        return "is an archive within the archive"
    if entry.file_size > limits.file_bytes:
        return f"is larger than {limits.file_bytes // _MB} MB"
    packed = max(entry.compress_size, 1)
    if entry.file_size > limits.checked_bytes and entry.file_size / packed > limits.ratio:
        return f"unpacks to {entry.file_size / packed:,.0f} times its size, as a bomb does"
    return None


def _is_clutter(entry: ZipInfo) -> bool:
    """Return whether an entry is what a file manager leaves behind."""
    parts = PurePosixPath(entry.filename).parts
    return "__MACOSX" in parts or (bool(parts) and parts[-1] in (".DS_Store", "Thumbs.db"))


def _write(archive: ZipFile, entry: ZipInfo, root: Path, name: str, limits: ArchiveLimits) -> None:
    target = root.joinpath(*PurePosixPath(entry.filename.replace("\\", "/")).parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with archive.open(entry) as source, target.open("xb") as file:
        while block := source.read(_BLOCK):
            is_workbook = target.suffix.casefold() in _WORKBOOKS
            if not written and block.startswith(_PACKED) and not is_workbook:
                raise BadArchive(
                    f"The archive {name!r} is refused: {entry.filename!r} is an archive within the"
                    " archive."
                )
            written += len(block)
            if written > min(entry.file_size, limits.file_bytes):
                raise BadArchive(
                    f"The archive {name!r} is refused: {entry.filename!r} is larger than the"
                    " archive says."
                )
            file.write(block)


def _only_folder(root: Path) -> Path:
    """Return the folder that holds everything, however deep it lies."""
    folder = root
    while True:
        inside = list(folder.iterdir())
        if len(inside) != 1 or not inside[0].is_dir():
            return folder
        folder = inside[0]
