"""Holds the command that draws judged images as a map.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, progress, say, split_names
from hallascope.engine.services import create_services

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.error_map.points import ErrorMap

CLUSTER_COLUMNS = (
    TextColumn("cluster", lambda row: str(row[0]) or "-"),
    TextColumn("images", lambda row: f"{row[1]:,}"),
    TextColumn("error rate", lambda row: printing.number(row[2])),
)


def error_map_command(
    metric: Annotated[str, typer.Option(help="The metric by name.")] = "ihalla",
    run: Annotated[str, typer.Option(help="Only these runs or sweeps, with commas between.")] = "",
    models: Annotated[
        str, typer.Option("--model", "--models", help="Only these models, with commas between.")
    ] = "",
    where: Annotated[
        str,
        typer.Option(
            help="Only images that meet these conditions, such as `number:4;model:primer/hasty`."
        ),
    ] = "",
    embedder: Annotated[
        str, typer.Option(help="The model that embeds the images; it must run here.")
    ] = "primer/embedder",
    layout: Annotated[
        str, typer.Option(help="pca, or umap where umap-learn is installed.")
    ] = "pca",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the map as a page (.html) or a table (.csv)."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Draw judged images as points, of which near ones look alike, with their scores.

    Images that have no vector yet are embedded first; stopped, the same command goes on.
    """
    from hallascope.engine.error_analysis.conditions import parse_conditions
    from hallascope.engine.error_analysis.error_map.documents import map_document, write_map
    from hallascope.engine.error_analysis.error_map.embeddings import (
        EmbeddingProgress,
        bind_embedder,
        embed_images,
    )
    from hallascope.engine.error_analysis.error_map.layout import parse_method
    from hallascope.engine.error_analysis.error_map.points import error_map
    from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
    from hallascope.engine.leaderboard.filters import Filters

    method = parse_method(layout)
    selection = ErrorSelection(
        metric=metric,
        filters=Filters(models=split_names(models), runs=split_names(run)),
        conditions=parse_conditions(where),
    )
    services = create_services()
    images = list(read_judged_images(services.store, selection).images["image"])
    last = EmbeddingProgress(0, 0)
    for last in embed_images(services, bind_embedder(services, embedder), images):
        if last.total and not as_json:
            progress(last.done, last.total, "images")
    drawn = error_map(services, selection, embedder, method)
    if out is not None:
        write_map(drawn, out)
    if as_json:
        say(printing.document(map_document(drawn)))
    else:
        say(_lines(drawn))
        if last.failed:
            say(last.sentence)
        if out is not None:
            say(f"The map is in {out}.")
    return FAILURES if drawn.missing or drawn.points.empty else DONE


def _lines(drawn: "ErrorMap") -> str:
    """Return how many images are on the map, and the error rate of each cluster."""
    points = drawn.points
    if points.empty:
        return "No judged image is on the map: evaluate some, or choose others."
    clusters = points.groupby("cluster")["error"].agg(["size", "mean"])
    worst_first = clusters.sort_values("mean", ascending=False)
    rows = list(worst_first.itertuples(name=None))
    head = f"{len(points):,} images on the map ({drawn.method}, {drawn.embedder})."
    return "\n".join([head, printing.table(CLUSTER_COLUMNS, rows)])
