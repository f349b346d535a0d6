"""Holds the command that draws what several models make of the same prompts.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.terminal import DONE, FAILURES, progress, say, split_names
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import create_services
from hallascope.primer import scenes

DRAWN = "primer/exact,primer/careless,primer/diffusion-small,primer/diffusion-tiny"


def contact_sheet(
    out: Annotated[Path, typer.Argument(help="The image to write, .png or .webp.")],
    models: Annotated[str, typer.Option(help="Generators, with commas between them.")] = DRAWN,
    prompts: Annotated[
        int, typer.Option(min=2, help="How many prompts of Primer's benchmark.")
    ] = 64,
    seed: Annotated[int, typer.Option(min=0, help="Of all images.")] = 0,
) -> int:
    """Draw what several models make of the same prompts as one page."""
    from hallascope.engine.sheets import contact_sheet as sheets

    if out.suffix.lower() not in (".png", ".webp"):
        raise BadRequest(
            f"The sheet cannot be written as {out.name!r}: give a name that ends in .png or .webp."
        )
    services = create_services()
    names = split_names(models)
    sample = sheets.sample_evenly(scenes.benchmark(), prompts)
    rows = []
    for done, prompt in enumerate(sample):
        progress(done, len(sample))
        rows.append((prompt, sheets.draw_pictures(services, names, prompt, seed)))
    sheets.contact_sheet(rows, names).save(out)
    say(f"{len(rows)} prompts, {len(names)} models: {out}")
    is_complete = all(path for _, pictures in rows for path in pictures.values())
    return DONE if is_complete else FAILURES
