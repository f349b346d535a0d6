"""Holds the commands that tag judged images, write notes on them, and list tags.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.commands.error_analysis.selection_options import (
    MetricOption,
    ModelsOption,
    RunOption,
    WhereOption,
    read_selection,
)
from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, JsonOption, say
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import create_services

if TYPE_CHECKING:
    from hallascope.engine.storage.store import Store

EvaluationsArgument = Annotated[
    list[int] | None,
    typer.Argument(
        metavar="[EVALUATION]...",
        help="Ids of evaluations, as `hallascope errors grid --json` lists them.",
    ),
]
AuthorOption = Annotated[str, typer.Option("--by", help="Your name, which is kept with it.")]
NO_TAG = "No image has a tag: give one with `hallascope errors tag`, or press T on the Errors tab."
UNNAMED = "No image is named: give ids of evaluations, or --where, --run or --model."


def tag(
    text: Annotated[str, typer.Argument(metavar="TAG", help="A word or two.")],
    evaluations: EvaluationsArgument = None,
    metric: MetricOption = "ihalla",
    run: RunOption = "",
    models: ModelsOption = "",
    where: WhereOption = "",
    question: Annotated[
        str, typer.Option(help="Tag this question of one image instead of the image.")
    ] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take the tag away.")] = False,
    author: AuthorOption = "",
    as_json: JsonOption = False,
) -> int:
    """Give images a tag: those of these evaluations, or all of a selection."""
    from hallascope.engine.error_analysis import tagging
    from hallascope.engine.image_tags import clean_tag

    store = create_services().store
    ids = _named_images(store, evaluations, metric, run, models, where)
    name = clean_tag(text)
    if remove:
        number = tagging.untag_images(store, ids, name, question)
    else:
        number = tagging.tag_images(store, ids, name, author, question)
    what = "removed from" if remove else "added to"
    images = "1 image" if number == 1 else f"{number:,} images"
    document = {"tag": name, "removed": remove, "images": number, "question": question}
    say(printing.document(document) if as_json else f"“{name}” {what} {images}.")
    return DONE


def note(
    text: Annotated[str, typer.Argument(metavar="NOTE", help='The note; "" removes yours.')],
    evaluations: EvaluationsArgument = None,
    metric: MetricOption = "ihalla",
    run: RunOption = "",
    models: ModelsOption = "",
    where: WhereOption = "",
    author: AuthorOption = "",
    as_json: JsonOption = False,
) -> int:
    """Write a note on images, in place of your earlier one."""
    from hallascope.engine.error_analysis import tagging

    store = create_services().store
    ids = _named_images(store, evaluations, metric, run, models, where)
    number = tagging.note_images(store, ids, text, author)
    images = "1 image" if number == 1 else f"{number:,} images"
    words = f"Note {'kept on' if text.strip() else 'removed from'} {images}."
    say(printing.document({"images": number}) if as_json else words)
    return DONE


def tags(
    metric: MetricOption = "ihalla",
    run: RunOption = "",
    models: ModelsOption = "",
    where: WhereOption = "",
    types: Annotated[
        bool, typer.Option("--types", help="List the error types of the papers instead.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """List the tags of judged images, and how many images have each."""
    if types:
        return _list_types(as_json)
    from hallascope.engine.error_analysis.selection import read_judged_images
    from hallascope.engine.error_analysis.tagging import count_tags
    from hallascope.engine.image_tags import TaggedImage

    store = create_services().store
    selection = read_selection(metric, run, models, where)
    images = read_judged_images(store, selection).images
    about = [TaggedImage(*each) for each in zip(images["image"], images["prompt"], strict=True)]
    counts = count_tags(store, about)
    if as_json:
        rows = [{"tag": tag, "images": number} for tag, number in counts.items()]
        say(printing.document({"tags": rows, "images": len(set(about))}))
        return DONE
    columns = (TextColumn("tag", lambda row: row[0]), TextColumn("images", lambda row: str(row[1])))
    say(printing.table(columns, list(counts.items())) if counts else NO_TAG)
    return DONE


def _list_types(as_json: bool) -> int:
    from dataclasses import asdict

    from hallascope.data.error_tags import error_tag_groups

    groups = error_tag_groups()
    if as_json:
        say(printing.document({"groups": [asdict(group) for group in groups]}))
        return DONE
    columns = (TextColumn("tag", lambda row: row.tag), TextColumn("when", lambda row: row.meaning))
    parts = [
        f"{group.group} ({group.source})\n\n{printing.table(columns, list(group.tags))}"
        for group in groups
    ]
    say("\n\n".join(parts))
    return DONE


def _named_images(
    store: "Store",
    evaluations: Sequence[int] | None,
    metric: str,
    run: str,
    models: str,
    where: str,
) -> list[int]:
    """Return the ids that are given, else those of the selection. Raises BadRequest."""
    if evaluations:
        return list(evaluations)
    if not (run or models or where):
        raise BadRequest(UNNAMED)
    from hallascope.engine.error_analysis.selection import read_judged_images

    selection = read_selection(metric, run, models, where)
    ids: list[int] = read_judged_images(store, selection).images["evaluation"].tolist()
    return ids
