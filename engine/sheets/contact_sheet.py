"""Draws a contact sheet: what several models make of the same prompts, side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from hallascope.engine.events import EvaluateRequest, Pictured
from hallascope.engine.services import Services

PAPER = "#faf9f6"
INK = "#1d2126"
SOFT = "#5d6570"
# px
CAPTION = 15
GAP = 6
MARGIN = 18
COLUMN_GAP = 3 * GAP


def sample_evenly(prompts: Sequence[str], count: int) -> tuple[str, ...]:
    """Return so many of the prompts, spread evenly over them."""
    count = min(count, len(prompts))
    return tuple(prompts[i * len(prompts) // count] for i in range(count))


def draw_pictures(
    services: Services, models: Sequence[str], prompt: str, seed: int = 0
) -> dict[str, Path | None]:
    """Return the picture that each model makes of the prompt, None where it makes none.

    Raises what `Services.evaluate` raises.
    """
    files: dict[str, Path | None] = dict.fromkeys(models)
    request = EvaluateRequest(
        prompt=prompt, models=tuple(models), metrics=(), judge=None, seed=seed
    )
    for event in services.evaluate(request):
        if isinstance(event, Pictured):
            files[event.shot.model] = event.shot.path
    return files


def contact_sheet(
    rows: Iterable[tuple[str, Mapping[str, Path | None]]],
    models: Sequence[str],
    across: int = 4,
    size: int = 88,
) -> Image.Image:
    """Return one page: for each prompt its pictures in the order of the models, below the prompt.

    `across`: prompts in a line; `size`: of a picture in px.
    """
    prompts = list(rows)
    grid = _Grid(pictures=len(models), across=across, size=size)
    page = Image.new("RGB", grid.page_size(len(prompts)), PAPER)
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(11)
    names = ", ".join(model.removeprefix("primer/") for model in models)
    pen.text((MARGIN, MARGIN - 6), f"From left to right: {names}", fill=SOFT, font=font)
    for n, (prompt, files) in enumerate(prompts):
        x, y = grid.corner(n)
        pen.text((x, y), _truncate(prompt, grid.block_width, font), fill=INK, font=font)
        for i, model in enumerate(models):
            _paste(page, files.get(model), (x + i * grid.step, y + CAPTION), size)
    return page


@dataclass(frozen=True, kw_only=True)
class _Grid:
    """Lays out blocks of a prompt with its pictures, `across` in a line; lengths are in px."""

    pictures: int
    across: int
    size: int

    @property
    def step(self) -> int:
        """Return the distance of two pictures of a block."""
        return self.size + 2

    @property
    def block_width(self) -> int:
        return self.pictures * self.step

    @property
    def block_height(self) -> int:
        return CAPTION + self.size + GAP

    def page_size(self, blocks: int) -> tuple[int, int]:
        """Return the width and height of a page with so many blocks."""
        lines = ceil(blocks / self.across)
        width = self.across * self.block_width + (self.across - 1) * COLUMN_GAP
        return 2 * MARGIN + width, 2 * MARGIN + CAPTION + lines * self.block_height

    def corner(self, block: int) -> tuple[int, int]:
        """Return the left and the upper end of a block, by its number from 0."""
        line, column = divmod(block, self.across)
        x = MARGIN + column * (self.block_width + COLUMN_GAP)
        return x, MARGIN + CAPTION + line * self.block_height


def _truncate(text: str, width: int, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> str:
    """Return the text, or as much of it as there is room for."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _paste(page: Image.Image, file: Path | None, corner: tuple[int, int], size: int) -> None:
    if file is None:
        opposite = (corner[0] + size - 1, corner[1] + size - 1)
        ImageDraw.Draw(page).rectangle((*corner, *opposite), outline=SOFT)
        return
    with Image.open(file) as picture:
        page.paste(picture.convert("RGB").resize((size, size), Image.Resampling.LANCZOS), corner)
