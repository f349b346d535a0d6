"""Draws pictures by functions, as users of the library bring them."""

from PIL import Image

PENGUIN = "a gentoo penguin"


def plain_red(prompt: str, seed: int) -> Image.Image:
    return Image.new("RGB", (64, 64), (255, 0, seed))


def broken(prompt: str, seed: int) -> Image.Image:
    raise ValueError("no <b>paint</b>")
