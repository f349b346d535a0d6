"""A folder that is filled aside, searched for secrets, and then put in its place whole.

It knows no format.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from hallascope.backends.base import HallaScopeError
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.secret_scan import Secrets

_PART = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}")  # of a name within the folder
_NO_SLUG = re.compile(r"[^0-9A-Za-z._-]+")


def slug(name: str) -> str:
    """Return a name as a part of a path: letters, digits, ``.``, ``_`` and ``-``.

    It begins with a letter or digit.
    """
    return _NO_SLUG.sub("-", name).strip("._-")[:80] or "unnamed"


class HoldsSecret(HallaScopeError):
    """What is to leave holds what looks like a key.

    The message names its sort and place, never the key.
    """


class ExportFolder:
    """A folder that is being filled.

    Every text is searched before it is written; raises HoldsSecret.
    """

    def __init__(self, root: Path, secrets: Secrets) -> None:
        self._root = root
        self._secrets = secrets
        self.files: list[str] = []

    def scan(self, name: str, text: str) -> None:
        """Raises HoldsSecret where a text must not leave."""
        if sort := self._secrets.sort(text):
            raise HoldsSecret(
                f"Nothing was written, since {name!r} would hold {sort}: take it out of the"
                " prompts, questions and replies, then try again."
            )

    def path(self, name: str) -> Path:
        """Where a file of that name is to be; its folders are made.

        Raises ValueError for a name that leads anywhere else.
        """
        parts = name.split("/")
        if not all(_PART.fullmatch(part) for part in parts):
            raise ValueError(f"{name!r} is no name of a file within an export")
        found = self._root.joinpath(*parts)
        found.parent.mkdir(parents=True, exist_ok=True)
        if name not in self.files:
            self.files.append(name)
        return found

    def text(self, name: str, said: str) -> None:
        """Write a text in UTF-8."""
        self.scan(name, said)
        self.path(name).write_text(said, encoding="utf-8", newline="")

    @contextmanager
    def lines(self, name: str) -> Iterator["ExportTextFile"]:
        """A file that is written piece by piece."""
        with self.path(name).open("w", encoding="utf-8", newline="") as stream:
            yield ExportTextFile(self, name, stream)

    def copy(self, name: str, source: Path) -> None:
        """Copy a file as it is: a picture of the store."""
        shutil.copyfile(source, self.path(name))


class ExportTextFile:
    """A text file of a folder; what is written to it is searched first."""

    def __init__(self, folder: ExportFolder, name: str, stream: TextIO) -> None:
        self._folder = folder
        self._name = name
        self._stream = stream

    def write(self, said: str) -> int:
        self._folder.scan(self._name, said)
        return self._stream.write(said)


@contextmanager
def open_export_folder(
    out: Path, force: bool = False, secrets: Secrets | None = None
) -> Iterator[ExportFolder]:
    """A folder to fill, which is put at `out` when all went well.

    After an error nothing is there that was not there before.

    `force`: into a folder that holds something already; files of the same name are replaced, others
    stay. Raises BadRequest where it cannot be put there.
    """
    _free(out, force)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=out.parent, prefix=".hallascope-"))
    except OSError as error:
        raise BadRequest(_unwritable(out, error)) from error
    try:
        folder = ExportFolder(aside, secrets or Secrets())
        yield folder
        _move_into_place(folder.files, aside, out)
    except OSError as error:
        raise BadRequest(_unwritable(out, error)) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def single(
    out: Path, name: str, force: bool = False, secrets: Secrets | None = None
) -> Iterator[ExportFolder]:
    """Write one file: what is written under `name` is put at `out`.

    Anything else is dropped. Raises BadRequest.
    """
    if out.is_dir() or (out.exists() and not force):
        raise BadRequest(
            f"{str(out)!r} is there already: give another name, or --force to write over it."
        )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=out.parent, prefix=".hallascope-"))
        try:
            folder = ExportFolder(aside, secrets or Secrets())
            yield folder
            os.replace(aside / name, out)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise BadRequest(_unwritable(out, error)) from error


def _free(out: Path, force: bool) -> None:
    if out.exists() and not out.is_dir():
        raise BadRequest(f"{str(out)!r} is a file: give the name of a folder.")
    if out.is_dir() and any(out.iterdir()) and not force:
        raise BadRequest(
            f"The folder {str(out)!r} holds something already: give another, or --force to write"
            " into it."
        )


def _move_into_place(files: list[str], aside: Path, out: Path) -> None:
    aside.chmod(0o755)  # temporary folders are for their owner alone
    if not out.exists() or not any(out.iterdir()):
        if out.exists():
            out.rmdir()
        os.replace(aside, out)
        return
    for name in files:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(aside / name, out / name)


def _unwritable(out: Path, error: OSError) -> str:
    return (
        f"{str(out)!r} cannot be written ({error.strerror or error}): free some space, or choose a"
        " folder that you may write to."
    )
