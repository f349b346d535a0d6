"""Makes what a labeled picture can be asked to point at: phrases with their exact masks.

A phrase names a thing ("two tulips", "the planet Saturn"), a colored shape ("a red circle"), a part
("wing") or a part of a thing ("the wings of the ladybug"), in the picture or not in it. What can be
seen only in a few pixels, or shares a word with another name in the picture, is not asked for: no
right mask could be said.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from hallascope.backends.embedded.training.dataset.labeled import (
    SHAPE_NAMES,
    DrawnPart,
    LabeledImage,
)
from hallascope.data.lexicon import with_article
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept

ABSENT = 0.42  # share of phrases for what is not in the picture
# How often things, colored shapes, parts, parts of things, and anything are asked for.
PRESENT = (0.3, 0.3, 0.45, 0.2, 0.05)
SEEN = 12  # px: less of a thing or part is not asked for
_EVERYTHING: tuple[Concept, ...] = (*SHAPES, *concepts())
_CONCEPT = {concept.name: concept for concept in _EVERYTHING}
_PLURALS = {"foot": "feet", "leaf": "leaves", "calf": "calves", "woman": "women", "fish": "fish"}
# The parts that a thing may show, by the thing's name; plain shapes have none.
World = Mapping[str, Sequence[str]]


class Referent(NamedTuple):
    """Holds what a phrase is about: a `thing`, a `color`, a `part`, two of these, or anything.

    A colored one is a plain shape; a part with a thing is of that thing.
    """

    thing: str = ""
    part: str = ""
    color: str = ""


ANYTHING = Referent()


class PhraseSample(NamedTuple):
    """Holds a phrase and where it is: `instances` (size, size) are 0 elsewhere.

    From 1 on there is one number an instance, the smallest first.
    """

    text: str
    noun: Referent
    instances: NDArray[np.uint8]


# --- truth ---


class PictureContents:
    """Says what a labeled picture shows, as far as it can be seen."""

    def __init__(self, picture: LabeledImage) -> None:
        self.picture = picture
        # The pixels of each drawn part.
        self.areas = np.bincount(picture.index.ravel(), minlength=len(picture.drawn) + 1)[1:]
        self.names = {name for drawn in picture.drawn for name in (drawn.thing, drawn.part)}

    @cached_property
    def nouns(self) -> tuple[tuple[Referent, ...], ...]:
        """All that can be asked for and is there: things, shapes, parts, parts of things.

        Anything is among them.
        """
        drawn = dict.fromkeys((part.thing, part.part, part.color) for part in self.picture.drawn)
        inner = [(thing, part) for thing, part, _ in drawn if thing not in SHAPE_NAMES]
        kinds: tuple[list[Referent], ...] = (
            [Referent(thing) for thing, _, _ in drawn],
            [Referent(thing, color=color) for thing, _, color in drawn if color],
            [Referent(part=part) for _, part in inner],
            [Referent(thing, part) for thing, part in inner],
            [ANYTHING],
        )
        return tuple(
            tuple(noun for noun in dict.fromkeys(kind) if self.pixels(noun) >= SEEN)
            for kind in kinds
        )

    def pixels(self, noun: Referent) -> int:
        """Return how many pixels show it."""
        return sum(map(self._area, self.parts_of_instances(noun)))

    def instances(self, noun: Referent) -> NDArray[np.uint8]:
        """Return where it is, the smallest instance first, (size, size).

        An instance is a thing, or one part where a part is asked for.
        """
        table = np.zeros(len(self.picture.drawn) + 1, np.uint8)
        smallest_first = sorted(self.parts_of_instances(noun), key=self._area)
        for number, parts in enumerate(smallest_first, start=1):
            table[[i + 1 for i in parts]] = number
        return table[self.picture.index]

    def _area(self, parts: Sequence[int]) -> int:
        return int(self.areas[list(parts)].sum())

    def parts_of_instances(self, noun: Referent) -> list[tuple[int, ...]]:
        """Return the drawn parts of each instance."""
        parts: dict[tuple[str, int], list[int]] = {}
        for i, drawn in enumerate(self.picture.drawn):
            instance = _instance_of(noun, drawn, i)
            if instance:
                parts.setdefault(instance, []).append(i)
        return [tuple(parts_of_instance) for parts_of_instance in parts.values()]


def _instance_of(noun: Referent, drawn: DrawnPart, i: int) -> tuple[str, int] | None:
    """Return which instance of the noun a drawn part belongs to.

    A thing's name may be that of another thing's part, and the other way round.
    """
    if noun == ANYTHING:
        return "thing", drawn.number
    if noun.thing and noun.part:
        return ("part", i) if (drawn.thing, drawn.part) == (noun.thing, noun.part) else None
    name = (noun.thing or noun.part).casefold()
    if drawn.thing.casefold() == name and noun.color in ("", drawn.color):
        return "thing", drawn.number
    return ("part", i) if not noun.color and drawn.part.casefold() == name else None


def join_pieces(instances: NDArray[np.uint8], width: int = 3) -> NDArray[np.uint8]:
    """Return every instance in one piece, so that pieces can be counted.

    Some things are drawn in several pieces, as a comet with its sun. Each piece is joined by a line
    of `width` px to the nearest other piece of it, over what is nobody's.
    """
    together = instances.copy()
    for number in range(1, int(instances.max()) + 1):
        labels, count = ndimage.label(instances == number)
        sizes = np.bincount(labels.ravel(), minlength=count + 1)[1:]
        pieces = {int(label) + 1 for label in np.flatnonzero(sizes >= SEEN)}
        if len(pieces) > 1:
            largest = max(pieces, key=lambda label: sizes[label - 1])
            lines = _connecting_lines(labels, pieces, largest, width)
            together[lines & (instances == 0)] = number
    return together


def _connecting_lines(
    labels: NDArray[np.signedinteger[Any]], pieces: Iterable[int], first: int, width: int
) -> NDArray[np.bool_]:
    """Return lines that join pieces one after the other, the nearest to what is joined first."""
    lines = np.zeros(labels.shape, dtype=bool)
    joined = labels == first
    pending = np.isin(labels, list(pieces)) & ~joined
    while pending.any():
        far, nearest = ndimage.distance_transform_edt(~joined, return_indices=True)
        y, x = np.unravel_index(np.where(pending, far, np.inf).argmin(), far.shape)
        end = (int(nearest[0, y, x]), int(nearest[1, y, x]))
        line = _draw_line((int(y), int(x)), end, far.shape, width)
        lines |= line
        joined |= (labels == labels[y, x]) | line
        pending &= ~joined
    return lines


def _draw_line(
    start: tuple[int, int], end: tuple[int, int], shape: tuple[int, ...], width: int
) -> NDArray[np.bool_]:
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1])) + 1
    ys = np.linspace(start[0], end[0], steps).round().astype(int)
    xs = np.linspace(start[1], end[1], steps).round().astype(int)
    line = np.zeros(shape, dtype=bool)
    line[ys, xs] = True
    return ndimage.binary_dilation(line, np.ones((width, width), dtype=bool))


def gaps(instances: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the pixels of an instance that touch a smaller one, by side or corner.

    There the larger one gives way.
    """
    padded = np.pad(instances, 1)
    smallest = np.full(instances.shape, 255, np.uint8)
    height, width = instances.shape
    for y in range(3):
        for x in range(3):
            # 0 goes round to 255: the backdrop is nobody's neighbor.
            neighbor = padded[y : y + height, x : x + width] - np.uint8(1)
            np.minimum(smallest, neighbor, out=smallest)
    touching: NDArray[np.bool_] = (instances > 0) & (smallest < instances - np.uint8(1))
    return touching


