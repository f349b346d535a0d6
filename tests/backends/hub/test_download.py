"""Files of the Hub come whole or not at all: cut connections go on, wrong bytes are thrown away,
every fault is one sentence.
"""

import errno
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import BadWeights, Denied, Transient, Unavailable
from hallascope.backends.hub.download import HubClient
from hallascope.backends.registry import available
from tests.support.hub_requests import CONFIG, WEIGHTS, fetch_file, hub_spec
from tests.support.hub_server import FakeHub


def test_offline_nothing_is_asked(
    fake: FakeHub, hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.is_offline_mode", lambda: True)
    with pytest.raises(Unavailable, match="HF_HUB_OFFLINE is set: unset it"):
        hub.listing("maker/model")
    assert fake.asked == []


def test_the_token_of_the_environment_is_sent_and_never_told(
    fake: FakeHub, hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret_of_a_person")
    with pytest.raises(Unavailable) as raised:
        hub.listing("maker/nothing")
    assert fake.tokens == ["Bearer hf_secret_of_a_person"]
    assert "secret" not in str(raised.value)


def test_what_is_fetched_is_found_by_the_libraries_and_not_fetched_again(
    fake: FakeHub, hub: HubClient
) -> None:
    from huggingface_hub import snapshot_download, try_to_load_from_cache

    assert sum(fetch_file(hub, "model.safetensors")) == len(WEIGHTS)
    fetch_file(hub, "config.json")
    hub.record_revision(hub.listing("maker/model"), None)
    found = try_to_load_from_cache("maker/model", "config.json", cache_dir=hub.cache)
    assert isinstance(found, str)
    assert Path(found).read_bytes() == CONFIG
    folder = Path(snapshot_download("maker/model", cache_dir=hub.cache, local_files_only=True))
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    asked = len(fake.asked)
    assert fetch_file(hub, "model.safetensors") == []
    assert len(fake.asked) == asked + 1  # the look alone


def test_a_cut_connection_goes_on_where_it_was_left(fake: FakeHub, hub: HubClient) -> None:
    fake.models["maker/model"].cut["model.safetensors"] = 1000
    with pytest.raises(Transient, match=r"in the middle of model\.safetensors"):
        fetch_file(hub, "model.safetensors")
    found = hub.listing("maker/model")
    file = found.file("model.safetensors")
    assert file is not None
    assert hub.fetched_bytes(found, file) == 1000
    assert not hub.has(found, file)
    assert sum(hub.fetch(found, file)) == len(WEIGHTS) - 1000
    assert fake.asked[-1][1] == "bytes=1000-"
    assert hub.has(found, file)


def test_a_server_that_knows_no_ranges_begins_anew_and_says_so(
    fake: FakeHub, hub: HubClient
) -> None:
    fake.models["maker/model"].cut["model.safetensors"] = 1000
    fake.models["maker/model"].ranges = False
    with pytest.raises(Transient):
        fetch_file(hub, "model.safetensors")
    pieces = fetch_file(hub, "model.safetensors")
    assert pieces[0] == -1000
    assert sum(pieces) == len(WEIGHTS) - 1000


@pytest.mark.parametrize("path", ["model.safetensors", "config.json"])
def test_wrong_bytes_are_thrown_away(fake: FakeHub, hub: HubClient, path: str) -> None:
    fake.models["maker/model"].wrong.add(path)
    with pytest.raises(
        BadWeights, match=rf"^{path} of 'maker/model' came with other bytes than the Hub promises"
    ):
        fetch_file(hub, path)
    assert not [file for file in hub.cache.rglob("*") if file.is_file() and file.suffix != ".lock"]
    fake.models["maker/model"].wrong.clear()
    fetch_file(hub, path)


def test_leaving_in_the_middle_keeps_what_came_and_lets_others_go_on(
    fake: FakeHub, hub: HubClient
) -> None:
    found = hub.listing("maker/model")
    file = found.file("model.safetensors")
    assert file is not None
    pieces = hub.fetch(found, file)
    assert next(pieces) == 500
    with (
        closing(HubClient(fake.address, hub.cache)) as other,
        pytest.raises(Transient, match="is being fetched by another process"),
    ):
        next(other.fetch(found, file))
    assert isinstance(pieces, Generator)
    pieces.close()
    assert hub.fetched_bytes(found, file) == 500
    assert sum(hub.fetch(found, file)) == len(WEIGHTS) - 500


# --- faults ---


def test_a_model_that_is_not_there_a_wrong_id_and_a_hub_out_of_reach_are_one_sentence_each(
    fake: FakeHub, hub: HubClient, tmp_path: Path
) -> None:
    with pytest.raises(
        Unavailable,
        match=r"^There is no 'maker/nothing' on the Hub, or it is private",
    ):
        hub.listing("maker/nothing")
    for wrong in ("a/b/c", "../secret", "a b", ""):
        with pytest.raises(Unavailable, match="is no id of a model on the Hub"):
            hub.listing(wrong)
    with (
        closing(HubClient("http://127.0.0.1:9", tmp_path)) as nowhere,
        pytest.raises(
            Transient,
            match=r"^The Hub at http://127.0.0.1:9 cannot be reached \(ConnectError\): connect",
        ),
    ):
        nowhere.listing("maker/model")
    fake.busy = 1
    with pytest.raises(Transient, match=r"cannot answer for 'maker/model' now \(503\)"):
        hub.listing("maker/model")


def test_a_gated_model_is_told_before_anything_is_fetched_and_open_once_its_owners_let_one_in(
    fake: FakeHub, hub: HubClient
) -> None:
    fake.models["maker/model"].gated = True
    found = hub.listing("maker/model")
    with pytest.raises(
        Denied,
        match=r"is gated: agree to its terms at http.*/maker/model, .*`hf auth login`",
    ):
        hub.require_access(found)
    fake.models["maker/model"].let_in = True
    hub.require_access(found)


def test_a_full_disk_is_one_sentence_and_what_came_stays(
    hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def full(path: Path, *mode: Any, **more: Any) -> Any:
        if path.suffix == ".part":
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, *mode, **more)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(
        Unavailable, match=r"^The disk of '.*cache' is full: make room there or set HF_HUB_CACHE"
    ):
        fetch_file(hub, "model.safetensors")


def test_a_gated_model_that_is_not_downloaded_says_what_comes_before_the_download() -> None:
    gated = replace(
        hub_spec(), needs=("download",), repository="nobody/nothing", gated=True, size_gb=16.3
    )
    said = str(available(gated))
    assert "it is not downloaded (16.3 GB) and it is gated" in said
    assert "https://huggingface.co/nobody/nothing" in said
    assert "`hf auth login`" in said
    assert "`hallascope models get m`" in said
