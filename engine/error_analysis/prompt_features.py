"""Reads from a prompt what errors may depend on: concepts, number, colors, relations, negation.

A prompt of the Primer world is read as its scene. Any other is read by lists of words alone: fast
enough for tens of thousands of prompts, and without grammar, so that "a pine cone" is read as it
stands. What is not found is "".
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from hallascope.metrics.reading.rules.counts import GROUP_NUMBERS
from hallascope.metrics.reading.rules.style import Piece, is_style
from hallascope.metrics.reading.words.language import COLORS, NUMBERS, words, wordset
from hallascope.metrics.reading.words.lists import NOUNS
from hallascope.primer.scenes import RELATIONS, CannotDraw, Scene, nouns, parse, prompts
from hallascope.primer.shapes import COLORS as COLORS_OF_SHAPES

SEVERAL = "+"  # separates the values of a feature that has several, as in the domains of a prompt
YES = "yes"
NO = "no"
SHORT = 5  # words, at most
MEDIUM = 15
LARGEST_NUMBER = 5  # this and all above it are one value
ABOVE = tuple(range(1, LARGEST_NUMBER))  # the ordered features "number above 1" and so on
_RELATIONS = {  # the first that matches is taken: "in front of" before "in"
    "in front of": r"in front of",
    "left of": r"left of",
    "right of": r"right of",
    "above": r"above|over",
    "below": r"below|under|underneath|beneath",
    "on": r"on top of|on|atop",
    "in": r"in|inside|within",
    "behind": r"behind",
    "between": r"between|among",
    "beside": r"beside|next to|near",
}
_RELATION = re.compile(
    "|".join(rf"(?P<r{at}>\b(?:{form})\b)" for at, form in enumerate(_RELATIONS.values()))
)
_SCENE_RELATIONS = {"left": "left of", "right": "right of"}
_NEGATION = re.compile(
    r"\b(?:no|not|without|never|none|neither|nor|nobody|nothing|lacking|devoid of|except|free of)\b"
    r"|n['’]t\b"
)
_WORD = re.compile(r"\S+")
_LONGEST_STYLE = 6  # spaces in a piece between commas that may be style alone
_PIECE_END = re.compile(r"[,|]")
_MEDIUM = re.compile(
    r"^(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,3}(?:photo(?:graph)?|painting|drawing|sketch|illustration"
    r"|rendering|render|watercolor|portrait|artwork|cartoon)\s+of\b|\bin the styles? of\b",
    re.IGNORECASE,
)


class PromptFeatures(NamedTuple):
    """Holds what a prompt asks for, as texts; several values have `SEVERAL` between them.

    `number` is the highest number of one thing that is asked for, "1" where the prompt says none,
    "5 or more" for all above four.
    """

    concept: str
    number: str
    color: str
    relation: str
    negation: str
    length: str
    style_words: str


@lru_cache(maxsize=65_536)
def read_prompt_features(prompt: str) -> PromptFeatures:
    """Return the features of a prompt."""
    scene = _read_scene(prompt)
    return _features_of_scene(prompt, scene) if scene else _features_of_words(prompt)


def is_above(number: str, least: int) -> str:
    """Return whether a value of the feature "number" lies above a number: `YES` or `NO`."""
    return YES if int(number.split()[0]) > least else NO


def _read_scene(prompt: str) -> Scene | None:
    """Return the scene of a prompt of the Primer world; None for any other.

    The words are looked at first: where a scene cannot be read, `parse` looks for names that are
    near, which takes a hundred times as long.
    """
    if not set(words(prompt)) <= _scene_words():
        return None
    try:
        return parse(prompt)
    except CannotDraw:
        return None


@cache
def _scene_words() -> frozenset[str]:
    """Return all words that a prompt of the Primer world may have."""
    texts = (*nouns(), *prompts(), *RELATIONS, *COLORS_OF_SHAPES, *NUMBERS[1:5])
    joined = " ".join(texts)
    return frozenset(words(joined)) | wordset("a an the and of image picture photo drawing")


def _features_of_scene(prompt: str, scene: Scene) -> PromptFeatures:
    relation = scene.relation or ""
    return PromptFeatures(
        concept=_join(group.concept.name for group in scene.groups),
        number=_number_text(max(group.count for group in scene.groups)),
        color=_join(group.color for group in scene.groups if group.color),
        relation=_SCENE_RELATIONS.get(relation, relation),
        negation=NO,
        length=_length(prompt),
        style_words=NO,
    )


def _features_of_words(prompt: str) -> PromptFeatures:
    lower = prompt.lower()
    said = words(prompt)
    relations = [match.lastgroup or "" for match in _RELATION.finditer(lower)]
    names = list(_RELATIONS)
    return PromptFeatures(
        concept="",
        number=_number_text(_highest_number(said)),
        color=_join(word for word in said if word in COLORS),
        relation=_join(names[int(group[1:])] for group in relations),
        negation=YES if _NEGATION.search(lower) else NO,
        length=_length(prompt),
        style_words=YES if _has_style(prompt) else NO,
    )


def _highest_number(said: list[str]) -> int:
    highest = 1
    for word, following in pairwise([*said, ""]):
        if following in NOUNS["unit"]:
            continue
        if word in NUMBERS:
            highest = max(highest, NUMBERS.index(word))
        elif word.isdecimal() and len(word) <= 2:  # "1900" is a year
            highest = max(highest, int(word))
        else:
            highest = max(highest, GROUP_NUMBERS.get(word, 1))
    return highest


def _number_text(number: int) -> str:
    return str(number) if number < LARGEST_NUMBER else f"{LARGEST_NUMBER} or more"


def _length(prompt: str) -> str:
    count = len(_WORD.findall(prompt))
    if count <= SHORT:
        return "short"
    return "medium" if count <= MEDIUM else "long"


def _has_style(prompt: str) -> bool:
    """Return whether a prompt names a medium, or has a piece between commas that is style alone."""
    if _MEDIUM.search(prompt):
        return True
    pieces = _PIECE_END.split(prompt)
    return len(pieces) > 1 and any(
        _is_style(piece.strip()) for piece in pieces if piece.count(" ") <= _LONGEST_STYLE
    )


@lru_cache(maxsize=4096)
def _is_style(piece: str) -> bool:
    return is_style(Piece(0, len(piece), 0, piece))


def _join(values: Iterable[str]) -> str:
    return SEVERAL.join(sorted(set(values)))