# --- words ---


def plural(name: str) -> str:
    """Return the plural of a part's last word by rule.

    What is a plural already, or says of what it is, stays as it is.
    """
    first, space, last = name.rpartition(" ")
    if " of " in name or (last.endswith("s") and not last.endswith("ss")):
        return name
    if last in _PLURALS:
        return f"{first}{space}{_PLURALS[last]}"
    if last.endswith("y") and last[-2] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if last.endswith(("x", "z", "ss", "ch", "sh")) else f"{name}s"


def phrase_text(noun: Referent, count: int, chance: random.Random) -> str:
    """Return the noun in words, as people and parsers write it.

    `count` is how many there are, 0 where that is not known.
    """
    if noun == ANYTHING:
        return chance.choice(("object", "objects", "thing", "things", "an object", "all objects"))
    if noun.part and noun.thing:
        part = chance.choice((noun.part, plural(noun.part)))
        owner = chance.choice(_singular_forms(noun.thing))
        ways = ("the {part} of the {owner}", "{part} of {owner}", "{owner} {part}")
        way = chance.choice((*ways, "the {owner}'s {part}"))
        return way.format(part=part, owner=owner)
    return chance.choice(_phrase_options(noun, count, chance))


def _phrase_options(noun: Referent, count: int, chance: random.Random) -> list[str]:
    """Return how a part, a thing or a colored shape may be called, frequent ones several times."""
    whole = ""
    if noun.part:
        singular = noun.part
        many = plural(noun.part)
    else:
        concept = _CONCEPT[noun.thing]
        color = f"{noun.color} " if noun.color else ""
        singular = f"{color}{chance.choice(_singular_forms(noun.thing))}"
        many = f"{color}{concept.plural}"
        if not color:
            whole = concept.phrase
    options = [singular, singular, many, with_article(singular), f"the {singular}"]
    options.append(whole or singular)
    if 1 < count < len(NUMBERS):
        options += [f"{NUMBERS[count]} {many}"] * 2
    return options


