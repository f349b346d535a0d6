"""The commands by which runs leave and come back: export, import, push.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.engine.export import formats, reader
from hallascope.engine.export.formats import ExportSource, ExportSummary
from hallascope.engine.export.importer import ImportSummary, bring
from hallascope.engine.services import Services, create_services

RunsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="The run: its id, that of a sweep, several with commas between, or `all`.",
    ),
]
ImagesOption = Annotated[
    bool, typer.Option("--images", help="With the pictures, in a folder beside.")
]


def export(
    run: RunsArgument,
    out: Annotated[
        Path,
        typer.Argument(
            help=(
                "The folder to write; or one file, where its name ends in .csv, .jsonl or .parquet."
            )
        ),
    ],
    to: Annotated[
        str, typer.Option("--to", help="The form: csv, jsonl, parquet, every-eval-ever or site.")
    ],
    images: ImagesOption = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Also into a folder that holds something; files of the same name go."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Write runs for others: tables, lines, Every Eval Ever, or a site that needs no server."""
    written = formats.export(_source(create_services(), run, images), to, out, force)
    said = {"form": to, "out": str(out), **_counts(written)}
    say(
        printing.document(said)
        if as_json
        else "\n".join([f"{out}: {_words(written)}", *_notes(written)])
    )
    return FAILURES if written.missing else DONE


def import_(
    path: Annotated[
        Path, typer.Argument(help="What `hallascope export --to jsonl` or `--to parquet` wrote.")
    ],
    as_json: JsonOption = False,
) -> int:
    """Take in runs that were exported elsewhere.

    What is here already stays; doing it again changes nothing.
    """
    found = bring(create_services().store, path)
    say(
        printing.document(vars(found) | {"faults": list(map(str, found.faults))})
        if as_json
        else "\n".join(_import_lines(found))
    )
    return FAILURES if found.faults else DONE


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
        typer.Option("--people", help="With what people said of the pictures, under their names."),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Put runs on the Hub as a data set, private by default."""
    from hallascope.engine.export import hub

    pushed = hub.push(_source(create_services(), run, images, people), repository, public)
    who = "for you alone" if pushed.private else "for everybody"
    said = {"url": pushed.url, "private": pushed.private, **_counts(pushed.written)}
    say(
        printing.document(said)
        if as_json
        else "\n".join([f"{pushed.url} ({who}): {_words(pushed.written)}", *_notes(pushed.written)])
    )
    return FAILURES if pushed.written.missing else DONE


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
        "picture": written.pictures,
        "evaluation": written.evaluations,
        "verdict": written.verdicts,
    }
    said = [
        *(many(number, what) for what, number in counts.items()),
        *([many(written.ratings, "rating", "by people")] * bool(written.ratings)),
        *([many(written.images, "file", "of pictures")] * bool(written.images)),
    ]
    return ", ".join(said)


def _notes(written: ExportSummary) -> Sequence[str]:
    gone = len(written.missing)
    if gone:
        missing = [
            f"{many(gone, 'picture')} {'is' if gone == 1 else 'are'} no longer in the store, or"
            " changed, and left out."
        ]
    else:
        missing = []
    return [*missing, *written.notes]


def _import_lines(found: ImportSummary) -> Sequence[str]:
    counts = {"run": found.runs, "picture": found.pictures, "evaluation": found.evaluations}
    came = ", ".join(many(number, what) for what, number in counts.items())
    people = (
        [f"{many(found.ratings, 'rating', 'by people')} came with them."] if found.ratings else []
    )
    files = [f"{many(found.images, 'file')} of pictures came with them."] if found.images else []
    missing = (
        f"{many(found.missing, 'picture')} did not come along: put them into a folder `images`"
        " beside, and import again."
    )
    there = (
        f"{many(found.there, 'record')} of it were here already"
        if found.there
        else "nothing was here already"
    )
    return [
        f"{came} came in; {there}.",
        *people,
        *files,
        *([missing] if found.missing else []),
        *map(str, found.faults),
    ]


def many(number: int, what: str, more: str = "") -> str:
    """A number with its noun: "1 run", "2,000 files of pictures"."""
    return " ".join(filter(None, (f"{number:,}", what if number == 1 else f"{what}s", more)))
