"""Reads prompt templates from files, one a role, and fills them."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROMPTS = Path(__file__).parent
_PLACE = re.compile(r"\{([a-z_]+)\}")


class TemplateError(ValueError):
    """A template cannot be read or filled; the message names the file and what to do."""


@dataclass(frozen=True)
class Template:
    """Holds a prompt with places such as ``{question}``.

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


def template(name: str, folder: Path | None = None, places: tuple[str, ...] = ()) -> Template:
    """Return the template of a role: the one in `folder` where it has one, else ours.

    Raises TemplateError where there is none, it is no UTF-8 text, or it lacks one of `places`.
    """
    path = PROMPTS / f"{name}.txt"
    if folder is not None and (folder / path.name).is_file():
        path = folder / path.name
    chosen = _read_template(path)
    missing = [f"{{{place}}}" for place in places if place not in chosen.places]
    if missing:
        raise TemplateError(
            f"the template {str(path)!r} lacks {' and '.join(missing)}: put it where the text shall"
            " stand"
        )
    return chosen


def _read_template(path: Path) -> Template:
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except OSError as error:
        known = ", ".join(sorted(file.stem for file in PROMPTS.glob("*.txt")))
        raise TemplateError(
            f"cannot read the template {str(path)!r} ({error.strerror}); there are: {known}"
        ) from error
    except UnicodeDecodeError as error:
        raise TemplateError(
            f"the template {str(path)!r} is no UTF-8 text: save it as UTF-8"
        ) from error
    return Template(text.strip(), hashlib.sha256(raw).hexdigest()[:12], path)
