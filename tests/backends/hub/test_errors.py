"""Each fault between this machine and the Hub is one sentence with the remedy."""

import errno
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import Denied, Transient, Unavailable
from hallascope.backends.hub.download import HubClient
from tests.support.hub_requests import fetch_file
from tests.support.hub_server import FakeHub


def test_a_model_that_is_not_there_a_wrong_id_and_a_hub_out_of_reach_are_one_sentence_each(
    fake: FakeHub, hub: HubClient, tmp_path: Path
) -> None:
    with pytest.raises(
        Unavailable,
        match=r"^There is no 'maker/nothing' on the Hub, or it is private: check the name",
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
        match=(
            r"^'maker/model' is gated: agree to its terms at http.*/maker/model, then log in with"
            r" `hf auth login`"
        ),
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
