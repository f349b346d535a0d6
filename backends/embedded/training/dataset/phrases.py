"""What a labelled picture can be asked to point at: phrases with their exact masks.

It knows no model.

A phrase names a thing ("two tulips", "the planet Saturn"), a colored shape ("a red circle"), a part
("wing") or a part of a thing ("the wings of the ladybug"), in the picture or not in it. What can be
seen only in a few pixels, or is called by part of another name in the picture, is not asked for: no
right mask could be said.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from hallascope.backends.embedded.training.dataset.labelled import (
    SHAPE_NAMES,
    DrawnPart,
    LabeledImage,
)
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept

ABSENT = 0.42  # share of phrases for what is not in the picture
PRESENT = (
    0.3,
    0.3,
    0.45,
    0.2,
    0.05,
)  # how often things, colored shapes, parts, parts of things, anything are asked for
SEEN = 12  # px: less of a thing or part is not asked for
_EVERYTHING: tuple[Concept, ...] = (*SHAPES, *concepts())
_CONCEPT = {concept.name: concept for concept in _EVERYTHING}
_PLURALS = {"foot": "feet", "leaf": "leaves", "calf": "calves", "woman": "women", "fish": "fish"}


class Referent(NamedTuple):
    """Holds what a phrase is about: a `thing`, a `colour`, a `part`, two of these, or anything.

    A colored one is a plain shape; a part with a thing is of that thing.
    """

    thing: str = ""
    part: str = ""
    colour: str = ""


ANYTHING = Referent()


class PhraseSample(NamedTuple):
    """Holds a phrase and where it is: `instances` (size, size) are 0 elsewhere.

    From 1 on there is one number an instance, the smallest first.
    """

    text: str
    noun: Referent
    instances: NDArray[np.uint8]


# --- truth
# --------------------------------------------------------------------------------------------------


class PictureContents:
    """What a labelled picture shows, as far as it can be seen."""

    def __init__(self, picture: LabeledImage) -> None:
        self.picture = picture
        self.seen = np.bincount(picture.index.ravel(), minlength=len(picture.drawn) + 1)[1:]
        self.names = {drawn.thing for drawn in picture.drawn} | {
            drawn.part for drawn in picture.drawn
        }

    @cached_property
    def nouns(self) -> tuple[tuple[Referent, ...], ...]:
        """Return all that can be asked for and is there: things, shapes, parts, parts of things.

        Anything is among them.
        """
        there = dict.fromkeys(
            (drawn.thing, drawn.part, drawn.colour) for drawn in self.picture.drawn
        )
        things = dict.fromkeys(Referent(thing) for thing, _, _ in there)
        colored = dict.fromkeys(
            Referent(thing, colour=colour) for thing, _, colour in there if colour
        )
        inner = [(thing, part) for thing, part, _ in there if thing not in SHAPE_NAMES]
        parts = dict.fromkeys(Referent(part=part) for _, part in inner)
        owned = dict.fromkeys(Referent(thing, part) for thing, part in inner)
        kinds: Iterable[Iterable[Referent]] = (things, colored, parts, owned, (ANYTHING,))
        return tuple(tuple(noun for noun in some if self.pixels(noun) >= SEEN) for some in kinds)

    def pixels(self, noun: Referent) -> int:
        """How many pixels show it."""
        return int(sum(self.seen[list(where)].sum() for where in self.places(noun)))

    def instances(self, noun: Referent) -> NDArray[np.uint8]:
        """Where it is, the smallest instance first.

        An instance is a thing, or one part where a part is asked for.
        """
        places = sorted(self.places(noun), key=lambda where: self.seen[list(where)].sum())
        table = np.zeros(len(self.picture.drawn) + 1, np.uint8)
        for number, where in enumerate(places, start=1):
            table[[i + 1 for i in where]] = number
        return table[self.picture.index]

    def places(self, noun: Referent) -> list[tuple[int, ...]]:
        """The drawn parts of each instance."""
        found: dict[tuple[str, int], list[int]] = {}
        for i, drawn in enumerate(self.picture.drawn):
            if instance := _instance(noun, drawn, i):
                found.setdefault(instance, []).append(i)
        return [tuple(where) for where in found.values()]


def _instance(noun: Referent, drawn: DrawnPart, i: int) -> tuple[str, int] | None:
    """Which instance of the noun a drawn part belongs to.

    A thing's name may be that of another thing's part, and the other way round.
    """
    if noun == ANYTHING:
        return "thing", drawn.number
    if noun.thing and noun.part:
        return ("part", i) if (drawn.thing, drawn.part) == (noun.thing, noun.part) else None
    name = (noun.thing or noun.part).casefold()
    if drawn.thing.casefold() == name and noun.colour in ("", drawn.colour):
        return "thing", drawn.number
    return ("part", i) if not noun.colour and drawn.part.casefold() == name else None


def joined(instances: NDArray[np.uint8], width: int = 3) -> NDArray[np.uint8]:
    """Return every instance in one piece, so that pieces can be counted.

    Some things are drawn in several pieces, as a comet with its sun.

    What is drawn apart is joined by a line of `width` px to the nearest other piece of it, over
    what is nobody's.
    """
    together = instances.copy()
    for number in range(1, int(instances.max()) + 1):
        labels, count = ndimage.label(instances == number)
        sizes = np.bincount(labels.ravel(), minlength=count + 1)[1:]
        apart = {int(label) + 1 for label in np.flatnonzero(sizes >= SEEN)}
        held = (
            np.isin(labels, [max(apart, key=lambda label: sizes[label - 1])])
            if len(apart) > 1
            else None
        )
        while held is not None and (left := np.isin(labels, list(apart)) & ~held).any():
            far, nearest = ndimage.distance_transform_edt(~held, return_indices=True)
            y, x = np.unravel_index(np.where(left, far, np.inf).argmin(), far.shape)
            line = _line(
                (int(y), int(x)), (int(nearest[0, y, x]), int(nearest[1, y, x])), far.shape, width
            )
            together[line & (instances == 0)] = number
            held |= (labels == labels[y, x]) | line
    return together


def _line(
    start: tuple[int, int], end: tuple[int, int], shape: tuple[int, ...], width: int
) -> NDArray[np.bool_]:
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1])) + 1
    line = np.zeros(shape, dtype=bool)
    line[
        np.linspace(start[0], end[0], steps).round().astype(int),
        np.linspace(start[1], end[1], steps).round().astype(int),
    ] = True
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
            neighbour = padded[y : y + height, x : x + width]
            np.minimum(
                smallest, neighbour - np.uint8(1), out=smallest
            )  # 0 goes round to 255: the backdrop is nobody's neighbour
    touching: NDArray[np.bool_] = (instances > 0) & (smallest < instances - np.uint8(1))
    return touching


# --- words
# --------------------------------------------------------------------------------------------------


def plural(name: str) -> str:
    """The plural of a part's last word by rule.

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
    """The noun in words, as people and parsers write it.

    `count` is how many there are, 0 where that is not known.
    """
    if noun == ANYTHING:
        return chance.choice(("object", "objects", "thing", "things", "an object", "all objects"))
    if noun.part and noun.thing:
        part = chance.choice((noun.part, plural(noun.part)))
        owner = chance.choice(_forms(noun.thing))
        return chance.choice(
            (
                f"the {part} of the {owner}",
                f"{part} of {owner}",
                f"{owner} {part}",
                f"the {owner}'s {part}",
            )
        )
    if noun.part:
        one = noun.part
        many = plural(noun.part)
        whole = ""
    else:
        forms = _forms(noun.thing)
        concept = _CONCEPT[noun.thing]
        colour = f"{noun.colour} " if noun.colour else ""
        one = f"{colour}{chance.choice(forms)}"
        many = f"{colour}{concept.plural}"
        whole = "" if colour else concept.phrase
    options = [one, one, many, f"{_article(one)} {one}", f"the {one}", whole or one]
    if 1 < count < len(NUMBERS):
        options += [f"{NUMBERS[count]} {many}"] * 2
    return chance.choice(options)


