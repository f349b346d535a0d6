"""Holds the commands about folders of images to label, and about people's ratings."""

import getpass
import os
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.options import ForceOption, JsonOption, ModelOption, Natural, Positive
from hallascope.cli.output import labels, printing
from hallascope.cli.output.printing import problem_lines
from hallascope.cli.output.trials import agreement_lines
from hallascope.cli.terminal import DONE, FAILURES, Progress, say, split_names, write_file
from hallascope.data.files import label_folder
from hallascope.data.files.tables import BadTable
from hallascope.engine.errors import BadRequest, StoreError, refuse
from hallascope.engine.export.plan_tables import export_plan, plan_tables
from hallascope.engine.human_agreement.factual_form import form_ratings, form_table
from hallascope.engine.labeling.plans import find_plan
from hallascope.engine.services import create_services
from hallascope.engine.sheets import label_task
from hallascope.engine.sheets.contact_sheet import label_sheets
from hallascope.engine.trials.records import labeler_agreement

PAGE = "hallascope.pages.labeling"


def make(
    out: Path,
    *,
    model: ModelOption = "primer/diffusion-tiny",
    count: Positive = 200,
    seed: Natural = 0,
) -> int:
    """Draw images of Primer's prompts into a folder, for labeling.

    Run the same command again to continue after an interruption.

    Args:
        out: The folder to write.
        model: Names of image models, separated by commas; they take turns.
        count: How many images, each of another prompt.
        seed: The seed of the first image; the others count up.
    """
    names = split_names(model)
    if not names:
        raise BadRequest("No model is named: name at least one with --model.")
    plan = label_task.plan_items(names, count, seed)
    progress = Progress("images")
    with _refuse():
        task = label_task.make_label_task(create_services(), out, plan, progress)
    for failure in task.failures:
        say(f"{failure.model} seed {failure.seed}: no image of {failure.prompt!r}")
    questions = sum(len(item.questions) for item in task.items)
    say(f"{len(task.items)} images with {questions} questions: {out}")
    say(f"Next: `hallascope label page {out}`")
    return FAILURES if task.failures else DONE


def page(
    folder: Path,
    *,
    labeler: str | None = None,
    out: Path | None = None,
    first: Annotated[int | None, typer.Option("--from", min=0)] = None,
    last: Annotated[int | None, typer.Option("--to", min=0)] = None,
    typed: Path | None = None,
) -> int:
    """Open a page in the browser to label the images; every label is saved at once.

    With --out sheets of twelve images are drawn for paper instead; --typed reads typed labels.

    Args:
        folder: The folder that `label make` wrote.
        labeler: The name of the labeler (default: your login name).
        out: The sheet to write, .png or .webp; further sheets get a number.
        typed: Read labels from a text file with lines such as `017: B A E C ?`.
        first: The first item of the sheets, by its number.
        last: The last item of the sheets, by its number.
    """
    if out:
        return _draw_sheets(folder, out, first, last)
    if typed:
        return _read_typed(folder, typed, _name(labeler))
    with _refuse():
        label_folder.read_items(folder)
    # in a process of its own, as no command imports a page
    command = [sys.executable, "-m", PAGE, str(folder), "--labeler", _name(labeler)]
    return subprocess.run(
        command, env=os.environ | {"GRADIO_ANALYTICS_ENABLED": "False"}, check=False
    ).returncode


def _draw_sheets(folder: Path, out: Path, first: int | None, last: int | None) -> int:
    if out.suffix.lower() not in (".png", ".webp"):
        raise BadRequest(
            f"The sheet cannot be written as {out.name!r}: give a name that ends in .png or .webp."
        )
    with _refuse():
        items, complaints = label_folder.read_items(folder)
    chosen = [item for item in items if _is_in_range(item.id, first, last)]
    if not chosen:
        raise BadRequest(
            f"No item lies between --from and --to: the folder holds {items[0].id} to"
            f" {items[-1].id}."
        )
    try:
        for n, drawn in enumerate(label_sheets(folder, chosen)):
            path = out if n == 0 else out.with_stem(f"{out.stem}-{n + 1}")
            drawn.save(path)
            say(str(path))
    except OSError as error:
        raise StoreError(
            f"A sheet cannot be drawn or written ({error.strerror or error}): check the images"
            " and the folder."
        ) from error
    if complaints:
        say(problem_lines(complaints))
    return FAILURES if complaints else DONE


def _is_in_range(item: str, first: int | None, last: int | None) -> bool:
    """Return whether the item's number lies between the two, where they are given."""
    if first is None and last is None:
        return True
    return item.isdecimal() and (first or 0) <= int(item) <= (int(item) if last is None else last)


def _read_typed(folder: Path, file: Path, name: str) -> int:
    """Take typed labels into the folder, and say how far labelers agree."""
    with _refuse():
        items, _ = label_folder.read_items(folder)
        typed, complaints = label_folder.read_typed(file, items, name)
        label_folder.add_labels(folder, typed)
        by_labeler, _ = label_folder.read_labels(folder, items)
        second, _ = label_folder.read_labels(folder, items, label_folder.SECOND_LABELS)
    finished = sum(label.whole for label in by_labeler.get(name, {}).values())
    say(
        f"{len(typed)} labels read from {file.name}; {finished} of {len(items)} images are labeled"
        f" by {name}"
    )
    if agreement := labeler_agreement(items, {**second, **by_labeler}):
        say("\n".join(agreement_lines(agreement)))
    if complaints:
        say(problem_lines(complaints))
    say(f"Next: `hallascope trial --labeled {folder}`")
    return FAILURES if complaints else DONE


def export(
    out: Path,
    *,
    plan: str = "",
    with_names: bool = False,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> int:
    """Write what people labeled: the tables of a plan, or all ratings by FactualBench's form.

    Args:
        out: The folder for the tables of a plan; without --plan the CSV file of the ratings.
        plan: The id of a labeling plan, or how it begins.
        with_names: Write the names of raters; default: rater 1 and so on.
    """
    services = create_services()
    if not plan:
        number = len(form_ratings(services))
        if not number:
            raise BadRequest(
                "No image is rated by T2I-FactualBench's form yet: rate some on the Labels tab."
            )
        write_file(out, form_table(services))
        document: dict[str, object] = {"out": str(out), "ratings": number}
        printing.print_result(as_json, document, f"{number:,} ratings are in {out}.")
        return DONE
    found = find_plan(services, plan)
    tables = plan_tables(services.store, found, with_names)
    document = {
        "out": str(out),
        "plan": found.id,
        **labels.count_labels(tables),
        "named": with_names,
        "files": export_plan(tables, out, force),
    }
    printing.print_result(as_json, document, labels.export_lines(document))
    return DONE


def _refuse() -> AbstractContextManager[None]:
    """Raise BadRequest where a folder or file of labels cannot be used."""
    return refuse(BadTable, OSError)


def _name(labeler: str | None) -> str:
    try:
        return label_folder.clean_labeler_name(labeler or getpass.getuser())
    except (OSError, KeyError, ImportError):  # no such user in the system's list
        return label_folder.NOBODY
