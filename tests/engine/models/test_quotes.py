"""Tests what a quote says of the room on the disk."""

from pathlib import Path

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure
from hallascope.engine.models.quotes import SPARE, DownloadOffer, DownloadQuote

GB = 10**9
SPEC = ModelSpec(id="hub/model", title="Model", roles=("judge",), backend="scripted")


def quote(*offers: DownloadOffer, free: int = 100 * GB) -> DownloadQuote:
    return DownloadQuote(title="Pack", offers=offers, folder=Path("models"), free=free)


def test_a_disk_with_room_is_not_spoken_of() -> None:
    offer = DownloadOffer(spec=SPEC, size=4 * GB, bytes_left=3 * GB)
    assert quote(offer, free=int(3 * GB + SPARE)).disk_shortage is None
    assert quote(DownloadOffer(spec=SPEC, downloaded=True), free=0).disk_shortage is None


def test_a_disk_without_room_says_how_much_is_missing_and_what_to_do() -> None:
    offer = DownloadOffer(spec=SPEC, size=4 * GB, bytes_left=3 * GB)
    shortage = quote(offer, offer, free=2 * GB).disk_shortage
    assert shortage == (
        "6.0 GB are to be fetched and models has 2.0 GB free: make room there, or set HF_HUB_CACHE"
        " to another disk."
    )


def test_what_is_there_or_cannot_be_had_is_no_download() -> None:
    there = DownloadOffer(spec=SPEC, downloaded=True)
    gated = DownloadOffer(spec=SPEC, failure=Failure("refused", "Ask for access."))
    assert not quote(there, gated).has_downloads
    assert quote(there, DownloadOffer(spec=SPEC, bytes_left=1)).has_downloads
