"""Draws forms that concepts of more than one domain are made of."""

import math
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hallascope.primer.drawing.parts import INK, Point, Shape, circle, path, polar, polygon


def read_numbers(module_file: str) -> Any:
    """Return what the TOML file beside a Python file holds: places, outlines and sizes."""
    return tomllib.loads(Path(module_file).with_suffix(".toml").read_text("utf-8"))


def turn_point(x: float, y: float, degrees: float) -> Point:
    """Return the point turned about (0, 0), clockwise."""
    c = math.cos(math.radians(degrees))
    s = math.sin(math.radians(degrees))
    return x * c - y * s, x * s + y * c


def turn_points(points: Iterable[Point], degrees: float) -> list[Point]:
    return [turn_point(x, y, degrees) for x, y in points]


def clip_half(points: Sequence[Point], a: float, b: float, c: float) -> list[Point]:
    """Return what of a convex outline lies where a*x + b*y <= c."""
    kept: list[Point] = []
    for (px, py), (qx, qy) in zip(points, [*points[1:], *points[:1]], strict=True):
        p = a * px + b * py - c
        q = a * qx + b * qy - c
        if p <= 0:
            kept.append((px, py))
        if p * q < 0:
            k = p / (p - q)
            kept.append((px + (qx - px) * k, py + (qy - py) * k))
    return kept


def spread_evenly(count: int, low: float, high: float) -> list[float]:
    """Return `count` numbers from low to high; one alone lies in the middle."""
    if count == 1:
        return [(low + high) / 2]
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def tube(d: str, width: float, fill: str, edge: float = 2.4) -> list[Shape]:
    """Return a thick line along path data with an ink edge, `edge` wide on both sides together."""
    return [path(d, None, stroke=INK, width=width + edge), path(d, None, stroke=fill, width=width)]


def flower(x: float, y: float, r: float, petal: str, heart: str) -> list[Shape]:
    """Return a flower of five petals."""
    middles = [polar(x, y, r * 0.58, 18 + 72 * i) for i in range(5)]
    petals = [circle(*middle, r * 0.46, petal, width=0.9) for middle in middles]
    return [*petals, circle(x, y, r * 0.34, heart, width=0.9)]


def dark(points: Sequence[Point], opacity: float = 0.13) -> Shape:
    """Return a shadow over what was drawn before."""
    return polygon(points, "#000000", stroke=None, opacity=opacity)


def light(points: Sequence[Point], opacity: float = 0.35) -> Shape:
    """Return a sheen over what was drawn before."""
    return polygon(points, "#ffffff", stroke=None, opacity=opacity)
