"""Holds the commands that compare generators: trials with intervals, and a contact sheet.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, progress, say, split_names
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import jsonable
from hallascope.engine.services import create_services
from hallascope.primer import scenes

MODELS = "primer/exact,primer/diffusion-small,primer/diffusion-tiny"
DRAWN = "primer/exact,primer/careless,primer/diffusion-small,primer/diffusion-tiny"
GeneratorsOption = Annotated[str, typer.Option(help="Generators, with commas between them.")]
PromptCountOption = Annotated[
    int, typer.Option(min=2, help="How many prompts of Primer's benchmark.")
]
_COLUMNS = (
    TextColumn("model", lambda row: row[0]),
    TextColumn("I-HallA", lambda row: printing.number(row[1].value)),
    TextColumn("95 % interval", lambda row: printing.interval(row[1].low, row[1].high)),
    TextColumn("strict", lambda row: printing.number(row[2].value)),
    TextColumn("prompts", lambda row: str(row[1].n)),
    TextColumn("questions", lambda row: str(row[1].answered)),
    TextColumn("failures", lambda row: str(row[3])),
)


def model_trial(
    models: GeneratorsOption = MODELS,
    prompts: PromptCountOption = 200,
    seeds: Annotated[int, typer.Option(min=1, help="Images of each prompt.")] = 2,
    judge: Annotated[str, typer.Option(help="Who answers the questions.")] = "primer/judge",
    as_json: JsonOption = False,
) -> int:
    """Compare I-HallA scores of generators on the same prompts and seeds.

    The 95 % intervals are resampled by prompt.
    """
    from hallascope.engine.judge_eval.generators import compare

    comparison = compare(
        services=create_services(),
        models=split_names(models),
        judge=judge,
        prompts=scenes.benchmark(prompts),
        seeds=seeds,
        on_progress=progress,
    )
    rows = [
        (model, comparison.score[model], comparison.strict[model], comparison.failures[model])
        for model in comparison.score
    ]
    if as_json:
        say(printing.document({"apart": comparison.is_separated, **jsonable(comparison)}))
    else:
        overlap = "no intervals" if comparison.is_separated else "intervals"
        say(printing.table(_COLUMNS, rows))
        say(
            f"{comparison.prompts} prompts, {comparison.seeds} seeds, judged by"
            f" {comparison.judge}; {overlap} of neighbors overlap"
        )
    return FAILURES if any(comparison.failures.values()) else DONE


def contact_sheet(
    out: Annotated[Path, typer.Argument(help="The image to write, .png or .webp.")],
    models: GeneratorsOption = DRAWN,
    prompts: PromptCountOption = 64,
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
