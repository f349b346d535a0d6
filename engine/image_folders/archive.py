"""Unpacks a zip of images into a folder of its own, and refuses one that is not what it seems.

Everything is checked by the archive's table of contents before a file is written, and again by the
bytes that come out.
"""

import re
import stat
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from hallascope.data.files.unpacking import MB, open_zip, size_fault
from hallascope.engine.errors import BadRequest

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst", ".jar")
MOST_FILES = 50_000
MOST_BYTES = 20_000 * MB
MOST_FILE_BYTES = 256 * MB  # of one file
DEEPEST = 16  # folders within each other
_DRIVE = re.compile(r"[A-Za-z]:")
_BLOCK = 2**20
_DAMAGED = (BadZipFile, LargeZipFile, zlib.error, EOFError, NotImplementedError, ValueError)


class BadArchive(BadRequest):
    """Raised where an archive is damaged, or would do harm; the message says which file of it."""


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Give the folder that a zip holds, unpacked; it is deleted in the end.

    Where all lies in one folder of the archive, it is this one. Raises BadArchive.
    """
    with ExitStack() as stack:
        try:
            folder = tempfile.TemporaryDirectory(prefix="hallascope-zip-")
            root = Path(stack.enter_context(folder))
            _unpack(path, root)
            inside = _only_folder(root)
        except OSError as error:
            raise BadArchive(
                f"The archive {path.name!r} cannot be unpacked ({error.strerror or error}): check"
                " that it is there and that the disk has room."
            ) from error
        yield inside


def _unpack(path: Path, root: Path) -> None:
    try:
        with path.open("rb") as file, open_zip(file, MOST_FILES) as archive:
            listed = [entry for entry in archive.infolist() if not _is_clutter(entry)]
            _check_contents(path.name, listed)
            for entry in listed:
                if not entry.is_dir():
                    _write(archive, entry, root, path.name)
    except BadArchive:
        raise
    except RuntimeError as error:
        raise BadArchive(
            f"The archive {path.name!r} cannot be opened ({error}): pack it again as a plain .zip."
        ) from error
    except _DAMAGED as error:
        raise BadArchive(
            f"The archive {path.name!r} is damaged or not a .zip: pack it again."
        ) from error


def _check_contents(name: str, entries: Sequence[ZipInfo]) -> None:
    """Check the table of contents of an archive. Raises BadArchive with the first fault."""
    if fault := size_fault(entries, MOST_FILES, MOST_BYTES):
        raise BadArchive(f"The archive {name!r} {fault}: pack fewer or smaller images.")
    seen: set[str] = set()
    for entry in entries:
        if problem := _fault(entry):
            raise BadArchive(f"The archive {name!r} is refused: {entry.filename!r} {problem}.")
        lowered = entry.filename.rstrip("/").casefold()
        if lowered in seen and not entry.is_dir():
            raise BadArchive(f"The archive {name!r} is refused: {entry.filename!r} is there twice.")
        seen.add(lowered)


def _fault(entry: ZipInfo) -> str | None:
    """Return what is wrong with an entry, in words that follow its name."""
    # what ZipInfo cuts off or replaces is in orig_filename
    original = entry.orig_filename
    parts = PurePosixPath(original.replace("\\", "/")).parts
    if not parts or "\0" in original or not original.isprintable():
        return "has a name that cannot be shown"
    if original.startswith(("/", "\\")) or _DRIVE.match(original) or ".." in parts:
        return "leads out of the folder"
    if len(parts) > DEEPEST:
        return f"lies more than {DEEPEST} folders deep"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind and not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        return "is a link or a device, and no file"
    if entry.flag_bits & 0x1:
        return "is encrypted"
    if PurePosixPath(original).suffix.casefold() in ARCHIVES:
        return "is an archive within the archive"
    if entry.file_size > MOST_FILE_BYTES:
        return f"is larger than {MOST_FILE_BYTES // MB} MB"
    return None


def _is_clutter(entry: ZipInfo) -> bool:
    """Return whether an entry is what a file manager leaves behind."""
    parts = PurePosixPath(entry.filename).parts
    return "__MACOSX" in parts or (bool(parts) and parts[-1] in (".DS_Store", "Thumbs.db"))


def _write(archive: ZipFile, entry: ZipInfo, root: Path, name: str) -> None:
    target = root.joinpath(*PurePosixPath(entry.filename.replace("\\", "/")).parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with archive.open(entry) as source, target.open("xb") as file:
        while block := source.read(_BLOCK):
            written += len(block)
            if written > min(entry.file_size, MOST_FILE_BYTES):
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