@cache
def _forms(thing: str) -> tuple[str, ...]:
    """What one of a thing is called, without article."""
    return tuple(
        dict.fromkeys(
            (
                thing,
                *(
                    form
                    for form, noun in scenes.nouns().items()
                    if noun.concept.name == thing and not noun.plural
                ),
            )
        )
    )


def _article(name: str) -> str:
    return "an" if name[0].lower() in "aeiou" else "a"


# --- asking
# --------------------------------------------------------------------------------------------------


World = Mapping[
    str, Sequence[str]
]  # the parts that a thing may show, by the thing's name; plain shapes have none


def world(pictures: Iterable[Sequence[DrawnPart]]) -> World:
    """All things and their parts that these pictures show anywhere, in the order of their names."""
    found: dict[str, list[str]] = {}
    for thing, part in sorted(
        {(drawn.thing, drawn.part) for picture in pictures for drawn in picture}
    ):
        if thing not in SHAPE_NAMES:
            found.setdefault(thing, []).append(part)
    return found


def ask(
    picture: LabeledImage, count: int, parts: World, chance: random.Random
) -> list[PhraseSample]:
    """So many phrases for a picture, for what is there and for what is not."""
    view = PictureContents(picture)
    drawn = [None if chance.random() < ABSENT else present(view, chance) for _ in range(count)]
    return [asked or absent(view, parts, chance) for asked in drawn]


