"""Holds the commands about models: list them, get them, write the table of them."""

import sys
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import typer

from hallascope.backends import memory
from hallascope.cli.options import JsonOption, YesOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, WRONG, Progress, rewrite, say
from hallascope.data.models.specs import GB, read_models
from hallascope.data.models.table import MARKS, insert_table, table
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.quotes import (
    DownloadEvent,
    DownloadOffer,
    DownloadProgress,
    DownloadQuote,
    ModelDownloaded,
    ModelDownloadFailed,
)
from hallascope.engine.services import create_services


def list_models(
    *,
    format: Literal["text", "markdown"] = "text",
    out: Path | None = None,
    as_json: JsonOption = False,
) -> int:
    """List every model: its roles, and whether it can run here.

    Args:
        format: markdown comes with memory, size and license.
        out: A Markdown file with two comments, between which the table is written.
    """
    if out or (format == "markdown" and not as_json):
        rows = table(read_models())
        if out is None:
            say(rows)
            return DONE
        rewrite(
            out,
            lambda text: insert_table(text, rows),
            "table",
            f"put the lines {MARKS[0]} and {MARKS[1]} there",
        )
        printing.print_result(as_json, {"file": out}, f"{out}: the table of models is written")
        return DONE
    available = create_services().registry.models()
    printing.print_result(
        as_json,
        {"models": [model.document for model in available]},
        printing.table(
            {
                "model": model.spec.id,
                "roles": model.spec.roles,
                "backend": model.spec.backend,
                "kind": model.spec.kind,
                "can run": "yes" if model.reason is None else f"no: {model.reason}",
            }
            for model in available
        ),
        next_step="hallascope models get laptop",
    )
    return DONE


def get(
    names: list[str] | None = None, *, yes: YesOption = False, as_json: JsonOption = False
) -> int:
    """Fetch models from the Hub; size, license and memory are shown first.

    It asks first and checks every file. Run the same command again to continue after an
    interruption. With --json and without --yes nothing is fetched.

    Args:
        names: Packs (laptop, big, paper) or names of models.
    """
    services = create_services()
    quote = services.downloads.quote(names or ())
    if not as_json:
        say("\n".join(_quote_lines(quote)))
    if as_json and not yes:
        say(printing.document(quote_json(quote)))
        return DONE
    if not yes and quote.has_downloads and not _confirm_download(quote):
        return WRONG
    refused = {offer.spec.id for offer in quote.offers if offer.failure}
    events = list(_watch_downloads(services.downloads.download(quote), refused, quiet=as_json))
    missed = [event for event in events if isinstance(event, ModelDownloadFailed)]
    if as_json:
        say(printing.document(quote_json(quote) | outcome_json(events)))
    return FAILURES if missed else DONE


def _quote_lines(quote: DownloadQuote) -> Iterator[str]:
    """Yield what a download takes, as a table and two sentences."""
    yield printing.table(
        {
            "model": offer.spec.id,
            "roles": offer.spec.roles,
            "size": _gb(offer.size),
            "to fetch": _bytes_left(offer),
            "memory": f"{offer.spec.memory_gb:g} GB" if offer.spec.memory_gb else None,
            "license": offer.license,
        }
        for offer in quote.offers
    )
    reasons = defaultdict(list)
    for offer in quote.offers:
        if offer.failure:
            reasons[offer.failure.message].append(offer.spec.id)
    yield from (f"\n{', '.join(models)}: {reason}" for reason, models in reasons.items())
    fetched = all(offer.downloaded for offer in quote.offers)
    nothing = "Nothing is left to fetch" if fetched else "Nothing can be fetched now"
    what = f"{_gb(quote.bytes_left)} to fetch" if quote.bytes_left else nothing
    yield f"\n{what} into {quote.folder}, where {quote.free / GB:.0f} GB are free."
    if quote.memory_gb:
        yield (
            f"They need up to {quote.memory_gb:g} GB of memory, one at a time; this machine has"
            f" {memory.host_total() / GB:.0f} GB."
        )
    if quote.disk_shortage:
        yield quote.disk_shortage


def quote_json(quote: DownloadQuote) -> dict[str, Any]:
    return {
        "models": [
            {
                "id": offer.spec.id,
                "title": offer.spec.title,
                "roles": offer.spec.roles,
                "repository": offer.spec.repository,
                "license": offer.license,
                "size": offer.size,
                "bytes_left": offer.bytes_left,
                "memory_gb": offer.spec.memory_gb,
                "downloaded": offer.downloaded,
                "reason": offer.failure.message if offer.failure else None,
            }
            for offer in quote.offers
        ],
        "bytes_left": quote.bytes_left,
        "free": quote.free,
        "folder": quote.folder,
        "memory_gb": quote.memory_gb,
        "disk_shortage": quote.disk_shortage,
    }


def outcome_json(events: Iterable[DownloadEvent]) -> dict[str, Any]:
    outcomes = list(events)
    return {
        "fetched": [event.model for event in outcomes if isinstance(event, ModelDownloaded)],
        "failures": [
            {"model": event.model, "kind": event.failure.kind, "message": event.failure.message}
            for event in outcomes
            if isinstance(event, ModelDownloadFailed)
        ],
    }


def _confirm_download(quote: DownloadQuote) -> bool:
    if not sys.stdin.isatty():
        raise BadRequest(
            "Nothing was downloaded: this terminal cannot ask; add --yes to agree to the licenses"
            " and sizes above."
        )
    missing = [offer for offer in quote.offers if not offer.downloaded and not offer.failure]
    licenses = ", ".join(dict.fromkeys(offer.license for offer in missing if offer.license))
    return typer.confirm(f"Fetch {_gb(quote.bytes_left)} under their licenses ({licenses})?")


def _watch_downloads(
    events: Iterable[DownloadEvent], refused: Container[str], quiet: bool
) -> Iterator[DownloadEvent]:
    """Yield the events that are an outcome.

    Each gets a line but for models that were refused before, and progress is shown on standard
    error where that is a terminal.
    """
    progress: dict[str, Progress] = {}
    for event in events:
        match event:
            case DownloadProgress(model=model):
                show = progress.setdefault(model, Progress(f"MB of {model}"))
                show(event.done // 10**6, event.total // 10**6)
                continue
            case ModelDownloaded(model=model):
                line = f"{model}: fetched; every file is verified"
            case ModelDownloadFailed(model=model, failure=failure):
                line = f"{model}: not fetched. {failure.message}"
        if not quiet and event.model not in refused:
            say(line)
        yield event


def _bytes_left(offer: DownloadOffer) -> str:
    if offer.downloaded:
        return "there"
    return "-" if offer.failure else _gb(offer.bytes_left)


def _gb(size: int) -> str:
    if size >= GB / 10:
        return f"{size / GB:.1f} GB"
    return f"{size / 1e6:.1f} MB" if size else "0 GB"
