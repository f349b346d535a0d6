"""Holds the commands about labels: make pictures, open the page, draw sheets, read labels.

The commands about plans are those of `hallascope.cli.commands.label_plans`.

Exit codes as in `hallascope.cli.main`.
"""

import getpass
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from hallascope.backends.base import Judge
from hallascope.cli.commands import label_plans
from hallascope.cli.output import printing
from hallascope.cli.output.problems import problem_lines
from hallascope.cli.output.trials import labelled_trial
from hallascope.cli.terminal import DONE, FAILURES, progress, say, split_names
from hallascope.data.files import label_folder
from hallascope.data.files.tables import Complaint
from hallascope.engine.errors import BadRequest, StoreError, refuse
from hallascope.engine.human_agreement.factual_form import form_ratings, form_table
from hallascope.engine.judge_eval.labelled import try_on_labels
from hallascope.engine.services import create_services
from hallascope.engine.sheets import label_task
from hallascope.engine.trials.labeler_agreement import labeler_agreement
from hallascope.engine.trials.records import LabeledTrial

commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help=(
        "Images with labels: folders of them (make, page, sheet, read), and plans of what to"
        " label of the images in the store (plan, plans, delete, queue, progress, raters,"
        " export); ratings by T2I-FactualBench's form (ratings)."
    ),
)
commands.command("plan")(label_plans.plan)
commands.command("plans")(label_plans.plans)
commands.command("delete")(label_plans.delete)
commands.command("queue")(label_plans.queue)
commands.command("progress")(label_plans.progress)
commands.command("raters")(label_plans.raters)
commands.command("export")(label_plans.export)
LabelFolderArgument = Annotated[Path, typer.Argument(help="The folder that `label make` wrote.")]
LabelerOption = Annotated[
    str | None, typer.Option(help="Who labels (else the name you are logged in with).")
]
PAGE = "hallascope.pages.labelling"
T = TypeVar("T")
_show_progress = partial(progress, what="pictures")


@commands.command("make")
def make(
    out: Annotated[Path, typer.Argument(help="The folder to write.")],
    models: Annotated[
        str, typer.Option(help="Generators, with commas between them; they take turns.")
    ] = "primer/diffusion-tiny",
    count: Annotated[
        int, typer.Option(min=1, help="How many images, each of another prompt.")
    ] = 200,
    seed: Annotated[
        int, typer.Option(min=0, help="The seed of the first image; the others count up.")
    ] = 0,
) -> int:
    """Draw pictures of Primer's benchmark prompts to be labelled.

    The same command again goes on where it was left.
    """
    names = split_names(models)
    if not names:
        raise BadRequest("No model is named: name at least one with --models.")
    plan = label_task.plan_items(names, count, seed)
    task = _call_checked(
        lambda: label_task.make_label_task(create_services(), out, plan, _show_progress)
    )
    for failure in task.failures:
        say(f"{failure.model} seed {failure.seed}: no image of {failure.prompt!r}")
    questions = sum(len(item.questions) for item in task.items)
    say(f"{len(task.items)} images with {questions} questions: {out}")
    return FAILURES if task.failures else DONE


@commands.command("page")
def page(folder: LabelFolderArgument, labeller: LabelerOption = None) -> int:
    """Open a page in the browser to label the pictures; every label is saved at once."""
    _call_checked(lambda: label_folder.read_items(folder))
    # in a process of its own, as no command imports a page
    command = [sys.executable, "-m", PAGE, str(folder), "--labeller", _name(labeller)]
    return subprocess.run(
        command, env=os.environ | {"GRADIO_ANALYTICS_ENABLED": "False"}, check=False
    ).returncode


