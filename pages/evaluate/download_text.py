"""Says as HTML what models take, how far a download is, and what a named model can do."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.markup import html_table, soft_line, table_row, tag
from hallascope.data.models.specs import GB
from hallascope.engine.models.custom import ModelCandidate
from hallascope.engine.models.quotes import (
    DownloadEvent,
    DownloadOffer,
    DownloadProgress,
    DownloadQuote,
    ModelDownloaded,
    ModelDownloadFailed,
)

CONSENT = (
    "By downloading you agree to their licenses. An interrupted download resumes; every file is"
    " checked."
)
_HEADS = ("Model", "Roles", "Size", "Memory", "License", "")
LEAST_SECONDS = 2.0  # of fetching, before it is said how long it may take


def quote_table(quote: DownloadQuote) -> Markup:
    """Return what the models take, as a table with a sentence."""
    sentences = [quote.about]
    if quote.has_downloads:
        need = (
            f"Download size: about {quote.bytes_left / GB:.1f} GB; free disk space:"
            f" {quote.free / GB:.0f} GB"
        )
        if quote.memory_gb:
            need += f"; memory for one model at a time: up to {quote.memory_gb:g} GB"
        sentences += [f"{need}.", quote.disk_shortage or "", CONSENT]
    elif all(offer.downloaded for offer in quote.offers):
        sentences.append("All models are downloaded.")
    else:
        sentences.append("None of these models can be downloaded now.")
    table = html_table(
        (name or tag("td") for name in _HEADS), map(_row, quote.offers), class_="offers"
    )
    words = soft_line(" ".join(filter(None, sentences)))
    return tag("div", table, class_="offers-frame") + words


def _row(offer: DownloadOffer) -> Markup:
    spec = offer.spec
    reason = offer.failure.message if offer.failure else ""
    if offer.downloaded:
        state = "downloaded"
    elif reason:
        state = "not available now"
    elif spec.gated:
        state = "gated"
    else:
        state = "not downloaded"
    values = (
        ", ".join(spec.roles),
        f"{offer.size / GB:.1f} GB" if offer.size else "-",
        f"{spec.memory_gb:g} GB" if spec.memory_gb else "-",
        offer.license or "-",
    )
    cells = (
        tag("td", value, data_label=label) for label, value in zip(_HEADS[1:], values, strict=False)
    )
    because = tag("p", reason, class_="reason") if reason else ""
    return table_row(spec.id, *cells, tag("td", state, because, class_="state"))


def candidate_view(candidate: ModelCandidate) -> Markup:
    """Return what a named model would be able to do."""
    spec = candidate.spec
    facts = [
        ("roles", ", ".join(spec.roles)),
        ("name", f"{spec.id[:-1]}NAME" if spec.family else spec.id),
        ("backend", spec.backend),
    ]
    if spec.base_url:
        facts += [
            ("address", spec.base_url),
            ("price", "free" if spec.price else "not known"),
            *([("key", spec.key)] if spec.key else []),
        ]
    else:
        facts += [
            ("license", spec.license or "not stated"),
            ("download size", f"{candidate.size / GB:.1f} GB"),
            ("memory", f"about {spec.memory_gb:g} GB"),
        ]
    listed = (tag("div", tag("dt", name), tag("dd", value)) for name, value in facts)
    serves = Markup()
    if candidate.serves:
        serves = soft_line("It names these models:") + tag(
            "ul", *(tag("li", name) for name in candidate.serves), class_="serves"
        )
    return tag("div", tag("h4", spec.title), tag("dl", *listed), serves, class_="found-model")


@dataclass
class DownloadStatus:
    """Turns events into the status line; a line is returned only where its words are new.

    `downloaded`: the models that were there before.
    """

    clock: Callable[[], float] = time.monotonic
    downloaded: Collection[str] = ()
    came: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    _first: tuple[float, int] | None = None
    _last_words: str = ""
    _without: str = "Nothing to download."

    def line(self, event: DownloadEvent) -> str | None:
        """Return the new line after an event, None where it would say the same."""
        match event:
            case DownloadProgress():
                words = self._progress(event)
            case ModelDownloaded(model=model):
                if model not in self.downloaded:
                    self.came.append(model)
                return None
            case ModelDownloadFailed(model=model, failure=failure):
                self.troubles.append(f"{model}: {failure.message}")
                self._without = "Stopped." if failure.kind == "stopped" else "Download failed."
                return None
        if words == self._last_words:
            return None
        self._last_words = words
        return words

    def end(self) -> str:
        """Return the sentence at the end: which models came, and what went wrong."""
        there = f"Downloaded: {', '.join(self.came)}." if self.came else self._without
        return status.result_message(there, self.troubles)

    def _progress(self, event: DownloadProgress) -> str:
        now = self.clock()
        start, first = self._first = self._first or (now, event.done)
        seconds = now - start
        fetched = event.done - first
        estimate = ""
        if fetched > 0 and seconds >= LEAST_SECONDS:
            left = (event.total - event.done) * seconds / fetched
            estimate = f"about {left / 60:.0f} min left" if left >= 90 else "about a minute left"
        words = f"{event.model}: {event.done / GB:.2f} of {event.total / GB:.2f} GB in all"
        return status.progress(event.done // 10**7, max(event.total // 10**7, 1), words, estimate)
