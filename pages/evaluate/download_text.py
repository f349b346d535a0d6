"""Says as HTML what models take, how far a download is, and what a named model can do."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.models import quotes
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
    return quotes.offers([_row(offer) for offer in quote.offers], " ".join(filter(None, sentences)))


def _row(offer: DownloadOffer) -> quotes.DownloadRow:
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
    size = f"{offer.size / GB:.1f} GB" if offer.size else "-"
    memory = f"{spec.memory_gb:g} GB" if spec.memory_gb else "-"
    return quotes.DownloadRow(
        name=spec.id,
        roles=", ".join(spec.roles),
        size=size,
        memory=memory,
        license=offer.licence or "-",
        state=state,
        reason=reason,
    )


def candidate_view(candidate: ModelCandidate) -> str:
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
            ("license", spec.licence or "not stated"),
            ("download size", f"{candidate.size / GB:.1f} GB"),
            ("memory", f"about {spec.memory_gb:g} GB"),
        ]
    return quotes.candidate_card(quotes.CandidateView(spec.title, tuple(facts), candidate.serves))


@dataclass
class DownloadStatus:
    """Turns events into the status line; a line is returned only where its words are new."""

    clock: Callable[[], float] = time.monotonic
    came: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    _first: tuple[float, int] | None = None
    _last_words: str = ""

    def line(self, event: DownloadEvent) -> str | None:
        """Return the new line after an event, None where it would say the same."""
        match event:
            case DownloadProgress():
                words = self._progress(event)
            case ModelDownloaded(model=model):
                self.came.append(model)
                return None
            case ModelDownloadFailed(model=model, failure=failure):
                self.troubles.append(f"{model}: {failure.message}")
                return None
        if words == self._last_words:
            return None
        self._last_words = words
        return words

    def end(self) -> str:
        """Return the sentence at the end: which models came, and what went wrong."""
        there = f"Downloaded: {', '.join(self.came)}." if self.came else "Download failed."
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
