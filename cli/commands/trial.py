"""The commands that compare generators: a trial with scores and intervals, and a contact sheet.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, progress, say
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
    TextColumn("I-HallA", lambda row: "-" if row[1].value is None else f"{row[1].value:.3f}"),
    TextColumn(
        "95 % interval",
        lambda row: "-" if row[1].low is None else f"{row[1].low:.3f} to {row[1].high:.3f}",
    ),
    TextColumn("strict", lambda row: "-" if row[2].value is None else f"{row[2].value:.3f}"),
    TextColumn("prompts", lambda row: str(row[1].n)),
    TextColumn("questions", lambda row: str(row[1].answered)),
    TextColumn("failures", lambda row: str(row[3])),
)


def model_trial(
    models: GeneratorsOption = MODELS,
    prompts: PromptCountOption = 200,
    seeds: Annotated[int, typer.Option(min=1, help="Pictures of each prompt.")] = 2,
    judge: Annotated[str, typer.Option(help="Who answers the questions.")] = "primer/judge",
    as_json: JsonOption = False,
) -> int:
    """Compare I-HallA scores of generators on the same prompts and seeds.

    The 95 % intervals are resampled by prompt.
    """
    from hallascope.engine.judge_eval.generators import compare

    found = compare(
        services=create_services(),
        models=_names(models),
        judge=judge,
        prompts=scenes.benchmark(prompts),
        seeds=seeds,
        tell=progress,
    )
    rows = [
        (model, found.score[model], found.strict[model], found.failures[model])
        for model in found.score
    ]
    apart = (
        "no intervals of neighbours overlap"
        if found.is_separated
        else "intervals of neighbours overlap"
    )
    lines = (
        f"{printing.table(_COLUMNS, rows)}\n{found.prompts} prompts, {found.seeds} seeds, judged by"
        f" {found.judge}; {apart}"
    )
    say(printing.document({"apart": found.is_separated, **jsonable(found)}) if as_json else lines)
    return FAILURES if any(found.failures.values()) else DONE


def recognition_trial(
    models: GeneratorsOption = MODELS,
    seeds: Annotated[int, typer.Option(min=1, help="Pictures of each concept.")] = 2,
    judge: Annotated[str, typer.Option(help="Who says what is shown.")] = "primer/judge",
    as_json: JsonOption = False,
) -> int:
    """Count the pictures of a single Primer concept of which the judge says what it is."""
    from hallascope.engine.judge_eval.generators import run_recognition

    services = create_services()
    found = {
        model: run_recognition(services, model, judge, seeds, progress) for model in _names(models)
    }
    columns = (
        TextColumn("model", lambda row: row[0]),
        TextColumn(
            "recognised", lambda row: "-" if row[1].value is None else f"{row[1].value:.3f}"
        ),
        TextColumn("pictures", lambda row: str(row[1].asked)),
    )
    say(printing.document(found) if as_json else printing.table(columns, list(found.items())))
    return DONE if all(one.asked for one in found.values()) else FAILURES


def contact_sheet(
    out: Annotated[Path, typer.Argument(help="The picture to write, .png or .webp.")],
    models: GeneratorsOption = DRAWN,
    prompts: PromptCountOption = 64,
    seed: Annotated[int, typer.Option(min=0, help="Of all pictures.")] = 0,
) -> int:
    """Draw what several models make of the same prompts as one page."""
    from hallascope.engine.sheets import contact_sheet as sheets

    if out.suffix.lower() not in (".png", ".webp"):
        raise BadRequest(
            f"The sheet cannot be written as {out.name!r}: give a name that ends in .png or .webp."
        )
    services = create_services()
    named = _names(models)
    asked = sheets.some(scenes.benchmark(), prompts)
    rows = []
    for done, prompt in enumerate(asked):
        progress(done, len(asked))
        rows.append((prompt, sheets.pictures(services, named, prompt, seed)))
    sheets.contact_sheet(rows, named).save(out)
    say(f"{len(rows)} prompts, {len(named)} models: {out}")
    return DONE if all(path for _, made in rows for path in made.values()) else FAILURES


def _names(listed: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))
