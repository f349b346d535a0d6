"""Draws what a segmenter is trained on: labeled images with phrases and their exact masks.

A phrase names a thing ("two tulips", "the planet Saturn"), a colored shape ("a red circle"), a part
("wing") or a part of a thing ("the wings of the ladybug"), in the image or not in it. What can be
seen only in a few pixels, or shares a word with another name in the image, is not asked for: no
right mask could be said. A third of the images are factual, the others have violated facts or are
crowds: the model has to see what a generator gets wrong, and to count.
"""

import json
import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from hallascope.data.lexicon import with_article
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, SHAPE_NAMES
from hallascope.primer.shapes import COLORS, SHAPES
from training.captions import training_prompt
from training.drawings import (
    DrawnPart,
    LabeledImage,
    World,
    all_parts_of_things,
    draw_wrong,
    drawn_at,
    label,
    label_parts,
)

PHRASES = 8  # of an image
FACTUAL = 0.33  # share of the images without errors
ABSENT = 0.42  # share of phrases for what is not in the image
# How often things, colored shapes, parts, parts of things, and anything are asked for.
PRESENT = (0.3, 0.3, 0.45, 0.2, 0.05)
SEEN = 12  # px: less of a thing or part is not asked for
_CONCEPTS = {concept.name: concept for concept in (*SHAPES, *concepts())}
_PLURALS = {"foot": "feet", "leaf": "leaves", "calf": "calves", "woman": "women", "fish": "fish"}


def draw_sample(size: int, patch: int, seed: int) -> list[dict[str, Any]]:
    """Draw the image of one seed, `pixels` (size, size, 3), with PHRASES `phrases`, a JSON text.

    `masks` and `gaps` (PHRASES, size, size / 8) are bits, eight pixels of a row in a byte: gaps are
    the pixels of a thing that touch a smaller one, and no mask covers them. `parts` are those of
    `label_parts`, by patches.
    """
    chance = random.Random(f"segmenter {seed}")
    if chance.random() >= FACTUAL:
        image = draw_wrong(seed, size)
    else:
        scene = scenes.parse(training_prompt(chance))
        image = label(scene, scene.truths(), f"segmenter {seed}", size, drawn_at(chance))
    phrases = sample_phrases(image, PHRASES, all_parts_of_things(), chance)
    # Each thing in one piece, so that things can be counted.
    instances = [
        join_pieces(phrase.instances)
        if phrase.noun.thing and not phrase.noun.part
        else phrase.instances
        for phrase in phrases
    ]
    between = np.stack([gaps(numbers) for numbers in instances])
    return [
        {
            "pixels": image.pixels,
            "parts": label_parts(image.drawing, image.pixels, patch)[0],
            "phrases": json.dumps([phrase.text for phrase in phrases]),
            "masks": np.packbits((np.stack(instances) > 0) & ~between, axis=-1),
            "gaps": np.packbits(between, axis=-1),
        }
    ]


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


class ImageContents:
    """Says what a labeled image shows, as far as it can be seen."""

    def __init__(self, image: LabeledImage) -> None:
        self.image = image
        # The pixels of each drawn part.
        self.areas = np.bincount(image.index.ravel(), minlength=len(image.drawn) + 1)[1:]
        self.names = {name for drawn in image.drawn for name in (drawn.thing, drawn.part)}

    @cached_property
    def nouns(self) -> tuple[tuple[Referent, ...], ...]:
        """All that can be asked for: things, colored shapes, parts, parts of things, anything."""
        drawn = dict.fromkeys((part.thing, part.part, part.color) for part in self.image.drawn)
        inner = [(thing, part) for thing, part, _ in drawn if thing not in SHAPE_NAMES]
        kinds: tuple[list[Referent], ...] = (
            [Referent(thing) for thing, _, _ in drawn],
            [Referent(thing, color=color) for thing, _, color in drawn if color],
            [Referent(part=part) for _, part in inner],
            [Referent(thing, part) for thing, part in inner],
            [ANYTHING],
        )
        return tuple(
            tuple(
                noun
                for noun in dict.fromkeys(kind)
                if sum(map(self._area, self.parts_of_instances(noun))) >= SEEN
            )
            for kind in kinds
        )

    def instances(self, noun: Referent) -> NDArray[np.uint8]:
        """Return where it is, the smallest instance first, (size, size).

        An instance is a thing, or one part where a part is asked for.
        """
        table = np.zeros(len(self.image.drawn) + 1, np.uint8)
        smallest_first = sorted(self.parts_of_instances(noun), key=self._area)
        for number, parts in enumerate(smallest_first, start=1):
            table[[i + 1 for i in parts]] = number
        return table[self.image.index]

    def _area(self, parts: Sequence[int]) -> int:
        return int(self.areas[list(parts)].sum())

    def parts_of_instances(self, noun: Referent) -> list[tuple[int, ...]]:
        """Return the drawn parts of each instance."""
        parts: dict[tuple[str, int], list[int]] = {}
        for i, drawn in enumerate(self.image.drawn):
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


# --- masks ---


def join_pieces(instances: NDArray[np.uint8], width: int = 3) -> NDArray[np.uint8]:
    """Return every instance in one piece, so that pieces can be counted.

    Some things are drawn in several pieces, as a comet with its sun. The piece nearest to what is
    joined is joined to it by a line of `width` px, over what is nobody's, until none is left.
    """
    together = instances.copy()
    for number in range(1, int(instances.max()) + 1):
        labels, count = ndimage.label(instances == number)
        sizes = np.bincount(labels.ravel(), minlength=count + 1)[1:]
        pending = np.isin(labels, np.flatnonzero(sizes >= SEEN) + 1)
        joined = labels == (sizes.argmax() + 1 if count else 0)
        pending &= ~joined
        while pending.any():
            far, nearest = ndimage.distance_transform_edt(~joined, return_indices=True)
            place = np.unravel_index(np.where(pending, far, np.inf).argmin(), far.shape)
            line = _draw_line(place, nearest[:, place[0], place[1]], far.shape, width)
            together[line & (instances == 0)] = number
            joined |= (labels == labels[place]) | line
            pending &= ~joined
    return together


