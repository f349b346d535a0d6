"""Makes images that are not Primer's: gradients, noise, charts, pages of text, cartoons and more.

Nothing is read from a file. `TRAINED` kinds are learned from; `UNSEEN` kinds are measured only.
"""

import math
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SIZE = 384  # px
_TEXT = """
the model image judge answer score table figure result method data question prompt error each of
and with is in shows two three four mean rate total
"""
WORDS = tuple(_TEXT.split())

Painter = Callable[[random.Random], Image.Image]


def paint_image(number: int, seed: str, kinds: Mapping[str, Painter]) -> Image.Image:
    """Paint the image of a number: kinds take turns, and the same arguments give the same image."""
    names = sorted(kinds)
    chance = random.Random(f"synthetic {seed} {number}")
    return kinds[names[number % len(names)]](chance)


# --- what all share


def _color(chance: random.Random) -> tuple[int, int, int]:
    return (chance.randrange(256), chance.randrange(256), chance.randrange(256))


def _near(chance: random.Random, color: tuple[int, int, int], by: int) -> tuple[int, int, int]:
    red, green, blue = (min(255, max(0, c + chance.randint(-by, by))) for c in color)
    return (red, green, blue)


def _paper(chance: random.Random) -> tuple[int, int, int]:
    if chance.random() < 0.5:
        return (255, 255, 255)
    return _near(chance, (240, 240, 240), 15) if chance.random() < 0.5 else _color(chance)


def _canvas(chance: random.Random) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (SIZE, SIZE), _paper(chance))
    return image, ImageDraw.Draw(image)


def _field(chance: random.Random, octaves: int) -> NDArray[np.float32]:
    """Return smooth noise in [0, 1], (SIZE, SIZE)."""
    numbers = np.random.default_rng(chance.randrange(2**32))
    total = np.zeros((SIZE, SIZE), np.float32)
    for octave in range(octaves):
        cells = 2 ** (octave + 2)
        noise = Image.fromarray(numbers.random((cells, cells)).astype(np.float32))
        smooth = noise.resize((SIZE, SIZE), Image.Resampling.BICUBIC)
        total += np.asarray(smooth, np.float32) / 2**octave
    total -= total.min()
    return total / max(float(total.max()), 1e-6)


def _map_colors(
    field: NDArray[np.floating[Any]], chance: random.Random, colors: int
) -> Image.Image:
    table = np.array([_color(chance) for _ in range(colors)], np.float32)
    place = field * (colors - 1)
    low = np.clip(place.astype(int), 0, colors - 2)
    share = (place - low)[..., None]
    return Image.fromarray((table[low] * (1 - share) + table[low + 1] * share).astype(np.uint8))


def _grid() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    axis = np.linspace(0, 1, SIZE, dtype=np.float32)
    return np.meshgrid(axis, axis)


def _write(
    draw: ImageDraw.ImageDraw,
    place: tuple[float, float],
    words: int,
    size: float,
    fill: tuple[int, int, int],
    chance: random.Random,
) -> None:
    text = " ".join(chance.choice(WORDS) for _ in range(words))
    draw.text(place, text, fill=fill, font=ImageFont.load_default(size))


def _blob(chance: random.Random, x: float, y: float, r: float) -> list[tuple[float, float]]:
    """Return the corners of a random closed form."""
    corners = chance.choice((3, 4, 5, 6, 8, 24))
    rough = chance.choice((0.0, 0.1, 0.4))
    turn = chance.random() * 6.3
    points = []
    for i in range(corners):
        angle = turn + 2 * math.pi * i / corners
        reach = r * (1 + chance.uniform(-rough, rough))
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return points


# --- kinds that are learned


def _gradient(chance: random.Random) -> Image.Image:
    x, y = _grid()
    angle = chance.random() * 2 * math.pi
    field = x * math.cos(angle) + y * math.sin(angle)
    if chance.random() < 0.4:
        field = np.hypot(x - chance.random(), y - chance.random())
    field = (field - field.min()) / (field.max() - field.min())
    return _map_colors(field, chance, chance.randint(2, 4))


