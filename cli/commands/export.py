"""Holds the commands that write runs for others and read them back: export, import."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.options import ForceOption, JsonOption, MetricOption, ModelOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, write_file
from hallascope.data.nouns import count_noun
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import formats, hub, records
from hallascope.engine.export.formats import ExportSource, ExportSummary, read_selection
from hallascope.engine.export.importer import ImportSummary, import_runs
from hallascope.engine.export.methods import describe_methods
from hallascope.engine.export.readings import export_readings
from hallascope.engine.services import create_services

READINGS = "readings"  # in place of a run's id
# formats that know no filters
_WHOLE_RUNS = ("junit", "markdown", "every-eval-ever", "site", "hub", "methods")


def export(
    run: str,
    out: str = "",
    *,
    to: Annotated[str, typer.Option("--to", "--format", metavar="FORMAT")] = "",
    images: bool = False,
    model: ModelOption = "",
    metric: MetricOption = "",
    outcome: str = "",
    coi: str = "",
    image: str = "",
    force: ForceOption = False,
    public: bool = False,
    people: bool = False,
    as_json: JsonOption = False,
) -> int:
    """Write runs for others: tables, LaTeX, FiftyOne, a static site, the Hub, a methods paragraph.

    Args:
        run: Ids of runs or sweeps, separated by commas; `all`; or `readings`: corrections of
            prompts.
        out: The folder to write; a file (.csv, .jsonl, .parquet, .tex, .xml, .md, of readings
            .yaml); or OWNER/NAME of the Hub. A methods paragraph is printed without it.
        to: The format: csv, jsonl, parquet, latex, junit, markdown, fiftyone, every-eval-ever,
            site, hub or methods.
        images: Also write the images, into a folder beside.
        model: Only images of these generators, separated by commas.
        metric: Only evaluations by these metrics, separated by commas.
        outcome: Only questions and findings with these outcomes: found, missed, false-alarm, right,
            correct, incorrect, abstained, unreadable, failed.
        coi: Only questions of these types: counting, color, ...
        image: Only these images: names in the run, or SHA-256, separated by commas.
        public: Everybody may see the data set on the Hub; default: only you.
        people: Also send what people said of the images to the Hub, with their names.
    """
    selection = read_selection(
        images=image, models=model, metric_names=metric, outcomes=outcome, cois=coi
    )
    if to in _WHOLE_RUNS and not selection.is_everything:
        raise BadRequest(f"The format {to} has whole runs: leave the filters out, or give another.")
    if to == "methods":
        return _write_methods(run, out, as_json)
    if not out:
        raise BadRequest("Name what to write: a folder, a file, or OWNER/NAME of the Hub.")
    if run == READINGS:
        return _export_readings(Path(out), to, force, as_json)
    if not to:
        known = ", ".join((*formats.FORMATS, "hub", "methods"))
        raise BadRequest(f"The format is missing: give --to with one of {known}.")
    services = create_services()
    source = ExportSource(
        services=services,
        runs=records.select_runs(services.store, run),
        images=images,
        people=people or to != "hub",
    )
    if to == "hub":
        return _push(source, out, public, as_json)
    written = formats.export(replace(source, selection=selection), to, Path(out), force)
    if not selection.is_everything and not written.pictures:
        written.notes.append("No image of these runs matches the filters: the files are empty.")
    record = {"form": to, "out": out, **_counts(written)}
    printing.print_result(as_json, record, [f"{out}: {_words(written)}", *_notes(written)])
    return FAILURES if written.missing else DONE


def _write_methods(run: str, out: str, as_json: bool) -> int:
    """Print a methods paragraph that is true of the runs, and the BibTeX of what it cites."""

    services = create_services()
    runs = records.select_runs(services.store, run)
    text = describe_methods(ExportSource(services=services, runs=runs))
    if out:
        write_file(Path(out), text.bibtex if out.endswith(".bib") else f"{text.paragraph}\n")
    printing.print_result(
        as_json,
        {"paragraph": text.paragraph, "bibtex": text.entries},
        f"The text is in {out}." if out else f"{text.paragraph}\n\n{text.bibtex}",
    )
    return DONE


def _export_readings(out: Path, to: str, force: bool, as_json: bool) -> int:
    """Write what people say that prompts ask for, and return the exit code."""
    if to:
        raise BadRequest("Readings have one format, YAML: leave --to out.")
    readings = export_readings(create_services().store.readings, out, force)
    authors = sorted({reading.author for reading in readings})
    printing.print_result(
        as_json,
        {"readings": len(readings), "authors": authors, "out": str(out)},
        f"{out}: {count_noun(len(readings), 'reading')} by {', '.join(authors)}",
    )
    return DONE


def _push(source: ExportSource, repository: str, public: bool, as_json: bool) -> int:
    """Put runs on the Hub as a data set."""

    pushed = hub.push(source, repository, public)
    who = "for you alone" if pushed.private else "for everybody"
    written = pushed.summary
    printing.print_result(
        as_json,
        {"url": pushed.url, "private": pushed.private, **_counts(written)},
        [f"{pushed.url} ({who}): {_words(written)}", *_notes(written)],
    )
    return FAILURES if written.missing else DONE


def import_(path: Path, *, store: str | None = None, as_json: JsonOption = False) -> int:
    """Take in runs that were exported elsewhere.

    What is stored already stays; doing it again changes nothing.

    Args:
        path: What `hallascope export --to jsonl` or `parquet` wrote.
        store: The database by URL, SQLite or PostgreSQL.
    """
    imported = import_runs(create_services(store).store, path)
    record = vars(imported) | {"faults": list(map(str, imported.faults))}
    printing.print_result(
        as_json, record, _import_lines(imported), next_step="hallascope leaderboard"
    )
    return FAILURES if imported.faults else DONE


def _counts(written: ExportSummary) -> dict[str, Any]:
    return {**vars(written), "files": len(written.files)}


def _words(written: ExportSummary) -> str:
    parts = [
        count_noun(written.runs, "run"),
        count_noun(written.pictures, "image"),
        count_noun(written.evaluations, "evaluation"),
        count_noun(written.verdicts, "verdict"),
    ]
    if written.ratings:
        parts.append(f"{count_noun(written.ratings, 'rating')} by people")
    if written.images:
        parts.append(f"{count_noun(written.images, 'file')} of images")
    return ", ".join(parts)


def _notes(written: ExportSummary) -> Iterator[str]:
    if missing := len(written.missing):
        verb = "is" if missing == 1 else "are"
        yield (
            f"{count_noun(missing, 'image')} {verb} no longer in the store, or changed, and left"
            " out."
        )
    yield from written.notes


def _import_lines(imported: ImportSummary) -> Iterator[str]:
    there = "none was stored before"
    if imported.there:
        there = f"{count_noun(imported.there, 'record')} stored before"
    yield (
        f"{count_noun(imported.runs, 'run')}, {count_noun(imported.pictures, 'image')},"
        f" {count_noun(imported.evaluations, 'evaluation')} imported; {there}."
    )
    if imported.ratings:
        yield f"{count_noun(imported.ratings, 'rating')} by people imported."
    if imported.images:
        yield f"{count_noun(imported.images, 'file')} of images imported."
    if imported.missing:
        yield (
            f"{count_noun(imported.missing, 'image')} missing: put them into a folder `images`"
            " beside, and import again."
        )
    yield from map(str, imported.faults)
