"""Draws a sign with a text of capital letters, right or misspelled, and reads prompts for one.

The text is the one fact of a sign. A sign stands alone and is none of Primer's concepts, so that
neither their number nor the prompts by chance depend on it.
"""

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from hallascope.data.records import Category
from hallascope.primer.drawing.parts import Art, Part, part, path, rect
from hallascope.primer.world import Concept, Fact, FactValues

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LETTERS: Mapping[str, str] = _TABLES["letters"]
TEXTS: Sequence[str] = _TABLES["texts"]
SIGN = "sign"  # the name of its concept
QUESTION = "What does the sign say in the image?"
_PROMPT = re.compile(
    r"(?:an? |the )?sign (?:that (?:says|reads)|saying|with the (?:word|text))"
    r" [\"'“‘]([a-z]{3,8})[\"'”’][.!]?",
    re.IGNORECASE,
)
_ADVANCE = 9  # from one letter to the next, in the units of LETTERS
_LARGEST = 4.0  # scale of a short text


def prompt(text: str) -> str:
    """Return the prompt for a sign: `a sign that says "OPEN"`."""
    return f'a sign that says "{text}"'


def find_asked_sign(words: str) -> Concept | None:
    """Return the sign that a prompt asks for, of one word of 3 to 8 letters; None for others."""
    match = _PROMPT.fullmatch(words)
    return sign(match[1].upper()) if match else None


def sample_prompts(count: int, seed: int) -> tuple[str, ...]:
    """Return prompts for signs by chance, at most one for each of `TEXTS`."""
    chosen = random.Random(f"signs {seed}").sample(TEXTS, min(count, len(TEXTS)))
    return tuple(map(prompt, chosen))


@cache
def sign(text: str) -> Concept:
    """Return a sign with a text of capital letters; violations of its fact are misspellings."""
    fact = Fact(
        parameter="text",
        coi="others",
        criterion="details",
        question=QUESTION,
        values={written: written for written in (text, *_misspellings(text))},
        parts=("letter",),
    )
    return Concept(
        name=SIGN,
        phrase=prompt(text),
        plural="signs",
        domain="artifact",
        category=Category.PHYSICS,
        definition="A sign is a board with a text.",
        facts=(fact,),
        draw=_draw,
        tilt=0,
        mirror=False,
    )


def _misspellings(text: str) -> Iterator[str]:
    """Yield the text with one letter wrong, missing and doubled, the same for the same text."""
    chance = random.Random(text)
    at = chance.randrange(len(text))
    wrong = chance.choice([letter for letter in LETTERS if letter != text[at]])
    for written in (wrong, "", text[at] * 2):
        yield text[:at] + written + text[at + 1 :]


def _draw(values: FactValues, art: Art) -> Sequence[Part]:
    text = str(values["text"])
    width = _ADVANCE * len(text) - 3  # without the gap behind the last letter
    scale = min(_LARGEST, 80 / width)
    height = 10 * scale + 16
    ink = art.tone("black")
    return (
        part("post", rect(-4, 0, 8, 48, art.tone("brown"), width=1.8)),
        part("board", rect(-47, -height / 2, 94, height, art.tone("white"), r=3, width=1.8)),
        *(
            Part(
                "letter",
                (path(LETTERS[letter], stroke=ink, width=1.6),),
                f"translate({scale * (_ADVANCE * at - width / 2):.2f} {-5 * scale:.2f})"
                f" scale({scale:.3f})",
            )
            for at, letter in enumerate(text)
        ),
    )