def _noise(chance: random.Random) -> Image.Image:
    numbers = np.random.default_rng(chance.randrange(2**32))
    side = chance.choice((16, 48, 96, 192, 384))
    pixels = numbers.integers(0, 256, (side, side, 3), dtype=np.uint8)
    if chance.random() < 0.4:
        pixels = np.repeat(pixels[..., :1], 3, axis=2)
    return Image.fromarray(pixels).resize((SIZE, SIZE), Image.Resampling.NEAREST)


def _clouds(chance: random.Random) -> Image.Image:
    return _map_colors(_field(chance, chance.randint(1, 7)), chance, chance.randint(2, 6))


def _shapes(chance: random.Random) -> Image.Image:
    image, draw = _canvas(chance)
    outline = chance.choice((None, (0, 0, 0), _color(chance)))
    for _ in range(chance.choice((3, 6, 12, 40, 120))):
        x, y = chance.uniform(0, SIZE), chance.uniform(0, SIZE)
        r = chance.uniform(6, SIZE / 3)
        if chance.random() < 0.3:
            draw.ellipse((x - r, y - r * 0.8, x + r, y + r * 0.8), _color(chance), outline)
        else:
            draw.polygon(_blob(chance, x, y, r), _color(chance), outline)
    return image


def _chart(chance: random.Random) -> Image.Image:
    image, draw = _canvas(chance)
    ink = _near(chance, (60, 60, 60), 60)
    left, bottom = SIZE * 0.12, SIZE * 0.88
    colors = [_color(chance) for _ in range(4)]
    if chance.random() < 0.6:
        for i in range(1, 6):
            y = bottom - i * SIZE * 0.14
            draw.line((left, y, SIZE * 0.95, y), _near(chance, (220, 220, 220), 10))
    draw.line((left, SIZE * 0.08, left, bottom, SIZE * 0.95, bottom), ink, chance.randint(1, 3))
    _write(draw, (left, SIZE * 0.02), chance.randint(1, 4), chance.randint(9, 18), ink, chance)
    bars = chance.randint(2, 12)
    kind = chance.choice(("bars", "lines", "points", "pie"))
    for series in range(chance.randint(1, 3)):
        color = colors[series]
        heights = [chance.uniform(0.05, 0.75) * SIZE for _ in range(bars)]
        step = SIZE * 0.8 / bars
        places = [(left + step * (i + 0.3), bottom - h) for i, h in enumerate(heights)]
        if kind == "bars":
            for x, y in places:
                draw.rectangle((x, y, x + step * 0.5, bottom), color)
        elif kind == "lines":
            draw.line(places, color, chance.randint(1, 4))
        elif kind == "points":
            for x, y in places:
                draw.ellipse((x - 4, y - 4, x + 4, y + 4), color)
        else:
            start = chance.randrange(360)
            end = start + chance.randint(40, 200)
            draw.pieslice((90, 90, 300, 300), start, end, color, ink)
    for i in range(bars):
        place = (left + i * SIZE * 0.8 / bars, bottom + 4)
        draw.text(place, str(i * 10), fill=ink, font=ImageFont.load_default(10))
    return image


def _page(chance: random.Random) -> Image.Image:
    image, draw = _canvas(chance)
    ink = _near(chance, (40, 40, 40), 40) if chance.random() < 0.8 else _color(chance)
    size = chance.choice((8, 10, 13, 18, 30))
    y = SIZE * 0.06
    while y < SIZE * 0.95:
        if chance.random() < 0.9:
            _write(draw, (SIZE * 0.06, y), chance.randint(1, 14), size, ink, chance)
        y += size * 1.5
    if chance.random() < 0.4:
        box = (SIZE * 0.5, SIZE * 0.3, SIZE * 0.9, SIZE * 0.6)
        draw.rectangle(box, _color(chance), ink)
    return image


def _fractal(chance: random.Random) -> Image.Image:
    x, y = _grid()
    zoom = chance.uniform(0.4, 3.0)
    place = (x - 0.5) * zoom + 1j * (y - 0.5) * zoom
    julia = chance.random() < 0.5
    constant = complex(chance.uniform(-0.9, 0.3), chance.uniform(-0.7, 0.7))
    z = place.copy() if julia else np.zeros_like(place)
    count = np.zeros(place.shape, np.float32)
    for _ in range(24):
        inside = np.abs(z) < 4
        count += inside
        z = np.where(inside, z * z + (constant if julia else place - 0.5), z)
    return _map_colors(count / 24, chance, chance.randint(2, 6))


