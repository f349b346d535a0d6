"""Bounds what a zip may unpack to, by its table of contents."""

from collections.abc import Sequence
from io import SEEK_END
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile, ZipInfo

MB = 2**20
ENTRY_BYTES = 400  # more than an entry of the table of contents has, unless its name is very long
RATIO = 100  # more than a megabyte that is packed to less than 1 in so many is a bomb


def open_zip(file: BinaryIO, most_files: int) -> ZipFile:
    """Open a zip. Raises BadZipFile where its end is full of entries.

    `zipfile` takes 10 s for the 530,000 that fit into 25 MB, before it says how many they are.
    """
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - most_files * ENTRY_BYTES))
    if file.read().count(b"PK\x01\x02") > 2 * most_files:  # Macs write a second one for each file
        raise BadZipFile("too many files")
    return ZipFile(file)


def size_fault(entries: Sequence[ZipInfo], most_files: int, most_bytes: int) -> str:
    """Return what is wrong with a zip by its table of contents, in words that follow its name.

    "" where nothing is. `zipfile` reads no file beyond the size that the table states for it.
    """
    if len(entries) > most_files:
        return f"has {len(entries):,} files and at most {most_files:,} are taken"
    size = sum(entry.file_size for entry in entries)
    if size > most_bytes:
        return f"unpacks to {size / MB:,.0f} MB and at most {most_bytes / MB:,.0f} MB are read"
    packed = max(1, sum(entry.compress_size for entry in entries))
    if size > MB and size > RATIO * packed:
        return f"unpacks to {size / packed:,.0f} times its size, as a bomb does"
    return ""