def _draw_line(start: Any, end: Any, shape: tuple[int, ...], width: int) -> NDArray[np.bool_]:
    steps = int(np.abs(np.subtract(end, start)).max()) + 1
    line = np.zeros(shape, dtype=bool)
    line[tuple(np.linspace(start, end, steps).round().astype(int).T)] = True
    return ndimage.binary_dilation(line, np.ones((width, width), dtype=bool))


def gaps(instances: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the pixels of an instance that touch a smaller one, by side or corner.

    There the larger one gives way.
    """
    # 0 goes round to 255: the backdrop is nobody's neighbor.
    smallest = ndimage.minimum_filter(instances - np.uint8(1), size=3, mode="nearest")
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
        ways = (f"the {part} of the {owner}", f"{part} of {owner}", f"{owner} {part}")
        return chance.choice((*ways, f"the {owner}'s {part}"))
    whole = ""
    if noun.part:
        singular = noun.part
        many = plural(noun.part)
    else:
        concept = _CONCEPTS[noun.thing]
        color = f"{noun.color} " if noun.color else ""
        singular = f"{color}{chance.choice(_singular_forms(noun.thing))}"
        many = f"{color}{concept.plural}"
        whole = "" if color else concept.phrase
    # Frequent ones several times.
    options = [singular, singular, many, with_article(singular), f"the {singular}"]
    options.append(whole or singular)
    if 1 < count < len(NUMBERS):
        options += [f"{NUMBERS[count]} {many}"] * 2
    return chance.choice(options)


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


def sample_phrases(
    image: LabeledImage, count: int, parts: World, chance: random.Random
) -> list[PhraseSample]:
    """Return so many phrases for an image, for what is there and for what is not."""
    contents = ImageContents(image)
    of_present = [
        None if chance.random() < ABSENT else sample_present(contents, chance) for _ in range(count)
    ]
    return [phrase or sample_absent(contents, parts, chance) for phrase in of_present]


def sample_present(contents: ImageContents, chance: random.Random) -> PhraseSample | None:
    """Return a phrase for something in the image; None where nothing can be seen in it."""
    kinds = [kind for kind in zip(contents.nouns, PRESENT, strict=True) if kind[0]]
    if not kinds:
        return None
    nouns = chance.choices([nouns for nouns, _ in kinds], [share for _, share in kinds])[0]
    noun = chance.choice(nouns)
    instances = contents.instances(noun)
    return PhraseSample(phrase_text(noun, int(instances.max()), chance), noun, instances)


def sample_absent(contents: ImageContents, parts: World, chance: random.Random) -> PhraseSample:
    """Return a phrase for what is not in the image, often easily taken for what is there."""
    while True:
        sample = chance.choices(_ABSENT, (0.35, 0.25, 0.25, 0.2))[0]
        noun = sample(contents, parts, chance)
        if not noun or contents.parts_of_instances(noun) or _is_ambiguous(noun, contents.names):
            continue
        nowhere = np.zeros(contents.image.index.shape, np.uint8)
        return PhraseSample(phrase_text(noun, 0, chance), noun, nowhere)


def _is_ambiguous(noun: Referent, names: Iterable[str]) -> bool:
    """Return whether a name in the image is part of the noun's, or the other way round.

    A "carved head" is a head.
    """
    if noun.color or (noun.thing and noun.part):
        return False
    own = _words(noun.thing or noun.part)
    return any(own <= _words(name) or _words(name) <= own for name in names)


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(name.casefold().split())


def _other_thing(contents: ImageContents, parts: World, chance: random.Random) -> Referent:
    return Referent(chance.choice(list(_CONCEPTS)))


def _other_color(contents: ImageContents, parts: World, chance: random.Random) -> Referent | None:
    """Return a shape of the image in a color of another, or in any other."""
    shapes = sorted({(part.thing, part.color) for part in contents.image.drawn if part.color})
    if not shapes:
        return None
    colors = COLORS if chance.random() < 0.5 else tuple(str(color) for _, color in shapes)
    return Referent(chance.choice(shapes)[0], color=chance.choice(colors))


def _other_part(contents: ImageContents, parts: World, chance: random.Random) -> Referent:
    """Return, half of the time, a part that things in the image have at other times."""
    owners: Sequence[str] = sorted({drawn.thing for drawn in contents.image.drawn} & parts.keys())
    owner = chance.choice(owners if owners and chance.random() < 0.5 else list(parts))
    return Referent(part=chance.choice(parts[owner]))


def _other_owner(contents: ImageContents, parts: World, chance: random.Random) -> Referent:
    """Return a part of a thing where the part or the thing is there, but not the two together."""
    shown = sorted({drawn.part for drawn in contents.image.drawn} - SHAPE_NAMES)
    if shown and chance.random() < 0.5:
        part = chance.choice(shown)
        owners = [thing for thing, own in parts.items() if part in own]
        return Referent(chance.choice(owners or list(parts)), part)
    owner = chance.choice(list(parts))
    return Referent(owner, chance.choice(parts[owner]))


_ABSENT: tuple[Callable[[ImageContents, World, random.Random], Referent | None], ...] = (
    _other_thing,
    _other_color,
    _other_part,
    _other_owner,
)
