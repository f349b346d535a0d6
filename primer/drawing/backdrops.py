"""Draws the backdrops of Primer drawings as SVG markup in a 100 x 100 box.

Nothing on them is ever a part.
"""

from collections.abc import Callable

from hallascope.primer.drawing.parts import (
    Art,
    Shape,
    circle,
    ellipse,
    path,
    polygon,
    rect,
    shade,
    star,
)

PASTELS = ("#f5f0e6", "#e8eff6", "#edf3ec", "#f4ecf3", "#f7ede6", "#eef0f4", "#f3f3e4", "#e6f2f1")

# What a judge may answer when it is asked where something is; the words of the fact `scene`.
SCENES: dict[str, str] = {
    "plain": "A plain background",
    "day": "Under a blue sky",
    "night": "At night",
    "snow": "In the snow",
    "desert": "In a desert",
    "underwater": "Under water",
    "meadow": "In a meadow",
    "space": "In outer space",
    "sea": "On the open sea",
    "room": "In a room",
}


def backdrop(scene: str, art: Art) -> str:
    """Return SVG markup of the scene, one of SCENES, varied by the drawing's chance."""
    return "".join(shape.svg() for shape in _DRAWERS[scene](art))


def _ground(color: str) -> Shape:
    return rect(-1, -1, 102, 102, color, stroke=None)


def _plain(art: Art) -> list[Shape]:
    base = art.pick(PASTELS)
    x = art.vary(15, 85)
    y = art.vary(15, 85)
    return [_ground(base), circle(x, y, art.vary(22, 40), shade(base, -0.03), stroke=None)]


def _hill(y: float, color: str, art: Art) -> Shape:
    bump = art.vary(-6, 6)
    return path(
        f"M-1,{y:.1f} C25,{y - 6 + bump:.1f} 60,{y + 5 - bump:.1f} 101,{y - 2:.1f} V101 H-1 Z",
        color,
        stroke=None,
    )


def _clouds(art: Art, color: str) -> list[Shape]:
    shapes = []
    for _ in range(2):
        x = art.vary(8, 92)
        y = art.vary(6, 20)
        shapes += [
            ellipse(x + dx, y + dy, rx, 3.2, color, stroke=None)
            for dx, dy, rx in ((0, 0, 8), (-3, -2, 5), (4, -1.5, 5))
        ]
    return shapes


def _day(art: Art) -> list[Shape]:
    return [_ground("#a9d8f4"), *_clouds(art, "#f4fafd"), _hill(86, "#b9d7a0", art)]


def _night(art: Art) -> list[Shape]:
    stars = [
        circle(art.vary(2, 98), art.vary(2, 60), art.vary(0.3, 0.7), "#f7f3d0", stroke=None)
        for _ in range(26)
    ]
    return [_ground("#2b3769"), *stars, _hill(87, "#1e2748", art)]


def _snow(art: Art) -> list[Shape]:
    flakes = [
        circle(art.vary(2, 98), art.vary(2, 98), art.vary(0.6, 1.3), "#ffffff", stroke=None)
        for _ in range(34)
    ]
    return [_ground("#c3d2e4"), _hill(76, "#eef4fa", art), *flakes]


def _desert(art: Art) -> list[Shape]:
    return [_ground("#fbe3b0"), _hill(70, "#eec37a", art), _hill(82, "#e3ae5e", art)]


def _underwater(art: Art) -> list[Shape]:
    bubbles = [
        circle(
            art.vary(3, 97), art.vary(3, 70), art.vary(0.8, 1.8), None, stroke="#d8f1f6", width=0.5
        )
        for _ in range(14)
    ]
    weed = []
    for _ in range(5):
        x = art.vary(3, 97)
        h = art.vary(8, 18)
        weed.append(
            path(
                f"M{x:.1f},96 q-4,{-h / 2:.1f} 0,{-h:.1f} q4,{h / 2:.1f} 1.6,{h:.1f} Z",
                "#2d8a77",
                stroke=None,
            )
        )
    return [
        _ground("#4fa9c9"),
        rect(-1, -1, 102, 30, "#63b9d6", stroke=None),
        *bubbles,
        *weed,
        _hill(92, "#dcc995", art),
    ]


def _meadow(art: Art) -> list[Shape]:
    flowers = [
        circle(
            art.vary(2, 98),
            art.vary(74, 98),
            0.9,
            art.pick(("#f4e06a", "#ffffff", "#f0a3bd")),
            stroke=None,
        )
        for _ in range(16)
    ]
    return [_ground("#cfe8f5"), _hill(52, "#a8cf86", art), _hill(68, "#8fbf6d", art), *flowers]


def _space(art: Art) -> list[Shape]:
    stars = [
        circle(art.vary(1, 99), art.vary(1, 99), art.vary(0.25, 0.6), "#ffffff", stroke=None)
        for _ in range(44)
    ]
    bright = [
        star(art.vary(5, 95), art.vary(5, 95), 1.4, 4, 0.3, fill="#f7efc4", stroke=None)
        for _ in range(4)
    ]
    return [_ground("#14162b"), *stars, *bright]


def _sea(art: Art) -> list[Shape]:
    waves = []
    for y in (70, 79, 88):
        x = art.vary(-8, 0)
        waves.append(
            path(f"M{x:.1f},{y} " + "q5,-3 10,0 t10,0 " * 6, None, stroke="#d7ecf5", width=0.8)
        )
    return [
        _ground("#bfe3f5"),
        *_clouds(art, "#f6fbfd"),
        rect(-1, 60, 102, 42, "#3f86c2", stroke=None),
        *waves,
    ]


def _room(art: Art) -> list[Shape]:
    wall = art.pick(("#f0e2cd", "#e5e3ee", "#dfe9e2"))
    frame = polygon([(6, 8), (22, 8), (22, 26), (6, 26)], "#d5ebf7", stroke="#ffffff", width=1.4)
    return [
        _ground(wall),
        rect(-1, 78, 102, 24, "#b98d62", stroke=None),
        rect(-1, 76, 102, 2.4, "#ffffff", stroke=None),
        frame,
    ]


_DRAWERS: dict[str, Callable[[Art], list[Shape]]] = {
    "plain": _plain,
    "day": _day,
    "night": _night,
    "snow": _snow,
    "desert": _desert,
    "underwater": _underwater,
    "meadow": _meadow,
    "space": _space,
    "sea": _sea,
    "room": _room,
}