@cache
def _singular_forms(thing: str) -> tuple[str, ...]:
    """Return what one of a thing is called, without article."""
    forms = [
        form
        for form, noun in scenes.nouns().items()
        if noun.concept.name == thing and not noun.plural
    ]
    return tuple(dict.fromkeys((thing, *forms)))


# --- sampling ---


def parts_of_things(pictures: Iterable[Sequence[DrawnPart]]) -> World:
    """Return all things and their parts that these pictures show anywhere, ordered by name."""
    parts: dict[str, list[str]] = {}
    for thing, part in sorted(
        {(drawn.thing, drawn.part) for picture in pictures for drawn in picture}
    ):
        if thing not in SHAPE_NAMES:
            parts.setdefault(thing, []).append(part)
    return parts


def sample_phrases(
    picture: LabeledImage, count: int, parts: World, chance: random.Random
) -> list[PhraseSample]:
    """Return so many phrases for a picture, for what is there and for what is not."""
    contents = PictureContents(picture)
    of_present = [
        None if chance.random() < ABSENT else sample_present(contents, chance) for _ in range(count)
    ]
    return [phrase or sample_absent(contents, parts, chance) for phrase in of_present]


def sample_present(contents: PictureContents, chance: random.Random) -> PhraseSample | None:
    """Return a phrase for something in the picture; None where nothing can be seen in it."""
    kinds = [kind for kind in zip(contents.nouns, PRESENT, strict=True) if kind[0]]
    if not kinds:
        return None
    nouns = chance.choices([nouns for nouns, _ in kinds], [share for _, share in kinds])[0]
    noun = chance.choice(nouns)
    instances = contents.instances(noun)
    return PhraseSample(phrase_text(noun, int(instances.max()), chance), noun, instances)


def sample_absent(contents: PictureContents, parts: World, chance: random.Random) -> PhraseSample:
    """Return a phrase for what is not in the picture, often easily taken for what is there."""
    while True:
        sample = chance.choices(_ABSENT, (0.35, 0.25, 0.25, 0.2))[0]
        noun = sample(contents, parts, chance)
        if not noun or contents.parts_of_instances(noun) or _is_ambiguous(noun, contents.names):
            continue
        nowhere = np.zeros_like(contents.picture.index)
        return PhraseSample(phrase_text(noun, 0, chance), noun, nowhere)


def _is_ambiguous(noun: Referent, names: Iterable[str]) -> bool:
    """Return whether a name in the picture is part of the noun's, or the other way round.

    A "carved head" is a head.
    """
    if noun.color or (noun.thing and noun.part):
        return False
    own = _words(noun.thing or noun.part)
    return any(own <= _words(name) or _words(name) <= own for name in names)


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(name.casefold().split())


def _other_thing(contents: PictureContents, parts: World, chance: random.Random) -> Referent:
    return Referent(chance.choice(_EVERYTHING).name)


def _other_color(contents: PictureContents, parts: World, chance: random.Random) -> Referent | None:
    """Return a shape of the picture in a color of another, or in any other."""
    shapes = sorted({(part.thing, part.color) for part in contents.picture.drawn if part.color})
    if not shapes:
        return None
    colors = COLORS if chance.random() < 0.5 else tuple(str(color) for _, color in shapes)
    return Referent(chance.choice(shapes)[0], color=chance.choice(colors))


def _other_part(contents: PictureContents, parts: World, chance: random.Random) -> Referent:
    """Return, half of the time, a part that things in the picture have at other times."""
    owners: Sequence[str] = sorted({drawn.thing for drawn in contents.picture.drawn} & parts.keys())
    owner = chance.choice(owners if owners and chance.random() < 0.5 else list(parts))
    return Referent(part=chance.choice(parts[owner]))


def _other_owner(contents: PictureContents, parts: World, chance: random.Random) -> Referent:
    """Return a part of a thing where the part or the thing is there, but not the two together."""
    shown = sorted({drawn.part for drawn in contents.picture.drawn} - SHAPE_NAMES)
    if shown and chance.random() < 0.5:
        part = chance.choice(shown)
        owners = [thing for thing, own in parts.items() if part in own]
        return Referent(chance.choice(owners or list(parts)), part)
    owner = chance.choice(list(parts))
    return Referent(owner, chance.choice(parts[owner]))


_ABSENT: tuple[Callable[[PictureContents, World, random.Random], Referent | None], ...] = (
    _other_thing,
    _other_color,
    _other_part,
    _other_owner,
)
