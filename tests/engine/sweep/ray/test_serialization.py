"""Requests on their way to another machine: the same requests arrive, about pictures with the same
bytes.
"""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Ask,
    Describe,
    Detect,
    Embed,
    Generate,
    Match,
    ReadText,
    Request,
    Segment,
    Write,
)
from hallascope.engine.run.calls.cache import key
from hallascope.engine.sweep.ray.serialization import PackedRequests, RequestPacker, RequestUnpacker


def picture(folder: Path, data: bytes) -> Picture:
    sha256 = hashlib.sha256(data).hexdigest()
    file = folder / f"{sha256}.png"
    file.write_bytes(data)
    return Picture(sha256, file)


def requests(one: Picture, two: Picture) -> list[Request]:
    box = Box(0.1, 0.1, 0.5, 0.5)
    return [
        Ask(images=(one, two), text="What?", question="What?", choices=("a", "b")),
        Describe(one, "Say.", box),
        Write("Write."),
        Generate("a cat", 1, {"steps": 2}),
        Generate("a cat", 1, references=(two,)),
        Detect(one, ("cat",)),
        Segment(two, (box,)),
        Embed(one),
        Embed(text="a cat"),
        Match(two, "a cat"),
        ReadText(one),
    ]


@settings(max_examples=10)
@given(first=st.binary(min_size=1), second=st.binary(min_size=1))
def test_every_sort_of_request_arrives_as_it_was_sent(
    tmp_path_factory: pytest.TempPathFactory, first: bytes, second: bytes
) -> None:
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
    sent = requests(picture(here, first), picture(here, second))
    came = RequestUnpacker(there).unpack(RequestPacker(bytes).pack(sent), bytes)
    assert [key(request, "m", "1", {}) for request in came] == [
        key(request, "m", "1", {}) for request in sent
    ]
    assert isinstance(came[0], Ask)
    assert [image.path.read_bytes() for image in came[0].images] == [first, second]
    assert all(there in image.path.parents for image in came[0].images)


def test_the_bytes_of_a_picture_are_sent_once_however_many_requests_are_about_it(
    tmp_path: Path,
) -> None:
    put: list[bytes] = []
    packer = RequestPacker(lambda data: put.append(data) or len(put))  # type: ignore[func-returns-value]
    one, two = picture(tmp_path, b"one"), picture(tmp_path, b"two")
    for request in requests(one, two) * 2:
        packer.pack([request])
    assert sorted(put) == [b"one", b"two"]


def test_a_picture_that_comes_with_other_bytes_is_refused(tmp_path: Path) -> None:
    sent = picture(tmp_path, b"one")
    with pytest.raises(ValueError, match="came with other bytes"):
        RequestUnpacker(tmp_path).unpack(
            PackedRequests((Embed(sent),), {sent.sha256: b"two"}), bytes
        )