def _cartoon(chance: random.Random) -> Image.Image:
    """Paint a flat landscape with outlines: sky, hills, a sun, houses and trees."""
    image = Image.new("RGB", (SIZE, SIZE), _near(chance, (130, 190, 235), 90))
    draw = ImageDraw.Draw(image)
    ink = chance.choice((None, (0, 0, 0), (35, 36, 43), _color(chance)))
    wide = chance.randint(1, 5)
    r = chance.uniform(20, 60)
    x, y = chance.uniform(30, SIZE - 30), chance.uniform(30, SIZE / 3)
    draw.ellipse((x - r, y - r, x + r, y + r), _near(chance, (245, 215, 60), 40), ink, wide)
    for _ in range(chance.randint(1, 3)):
        x, w = chance.uniform(0, SIZE), chance.uniform(SIZE / 3, SIZE)
        top = chance.uniform(SIZE * 0.45, SIZE * 0.8)
        draw.ellipse((x - w, top, x + w, top + SIZE), _near(chance, (90, 160, 80), 80), ink, wide)
    for _ in range(chance.randint(0, 4)):
        x, base = chance.uniform(20, SIZE - 60), chance.uniform(SIZE * 0.6, SIZE * 0.9)
        w, h = chance.uniform(30, 110), chance.uniform(30, 110)
        if chance.random() < 0.5:
            draw.rectangle((x, base - h, x + w, base), _color(chance), ink, wide)
            roof = [(x - 8, base - h), (x + w / 2, base - h * 1.6), (x + w + 8, base - h)]
            draw.polygon(roof, _color(chance), ink, wide)
            draw.rectangle((x + w * 0.4, base - h * 0.5, x + w * 0.6, base), _color(chance), ink)
        else:
            brown = _near(chance, (120, 80, 40), 40)
            draw.rectangle((x + w * 0.4, base - h * 0.4, x + w * 0.6, base), brown, ink)
            green = _near(chance, (60, 140, 60), 60)
            draw.ellipse((x, base - h * 1.3, x + w, base - h * 0.3), green, ink, wide)
    return image


def _stripes(chance: random.Random) -> Image.Image:
    x, y = _grid()
    angle = chance.random() * math.pi
    waves = np.sin((x * math.cos(angle) + y * math.sin(angle)) * chance.uniform(10, 160))
    if chance.random() < 0.5:
        waves = waves * np.sin((x * math.sin(angle) - y * math.cos(angle)) * chance.uniform(10, 90))
    if chance.random() < 0.6:
        waves = np.sign(waves)
    return _map_colors((waves + 1).astype(np.float32) / 2, chance, 2)


def _window(chance: random.Random) -> Image.Image:
    """Paint a screenshot of a program: a title bar, a side bar, buttons, fields and text."""
    image, draw = _canvas(chance)
    ink = _near(chance, (50, 50, 50), 40)
    draw.rectangle((0, 0, SIZE, chance.randint(16, 40)), _color(chance))
    draw.rectangle((0, 40, chance.randint(40, 130), SIZE), _near(chance, (225, 225, 230), 25))
    for _ in range(chance.randint(3, 12)):
        x, y = chance.uniform(0, SIZE * 0.8), chance.uniform(40, SIZE * 0.95)
        box = (x, y, x + chance.uniform(30, 180), y + chance.uniform(12, 60))
        draw.rounded_rectangle(box, chance.choice((0, 4, 10)), _paper(chance), ink)
        _write(draw, (x + 5, y + 4), chance.randint(1, 3), chance.randint(8, 14), ink, chance)
    return image


def _blurred(chance: random.Random) -> Image.Image:
    return _shapes(chance).filter(ImageFilter.GaussianBlur(chance.uniform(1, 24)))


def _plain(chance: random.Random) -> Image.Image:
    return Image.new("RGB", (SIZE, SIZE), _paper(chance))


