"""Holds the commands about models: list them, get them, add one, write the table of them.

Exit codes as in `hallascope.cli.main`.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.backends import memory
from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, WRONG, JsonOption, rewrite, say
from hallascope.data.models.specs import read_models
from hallascope.data.models.table import MARKS, insert_table, table
from hallascope.engine.documents.models import model_document
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.quotes import (
    GB,
    DownloadEvent,
    DownloadOffer,
    DownloadProgress,
    DownloadQuote,
    ModelDownloaded,
    ModelDownloadFailed,
)
from hallascope.engine.services import create_services

commands = typer.Typer(
    invoke_without_command=True,
    rich_markup_mode=None,
    help="Every model and whether it can run here; get models, or write their table.",
)

OFFER_COLUMNS = (
    TextColumn("model", lambda o: o.spec.id),
    TextColumn("roles", lambda o: ", ".join(o.spec.roles)),
    TextColumn("size", lambda o: _gb(o.size)),
    TextColumn("to fetch", lambda o: _bytes_left(o)),
    TextColumn("memory", lambda o: f"{o.spec.memory_gb:g} GB" if o.spec.memory_gb else "-"),
    TextColumn("licence", lambda o: o.licence or "-"),
    TextColumn("", lambda o: o.failure.message if o.failure else ""),
)


@commands.callback()
def models(context: typer.Context, as_json: JsonOption = False) -> int:
    """List every model: its roles, whether it can run here, or the reason why not."""
    if context.invoked_subcommand:
        return DONE
    available = create_services().models()
    printing.print_result(
        as_json,
        {"models": [model_document(model) for model in available]},
        printing.table(printing.MODEL_COLUMNS, available),
    )
    return DONE


@commands.command("get")
def get(
    names: Annotated[
        list[str] | None, typer.Argument(help="Packs (laptop, big, paper) or models by name.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether to fetch them.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Fetch models from the Hub after a look at size, license and memory.

    It asks first, goes on where it was left, and checks every file.

    With --json and without --yes it says what it takes, and fetches nothing.
    """
    services = create_services()
    quote = services.downloads.quote(names or ())
    if not as_json:
        say(describe_quote(quote))
    if as_json and not yes:
        say(printing.document(quote_json(quote)))
        return DONE
    if not yes and quote.has_downloads and not _confirm_download(quote):
        return WRONG
    events = list(_watch_downloads(services.downloads.download(quote), quiet=as_json))
    missed = [event for event in events if isinstance(event, ModelDownloadFailed)]
    if as_json:
        say(printing.document(quote_json(quote) | outcome_json(events)))
    return FAILURES if missed else DONE


@commands.command("table")
def write_table(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A Markdown file in which it stands between two comments; without it: printed."
        ),
    ] = None,
) -> int:
    """Write every model by role with memory, size and license, as Markdown."""
    rows = table(read_models())
    if file is None:
        say(rows)
        return DONE
    rewrite(
        file,
        lambda text: insert_table(text, rows),
        "table",
        f"put the lines {MARKS[0]} and {MARKS[1]} there",
    )
    say(f"{file}: the table of models is written")
    return DONE


def describe_quote(quote: DownloadQuote) -> str:
    """Return what a download takes, as a table and two sentences."""
    lines = [printing.table(OFFER_COLUMNS, quote.offers), ""]
    at = f"into {quote.folder}, where {quote.free / GB:.0f} GB are free"
    if quote.bytes_left:
        lines.append(f"{_gb(quote.bytes_left)} to fetch {at}.")
    elif all(offer.downloaded for offer in quote.offers):
        lines.append(f"Nothing is left to fetch {at}.")
    else:
        lines.append(f"Nothing can be fetched now {at}.")
    if quote.memory_gb:
        lines.append(
            f"One at a time they take up to {quote.memory_gb:g} GB of memory; this machine has"
            f" {memory.host_total() / memory.GB:.0f} GB."
        )
    return "\n".join([*lines, *filter(None, [quote.disk_shortage])])


def quote_json(quote: DownloadQuote) -> dict[str, Any]:
    return {
        "models": [
            {
                "id": offer.spec.id,
                "title": offer.spec.title,
                "roles": list(offer.spec.roles),
                "repository": offer.spec.repository,
                "licence": offer.licence,
                "size": offer.size,
                "left": offer.bytes_left,
                "memory_gb": offer.spec.memory_gb,
                "there": offer.downloaded,
                "reason": offer.failure.message if offer.failure else None,
            }
            for offer in quote.offers
        ],
        "left": quote.bytes_left,
        "free": quote.free,
        "folder": str(quote.folder),
        "memory_gb": quote.memory_gb,
        "lacking": quote.disk_shortage,
    }


def outcome_json(events: Iterable[DownloadEvent]) -> dict[str, Any]:
    outcomes = list(events)
    failed = [event for event in outcomes if isinstance(event, ModelDownloadFailed)]
    return {
        "got": [event.model for event in outcomes if isinstance(event, ModelDownloaded)],
        "failures": [
            {"model": e.model, "kind": e.failure.kind, "message": e.failure.message} for e in failed
        ],
    }


def _confirm_download(quote: DownloadQuote) -> bool:
    if not sys.stdin.isatty():
        raise BadRequest(
            "Nothing was downloaded, as the terminal cannot ask: add --yes to agree to the"
            " licenses and the sizes above."
        )
    missing = [offer for offer in quote.offers if not offer.downloaded and not offer.failure]
    licenses = ", ".join(dict.fromkeys(offer.licence for offer in missing if offer.licence))
    return typer.confirm(f"Fetch {_gb(quote.bytes_left)} under their licenses ({licenses})?")


def _watch_downloads(events: Iterable[DownloadEvent], quiet: bool) -> Iterable[DownloadEvent]:
    """Yield the events that are an outcome.

    Each gets a line, and progress is shown on standard error where that is a terminal.
    """
    for event in events:
        match event:
            case DownloadProgress():
                _progress(event)
                continue
            case ModelDownloaded(model=model):
                line = f"{model}: there, every file is what the Hub promised"
            case ModelDownloadFailed(model=model, failure=failure):
                line = f"{model}: not fetched. {failure.message}"
        if not quiet:
            say(line)
        yield event


def _progress(event: DownloadProgress) -> None:
    if sys.stderr.isatty():
        line = (
            f"\r\033[K{event.model}: {_gb(event.done)} of {_gb(event.total)},"
            f" {100 * event.done // max(event.total, 1)} % ({event.repository})"
        )
        print(line, end="\n" if event.done >= event.total else "", file=sys.stderr, flush=True)


def _bytes_left(offer: DownloadOffer) -> str:
    if offer.downloaded:
        return "there"
    return "-" if offer.failure else _gb(offer.bytes_left)


def _gb(size: int) -> str:
    if size >= GB / 10:
        return f"{size / GB:.1f} GB"
    if size:
        return f"{size / 1e6:.1f} MB"
    return "0 GB"
