"""What models take, how far a download is, and what a named model can do, in words."""

from pathlib import Path

from hallascope.data.models.specs import read_models
from hallascope.data.requests import Failure
from hallascope.engine.models.custom import ModelCandidate
from hallascope.engine.models.quotes import (
    DownloadOffer,
    DownloadProgress,
    DownloadQuote,
    ModelDownloaded,
    ModelDownloadFailed,
)
from hallascope.pages.explore import download_text
from hallascope.pages.explore.download_text import DownloadStatus


def _quote(*offered: DownloadOffer, free: int = 10**12) -> DownloadQuote:
    return DownloadQuote(
        title="Laptop",
        offers=offered,
        folder=Path("/cache"),
        free=free,
        about="One a role.",
        memory_gb=4,
    )


def test_a_quote_is_a_table_with_sizes_memory_licences_and_the_question_of_consent() -> None:
    models = read_models()
    turbo = DownloadOffer(
        spec=models["sd-turbo"],
        size=2_600_000_000,
        bytes_left=2_600_000_000,
        licence="Stability <AI>",
    )
    gone = DownloadOffer(
        spec=models["owlv2-base"],
        size=0,
        bytes_left=0,
        licence="Apache-2.0",
        failure=Failure("unavailable", "The Hub cannot be reached: connect."),
    )
    said = download_text.quote_table(
        _quote(
            turbo,
            gone,
            DownloadOffer(
                spec=models["clip-vit-base"],
                size=10**9,
                bytes_left=0,
                licence="MIT",
                downloaded=True,
            ),
        )
    )
    assert "Stability &lt;AI&gt;" in said
    assert "2.6 GB" in said
    assert "to fetch" in said
    assert "The Hub cannot be reached: connect." in said
    assert "there" in said
    assert "agree to their licenses" in said
    assert "4 GB of memory" in said
    nothing = download_text.quote_table(
        _quote(
            DownloadOffer(
                spec=models["clip-vit-base"],
                size=10**9,
                bytes_left=0,
                licence="MIT",
                downloaded=True,
            )
        )
    )
    assert "All of it is there." in nothing
    assert "agree" not in nothing


def test_a_disk_without_room_is_told_before_anything_begins() -> None:
    said = download_text.quote_table(
        _quote(
            DownloadOffer(
                spec=read_models()["sd-turbo"], size=10**10, bytes_left=10**10, licence="x"
            ),
            free=10**9,
        )
    )
    assert "make room there" in said


def test_progress_is_told_once_with_the_time_it_may_take_and_what_came_at_the_end() -> None:
    now = [0.0]
    watch = DownloadStatus(lambda: now[0])
    assert "0.00 of 3.00 GB" in (watch.line(DownloadProgress("a", "f", 0, 3 * 10**9)) or "")
    assert watch.line(DownloadProgress("a", "f", 1, 3 * 10**9)) is None
    now[0] = 100.0
    assert "about 3 min left" in (watch.line(DownloadProgress("a", "f", 10**9, 3 * 10**9)) or "")
    watch.line(ModelDownloaded("a"))
    watch.line(ModelDownloadFailed("b", Failure("denied", "'x/b' is <gated>: agree to its terms.")))
    assert "1 models are there: a." in watch.end()
    assert "&lt;gated&gt;" in watch.end()


def test_a_named_model_is_described_with_what_it_would_be_and_escaped() -> None:
    spec = read_models()["sd-turbo"]
    said = download_text.candidate_view(ModelCandidate(spec, 2_600_000_000))
    assert "generator" in said
    assert "2.6 GB" in said
    service = download_text.candidate_view(
        ModelCandidate(read_models()["ollama/*"], serves=("<b>llava</b>",))
    )
    assert "&lt;b&gt;llava&lt;/b&gt;" in service
    assert "ollama/NAME" in service
    assert "free" in service


def test_nothing_that_came_is_said_too() -> None:
    watch = DownloadStatus(lambda: 0.0)
    assert watch.line(ModelDownloadFailed("b", Failure("denied", "Not today."))) is None
    assert "Download failed." in watch.end()
    assert "b: Not today." in watch.end()


def test_the_time_left_is_not_guessed_before_some_seconds_have_passed() -> None:
    now = [0.0]
    watch = DownloadStatus(lambda: now[0])
    watch.line(DownloadProgress("a", "f", 0, 3 * 10**9))
    now[0] = 1.0
    assert "left" not in (watch.line(DownloadProgress("a", "f", 10**9, 3 * 10**9)) or "")
    now[0] = 4.0
    assert "about a minute left" in (
        watch.line(DownloadProgress("a", "f", 2 * 10**9, 3 * 10**9)) or ""
    )