@commands.command("sheet")
def sheet(
    folder: LabelFolderArgument,
    out: Annotated[
        Path,
        typer.Argument(help="The image to write, .png or .webp; further sheets get a number."),
    ],
    first: Annotated[
        int | None, typer.Option("--from", min=0, help="The first item, by its number.")
    ] = None,
    last: Annotated[
        int | None, typer.Option("--to", min=0, help="The last item, by its number.")
    ] = None,
) -> int:
    """Draw sheets of twelve pictures with their questions, to label from on paper."""
    from hallascope.engine.sheets.label_sheet import label_sheets

    if out.suffix.lower() not in (".png", ".webp"):
        raise BadRequest(
            f"The sheet cannot be written as {out.name!r}: give a name that ends in .png or .webp."
        )
    items, complaints = _call_checked(lambda: label_folder.read_items(folder))
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
            " and the place."
        ) from error
    return _print_complaints(complaints)


def _is_in_range(item: str, first: int | None, last: int | None) -> bool:
    """Return whether the item's number lies between the two, where they are given."""
    if first is None and last is None:
        return True
    return item.isdecimal() and (first or 0) <= int(item) <= (int(item) if last is None else last)


@commands.command("read")
def read(
    folder: LabelFolderArgument,
    file: Annotated[
        Path,
        typer.Argument(
            help="A text file with lines such as `017: B A E C ?`, ? where it cannot be told."
        ),
    ],
    labeller: LabelerOption = None,
) -> int:
    """Take typed labels into the folder; a line that cannot be read is named and left out.

    Where several people labeled the same images, it says how far they agree.
    """
    items, _ = _call_checked(lambda: label_folder.read_items(folder))
    typed, complaints = _call_checked(lambda: label_folder.read_typed(file, items, _name(labeller)))
    _call_checked(lambda: label_folder.add_labels(folder, typed))
    by_labeler, _ = _call_checked(lambda: label_folder.read_labels(folder, items))
    own = by_labeler.get(_name(labeller), {})
    finished = sum(label.whole for label in own.values())
    say(
        f"{len(typed)} labels read from {file.name}; {finished} of {len(items)} images are labeled"
        f" by {_name(labeller)}"
    )
    second, _ = _call_checked(
        lambda: label_folder.read_labels(folder, items, label_folder.SECOND_LABELS)
    )
    if agreement := labeler_agreement(items, {**second, **by_labeler}):
        say("\n".join(labelled_trial.agreement_lines(agreement)))
    return _print_complaints(complaints)


@commands.command("ratings")
def ratings(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The CSV file to write.")],
) -> int:
    """Write people's ratings by the form of T2I-FactualBench as a table.

    `hallascope agreement` and `hallascope reproduce factualbench 4 --ratings` read it.
    """
    services = create_services()
    number = len(form_ratings(services))
    if not number:
        raise BadRequest(
            "No image is rated by T2I-FactualBench's form yet: rate some on the Labels tab."
        )
    _call_checked(lambda: out.write_text(form_table(services), encoding="utf-8"))
    say(f"{number:,} ratings are in {out}.")
    return DONE


def trial(judge: Judge, folder: Path, labeller: str | None, as_json: bool) -> LabeledTrial:
    """Count on how many labeled questions the judge says what the person says, and print it."""
    outcome = _call_checked(lambda: try_on_labels(judge, folder, labeller, _show_progress))
    if as_json:
        say(printing.document(labelled_trial.document(outcome)))
    else:
        say(labelled_trial.lines(outcome))
    return outcome


def _print_complaints(complaints: Sequence[Complaint]) -> int:
    if complaints:
        say(problem_lines(complaints))
    return FAILURES if complaints else DONE


def _call_checked(call: Callable[[], T]) -> T:
    """Return what the call returns; raise BadRequest where a folder or file cannot be used."""
    with refuse(label_folder.NotALabelFolder, OSError):
        return call()


def _name(labeller: str | None) -> str:
    if labeller:
        return label_folder.clean_labeler_name(labeller)
    try:
        return label_folder.clean_labeler_name(getpass.getuser())
    except (OSError, KeyError, ImportError):  # no such user in the system's list
        return label_folder.NOBODY
