"""Describes the things of a drawing and their parts: where, what, color, outline, texture.

Everything follows from how they are drawn and from the facts of the Primer world. What does not
follow stays None: a name that a violation has made doubtful, a color of which there is no one, a
texture that no fact speaks of.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hallascope.data import masks
from hallascope.data.lexicon import with_article
from hallascope.data.masks import overlap
from hallascope.data.regions import Box
from hallascope.primer.drawing import outline_names
from hallascope.primer.drawing.parts import INK, PALETTE, Drawing, Shape
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.scenes import Scene, own_values
from hallascope.primer.world import Concept, FactValue, FactValues

SIZE = 192  # px of the maps from which looks are read
# what a thing or part must show to be looked at
LEAST_PIXELS = 60
LEAST_SIDE = 0.07  # its longer side, as a share of the picture
_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SHAPE_WORDS: Mapping[str, str] = _WORDS["shapes"]
_TEXTURES: Mapping[FactValue, str] = _WORDS["textures"]
_SURFACES: Mapping[str, str] = _WORDS["surfaces"]
_OPAQUE = 0.7  # what is fainter lets through what is under it
_MAIN = 0.8  # of its visible area, what a color must cover to be its color
# of the boxes of a part and of its thing taken together, the share both have where the part is
# nearly the thing
_WHOLE = 0.6


@dataclass(frozen=True, kw_only=True)
class Appearance:
    """Holds a thing in a drawing, or one of its parts.

    `indices` are its parts in the drawing, `kind` what the first is called.

    `name` is what it may be called, None where a violation has made that doubtful.
    """

    concept: Concept
    values: FactValues
    group: int
    part: str | None
    indices: tuple[int, ...]
    kind: str
    region: Box

    @property
    def plain(self) -> bool:
        """Return whether it is a plain shape."""
        return self.concept.name in SHAPE_NAMES

    @property
    def name(self) -> str | None:
        """Return its name; None where a fact says that something else took the part's place."""
        if self.part is None:
            return self.kind if self.plain else self.concept.name
        is_doubtful = any(
            fact.coi == "existence"
            and self.part in fact.parts
            and self.values.get(fact.parameter, fact.truth) != fact.truth
            for fact in self.concept.facts
        )
        return None if is_doubtful else self.part


@cache
def named_color(tone: str) -> str | None:
    """Return the palette's name for a hex tone.

    None between two, and for the tone of skin, which no word says.
    """
    (near, name), (second, _) = sorted(
        (float(np.linalg.norm(_lab(tone) - _lab(other))), name) for name, other in PALETTE.items()
    )[:2]
    return name if name != "skin" and near < 26 and near < 0.88 * second else None


