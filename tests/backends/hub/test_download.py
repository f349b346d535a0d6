"""Files of the Hub come whole or not at all: cut connections go on, wrong bytes are thrown away,
every fault is one sentence.
"""

import errno
import json
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.base import BadWeights, Denied, Transient, Unavailable
from hallascope.backends.hub import file_selection, listing
from hallascope.backends.hub.download import HubClient
from hallascope.data.models.specs import ModelSpec
from tests.support import hub_server
from tests.support.hub_server import COMMIT, FakeHub, Repository

WEIGHTS = bytes(range(256)) * 40
CONFIG = b'{"model_type": "sam"}'
PLAIN = {
    "config.json": CONFIG,
    "model.safetensors": WEIGHTS,
    "README.md": b"hello",
    "pytorch_model.bin": b"x" * 100,
}


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with hub_server.hub() as found:
        found.models["maker/model"] = Repository(dict(PLAIN))
        yield found


@pytest.fixture
def hub(fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubClient]:
    monkeypatch.setattr("hallascope.backends.hub.download.PIECE", 500)
    with closing(HubClient(fake.address, tmp_path / "cache")) as found:
        yield found


def _spec(**more: Any) -> ModelSpec:
    return ModelSpec(
        id="m",
        title="M",
        roles=("segmenter",),
        backend="transformers-segmenter",
        repository="maker/model",
        **more,
    )


def _fetched(hub: HubClient, path: str) -> list[int]:
    found = hub.look("maker/model")
    file = found.file(path)
    assert file is not None
    return list(hub.fetch(found, file))


# --- looking
# --------------------------------------------------------------------------------------------------


def test_a_look_tells_files_sizes_hashes_and_licence(hub: HubClient) -> None:
    found = hub.look("maker/model")
    assert (found.commit, found.licence, found.gated) == (COMMIT, "apache-2.0", False)
    assert {file.path: file.size for file in found.files} == {
        path: len(data) for path, data in PLAIN.items()
    }
    weights, config = found.file("model.safetensors"), found.file("config.json")
    assert weights is not None
    assert weights.sha256 is not None
    assert config is not None
    assert config.sha256 is None


def test_a_licence_that_is_called_other_is_told_by_its_name(fake: FakeHub, hub: HubClient) -> None:
    fake.models["maker/model"].told = {
        "cardData": {"license": "other", "license_name": "maker-community"}
    }
    assert hub.look("maker/model").licence == "maker-community"


def test_a_model_that_is_not_there_a_wrong_id_and_a_hub_out_of_reach_are_one_sentence_each(
    fake: FakeHub, hub: HubClient, tmp_path: Path
) -> None:
    with pytest.raises(
        Unavailable,
        match=r"^There is no 'maker/nothing' on the Hub, or it is private: check the name",
    ):
        hub.look("maker/nothing")
    for wrong in ("a/b/c", "../secret", "a b", ""):
        with pytest.raises(Unavailable, match="is no id of a model on the Hub"):
            hub.look(wrong)
    with (
        closing(HubClient("http://127.0.0.1:9", tmp_path)) as nowhere,
        pytest.raises(
            Transient,
            match=r"^The Hub at http://127.0.0.1:9 cannot be reached \(ConnectError\): connect",
        ),
    ):
        nowhere.look("maker/model")
    fake.busy = 1
    with pytest.raises(Transient, match=r"cannot answer for 'maker/model' now \(503\)"):
        hub.look("maker/model")