def present(view: PictureContents, chance: random.Random) -> PhraseSample | None:
    """A phrase for something in the picture; None where nothing can be seen in it."""
    offered = [(some, share) for some, share in zip(view.nouns, PRESENT, strict=True) if some]
    if not offered:
        return None
    some = chance.choices([some for some, _ in offered], [share for _, share in offered])[0]
    noun = chance.choice(some)
    instances = view.instances(noun)
    return PhraseSample(phrase_text(noun, int(instances.max()), chance), noun, instances)


def absent(view: PictureContents, parts: World, chance: random.Random) -> PhraseSample:
    """A phrase for something that is not in the picture, often one that is easily taken for it."""
    while True:
        noun = chance.choices(_ABSENT, (0.35, 0.25, 0.25, 0.2))[0](view, parts, chance)
        if noun and not view.places(noun) and not _ambiguous(noun, view.names):
            return PhraseSample(
                phrase_text(noun, 0, chance), noun, np.zeros_like(view.picture.index)
            )


def _ambiguous(noun: Referent, names: Iterable[str]) -> bool:
    """Return whether a name in the picture is part of the noun's, or the other way round.

    A "carved head" is a head.
    """
    if noun.colour or (noun.thing and noun.part):
        return False
    said = _words(noun.thing or noun.part)
    return any(said <= _words(name) or _words(name) <= said for name in names)


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(name.casefold().split())


def _other_thing(view: PictureContents, parts: World, chance: random.Random) -> Referent:
    return Referent(chance.choice(_EVERYTHING).name)


def _other_color(view: PictureContents, parts: World, chance: random.Random) -> Referent | None:
    """A shape of the picture in a color of another, or in any other."""
    shapes = sorted({(drawn.thing, drawn.colour) for drawn in view.picture.drawn if drawn.colour})
    if not shapes:
        return None
    colours = COLORS if chance.random() < 0.5 else tuple(str(colour) for _, colour in shapes)
    return Referent(chance.choice(shapes)[0], colour=chance.choice(colours))


def _other_part(view: PictureContents, parts: World, chance: random.Random) -> Referent:
    """Half of the time a part that things in the picture have at other times."""
    owners: Sequence[str] = sorted({drawn.thing for drawn in view.picture.drawn} & parts.keys())
    owner = chance.choice(owners if owners and chance.random() < 0.5 else list(parts))
    return Referent(part=chance.choice(parts[owner]))


def _other_owner(view: PictureContents, parts: World, chance: random.Random) -> Referent:
    """Sample a part of a thing where the part or the thing is there, but not the two together."""
    shown = sorted({drawn.part for drawn in view.picture.drawn} - SHAPE_NAMES)
    if shown and chance.random() < 0.5:
        part = chance.choice(shown)
        return Referent(
            chance.choice([thing for thing, own in parts.items() if part in own] or list(parts)),
            part,
        )
    owner = chance.choice(list(parts))
    return Referent(owner, chance.choice(parts[owner]))


_ABSENT: tuple[Callable[[PictureContents, World, random.Random], Referent | None], ...] = (
    _other_thing,
    _other_color,
    _other_part,
    _other_owner,
)
