"""Getting models says beforehand what it takes, goes on after cuts and stops, and tells in one
sentence what could not be had.
"""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import Transient
from hallascope.backends.hub.download import HubClient
from hallascope.backends.hub.listing import Listing
from hallascope.cli import main
from hallascope.cli.commands import models
from hallascope.data.models.packs import Pack
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.downloads import ATTEMPTS, STOPPED, ModelDownloader
from hallascope.engine.models.quotes import (
    DownloadEvent,
    DownloadProgress,
    ModelDownloaded,
    ModelDownloadFailed,
)
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.hub_server import COMMIT, FakeHub, Repository, hub

WEIGHTS = bytes(range(256)) * 40
FILES = {"config.json": b"{}", "model.safetensors": WEIGHTS}
PACKS = {"two": Pack("two", "Two", "Both of them.", 8, ("eyes", "open"))}


def _entry(name: str, **more: Any) -> ModelSpec:
    return ModelSpec(
        id=name,
        title=name.title(),
        roles=("segmenter",),
        backend="transformers-segmenter",
        repository=f"maker/{name}",
        memory_gb=2,
        **more,
    )


MODELS = {
    spec.id: spec
    for spec in (
        _entry("eyes"),
        _entry("open", license="MIT"),
        _entry("shut", license="own", size_gb=3),
    )
}
MODELS["primer/exact"] = read_models()["primer/exact"]
MODELS["openai/*"] = read_models()["openai/*"]


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with hub() as found:
        for name in ("eyes", "open", "shut"):
            found.models[f"maker/{name}"] = Repository(
                {**FILES, "model.safetensors": WEIGHTS + name.encode()}, gated=name == "shut"
            )
        yield found


@pytest.fixture
def downloader(fake: FakeHub, tmp_path: Path) -> ModelDownloader:
    hub = HubClient(fake.address, tmp_path / "cache")
    return ModelDownloader(ModelRegistry(MODELS), PACKS, lambda: hub, lambda _: 10**12)


def _ends(events: list[DownloadEvent]) -> list[DownloadEvent]:
    return [event for event in events if not isinstance(event, DownloadProgress)]


def test_a_quote_tells_sizes_licenses_and_memory_and_what_is_gated_before_anything_is_fetched(
    downloader: ModelDownloader, fake: FakeHub
) -> None:
    quote = downloader.quote(["two", "shut", "primer/exact"])
    assert [offer.spec.id for offer in quote.offers] == ["eyes", "open", "shut", "primer/exact"]
    eyes, open_, shut, exact = quote.offers
    assert (eyes.license, open_.license) == ("apache-2.0", "MIT")
    assert eyes.size == eyes.bytes_left == sum(map(len, FILES.values())) + 4
    assert exact.downloaded
    assert shut.failure is not None
    assert shut.failure.kind == "denied"
    assert shut.failure.message.startswith("'maker/shut' is gated: agree to its terms at")
    assert (shut.size, shut.bytes_left) == (3_000_000_000, 0)
    assert (quote.bytes_left, quote.memory_gb, quote.disk_shortage) == (
        eyes.bytes_left + open_.bytes_left,
        2,
        None,
    )
    assert not [path for path, _ in fake.asked if "safetensors" in path]


def test_a_pinned_model_comes_at_its_commit_and_its_adapter_at_that_of_its_own_repository(
    downloader: ModelDownloader, fake: FakeHub
) -> None:
    encoder = {f"models/image_encoder/{path}": data for path, data in FILES.items()}
    fake.models["maker/adapter"] = Repository({"models/adapter.safetensors": WEIGHTS, **encoder})
    settings = {
        "ip_adapter": "maker/adapter",
        "ip_adapter_folder": "models",
        "ip_adapter_weights": "adapter.safetensors",
    }
    spec = _entry("eyes", revision=COMMIT, settings=settings)
    pinned = ModelDownloader(
        ModelRegistry({"eyes": spec}), {}, lambda: downloader.hub, lambda _: 10**12
    )
    assert list(pinned.download(pinned.quote(["eyes"])))[-1] == ModelDownloaded("eyes")
    assert f"/api/models/maker/eyes/revision/{COMMIT}" in [path for path, _ in fake.asked]
    named = {
        ref.relative_to(downloader.hub.cache).as_posix()
        for ref in downloader.hub.cache.rglob("refs/*")
    }
    # A commit needs no name, and `main` of the model is not what came.
    assert named == {"models--maker--adapter/refs/main"}


