"""A listing holds what the Hub says, and nothing that would be written outside its folder."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.hub import listing
from hallascope.backends.hub.download import HubClient
from tests.support.hub_requests import PLAIN
from tests.support.hub_server import COMMIT, FakeHub


def test_a_look_tells_files_sizes_hashes_and_licence(hub: HubClient) -> None:
    found = hub.listing("maker/model")
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
    assert hub.listing("maker/model").licence == "maker-community"


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
