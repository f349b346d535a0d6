"""Holds a set of exercises with a title, small enough to stand in a link.

Drawn ones are seeds, kept ones name a picture of a run.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from hallascope.data.files.tidy import line

MOST = 40  # exercises in a set
LONGEST_TITLE = 120
_LONGEST_LINK = 12_000  # characters
_LONGEST_TEXT = 60_000  # bytes of what a link unfolds to
_LONGEST_WORDS = 400  # characters of a prompt, a question
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
_SEAL = re.compile(r"[0-9a-f]{0,16}")


class BadLesson(ValueError):
    """A set, an exercise or a link to one cannot be used.

    The message says in one sentence what is wrong and what to do.
    """


@dataclass(frozen=True)
class DrawnItem:
    """Holds a drawn exercise: a Primer prompt, the wrong parameter with its value, and a seed.

    The seed is that of all chance.
    """

    prompt: str
    parameter: str
    value: str | int
    seed: int = 0


@dataclass(frozen=True)
class RunItem:
    """Holds a picture of a run, by its place in it, and the question that it answers wrongly."""

    run: str
    picture: str
    question: str


LessonItem = DrawnItem | RunItem


@dataclass(frozen=True)
class Lesson:
    """Holds a set of exercises with its title.

    `seal` is the start of a hash of the teacher's key: who has the key may see the answers.
    """

    title: str
    items: tuple[LessonItem, ...]
    seal: str = ""

    @property
    def id(self) -> str:
        """Return a name that is the same for the same set, wherever it is opened."""
        return sha256(_plain(self).encode()).hexdigest()[:16]


def make_seal(key: str) -> str:
    """Return the seal of a key."""
    return sha256(key.encode()).hexdigest()[:16]


def opens(lesson: Lesson, key: str) -> bool:
    """Return whether it is the key of the set; a set without a seal has none."""
    return bool(lesson.seal) and bool(key) and make_seal(key) == lesson.seal


# --- as a link


def token(lesson: Lesson) -> str:
    """Return the set as a word that can stand in an address.

    `read_token` gives the same set back.
    """
    return base64.urlsafe_b64encode(zlib.compress(_plain(lesson).encode(), 9)).decode().rstrip("=")


def read_token(said: str) -> Lesson:
    """Return the set of a link. Raises BadLesson where it is none, or longer than any of ours."""
    if len(said) > _LONGEST_LINK:
        raise BadLesson("The link to this set is too long: ask your teacher for a shorter set.")
    try:
        packed = base64.b64decode(said + "=" * (-len(said) % 4), altchars=b"-_", validate=True)
        unpack = zlib.decompressobj()
        text = unpack.decompress(packed, _LONGEST_TEXT)
        if not unpack.eof:
            raise ValueError("it is cut off, or too large")
        data = json.loads(text)
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise BadLesson(
            "The link to this set is damaged: copy the whole of it, or ask for it again."
        ) from error
    return lesson_of(data)


def _plain(lesson: Lesson) -> str:
    values = {
        "title": lesson.title,
        "items": [as_plain(item) for item in lesson.items],
        "seal": lesson.seal,
    }
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def as_plain(item: LessonItem) -> list[str | int]:
    """Return an item as a list that begins with the prompt of a drawn one, else an empty text."""
    if isinstance(item, DrawnItem):
        return [item.prompt, item.parameter, item.value, item.seed]
    return ["", item.run, item.picture, item.question]


def lesson_of(said: Any) -> Lesson:
    """Return the set of plain values, as they come from a link. Raises BadLesson."""
    if not isinstance(said, Mapping) or not isinstance(said.get("items"), list):
        raise BadLesson("This is no set of exercises: copy the whole link, or ask for it again.")
    seal = said.get("seal", "")
    if not isinstance(seal, str) or not _SEAL.fullmatch(seal):
        raise BadLesson("The seal of this set is none: copy the whole link, or ask for it again.")
    return lesson(said.get("title"), [item_of(item) for item in said["items"]], seal)


def lesson(title: Any, items: list[LessonItem], seal: str = "") -> Lesson:
    """Return a set whose title and number of exercises will do. Raises BadLesson."""
    name = line(title) if isinstance(title, str) else ""
    if not name or len(name) > LONGEST_TITLE:
        raise BadLesson(f"The set has no title of 1 to {LONGEST_TITLE} characters: give it one.")
    if not 1 <= len(items) <= MOST:
        raise BadLesson(f"The set has {len(items)} exercises: give it 1 to {MOST}.")
    return Lesson(name, tuple(items), seal)


def item_of(said: Any) -> LessonItem:
    """Return the item of plain values.

    Raises BadLesson; whether it can be drawn is found out when it is.
    """
    match said:
        case ["", str(run), str(picture), str(question)] if _NAME.fullmatch(
            run
        ) and _NAME.fullmatch(picture):
            if 0 < len(question) <= _LONGEST_WORDS:
                return RunItem(run, picture, question)
        case [
            str(prompt),
            str(parameter),
            str() | int() as value,
            int(seed),
        ] if prompt and not isinstance(value, bool):
            short = max(len(prompt), len(parameter), len(str(value))) <= _LONGEST_WORDS
            if short and not isinstance(seed, bool) and 0 <= seed < 2**31:
                return DrawnItem(prompt, parameter, value, seed)
    raise BadLesson(
        f"An exercise of this set cannot be read ({str(said)[:60]!r}): copy the whole link, or ask"
        " for it again."
    )
