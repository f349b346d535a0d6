"""Holds the commands that look at what judged images fail at: slices, map, grid and tags."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.options import JsonOption, Natural, Positive, SelectionOptions
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, Progress
from hallascope.data.error_tags import error_tag_groups
from hallascope.data.nouns import count_noun
from hallascope.engine.error_analysis import tagging
from hallascope.engine.error_analysis.error_map.documents import map_document, write_map
from hallascope.engine.error_analysis.error_map.embeddings import (
    EmbeddingProgress,
    bind_embedder,
    embed_images,
)
from hallascope.engine.error_analysis.error_map.layout import LayoutMethod
from hallascope.engine.error_analysis.error_map.points import ErrorMap, error_map
from hallascope.engine.error_analysis.gallery import read_gallery_images
from hallascope.engine.error_analysis.grid import (
    ImageGrid,
    build_grid,
    grid_document,
)
from hallascope.engine.error_analysis.selection import JudgedImages, read_judged_images
from hallascope.engine.error_analysis.slices.discovery import (
    SliceReport,
    find_slices,
    slice_report_document,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_tags import TaggedImage, clean_tag
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.options import require_known_names
from hallascope.engine.services import create_services

NO_IMAGE = "No judged image is in this selection: judge some with `hallascope evaluate`."
NO_TAG = "No image has a tag: give one with `hallascope errors tags --add`, or on the Errors tab."
UNNAMED = "No image is named: give --image ID, or --where, --run or --model."


def slices(
    *,
    selecting: SelectionOptions,
    limit: Annotated[int, typer.Option(min=1, max=100)] = 10,
    seed: Natural = 0,
    as_json: JsonOption = False,
) -> int:
    """Find the groups of images that fail more than the rest, beyond chance.

    Each is a sentence with its 95 % interval; p is corrected for all groups tested.

    Args:
        limit: How many slices at most.
        seed: The seed of the random permutations.
    """

    selection = selecting.read()
    store = create_services().store
    require_known_names(store, Query(selection.metric, filters=selection.filters))
    report = find_slices(read_judged_images(store, selection), most=limit, seed=seed)
    printing.print_result(
        as_json,
        slice_report_document(report),
        _slice_lines(report),
        next_step="hallascope errors grid --where SLICE" if report.slices else "",
    )
    return DONE


def _slice_lines(report: SliceReport) -> str:
    if not report.images:
        return NO_IMAGE
    table = printing.table(
        {
            "slice": found.sentence,
            "95 % interval": printing.interval(found.low, found.high),
            "prompts": found.prompts,
            "p, corrected": f"{found.corrected_p:.2g}",
            "as a filter (--where)": found.address,
        }
        for found in report.slices
    )
    what = "answers" if report.by_questions else "images"
    return printing.join_parts(
        table or "No group fails more than chance explains.",
        f"{report.looked_at:,} groups were tested, over {report.images:,} images of"
        f" {report.prompts:,} prompts; the mean error of their {what} is {report.error_rate:.3f}"
        f" (n {report.counted:,}, {report.left_out:,} left out).",
    )


def draw_map(
    *,
    selecting: SelectionOptions,
    embedder: str = "primer/embedder",
    layout: LayoutMethod = "pca",
    out: Path | None = None,
    as_json: JsonOption = False,
) -> int:
    """Draw judged images as points: close points look alike.

    Images without a vector are embedded first. Run the same command again to continue after an
    interruption.

    Args:
        embedder: The model that embeds the images; it must run on this machine.
        layout: How they are placed; umap needs umap-learn.
        out: Write the map as a page (.html) or a table (.csv).
    """

    selection = selecting.read()
    services = create_services()
    images = list(read_judged_images(services.store, selection).images["image"])
    last = EmbeddingProgress(0, 0)
    progress = Progress("images")
    for last in embed_images(services, bind_embedder(services, embedder), images):
        if last.total and not as_json:
            progress(last.done, last.total)
    drawn = error_map(services, selection, embedder, layout)
    if out is not None:
        write_map(drawn, out)
    lines = [
        *_map_lines(drawn),
        last.sentence if last.failed else "",
        f"The map is in {out}." if out else "",
    ]
    printing.print_result(
        as_json,
        map_document(drawn),
        lines,
        next_step="" if out else "hallascope errors map --out map.html",
    )
    return FAILURES if drawn.missing or drawn.points.empty else DONE


def _map_lines(drawn: ErrorMap) -> list[str]:
    """Return how many images are on the map, and the error rate of each cluster."""
    points = drawn.points
    if points.empty:
        return ["No judged image is on the map: evaluate some, or choose others."]
    clusters = points.groupby("cluster")["error"].agg(["size", "mean"])
    worst_first = clusters.sort_values("mean", ascending=False)
    table = printing.table(
        {"cluster": str(cluster), "images": int(size), "error rate": float(mean)}
        for cluster, size, mean in worst_first.itertuples(name=None)
    )
    return [f"{len(points):,} images on the map ({drawn.method}, {drawn.embedder}).", table]


def grid(
    *,
    selecting: SelectionOptions,
    rows: str = "prompt",
    columns: str = "model",
    baseline: str = "",
    limit: Positive | None = None,
    as_json: JsonOption = False,
) -> int:
    """Arrange judged images in a grid, such as prompts by models.

    Args:
        rows: prompt, model, seed, or a setting such as guidance.
        columns: The same for the columns.
        baseline: A value of the columns: say which questions changed from it.
        limit: How many rows at most; of prompts the worst.
    """

    store = create_services().store
    judged = read_judged_images(store, selecting.read())
    shown = build_grid(judged.images, rows, columns)
    place = shown.column(baseline) if baseline else None
    if limit is not None:
        shown = shown.first_rows(limit)
    first = [evaluations[0] for evaluations in shown.cells.values()] if as_json else []
    images = read_gallery_images(store, first)
    printing.print_result(
        as_json, grid_document(shown, judged.images, images, place), _grid_lines(shown, judged)
    )
    return DONE


def _grid_lines(shown: ImageGrid, judged: JudgedImages) -> Iterator[str]:
    if not shown.cells:
        yield NO_IMAGE
        return
    table = printing.table(
        {
            shown.column_axis: line.value,
            "images": line.images,
            "mean error": float(line.error),
            "left out": line.left_out,
        }
        for line in shown.columns
    )
    yield f"{table}\n"
    yield (
        f"{len(shown.rows):,} rows by {len(shown.columns):,} columns; images: n ="
        f" {len(judged.images):,}, {judged.unanswered:,} left out; answers:"
        f" {judged.left_out:,} left out"
    )


def tags(
    *,
    selecting: SelectionOptions,
    add: str = "",
    remove: str = "",
    note: str | None = None,
    image: list[int] | None = None,
    question: str = "",
    by: str = "",
    types: bool = False,
    as_json: JsonOption = False,
) -> int:
    """List the tags of judged images, or write tags and notes.

    --add, --remove and --note write to the images of --image, else to the whole selection.

    Args:
        add: Add this tag, a word or two.
        remove: Remove this tag.
        note: Write this note in place of your earlier one; "" removes it.
        image: Ids of evaluations, as `hallascope errors grid --json` lists them.
        question: Tag this question of one image instead of the image.
        by: Your name.
        types: List the error types of the papers.
    """

    if types:
        groups = error_tag_groups()
        printing.print_result(
            as_json,
            {"groups": list(map(asdict, groups))},
            printing.join_parts(
                *(
                    f"{group.group} ({group.source})\n\n"
                    + printing.table({"tag": tag.tag, "when": tag.meaning} for tag in group.tags)
                    for group in groups
                )
            ),
        )
        return DONE
    store = create_services().store
    if len([one for one in (add or None, remove or None, note) if one is not None]) > 1:
        raise BadRequest("Give one of --add, --remove and --note.")
    writes = bool(add or remove) or note is not None
    ids = list(image or ())
    if writes and not (ids or selecting.run or selecting.model or selecting.where):
        raise BadRequest(UNNAMED)
    if not writes or not ids:
        images = read_judged_images(store, selecting.read()).images
        ids = ids or images["evaluation"].tolist()
    if not writes:
        about = [TaggedImage(*each) for each in zip(images["image"], images["prompt"], strict=True)]
        counts = tagging.count_tags(store, about)
        listed = [{"tag": tag, "images": number} for tag, number in counts.items()]
        record = {"tags": listed, "images": len(set(about))}
        printing.print_result(as_json, record, printing.table(listed) or NO_TAG)
        return DONE
    if note is not None:
        number = tagging.note_images(store, ids, note, by)
        verb = "kept on" if note.strip() else "removed from"
        words = f"Note {verb} {count_noun(number, 'image')}."
        printing.print_result(as_json, {"images": number}, words)
    if add or remove:
        name = clean_tag(add or remove)
        number = (
            tagging.tag_images(store, ids, name, by, question)
            if add
            else tagging.untag_images(store, ids, name, question)
        )
        record = {"tag": name, "removed": not add, "images": number, "question": question}
        verb = "added to" if add else "removed from"
        words = f"“{name}” {verb} {count_noun(number, 'image')}."
        printing.print_result(as_json, record, words)
    return DONE