@cache
def _lab(tone: str) -> NDArray[np.float64]:
    """Return a hex tone in CIELAB (D65)."""
    rgb = np.array([int(tone[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    xyz = (
        np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
        @ linear
        / (0.9505, 1.0, 1.089)
    )
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


# --- what is where


@dataclass(frozen=True)
class RenderedScene:
    """Takes a drawing of a scene apart: its things, and for each pixel which shape is seen."""

    scene: Scene
    values: FactValues
    drawing: Drawing
    size: int = SIZE

    @cached_property
    def things(self) -> tuple[tuple[int, ...], ...]:
        """Return the parts of each thing, in the order drawn.

        Parts of one thing were placed by the same words.
        """
        by_place: dict[str, list[int]] = {}
        for i, drawn in enumerate(self.drawing.parts):
            by_place.setdefault(")".join(drawn.transform.split(")")[:3]), []).append(i)
        return tuple(map(tuple, by_place.values()))

    @cached_property
    def _shapes(self) -> list[tuple[int, Shape]]:
        """Return every shape that cannot be seen through, with the part it belongs to."""
        return [
            (i, shape)
            for i, drawn in enumerate(self.drawing.parts)
            for shape in drawn.shapes
            if shape.opacity >= _OPAQUE
        ]

    @cached_property
    def _map(self) -> NDArray[np.int16]:
        """Return for each pixel the number of the shape that is seen there, -1 for the backdrop."""
        parts = self.drawing.parts
        return Drawing(
            "", tuple(replace(parts[i], shapes=(shape,)) for i, shape in self._shapes)
        ).part_map(self.size)

    @cached_property
    def index(self) -> NDArray[np.int16]:
        """Return for each pixel the part that is seen there, -1 for the backdrop.

        What is translucent is looked through.
        """
        table = np.array([-1, *(i for i, _ in self._shapes)], dtype=np.int16)
        parts: NDArray[np.int16] = table[self._map + 1]
        return parts

    def mask(self, indices: Sequence[int]) -> NDArray[np.bool_]:
        """Return where these parts are seen, (size, size)."""
        return np.isin(self.index, indices)

    def parts_in_region(self, region: Box) -> NDArray[np.int16]:
        """Return the part that each pixel in a region shows, -1 for the backdrop."""
        left, top, right, bottom = (round(side * self.size) for side in region.sides)
        return self.index[top : max(bottom, top + 1), left : max(right, left + 1)]

    def looks(self) -> list[Appearance]:
        """Return every thing, and every smaller part, that is large enough to be looked at.

        A part is not nearly the whole of its thing.
        """
        return [look for indices in self.things for look in self._of_thing(indices)]

    def _of_thing(self, indices: tuple[int, ...]) -> list[Appearance]:
        thing = self.look(indices)
        if thing is None or thing.plain:
            return [thing] if thing else []
        return [thing, *(part for part, share in self._parts(thing) if share < _WHOLE)]

    def _parts(self, thing: Appearance) -> list[tuple[Appearance, float]]:
        """Return the parts of a thing, each with the overlap of its region and the thing's."""
        parts = (self.look((i,), self.drawing.parts[i].name) for i in thing.indices)
        return [(part, overlap(part.region, thing.region)) for part in parts if part]

    def look_of_parts(self, name: str) -> Appearance | None:
        """Return all parts of a name together; None where they are of several groups."""
        indices = tuple(i for i, part in enumerate(self.drawing.parts) if part.name == name)
        return self.look(indices, name) if len(set(map(self.group, indices))) == 1 else None

    def group(self, index: int) -> int:
        """Return which group of the scene a part belongs to."""
        return next(
            n
            for n, g in enumerate(self.scene.groups)
            if g.concept.name == self.drawing.parts[index].owner
        )

    def look(self, indices: tuple[int, ...], part: str | None = None) -> Appearance | None:
        """Return the thing, or the `part` of this name, that these parts of the drawing are.

        None where too little of it is seen.
        """
        group = self.group(indices[0])
        mask = self.mask(indices)
        if mask.sum() < LEAST_PIXELS:
            return None
        region = masks.bounds(mask)
        if not region or max(region.right - region.left, region.bottom - region.top) < LEAST_SIDE:
            return None
        values = own_values(self.scene, group, self.values)
        return Appearance(
            concept=self.scene.groups[group].concept,
            values=values,
            group=group,
            part=part,
            indices=indices,
            kind=self.drawing.parts[indices[0]].name,
            region=region,
        )

    # --- what it looks like

    def color(self, look: Appearance) -> str | None:
        """Return the color that covers most of what is seen of it, outlines left aside.

        None where there is none, or a fact names another.
        """
        if look.plain:
            return str(look.values["colour"])
        color = self.color_of(look.indices)
        of_facts = {
            str(look.values[fact.parameter])
            for fact in look.concept.facts
            if fact.criterion == "color"
            and look.part in fact.parts
            and look.values[fact.parameter] in PALETTE
        }
        return color if not of_facts or color in of_facts else None

    def color_of(self, indices: Sequence[int]) -> str | None:
        """The color that covers most of what is seen of these parts, outlines left aside."""
        areas: dict[str | None, int] = {}
        seen = np.bincount(self._map[self._map >= 0], minlength=len(self._shapes))
        for (i, shape), area in zip(self._shapes, seen.tolist(), strict=True):
            tone = shape.fill or shape.stroke or INK
            if i in indices and area and tone != INK:
                areas[named_color(tone)] = areas.get(named_color(tone), 0) + area
        best = max(areas, key=lambda name: areas[name], default=None)
        return best if best and areas[best] >= _MAIN * sum(areas.values()) else None

    def shape(self, look: Appearance) -> str | None:
        """Return what outline it has: a plain shape's own, else what is seen of it.

        Of a part only where hardly anything hides or cuts it.
        """
        if look.plain:
            return SHAPE_WORDS[look.kind]
        mask = self.mask(look.indices)
        if look.part:
            alone = Drawing("", tuple(self.drawing.parts[i] for i in look.indices))
            if mask.sum() < 0.93 * (alone.part_map(self.size) >= 0).sum():
                return None
        if mask[[0, -1]].any() or mask[:, [0, -1]].any():  # the picture cuts it
            return None
        name = outline_names.outline(mask)
        # The facts may have a word for the outline of a part.
        return None if look.part and name == "Irregular" else name

    def texture(self, look: Appearance) -> str | None:
        """Return what a fact says of its surface, else "Plain" for one flat color, else None.

        The color is all that is seen of it.
        """
        if look.plain:
            return {"plain": "Plain", "dots": "Dotted"}.get(str(look.values.get("fill", "plain")))
        part = look.part or self._body(look)
        for fact in look.concept.facts:
            surfaces = {_SURFACES.get(name, name) for name in fact.parts}
            if (
                fact.criterion == "texture"
                and part in surfaces
                and look.values[fact.parameter] in _TEXTURES
            ):
                return _TEXTURES[look.values[fact.parameter]]
        return "Plain" if look.part and self._is_flat(look) else None

    def _body(self, thing: Appearance) -> str | None:
        """The part that is nearly the whole of a thing, as the ball of a planet is."""
        return next((part.part for part, share in self._parts(thing) if share >= _WHOLE), None)

    def _is_flat(self, look: Appearance) -> bool:
        """Return whether a part is one shape in one tone, and nothing is drawn on it."""
        mask = self.mask(look.indices)
        shapes = [shape for i in look.indices for shape in self.drawing.parts[i].shapes]
        has_one_tone = len(shapes) == 1 and shapes[0].fill is not None and shapes[0].opacity == 1
        return has_one_tone and bool(mask.sum() >= 0.97 * _filled(mask).sum())

    def caption(self, look: Appearance) -> str | None:
        """Return a short description, None where its name is not known.

        Examples are "a red circle", "a ladybug" and "the red wing cover of a ladybug".
        """
        if not (look.part or look.plain):
            return look.concept.phrase
        if look.name is None:
            return None
        tone = self.color(look)
        words = f"{tone} {look.name}" if tone else look.name
        return f"the {words} of {look.concept.phrase}" if look.part else with_article(words)


def _filled(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask with what lies between its pixels both across and down.

    These are its holes, and more of what it is bent around.
    """
    across = (
        np.maximum.accumulate(mask, axis=1) & np.maximum.accumulate(mask[:, ::-1], axis=1)[:, ::-1]
    )
    down = np.maximum.accumulate(mask, axis=0) & np.maximum.accumulate(mask[::-1], axis=0)[::-1]
    return mask | (across & down)
