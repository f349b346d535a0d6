"""Fills a temporary folder, searches it for secrets, and moves it into place as a whole."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TextIO
from urllib.parse import quote, urlsplit

from hallascope.backends.base import HallaScopeError
from hallascope.engine.errors import BadRequest

# the endings of environment variables that hold a secret
_SECRET_SUFFIXES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_MIN_LENGTH = 8  # shorter values are not searched for: they would be found in ordinary words

PATTERNS: Mapping[str, str] = {
    "a key of a service (sk-...)": r"\bsk-[A-Za-z0-9_-]{16,}",
    "a token of Hugging Face (hf_...)": r"\bhf_[A-Za-z0-9]{20,}",
    "a token of GitHub": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
    "a key of Google": r"\bAIza[A-Za-z0-9_-]{35}",
    "a key of Amazon": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a bearer token": r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{16,}",
    "a password in an address": (
        r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'<>]+:[^\s/@\"'<>]+"
        r"@[^\s\"'<>]"
    ),
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
}
_ANY = re.compile("|".join(f"(?P<p{i}>{pattern})" for i, pattern in enumerate(PATTERNS.values())))
_KINDS = tuple(PATTERNS)


class Secrets:
    """Finds what must not leave: keys by their shape, and values of names like ``*_KEY``.

    The values are those of this environment, or of the `environment` that is given.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        names = _secret_values(os.environ if environment is None else environment)
        self.values = frozenset(names)
        self._names_by_form = {
            form: name for value, name in names.items() for form in _encoded_forms(value)
        }
        forms = "|".join(re.escape(form) for form in self._names_by_form)
        self._any_form = re.compile(forms) if forms else None

    def __repr__(self) -> str:
        return "Secrets()"

    def find(self, text: str) -> str | None:
        """Return what a text holds that must not leave, in words that do not repeat it.

        It is None where the text holds nothing of the kind.
        """
        value = self._any_form.search(text) if self._any_form else None
        if value:
            return f"the value of {self._names_by_form[value.group()]}"
        key = _ANY.search(text)
        return _KINDS[int(str(key.lastgroup)[1:])] if key else None


def _secret_values(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the secret values of an environment, each with the name of its variable."""
    names: dict[str, str] = {}
    for name, value in environment.items():
        secret: str | None = value.strip()
        if not name.upper().endswith(_SECRET_SUFFIXES):
            secret = _url_password(value.strip())
        if secret and len(secret) >= _MIN_LENGTH:
            names[secret] = name
    return names


def _url_password(value: str) -> str | None:
    try:
        return urlsplit(value).password if "://" in value else None
    except ValueError:
        return None


def _encoded_forms(value: str) -> set[str]:
    """Return a value as it may stand in a text, in HTML, in JSON and in an address."""
    return {
        value,
        escape(value),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        quote(value, safe=""),
    }


# --- the folder ---

_PART = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}")  # one part of a path within the folder
_NO_SLUG = re.compile(r"[^0-9A-Za-z._-]+")


def slug(name: str) -> str:
    """Return a name as a part of a path: letters, digits, ``.``, ``_`` and ``-``.

    It begins with a letter or digit.
    """
    return _NO_SLUG.sub("-", name).strip("._-")[:80] or "unnamed"


class HoldsSecret(HallaScopeError):
    """Raised where a text to export holds what looks like a key.

    The message names its kind and place, never the key.
    """


class ExportFolder:
    """Holds a folder that is being filled.

    Every text is searched before it is written; raises HoldsSecret.
    """

    def __init__(self, root: Path, secrets: Secrets) -> None:
        self._root = root
        self._secrets = secrets
        self.files: dict[str, None] = {}  # in the order of writing

    def scan(self, name: str, text: str) -> None:
        """Raise HoldsSecret where a text must not leave."""
        secret = self._secrets.find(text)
        if secret:
            raise HoldsSecret(
                f"Nothing was written, since {name!r} would hold {secret}: take it out of the"
                " prompts, questions and replies, then try again."
            )

    def path(self, name: str) -> Path:
        """Return where a file of that name is to be; its folders are made.

        Raises ValueError for a name that leads anywhere else.
        """
        parts = name.split("/")
        if not all(_PART.fullmatch(part) for part in parts):
            raise ValueError(f"{name!r} is no name of a file within an export")
        path = self._root.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.files[name] = None
        return path

    def write_text(self, name: str, text: str) -> None:
        """Write a text in UTF-8."""
        self.scan(name, text)
        self.path(name).write_text(text, encoding="utf-8", newline="")

    @contextmanager
    def open_text(self, name: str) -> Iterator["ExportTextFile"]:
        """Open a file that is written piece by piece."""
        with self.path(name).open("w", encoding="utf-8", newline="") as stream:
            yield ExportTextFile(self, name, stream)

    def copy(self, name: str, source: Path) -> None:
        """Copy a file as it is: a picture of the store."""
        shutil.copyfile(source, self.path(name))


class ExportTextFile:
    """Holds an open text file of a folder; what is written to it is searched first."""

    def __init__(self, folder: ExportFolder, name: str, stream: TextIO) -> None:
        self._folder = folder
        self._name = name
        self._stream = stream

    def write(self, text: str) -> int:
        self._folder.scan(self._name, text)
        return self._stream.write(text)


@contextmanager
def open_export_folder(out: Path, force: bool = False) -> Iterator[ExportFolder]:
    """Open a folder to fill, which is put at `out` when all went well.

    After an error nothing is there that was not there before.

    `force`: into a folder that holds something already; files of the same name are replaced, others
    stay. Raises BadRequest where it cannot be put there.
    """
    if out.exists() and not out.is_dir():
        raise BadRequest(f"{str(out)!r} is a file: give the name of a folder.")
    if out.is_dir() and any(out.iterdir()) and not force:
        raise BadRequest(
            f"The folder {str(out)!r} holds something already: give another, or --force to write"
            " into it."
        )
    with _filled_aside(out) as (aside, folder):
        yield folder
        aside.chmod(0o755)  # temporary folders are for their owner alone
        if not out.exists() or not any(out.iterdir()):
            if out.exists():
                out.rmdir()
            os.replace(aside, out)  # as a whole, as others may look for it
            return
        for name in folder.files:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(aside / name, out / name)


@contextmanager
def open_export_file(out: Path, name: str, force: bool = False) -> Iterator[ExportFolder]:
    """Open a folder of which only the file `name` is kept, which is put at `out`.

    Raises BadRequest where it cannot be put there.
    """
    if out.is_dir() or (out.exists() and not force):
        raise BadRequest(
            f"{str(out)!r} is there already: give another name, or --force to write over it."
        )
    with _filled_aside(out) as (aside, folder):
        yield folder
        os.replace(aside / name, out)


@contextmanager
def _filled_aside(out: Path) -> Iterator[tuple[Path, ExportFolder]]:
    """Yield a folder beside `out`, which is gone in the end. Raises BadRequest for OSError."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            dir=out.parent, prefix=".hallascope-", ignore_cleanup_errors=True
        ) as aside:
            yield Path(aside), ExportFolder(Path(aside), Secrets())
    except OSError as error:
        raise BadRequest(
            f"{str(out)!r} cannot be written ({error.strerror or error}): free some space, or"
            " choose a folder that you may write to."
        ) from error
