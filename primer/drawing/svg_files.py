"""Reads the drawing of a concept from an SVG file and draws it by the values of its facts.

A file is SVG in the box from (-50, -50) to (50, 50), which any editor opens. What it adds to SVG:

- `data-part` names a group as a part of the concept. A drawing consists of parts, the last on top.
- `data-when` draws an element only for some values: `wings=2|4, ears=round or stance!=lying`.
- `data-transform` moves a group by values: `legs=long: scale(0.86); translate(0 15)`. The first
  case that holds counts.
- A color is `#rrggbb`, a tone of the palette (`light blue`), the value of a fact (`{plumage}`) or
  the `id` of a color of `<defs>`. Steps change it: `-20%` makes it darker, `+20%` lighter,
  `(red 30%)` mixes 30 % of another color in.
- `<solidColor id="coat" solid-color="{plumage} -20%"/>` in `<defs>` defines a color. Every drawing
  varies its tones by chance: first those of these definitions, in their order, then the others as
  they appear. Of the groups in a `<g data-pick="one">` of `<defs>`, chance picks one; a color with
  `data-chance="0.5"` is taken in half of the drawings, instead of one of its name before it.
- `<use href="#wing" transform="..."/>` repeats a group of `<defs>`.
- `data-edge="2.4"` draws an ink line under a stroke, wider by that much.
- `rotate(-2..2)` turns by chance: by a number between the two, evenly spread.
- `<g data-code="seeds"/>` stands for what the function `seeds(values, art)` of the Python file
  beside the SVG file returns: shapes for a part, parts outside of one. With an `id` in `<defs>` it
  is drawn when its turn comes there, and shown where a `<use>` repeats it. A `<solidColor>` has
  the color that its function returns.

`display` is not read: what an editor hides is still drawn.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hallascope.primer.drawing.parts import (
    INK,
    PALETTE,
    Art,
    Part,
    Point,
    Shape,
    blend,
    circle,
    ellipse,
    line,
    polygon,
    rect,
    shade,
)

Values = Mapping[str, str | int]
Code = Mapping[str, Callable[[Values, Art], Sequence[Any]]]
Element = ElementTree.Element
# The values of a parameter and whether the parameter is to be among them.
Test = tuple[str, frozenset[str], bool]

_SVG = "{http://www.w3.org/2000/svg}"
_STYLE = ("fill", "stroke", "stroke-width")
_DEFAULTS = {"fill": "none", "stroke": INK, "stroke-width": "1.2"}
_COLOR = re.compile(r"(#[0-9a-f]{6}|\{[^{}]+\}|[A-Za-z][\w -]*?)((?: [+-][\d.]+%| \([^()]+%\))*)")
_STEP = re.compile(r" ([+-][\d.]+)%| \((.+?) ([\d.]+)%\)")
_RANGE = re.compile(r"(-?[\d.]+?)\.\.(-?[\d.]+)")
_SHAPES: Mapping[str, tuple[str, Callable[..., Shape]]] = {
    "circle": ("cx cy r", circle),
    "ellipse": ("cx cy rx ry", ellipse),
    "rect": ("x y width height rx", lambda x, y, w, h, r=0.0: rect(x, y, w, h, r=r)),
    "polygon": ("points", polygon),
    "polyline": ("points", line),
    "path": ("d", Shape),
}
_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "g": frozenset(("data-part", "data-transform", "transform", "data-code", "data-pick", *_STYLE)),
    "use": frozenset(("href", "data-transform", "transform")),
    "solidColor": frozenset(("solid-color", "data-chance", "data-code")),
} | {
    kind: frozenset((*names.split(), "data-edge", "opacity", *_STYLE))
    for kind, (names, _) in _SHAPES.items()
}


class BadDrawing(ValueError):
    """The drawing of a concept is wrong; the message names the file, the part and what is wrong."""


@dataclass(frozen=True)
class ValueCondition:
    """Holds alternatives of tests, of which all must hold; without any it always holds."""

    alternatives: tuple[tuple[Test, ...], ...] = ()

    def holds(self, values: Mapping[str, str]) -> bool:
        """Return whether one of the alternatives is true of the values."""
        for tests in self.alternatives:
            for name, among, wanted in tests:
                if (values.get(name) in among) is not wanted:
                    break
            else:
                return True
        return not self.alternatives


@dataclass(frozen=True, eq=False)
class Color:
    """Holds a color as it is written: a base, and steps of another color or None and a share."""

    base: str
    steps: tuple[tuple[str | None, float], ...]


@dataclass(frozen=True)
class _Definition:
    name: str
    when: ValueCondition
    content: Color | str  # a color, or the name of a function
    chance: float = 1.0


# One definition, or several lists of them, one of which is taken by chance.
_Definitions = Sequence["_Definition | Sequence[_Definitions]"]


@dataclass(frozen=True)
class _Outline:
    when: ValueCondition
    d: str
    fill: Color | None
    stroke: Color | None
    width: float
    opacity: float
    edge: float


@dataclass(frozen=True)
class _Group:
    when: ValueCondition
    part: str
    moves: tuple[tuple[ValueCondition, str], ...]
    code: str
    children: tuple["_Group | _Outline", ...]


@dataclass(frozen=True)
class SvgDrawing:
    """Draws a concept from its file.

    `facts` maps each parameter of its facts to all values; `parts` are the parts they are about;
    `module` has the functions of `data-code`. The file is read when it is first drawn. Raise
    BadDrawing where it is wrong.
    """

    file: Path
    facts: Mapping[str, frozenset[str]]
    parts: frozenset[str]
    module: str = ""

    def __call__(self, values: Values, art: Art) -> list[Part]:
        definitions, groups = self._content
        pen = _Pen(self, values, art)
        pen.define(definitions)
        return [part for group in groups for part in pen.parts(group, "")]

    @cached_property
    def functions(self) -> Code:
        """Return the functions of `data-code` by their names."""
        return vars(import_module(self.module)) if self.module else {}

    @cached_property
    def _content(self) -> tuple[_Definitions, Sequence[_Group]]:
        return _Reader(self.file, self.facts, self.functions).read(self.parts)


class _Pen:
    """Makes one drawing."""

    def __init__(self, drawing: SvgDrawing, values: Values, art: Art) -> None:
        self.drawing = drawing
        self.values = values
        self.texts = {name: str(value) for name, value in values.items()}
        self.art = art
        self.colors: dict[str, str] = {}  # by name
        self.mixed: dict[Color, str] = {}
        self.drawn: dict[str, Sequence[Any]] = {}  # by code, for <use>

    def define(self, definitions: _Definitions) -> None:
        for item in definitions:
            if not isinstance(item, _Definition):
                self.define(self.art.pick(item))
            elif not item.when.holds(self.texts) or (
                item.chance < 1 and self.art.random.random() >= item.chance
            ):
                continue
            elif isinstance(item.content, Color):
                self.colors[item.name] = self.mix(item.content)
            else:
                made = self._run(item.content)
                if isinstance(made, str):
                    self.colors[item.name] = made
                else:
                    self.drawn[f"#{item.name}"] = made

    def _run(self, code: str) -> Sequence[Any]:
        """Return what a function draws, or what it drew for the definition of this name."""
        if code.startswith("#"):
            return self.drawn.get(code, ())
        return self.drawing.functions[code](self.values, self.art)

    def mix(self, color: Color) -> str:
        if color not in self.mixed:
            tone = self._base(color.base)
            for other, share in color.steps:
                tone = blend(tone, self._base(other), share) if other else shade(tone, share)
            self.mixed[color] = tone
        return self.mixed[color]

    def _base(self, base: str) -> str:
        if base.startswith("#"):
            return base
        if base in self.colors:
            return self.colors[base]
        tone = self.texts[base[1:-1]] if base.startswith("{") else base
        if tone not in PALETTE:
            raise BadDrawing(f"{self.drawing.file}: {base} is “{tone}”, which is no tone.")
        return self.art.tone(tone)

    def parts(self, group: _Group, moves: str) -> Iterator[Part]:
        if not group.when.holds(self.texts):
            return
        move = next((text for when, text in group.moves if when.holds(self.texts)), "")
        moves = f"{moves} {_RANGE.sub(self._chance, move)}".strip()
        if group.part:
            yield Part(group.part, tuple(self._shapes(group)), moves)
        elif group.code:
            for part in self._run(group.code):
                yield part.with_transform(moves)
        else:
            for child in group.children:
                assert isinstance(child, _Group)
                yield from self.parts(child, moves)

    def _chance(self, numbers: re.Match[str]) -> str:
        return f"{self.art.vary(float(numbers[1]), float(numbers[2])):.2f}"

    def _shapes(self, group: _Group) -> Iterator[Shape]:
        if group.code:
            yield from self._run(group.code)
        for child in group.children:
            if not child.when.holds(self.texts):
                continue
            if isinstance(child, _Group):
                yield from self._shapes(child)
                continue
            if child.edge:
                yield Shape(child.d, None, INK, child.width + child.edge)
            fill = self.mix(child.fill) if child.fill else None
            stroke = self.mix(child.stroke) if child.stroke else None
            yield Shape(child.d, fill, stroke, child.width, child.opacity)


class _Reader:
    """Reads one file strictly."""

    def __init__(self, file: Path, facts: Mapping[str, frozenset[str]], code: Code) -> None:
        self.file = file
        self.facts = facts
        self.code = code
        self.part = ""
        self.drawn: set[str] = set()  # names of parts
        self.used = {"scene"}  # parameters; the backdrop is drawn with every concept
        self.colors: set[str] = set()
        self.known: dict[str, Color] = {}  # by how they are written
        self.repeated: dict[str, Element] = {}
        self.defined_code: set[str] = set()
        self.open: list[str] = []  # targets of <use> that are being read

    def read(self, parts: frozenset[str]) -> tuple[_Definitions, Sequence[_Group]]:
        try:
            root = ElementTree.parse(self.file).getroot()
        except (OSError, ElementTree.ParseError) as error:
            raise BadDrawing(f"{self.file} cannot be read as SVG: {error}.") from error
        elements = [child for child in root if _is_drawn(child)]
        definitions = self._definitions([e for defs in root.findall(f"{_SVG}defs") for e in defs])
        groups = tuple(self._group(e, _DEFAULTS) for e in elements if e.tag != f"{_SVG}defs")
        if not self.code:  # which may draw what the file does not
            for name in sorted(parts - self.drawn):
                raise self._wrong(f"a fact is about the part “{name}”, which is never drawn")
            for name in sorted(set(self.facts) - self.used):
                raise self._wrong(f"the fact “{name}” changes nothing in the drawing")
        return definitions, groups

    def _wrong(self, problem: str) -> BadDrawing:
        place = f", part “{self.part}”" if self.part else ""
        return BadDrawing(f"{self.file}{place}: {problem}.")

    def _definitions(self, elements: Sequence[Element]) -> _Definitions:
        definitions: list[_Definition | Sequence[_Definitions]] = []
        for element in filter(_is_drawn, elements):
            if element.tag == f"{_SVG}solidColor":
                self._check(element)
                color = self._function(element) or self._color(element.get("solid-color", ""))
                if color is None:
                    raise self._wrong("a <solidColor> needs a `solid-color`")
                name = element.get("id", "")
                try:
                    chance = float(element.get("data-chance", 1))
                except ValueError as error:
                    raise self._wrong(f"`data-chance` needs a number: {error}") from error
                definitions.append(_Definition(name, self._when(element), color, chance))
                self.colors.add(name)
            elif "data-code" in element.attrib:
                name = element.get("id", "")
                definitions.append(_Definition(name, self._when(element), self._function(element)))
                self.defined_code.add(f"#{name}")
            elif "data-pick" in element.attrib:
                definitions.append([self._definitions(list(choice)) for choice in element])
            else:
                self.repeated[f"#{element.get('id')}"] = element
        return definitions

    def _group(self, element: Element, style: Mapping[str, str], inside: bool = False) -> _Group:
        """Return a group with what it holds: outlines `inside` of a part, else groups."""
        kind = self._check(element)
        if kind not in ("g", "use"):
            raise self._wrong(f"<{kind}> belongs to no part: put it into a <g data-part=...>")
        children = [child for child in element if _is_drawn(child)]
        code = self._function(element)
        if kind == "use":
            target = element.get("href", "")
            if target in self.defined_code:
                code = target
            elif target not in self.repeated:
                raise self._wrong(f"<use> repeats “{target}”, which <defs> does not have")
            elif target in self.open:
                raise self._wrong(f"“{target}” repeats itself: take the <use> out of its group")
            else:
                children = [self.repeated[target]]
                self.open.append(target)
        part = element.get("data-part", "")
        moves = self._moves(element)
        if inside and (part or moves):
            raise self._wrong("a group inside of a part can neither be a part nor be moved")
        outer = self.part
        if part:
            self.part = part
            self.drawn.add(part)
        within = inside or bool(part)
        own = {**style, **{name: element.attrib[name] for name in _STYLE if name in element.attrib}}
        read = tuple(
            self._outline(child, own)
            if within and child.tag not in (f"{_SVG}g", f"{_SVG}use")
            else self._group(child, own, within)
            for child in children
        )
        self.part = outer
        if kind == "use" and not code:
            self.open.pop()
        return _Group(self._when(element), part, moves, code, read)

    def _function(self, element: Element) -> str:
        """Return the name of the function that draws an element, "" where none does."""
        code = element.get("data-code", "")
        if code and code not in self.code:
            raise self._wrong(f"the Python file beside it has no function “{code}”")
        return code

    def _outline(self, element: Element, style: Mapping[str, str]) -> _Outline:
        kind = self._check(element)
        own = {**style, **element.attrib}
        names, make = _SHAPES[kind]
        try:
            given = [own[name] for name in names.split() if name in own or name != "rx"]
            d = make(*map(_coordinates, given)).d if kind != "path" else own["d"]
            numbers = [float(own.get(n, e)) for n, e in (("opacity", 1), ("data-edge", 0))]
            width = float(own["stroke-width"])
        except (KeyError, ValueError) as error:
            raise self._wrong(f"<{kind}> needs readable numbers in {names}: {error}") from error
        paints = self._color(own["fill"]), self._color(own["stroke"])
        return _Outline(self._when(element), d, *paints, width, *numbers)

    def _check(self, element: Element) -> str:
        """Return the kind of an element; raise where it or one of its attributes is not read."""
        kind = element.tag.removeprefix(_SVG)
        if kind not in _ATTRIBUTES:
            raise self._wrong(f"<{kind}> is not read; use {', '.join(_ATTRIBUTES)}")
        for name in element.attrib:
            known = name in _ATTRIBUTES[kind] or name in ("id", "display", "data-when")
            if not known and not name.startswith("{"):  # an editor's own
                raise self._wrong(
                    f"`{name}` of <{kind}> is not read; use {', '.join(sorted(_ATTRIBUTES[kind]))}"
                )
        return kind

    def _when(self, element: Element) -> ValueCondition:
        return self._condition(element.get("data-when", ""))

    def _condition(self, text: str) -> ValueCondition:
        if not text.strip():
            return ValueCondition()
        return ValueCondition(
            tuple(tuple(map(self._test, either.split(","))) for either in text.split(" or "))
        )

    def _test(self, text: str) -> Test:
        name, equals, among = text.strip().partition("=")
        wanted = not name.endswith("!")
        name = name.removesuffix("!")
        if not equals or name not in self.facts:
            raise self._wrong(
                f"“{text.strip()}” is no condition; the parameters are {', '.join(self.facts)}"
            )
        for value in among.split("|"):
            if value not in self.facts[name]:
                raise self._wrong(
                    f"“{name}” has no value “{value}”, only {', '.join(sorted(self.facts[name]))}"
                )
        self.used.add(name)
        return name, frozenset(among.split("|")), wanted

    def _moves(self, element: Element) -> tuple[tuple[ValueCondition, str], ...]:
        if element.attrib.keys() >= {"data-transform", "transform"}:
            raise self._wrong("an element has `transform` and `data-transform`: leave one out")
        cases = element.get("data-transform", element.get("transform", ""))
        parted = (case.rpartition(":") for case in cases.split(";") if case.strip())
        return tuple((self._condition(when), move.strip()) for when, _, move in parted)

    def _color(self, text: str) -> Color | None:
        if text == "none":
            return None
        if text in self.known:
            return self.known[text]
        match = _COLOR.fullmatch(text)
        if match is None:
            raise self._wrong(f"“{text}” is no color")
        steps = tuple(
            (other or None, float(f"{amount or share}e-2"))
            for amount, other, share in _STEP.findall(match[2])
        )
        for base in (match[1], *(other for other, _ in steps if other)):
            if base.startswith("{"):
                if self.facts.get(base[1:-1], frozenset()).isdisjoint(PALETTE):
                    raise self._wrong(f"“{base}” is no fact with the name of a tone as a value")
                self.used.add(base[1:-1])
            elif not base.startswith("#") and base not in PALETTE and base not in self.colors:
                raise self._wrong(f"“{base}” is no color; the tones are {', '.join(PALETTE)}")
        self.known[text] = Color(match[1], steps)
        return self.known[text]


def _is_drawn(element: Element) -> bool:
    """Return whether an element is SVG: no note of an editor, and no title or comment."""
    tag = str(element.tag)
    return tag.startswith(_SVG) and tag not in (f"{_SVG}title", f"{_SVG}desc", f"{_SVG}metadata")


def _coordinates(text: str) -> float | list[Point]:
    """Return a number, or the points of `1,2 3,4`."""
    if "," not in text:
        return float(text)
    pairs = (pair.split(",") for pair in text.split())
    return [(float(x), float(y)) for x, y in pairs]
