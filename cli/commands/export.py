"""Holds the commands that write runs for others and read them back: export, import, push.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import formats, reader
from hallascope.engine.export.formats import ExportSource, ExportSummary
from hallascope.engine.export.importer import ImportSummary, import_runs
from hallascope.engine.export.readings import export_readings
from hallascope.engine.export.selection.selection import read_selection
from hallascope.engine.services import Services, create_services

RunsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="The run: its id, that of a sweep, several with commas between, or `all`.",
    ),
]
READINGS = "readings"  # in place of a run's id
_WHOLE_RUNS = ("every-eval-ever", "site")  # forms that know no filters
ImagesOption = Annotated[
    bool, typer.Option("--images", help="With the images, in a folder beside.")
]


def export(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help=(
                "The run: its id, that of a sweep, several with commas between, or `all`;"
                " `readings`: what people say that prompts ask for."
            ),
        ),
    ],
    out: Annotated[
        Path,
        typer.Argument(
            help=(
                "The folder to write; or one file, where its name ends in .csv, .jsonl, .parquet,"
                " .tex or, of readings, .yaml."
            )
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            "--format",
            help="The form: csv, jsonl, parquet, latex, fiftyone, every-eval-ever or site.",
        ),
    ] = "",
    images: ImagesOption = False,
    models: Annotated[
        str, typer.Option("--models", help="Only images of these generators, with commas between.")
    ] = "",
    metrics: Annotated[
        str, typer.Option("--metrics", help="Only evaluations by these metrics.")
    ] = "",
    outcomes: Annotated[
        str,
        typer.Option(
            "--outcomes",
            help=(
                "Only questions and findings with these outcomes: found, missed, false-alarm,"
                " right, correct, incorrect, abstained, unreadable, failed."
            ),
        ),
    ] = "",
    cois: Annotated[
        str, typer.Option("--cois", help="Only questions of these types: counting, color, ...")
    ] = "",
    only_images: Annotated[
        str,
        typer.Option(
            "--only-images",
            help="Only these images: names in the run, or SHA-256, with commas between.",
        ),
    ] = "",
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Also into a folder that holds something; files of the same name go."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Write runs for others: tables, lines, LaTeX, FiftyOne, Every Eval Ever, or a static site."""
    selection = read_selection(
        images=only_images,
        models=models,
        metric_names=metrics,
        outcomes=outcomes,
        cois=cois,
    )
    if run == READINGS:
        return _export_readings(out, to, force, as_json)
    if not to:
        forms = ", ".join(formats.FORMATS)
        raise BadRequest(f"The form is missing: give --to with one of {forms}.")
    if to in _WHOLE_RUNS and not selection.is_everything:
        raise BadRequest(f"The form {to} has whole runs: leave the filters out, or give another.")
    source = replace(_source(create_services(), run, images), selection=selection)
    written = formats.export(source, to, out, force)
    if not selection.is_everything and not written.pictures:
        written.notes.append("No image of these runs matches the filters: the files are empty.")
    printing.print_result(
        as_json,
        {"form": to, "out": str(out), **_counts(written)},
        "\n".join([f"{out}: {_words(written)}", *_notes(written)]),
    )
    return FAILURES if written.missing else DONE


def _export_readings(out: Path, to: str, force: bool, as_json: bool) -> int:
    """Write what people say that prompts ask for, and return the exit code."""
    if to:
        raise BadRequest("Readings have one form, YAML: leave --to out.")
    readings = export_readings(create_services().store.readings, out, force)
    authors = sorted({reading.author for reading in readings})
    printing.print_result(
        as_json,
        {"readings": len(readings), "authors": authors, "out": str(out)},
        f"{out}: {count_noun(len(readings), 'reading')} by {', '.join(authors)}",
    )
    return DONE


def import_(
    path: Annotated[
        Path, typer.Argument(help="What `hallascope export --to jsonl` or `--to parquet` wrote.")
    ],
    as_json: JsonOption = False,
) -> int:
    """Take in runs that were exported elsewhere.

    What is here already stays; doing it again changes nothing.
    """
    imported = import_runs(create_services().store, path)
    printing.print_result(
        as_json,
        vars(imported) | {"faults": list(map(str, imported.faults))},
        "\n".join(_import_lines(imported)),
    )
    return FAILURES if imported.faults else DONE


def push(
    run: RunsArgument,
    repository: Annotated[
        str,
        typer.Argument(
            metavar="OWNER/NAME", help="The data set on the Hub; it is made where there is none."
        ),
    ],
    public: Annotated[
        bool, typer.Option("--public", help="Everybody may see it; without, you alone.")
    ] = False,
    images: ImagesOption = False,
    people: Annotated[
        bool,
        typer.Option("--people", help="With what people said of the images, under their names."),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Put runs on the Hub as a data set, private by default."""
    from hallascope.engine.export import hub

    pushed = hub.push(_source(create_services(), run, images, people), repository, public)
    who = "for you alone" if pushed.private else "for everybody"
    written = pushed.summary
    if as_json:
        document = {"url": pushed.url, "private": pushed.private, **_counts(written)}
        say(printing.document(document))
    else:
        say("\n".join([f"{pushed.url} ({who}): {_words(written)}", *_notes(written)]))
    return FAILURES if written.missing else DONE


def _source(services: Services, run: str, images: bool, people: bool = True) -> ExportSource:
    return ExportSource(
        services=services,
        runs=reader.select_runs(services.store, run),
        images=images,
        people=people,
    )


def _counts(written: ExportSummary) -> dict[str, Any]:
    return {**vars(written), "files": len(written.files)}


def _words(written: ExportSummary) -> str:
    counts = {
        "run": written.runs,
        "image": written.pictures,
        "evaluation": written.evaluations,
        "verdict": written.verdicts,
    }
    parts = [count_noun(number, what) for what, number in counts.items()]
    if written.ratings:
        parts.append(count_noun(written.ratings, "rating", "by people"))
    if written.images:
        parts.append(count_noun(written.images, "file", "of images"))
    return ", ".join(parts)


def _notes(written: ExportSummary) -> Sequence[str]:
    missing = len(written.missing)
    if not missing:
        return written.notes
    verb = "is" if missing == 1 else "are"
    note = (
        f"{count_noun(missing, 'image')} {verb} no longer in the store, or changed, and left out."
    )
    return [note, *written.notes]


def _import_lines(imported: ImportSummary) -> Sequence[str]:
    counts = {
        "run": imported.runs,
        "image": imported.pictures,
        "evaluation": imported.evaluations,
    }
    new = ", ".join(count_noun(number, what) for what, number in counts.items())
    there = "nothing was here already"
    if imported.there:
        there = f"{count_noun(imported.there, 'record')} of it were here already"
    lines = [f"{new} came in; {there}."]
    if imported.ratings:
        lines.append(f"{count_noun(imported.ratings, 'rating', 'by people')} came with them.")
    if imported.images:
        lines.append(f"{count_noun(imported.images, 'file')} of images came with them.")
    if imported.missing:
        lines.append(
            f"{count_noun(imported.missing, 'image')} did not come along: put them into a folder"
            " `images` beside, and import again."
        )
    return [*lines, *map(str, imported.faults)]


def count_noun(number: int, noun: str, more: str = "") -> str:
    """Return a number with its noun: "1 run", "2,000 files of pictures"."""
    words = [f"{number:,}", noun if number == 1 else f"{noun}s", more]
    return " ".join(filter(None, words))
