"""Draws what several models make of the same prompts as one page.

``python -m bench.contact_sheet OUT.webp [--model A,B --prompts 64 --seed 0]``
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from PIL import Image

from bench.measuring import launch
from hallascope.engine.services import create_services
from hallascope.engine.sheets.contact_sheet import (
    SheetBlock,
    draw_pictures,
    draw_sheet,
    sample_evenly,
)
from hallascope.primer import scenes

DRAWN = "primer/exact,primer/careless,primer/diffusion-small,primer/diffusion-tiny"


def contact_sheet(
    rows: Iterable[tuple[str, Mapping[str, Path | None]]],
    models: Sequence[str],
    across: int = 4,
    size: int = 88,
) -> Image.Image:
    """Return one page: for each prompt its pictures in the order of the models, below the prompt.

    `across`: prompts in a line; `size`: of a picture in px.
    """
    names = ", ".join(model.removeprefix("primer/") for model in models)
    blocks = [
        SheetBlock(prompt, tuple(files.get(model) for model in models)) for prompt, files in rows
    ]
    return draw_sheet(blocks, across, size, 11, heading=f"From left to right: {names}")


def main(
    out: Annotated[Path, typer.Argument(help="The image to write, .png or .webp.")],
    models: Annotated[str, typer.Option("--model", help="With commas between them.")] = DRAWN,
    prompts: Annotated[int, typer.Option(min=1, help="Of Primer's benchmark.")] = 64,
    seed: Annotated[int, typer.Option(help="Of all images.")] = 0,
) -> None:
    """Draw the sheet, and fail where an image is missing."""
    services = create_services()
    names = tuple(models.split(","))
    rows = [
        (prompt, draw_pictures(services, names, prompt, seed))
        for prompt in sample_evenly(scenes.benchmark(), prompts)
    ]
    contact_sheet(rows, names).save(out)
    print(f"{len(rows)} prompts, {len(names)} models: {out}")
    if not all(path for _, pictures in rows for path in pictures.values()):
        raise SystemExit("An image could not be drawn.")


if __name__ == "__main__":
    launch(main)
