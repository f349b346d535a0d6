"""Reads what the names of image files say: the prompt, the row, the number of the sample."""

import re
import unicodedata
from typing import NamedTuple

LARGEST_SEED = 2**63 - 1  # what the store can hold
_PROMPTED = re.compile(r"(?P<prompt>.+)_(?P<number>[0-9]{6,9})", re.DOTALL)
_NUMBERED = re.compile(r"(?P<row>[0-9]{1,9})(?:[_-](?P<sample>[0-9]{1,9}))?")


class PromptedName(NamedTuple):
    """Holds the prompt that a file is named by, and the number behind it."""

    prompt: str
    number: int


class NumberedName(NamedTuple):
    """Holds the row of a prompt that a file is named by, and the number of the sample."""

    row: int
    sample: int


def parse_prompted_name(stem: str) -> PromptedName | None:
    """Read ``PROMPT_000123``: T2I-CompBench's names, without the ending.

    The number has six digits or more. None where the name is not of this kind.
    """
    match = _PROMPTED.fullmatch(stem)
    prompt = " ".join(match["prompt"].split()) if match else ""
    return PromptedName(prompt, int(match["number"])) if match and prompt else None


def parse_numbered_name(stem: str) -> NumberedName | None:
    """Read ``12``, ``00012`` or ``12_3``: the row of the prompt, and of several images which one.

    None where the name is not of this kind.
    """
    match = _NUMBERED.fullmatch(stem)
    return NumberedName(int(match["row"]), int(match["sample"] or 0)) if match else None


def parse_seed(text: str) -> int | None:
    """Read a seed from a table: a whole number from 0 to 2**63 - 1; None where it is no such."""
    text = text.strip()
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(LARGEST_SEED)):
        return None
    seed = int(text)
    return seed if seed <= LARGEST_SEED else None


def prompt_key(prompt: str) -> str:
    """Return the form in which a prompt of a file name is compared with those of a list.

    Case, signs that file names often lack, and `_` for a space do not matter.
    """
    text = unicodedata.normalize("NFKC", prompt).casefold()
    words = "".join(sign if sign.isalnum() else " " for sign in text)
    return " ".join(words.split())
