"""Reads the wordings that models are sent from files, one a wording, and fills them."""

import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.wordings.catalog import WORDINGS, WordingRole

OUR_TEXTS = Path(__file__).parent / "ours"
MOST = 100_000  # bytes of one text
_PLACE = re.compile(r"\{([a-z_]+)\}")


class TemplateError(ValueError):
    """A template cannot be read or filled; the message names the file and what to do."""


@dataclass(frozen=True)
class Template:
    """Holds a text with placeholders such as ``{question}``.

    `version` is the start of the SHA-256 of the file's bytes (12 hex digits).
    """

    text: str
    version: str
    path: Path

    @property
    def places(self) -> frozenset[str]:
        return frozenset(_PLACE.findall(self.text))

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with every named place filled in one pass; braces in values stay.

        Places that are not in `values` are left alone.
        """
        return _PLACE.sub(lambda place: values.get(place[1], place[0]), self.text)


def template(name: str, folder: Path | None = None) -> Template:
    """Return the template of a wording: the one in `folder` where it has one, else ours.

    Raises TemplateError where there is no wording of that name, or `read_template` does.
    """
    if name not in WORDINGS:
        raise TemplateError(f"there is no wording {name!r}; {nearest_wording(name)}")
    path = OUR_TEXTS / f"{name}.txt"
    if folder is not None and (folder / path.name).is_file():
        path = folder / path.name
    return read_template(path, WORDINGS[name])


def read_template(path: Path, role: WordingRole) -> Template:
    """Return the template of a file.

    Raises TemplateError, with file, line and what to do, where it is no UTF-8 text, is empty or too
    long, lacks a placeholder that the wording needs, or has one that it does not know.
    """
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise TemplateError(
            f"cannot read the template {str(path)!r} ({error.strerror}): put the file there, or"
            " delete its name to use ours"
        ) from error
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _fault(path, line, "the template is no UTF-8 text: save it as UTF-8") from error
    if len(raw) > MOST:
        raise _fault(
            path, 1, f"the template has {len(raw):,} bytes, and {MOST:,} are allowed: shorten it"
        )
    if not text.strip():
        raise _fault(path, 1, "the template is empty: write its text, or delete it to use ours")
    _check_placeholders(path, text, role)
    return Template(text.strip(), hashlib.sha256(raw).hexdigest()[:12], path)


def nearest_wording(name: str) -> str:
    """Return the end of a sentence about a name that no wording has."""
    near = difflib.get_close_matches(name, WORDINGS, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(WORDINGS)}"


def _check_placeholders(path: Path, text: str, role: WordingRole) -> None:
    """Raise TemplateError at the first placeholder that is unknown, else where one is missing."""
    for place in _PLACE.finditer(text):
        if place[1] not in role.placeholders:
            line = text.count("\n", 0, place.start()) + 1
            raise _fault(path, line, _unknown_sentence(place[1], role))
    present = _PLACE.findall(text)
    missing = [f"{{{name}}}" for name in role.required if name not in present]
    if missing:
        last_line = text.rstrip().count("\n") + 1
        raise _fault(
            path,
            last_line,
            f"the template lacks {' and '.join(missing)}: put it where the text should go",
        )


def _unknown_sentence(name: str, role: WordingRole) -> str:
    if not role.placeholders:
        return f"{{{name}}} cannot be filled, as this wording has no placeholders: write it out"
    near = difflib.get_close_matches(name, role.placeholders, n=1, cutoff=0.6)
    known = " and ".join(f"{{{place}}}" for place in role.placeholders)
    remedy = f"did you mean {{{near[0]}}}?" if near else f"this wording knows {known}"
    return f"{{{name}}} is no placeholder here; {remedy}"


def _fault(path: Path, line: int, sentence: str) -> TemplateError:
    return TemplateError(f"{path}, line {line}: {sentence}")