TRAINED: Mapping[str, Painter] = {
    "blurred": _blurred,
    "cartoon": _cartoon,
    "chart": _chart,
    "clouds": _clouds,
    "fractal": _fractal,
    "gradient": _gradient,
    "noise": _noise,
    "page": _page,
    "plain": _plain,
    "shapes": _shapes,
    "stripes": _stripes,
    "window": _window,
}


# --- kinds that are measured only


def _cells(chance: random.Random) -> Image.Image:
    """Paint the cells that are nearest to points (Voronoi)."""
    x, y = _grid()
    count = chance.randint(4, 40)
    points = np.array([(chance.random(), chance.random()) for _ in range(count)])
    distances = np.hypot(x[..., None] - points[:, 0], y[..., None] - points[:, 1])
    table = np.array([_color(chance) for _ in range(count)], np.uint8)
    pixels = table[distances.argmin(-1)]
    nearest = np.sort(distances, axis=-1)
    pixels[nearest[..., 1] - nearest[..., 0] < chance.choice((0.0, 0.006, 0.012))] = 0
    return Image.fromarray(pixels)


def _face(chance: random.Random) -> Image.Image:
    """Paint a face of circles with an outline."""
    image, draw = _canvas(chance)
    ink = chance.choice(((0, 0, 0), (90, 50, 10), _color(chance)))
    wide = chance.randint(2, 9)
    draw.ellipse((50, 50, 334, 334), _near(chance, (250, 205, 60), 60), ink, wide)
    for x in (140, 244):
        r = chance.uniform(10, 30)
        draw.ellipse((x - r, 150 - r, x + r, 150 + r), (255, 255, 255), ink, wide)
        draw.ellipse((x - r / 3, 150 - r / 3, x + r / 3, 150 + r / 3), ink)
    draw.arc((120, 170, 264, 290), chance.randint(0, 30), chance.randint(150, 180), ink, wide)
    return image


def _maze(chance: random.Random) -> Image.Image:
    image, draw = _canvas(chance)
    step = chance.choice((12, 24, 48))
    ink = _color(chance)
    for x in range(0, SIZE, step):
        for y in range(0, SIZE, step):
            ends = (x, y, x + step, y + step)
            if chance.random() < 0.5:
                ends = (x + step, y, x, y + step)
            draw.line(ends, ink, max(2, step // 6))
    return image


def _comic(chance: random.Random) -> Image.Image:
    """Paint panels with thick frames, each with a landscape or text."""
    image = Image.new("RGB", (SIZE, SIZE), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    half = SIZE // 2
    for x in (0, half):
        for y in (0, half):
            panel = chance.choice((_cartoon, _shapes, _page))(chance).resize((half - 12, half - 12))
            image.paste(panel, (x + 6, y + 6))
            draw.rectangle((x + 6, y + 6, x + half - 6, y + half - 6), None, (0, 0, 0), 3)
    return image


def _spiral(chance: random.Random) -> Image.Image:
    image, draw = _canvas(chance)
    turns, petals = chance.uniform(3, 30), chance.uniform(0.2, 9)
    points = []
    for i in range(1500):
        angle = turns * 2 * math.pi * i / 1500
        reach = SIZE * 0.45 * abs(math.cos(petals * angle)) * (0.3 + 0.7 * i / 1500)
        points.append((SIZE / 2 + reach * math.cos(angle), SIZE / 2 + reach * math.sin(angle)))
    draw.line(points, _color(chance), chance.randint(1, 6))
    return image


def _tiles(chance: random.Random) -> Image.Image:
    """Paint a pattern: one small image of shapes, again and again."""
    step = SIZE // chance.choice((3, 4, 6))
    tile = _shapes(chance).resize((step, step))
    image = Image.new("RGB", (SIZE, SIZE))
    for x in range(0, SIZE, step):
        for y in range(0, SIZE, step):
            image.paste(tile, (x, y))
    return image


UNSEEN: Mapping[str, Painter] = {
    "cells": _cells,
    "comic": _comic,
    "face": _face,
    "maze": _maze,
    "spiral": _spiral,
    "tiles": _tiles,
}
