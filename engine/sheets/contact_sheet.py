"""Draws a contact sheet: what several models make of the same prompts, side by side.

It judges nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from hallascope.engine.events import EvaluateRequest, Pictured
from hallascope.engine.services import Services

PAPER = "#faf9f6"
INK = "#1d2126"
SOFT = "#5d6570"
CAPTION, GAP, MARGIN = 15, 6, 18  # px


def some(prompts: Sequence[str], count: int) -> tuple[str, ...]:
    """So many of the prompts, spread evenly over them."""
    count = min(count, len(prompts))
    return tuple(prompts[i * len(prompts) // count] for i in range(count))


def pictures(
    services: Services, models: Sequence[str], prompt: str, seed: int = 0
) -> dict[str, Path | None]:
    """The picture that each model makes of the prompt; None where it makes none.

    Raises what `Services.evaluate` raises.
    """
    made: dict[str, Path | None] = dict.fromkeys(models)
    for event in services.evaluate(
        EvaluateRequest(prompt=prompt, models=tuple(models), metrics=(), judge=None, seed=seed)
    ):
        if isinstance(event, Pictured):
            made[event.shot.model] = event.shot.path
    return made


def contact_sheet(
    rows: Iterable[tuple[str, Mapping[str, Path | None]]],
    models: Sequence[str],
    across: int = 4,
    size: int = 88,
) -> Image.Image:
    """Draw one page: for each prompt its pictures in the order of the models.

    The prompt is above them.

    `across`: prompts in a line; `size`: of a picture in px.
    """
    found = list(rows)
    block = len(models) * (size + 2), CAPTION + size + GAP
    page = Image.new(
        "RGB",
        (
            2 * MARGIN + across * block[0] + (across - 1) * 3 * GAP,
            2 * MARGIN + CAPTION + -(-len(found) // across) * block[1],
        ),
        PAPER,
    )
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(11)
    said = ", ".join(model.removeprefix("primer/") for model in models)
    pen.text((MARGIN, MARGIN - 6), f"From left to right: {said}", fill=SOFT, font=font)
    for n, (prompt, made) in enumerate(found):
        x = MARGIN + (n % across) * (block[0] + 3 * GAP)
        y = MARGIN + CAPTION + (n // across) * block[1]
        pen.text((x, y), _cut(prompt, block[0], font), fill=INK, font=font)
        for i, model in enumerate(models):
            _paste(page, made.get(model), (x + i * (size + 2), y + CAPTION), size)
    return page


def _cut(prompt: str, width: int, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> str:
    """The prompt, or as much of it as there is room for."""
    if font.getlength(prompt) <= width:
        return prompt
    short = prompt
    while short and font.getlength(short + "…") > width:
        short = short[:-1]
    return short.rstrip() + "…"


def _paste(page: Image.Image, file: Path | None, place: tuple[int, int], size: int) -> None:
    if file is None:
        ImageDraw.Draw(page).rectangle(
            (*place, place[0] + size - 1, place[1] + size - 1), outline=SOFT
        )
        return
    with Image.open(file) as picture:
        page.paste(picture.convert("RGB").resize((size, size), Image.Resampling.LANCZOS), place)