def test_a_busy_hub_is_tried_again_and_given_up_and_the_next_model_is_had_all_the_same(
    downloader: ModelDownloader, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Transient("The Hub has too many calls: run it again.", "rate_limited")
    fetched: list[str] = []

    def fetch(listing: Listing, *more: object) -> Iterator[int]:
        fetched.append(listing.repository)
        if listing.repository == "maker/eyes":
            yield int(len(fetched) == 3)  # bytes: only the third try brings some
            raise busy

    quote = downloader.quote(["two"])
    stopped = threading.Event()
    stopped.set()
    ended = _ends(list(downloader.download(quote, stopped)))
    assert [getattr(event, "failure", None) for event in ended] == [STOPPED, STOPPED]
    monkeypatch.setattr(downloader.hub, "fetch", fetch)
    missed, came = _ends(list(downloader.download(quote)))
    assert fetched == ["maker/eyes"] * (2 + ATTEMPTS) + ["maker/open"]
    assert missed == ModelDownloadFailed("eyes", Failure("rate_limited", str(busy)))
    assert came == ModelDownloaded("open")


def test_a_disk_without_room_is_told_before_and_nothing_is_fetched(
    downloader: ModelDownloader, fake: FakeHub
) -> None:
    small = ModelDownloader(ModelRegistry(MODELS), PACKS, lambda: downloader.hub, lambda _: 5000)
    quote = small.quote(["eyes"])
    assert quote.disk_shortage is not None
    assert "make room there, or set HF_HUB_CACHE" in quote.disk_shortage
    asked = len(fake.asked)
    (missed,) = small.download(quote)
    assert isinstance(missed, ModelDownloadFailed)
    assert missed.failure.message == quote.disk_shortage
    assert len(fake.asked) == asked


def test_without_a_network_every_model_says_so_and_the_hub_is_asked_once(tmp_path: Path) -> None:
    nowhere = HubClient("http://127.0.0.1:9", tmp_path)
    quote = ModelDownloader(ModelRegistry(MODELS), PACKS, lambda: nowhere).quote(["two"])
    said = {offer.failure.message for offer in quote.offers if offer.failure}
    assert len(said) == 1
    assert "cannot be reached (ConnectError): connect and run it again" in said.pop()


def test_what_cannot_be_asked_for_is_one_sentence(downloader: ModelDownloader) -> None:
    with pytest.raises(BadRequest, match=r"No model is named: name a pack \(two\) or models"):
        downloader.quote([])
    with pytest.raises(BadRequest, match="stands for every model of a service"):
        downloader.quote(["openai/*"])
    with pytest.raises(Exception, match="There is no model 'ayes': did you mean 'eyes'"):
        downloader.quote(["ayes"])


def test_the_command_fetches_only_with_consent_and_its_exit_code_tells_what_is_missing(
    downloader: ModelDownloader,
    fake: FakeHub,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def services() -> Services:
        made = Services(Store(folder=tmp_path / "home"), MODELS)
        made.downloads = downloader
        return made

    def run(*arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as left:
            main.main(("models", *arguments))
        return (left.value.code, *capsys.readouterr())

    monkeypatch.setattr(models, "create_services", services)
    code, out, err = run("get", "two")
    assert code == 2
    assert "apache-2.0" in out
    assert "2 GB of memory" in out
    assert "add --yes" in err
    assert not [path for path, _ in fake.asked if "safetensors" in path]
    code, out, err = run("get", "two", "shut", "--yes", "--json")
    said = json.loads(out)
    assert (code, said["fetched"]) == (1, ["eyes", "open"])
    assert [failure["model"] for failure in said["failures"]] == ["shut"]
    assert run("get", "two", "--yes")[0] == 0