def test_offline_nothing_is_asked(
    fake: FakeHub, hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.is_offline_mode", lambda: True)
    with pytest.raises(Unavailable, match="HF_HUB_OFFLINE is set: unset it"):
        hub.look("maker/model")
    assert fake.asked == []


def test_a_gated_model_is_told_before_anything_is_fetched_and_open_once_its_owners_let_one_in(
    fake: FakeHub, hub: HubClient
) -> None:
    fake.models["maker/model"].gated = True
    found = hub.look("maker/model")
    with pytest.raises(
        Denied,
        match=(
            r"^'maker/model' is gated: agree to its terms at http.*/maker/model, then log in with"
            r" `hf auth login`"
        ),
    ):
        hub.may_have(found)
    fake.models["maker/model"].let_in = True
    hub.may_have(found)


def test_the_token_of_the_environment_is_sent_and_never_told(
    fake: FakeHub, hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret_of_a_person")
    with pytest.raises(Unavailable) as raised:
        hub.look("maker/nothing")
    assert fake.tokens == ["Bearer hf_secret_of_a_person"]
    assert "secret" not in str(raised.value)


# --- fetching
# --------------------------------------------------------------------------------------------------


def test_what_is_fetched_is_found_by_the_libraries_and_not_fetched_again(
    fake: FakeHub, hub: HubClient
) -> None:
    from huggingface_hub import snapshot_download, try_to_load_from_cache

    assert sum(_fetched(hub, "model.safetensors")) == len(WEIGHTS)
    _fetched(hub, "config.json")
    hub.name(hub.look("maker/model"), None)
    found = try_to_load_from_cache("maker/model", "config.json", cache_dir=hub.cache)
    assert isinstance(found, str)
    assert Path(found).read_bytes() == CONFIG
    folder = Path(snapshot_download("maker/model", cache_dir=hub.cache, local_files_only=True))
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    asked = len(fake.asked)
    assert _fetched(hub, "model.safetensors") == []
    assert len(fake.asked) == asked + 1  # the look alone


def test_a_cut_connection_goes_on_where_it_was_left(fake: FakeHub, hub: HubClient) -> None:
    fake.models["maker/model"].cut["model.safetensors"] = 1000
    with pytest.raises(Transient, match=r"in the middle of model\.safetensors"):
        _fetched(hub, "model.safetensors")
    found = hub.look("maker/model")
    file = found.file("model.safetensors")
    assert file is not None
    assert hub.begun(found, file) == 1000
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
        _fetched(hub, "model.safetensors")
    pieces = _fetched(hub, "model.safetensors")
    assert pieces[0] == -1000
    assert sum(pieces) == len(WEIGHTS) - 1000


@pytest.mark.parametrize("path", ["model.safetensors", "config.json"])
def test_wrong_bytes_are_thrown_away(fake: FakeHub, hub: HubClient, path: str) -> None:
    fake.models["maker/model"].wrong.add(path)
    with pytest.raises(
        BadWeights, match=rf"^{path} of 'maker/model' came with other bytes than the Hub promises"
    ):
        _fetched(hub, path)
    assert not [file for file in hub.cache.rglob("*") if file.is_file() and file.suffix != ".lock"]
    fake.models["maker/model"].wrong.clear()
    _fetched(hub, path)


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
        _fetched(hub, "model.safetensors")


def test_leaving_in_the_middle_keeps_what_came_and_lets_others_go_on(
    fake: FakeHub, hub: HubClient
) -> None:
    found = hub.look("maker/model")
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
    assert hub.begun(found, file) == 500
    assert sum(hub.fetch(found, file)) == len(WEIGHTS) - 500


# --- which files
# --------------------------------------------------------------------------------------------------

PIPELINE = (
    "model_index.json",
    "sd.safetensors",
    "scheduler/scheduler_config.json",
    "tokenizer/vocab.json",
    "tokenizer/merges.txt",
    "unet/config.json",
    "unet/diffusion_pytorch_model.safetensors",
    "unet/diffusion_pytorch_model.fp16.safetensors",
    "unet/diffusion_pytorch_model.bin",
    "unet/openvino_model.xml",
    "vae/config.json",
    "vae/diffusion_pytorch_model.safetensors",
    "vae_1_0/config.json",
    "vae_1_0/diffusion_pytorch_model.safetensors",
    "text_encoder/config.json",
    "text_encoder/model-00001-of-00002.safetensors",
    "text_encoder/model-00002-of-00002.safetensors",
    "text_encoder/model.safetensors.index.json",
    "safety_checker/config.json",
    "safety_checker/pytorch_model.bin",
)
INDEX = {
    "_class_name": "X",
    "unet": ["diffusers", "U"],
    "vae": ["diffusers", "V"],
    "scheduler": ["diffusers", "S"],
    "tokenizer": ["transformers", "T"],
    "text_encoder": ["transformers", "C"],
    "safety_checker": ["stable_diffusion", "Check"],
    "image_encoder": [None, None],
}


def _listing(*paths: str) -> listing.Listing:
    return listing.Listing(
        repository="maker/model",
        commit=COMMIT,
        files=tuple(listing.RepositoryFile(path, 10, None, "0" * 40) for path in paths),
    )


def _wanted(found: listing.Listing, index: Any, **settings: Any) -> list[str]:
    return [
        file.path for file in file_selection.select_files(_spec(settings=settings), found, index)
    ]


def test_of_a_pipeline_its_own_parts_are_wanted_in_safetensors_and_the_index_comes_last() -> None:
    said = _wanted(_listing(*PIPELINE), INDEX, safety_checker=False)
    assert said[-1] == "model_index.json"
    assert set(said) == {
        "model_index.json",
        "scheduler/scheduler_config.json",
        "tokenizer/vocab.json",
        "tokenizer/merges.txt",
        "unet/config.json",
        "unet/diffusion_pytorch_model.safetensors",
        "vae/config.json",
        "vae/diffusion_pytorch_model.safetensors",
        "text_encoder/config.json",
        "text_encoder/model-00001-of-00002.safetensors",
        "text_encoder/model-00002-of-00002.safetensors",
        "text_encoder/model.safetensors.index.json",
    }


def test_a_variant_is_wanted_where_there_is_one_and_else_the_plain_weights() -> None:
    said = _wanted(_listing(*PIPELINE), INDEX, safety_checker=False, variant="fp16")
    assert "unet/diffusion_pytorch_model.fp16.safetensors" in said
    assert "unet/diffusion_pytorch_model.safetensors" not in said
    assert "vae/diffusion_pytorch_model.safetensors" in said


def test_pickles_are_never_wanted_and_the_sentence_says_what_to_do() -> None:
    with pytest.raises(
        file_selection.NoWeights,
        match="only pickles, which are never loaded; choose a model with safetensors",
    ):
        _wanted(_listing(*PIPELINE), INDEX)
    with pytest.raises(
        file_selection.NoWeights, match="only weights of the variant 'fp16'; write `variant: fp16`"
    ):
        _wanted(_listing("config.json", "model.fp16.safetensors"), None)
    with pytest.raises(file_selection.NoWeights, match="no weights that a library here loads"):
        _wanted(_listing("config.json", "model.gguf"), None)
    assert _wanted(_listing(*PLAIN), None) == ["model.safetensors", "config.json"]


def test_an_adapter_brings_its_weights_and_the_encoder_beside_them() -> None:
    found = _listing(
        "sdxl_models/a.safetensors",
        "sdxl_models/b.safetensors",
        "models/image_encoder/config.json",
        "models/image_encoder/model.safetensors",
    )
    spec = _spec(
        settings={
            "ip_adapter_folder": "sdxl_models",
            "ip_adapter_weights": "a.safetensors",
            "ip_adapter_encoder": "../models/image_encoder",
        }
    )
    assert {file.path for file in file_selection.adapter(spec, found)} == {
        "sdxl_models/a.safetensors",
        "models/image_encoder/config.json",
        "models/image_encoder/model.safetensors",
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
SIBLING = st.fixed_dictionaries(
    {
        "rfilename": st.sampled_from(
            ["a.json", "/etc/passwd", "../../x", "a/../b", "a//b", "a\\b", "", 5]
        )
    },
    optional={
        "size": st.integers(-1, 9),
        "blobId": st.sampled_from(["0" * 40, "../x", None]),
        "lfs": st.none() | JSON,
    },
)


@given(
    st.fixed_dictionaries(
        {"sha": st.just(COMMIT), "siblings": st.lists(SIBLING)}, optional={"cardData": JSON}
    )
    | JSON
)
def test_whatever_a_server_replies_no_file_lies_outside_its_folder_or_lacks_a_hash(
    said: Any,
) -> None:
    try:
        found = listing.parse_listing("maker/model", json.loads(json.dumps(said)))
    except listing.UnreadableListing:
        return
    assert all(file.path == "a.json" and file.etag and file.size >= 0 for file in found.files)
