"""Files of the Hub come whole or not at all: a download that was stopped goes on, wrong bytes are
thrown away, every fault is one sentence.
"""

import errno
import subprocess
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from hallascope.backends.base import BadWeights, Denied, Transient, Unavailable
from hallascope.backends.hub.download import HubClient, served_models
from hallascope.backends.hub.errors import hub_fault
from hallascope.backends.registry import available
from tests.support.hub_requests import CONFIG, WEIGHTS, fetch, hub_spec
from tests.support.hub_server import COMMIT, FakeHub

FILES = ("model.safetensors", "config.json")


def kept_files(hub: HubClient) -> set[str]:
    """The blobs in the cache: those of files that are whole, and others."""
    return {file.name for file in hub.cache.glob("models--*/blobs/*")}


def test_offline_nothing_is_asked(
    fake: FakeHub, hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(Unavailable, match="HF_HUB_OFFLINE is set: unset it"):
        hub.listing("maker/model")
    assert fake.asked == []


def test_the_token_is_sent_and_stands_in_no_argument_or_error(
    fake: FakeHub, hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret_of_a_person")
    started: list[Any] = []
    popen = subprocess.Popen

    def record(command: Any, **options: Any) -> Any:
        started.append((command, options.get("env")))
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", record)
    fetch(hub, *FILES)
    with pytest.raises(Unavailable) as raised:
        hub.listing("maker/nothing")
    assert set(fake.tokens) == {"Bearer hf_secret_of_a_person"}
    assert "secret" not in f"{raised.value}{started}"


def test_what_is_fetched_is_found_by_the_libraries_and_not_fetched_again(
    fake: FakeHub, hub: HubClient
) -> None:
    from huggingface_hub import snapshot_download, try_to_load_from_cache

    came = fetch(hub, *FILES)
    assert came == sorted(came)
    assert came[-1] == len(WEIGHTS) + len(CONFIG)
    found = try_to_load_from_cache("maker/model", "config.json", cache_dir=hub.cache)
    assert isinstance(found, str)
    assert Path(found).read_bytes() == CONFIG
    folder = Path(
        snapshot_download(
            "maker/model", cache_dir=hub.cache, local_files_only=True, allow_patterns=[*FILES]
        )
    )
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert len(kept_files(hub)) == 2
    asked = [path for path, _ in fake.asked if "resolve" in path]
    assert fetch(hub, *FILES)[-1] == 0
    assert [path for path, _ in fake.asked if "resolve" in path] == asked


@pytest.mark.parametrize("path", FILES)
def test_wrong_bytes_are_thrown_away(fake: FakeHub, hub: HubClient, path: str) -> None:
    fake.models["maker/model"].wrong.add(path)
    with pytest.raises(
        BadWeights, match=rf"^{path} of 'maker/model' came with other bytes than the Hub promises"
    ):
        fetch(hub, path)
    assert not kept_files(hub)
    fake.models["maker/model"].wrong.clear()
    fetch(hub, path)


def test_a_stop_in_the_middle_keeps_whole_files_alone_and_the_same_again_fetches_the_rest(
    fake: FakeHub, hub: HubClient
) -> None:
    model = fake.models["maker/model"]
    model.files = {**model.files, "other.safetensors": WEIGHTS[1:]}
    held = model.held["model.safetensors"] = threading.Event()
    found = hub.listing("maker/model")
    wanted = [file for file in found.files if file.path != "pytorch_model.bin"]
    other, readme = found.file("other.safetensors"), found.file("README.md")
    assert other
    assert readme
    with closing(hub.fetch(found, wanted)) as reports:  # type: ignore[type-var]
        for _ in reports:
            if hub.has(found, readme) and hub.has(found, other) and len(kept_files(hub)) == 3:
                break
    assert [file.path for file in wanted if hub.has(found, file)] == [
        "README.md",
        "other.safetensors",
    ]
    assert len(kept_files(hub)) == 2
    held.set()
    list(hub.fetch(found, wanted))
    assert all(hub.has(found, file) for file in wanted)
    assert [path for path, _ in fake.asked if path.endswith("other.safetensors")] == [
        f"/maker/model/resolve/{COMMIT}/other.safetensors"
    ]


# --- faults ---


def test_a_model_that_is_not_there_a_wrong_id_and_a_hub_out_of_reach_are_one_sentence_each(
    fake: FakeHub, hub: HubClient, tmp_path: Path
) -> None:
    with pytest.raises(
        Unavailable, match=r"^There is no 'maker/nothing' on the Hub, or it is private"
    ):
        hub.listing("maker/nothing")
    for wrong in ("a/b/c", "../secret", "a b", ""):
        with pytest.raises(Unavailable, match="is no id of a model on the Hub"):
            hub.listing(wrong)
    with pytest.raises(
        Transient,
        match=r"^The Hub at http://127.0.0.1:9 cannot be reached \(ConnectError\): connect",
    ):
        HubClient("http://127.0.0.1:9", tmp_path).listing("maker/model")
    found = hub.listing("maker/model")
    fake.busy = 1000
    for call in (lambda: hub.listing("maker/model"), lambda: list(hub.fetch(found, found.files))):
        with pytest.raises(Transient, match=r"cannot answer for 'maker/model' now \(503\)"):
            call()


@pytest.mark.parametrize("reply", [{"siblings": None}, {"sha": None}, {"siblings": [3]}])
def test_a_server_that_is_no_hub_is_named(fake: FakeHub, hub: HubClient, reply: Any) -> None:
    fake.models["maker/model"].told = reply
    with pytest.raises(Unavailable, match="does not answer as the Hub does"):
        hub.listing("maker/model")


def test_a_file_outside_its_folder_is_not_written(
    fake: FakeHub, hub: HubClient, tmp_path: Path
) -> None:
    path = "../../../../escaped.json"
    fake.models["maker/model"].files = {path: CONFIG}
    with pytest.raises(Unavailable):
        fetch(hub, path)
    assert not [*tmp_path.rglob("escaped.json")]


def test_a_gated_model_is_told_before_anything_is_fetched_and_open_once_its_owners_let_one_in(
    fake: FakeHub, hub: HubClient
) -> None:
    fake.models["maker/model"].gated = True
    found = hub.listing("maker/model")
    gated = r"is gated: agree to its terms at http.*/maker/model, .*`hf auth login`"
    with pytest.raises(Denied, match=gated):
        hub.require_access(found)
    with pytest.raises(Denied, match=gated):
        list(hub.fetch(found, found.files))
    fake.models["maker/model"].let_in = True
    hub.require_access(found)


def test_a_full_or_locked_disk_is_one_sentence(hub: HubClient) -> None:
    for code, said in (
        (errno.ENOSPC, "is full: make room there or set HF_HUB_CACHE"),
        (errno.EACCES, "set HF_HUB_CACHE to another folder"),
    ):
        fault = hub_fault(OSError(code, "reason"), "maker/model", hub.endpoint, hub.cache)
        assert isinstance(fault, Unavailable)
        assert said in str(fault)
    hub.cache.write_text("a file in place of the folder")
    found = hub.listing("maker/model")
    with pytest.raises(Unavailable, match=r"Nothing can be written to .*cache"):
        list(hub.fetch(found, found.files))


def test_a_gated_model_that_is_not_downloaded_says_what_comes_before_the_download() -> None:
    gated = replace(
        hub_spec(), needs=("download",), repository="nobody/nothing", gated=True, size_gb=16.3
    )
    said = str(available(gated))
    assert "it is not downloaded (16.3 GB) and it is gated" in said
    assert "https://huggingface.co/nobody/nothing" in said
    assert "`hf auth login`" in said
    assert "`hallascope models get m`" in said


def test_a_model_that_the_hub_is_too_slow_to_tell_of_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: object, **__: object) -> None:
        raise httpx2.ReadTimeout("late")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", late)
    assert served_models(["maker/draws"], None) == []
