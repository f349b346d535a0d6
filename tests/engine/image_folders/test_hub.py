"""A data set of the Hub is streamed row by row, and its images are taken as they are."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.hub import HubColumns
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from hallascope.engine.image_folders.sources import open_images
from tests.support.images import png

Load = Callable[..., Any]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Callable[[Load], list[dict[str, Any]]]:
    """Put a function in place of `datasets.load_dataset`; gives what it was asked for."""
    import datasets

    def put(load: Load) -> list[dict[str, Any]]:
        asked: list[dict[str, Any]] = []

        def loads(path: str, name: str | None = None, **options: Any) -> Any:
            asked.append({"path": path, "name": name, **options})
            return load()

        monkeypatch.setattr(datasets, "load_dataset", loads)
        return asked

    return put


def stream(**columns: list[Any]) -> Any:
    """A streamed data set with a column of images."""
    from datasets import Dataset, Features, Image, Value

    kinds = {name: Value("int64" if name == "number" else "string") for name in columns}
    features = Features(kinds | {"image": Image()})
    return Dataset.from_dict(columns, features=features).to_iterable_dataset()


def image(name: str) -> dict[str, Any]:
    return {"bytes": png(name), "path": f"{name}.png"}


def read(source: str = "hf:someone/images", **columns: str) -> list[Any]:
    """Return the entries, with the bytes that each image has when it is read."""
    with open_images(source, columns=HubColumns(**columns)) as opened:
        return [
            (entry, entry.path.read_bytes() if isinstance(entry, FolderImage) else b"")
            for entry in opened.entries
        ]


def test_every_row_of_every_split_comes_as_it_is_in_the_data_set(hub: Any) -> None:
    first = stream(image=[image("a"), image("b")], prompt=["a cat", "a cat"])
    second = stream(image=[image("c")], prompt=["a dog"])
    asked = hub(lambda: {"train": first, "test": second})
    rows = read("hf:someone/images:large@v1")
    assert [(entry.name, entry.prompt, entry.sample) for entry, _ in rows] == [
        ("train/0", "a cat", 0),
        ("train/1", "a cat", 1),
        ("test/0", "a dog", 0),
    ]
    assert [content for _, content in rows] == [png("a"), png("b"), png("c")]
    assert asked == [
        {
            "path": "someone/images",
            "name": "large",
            "split": None,
            "revision": "v1",
            "streaming": True,
        }
    ]


def test_a_row_without_a_prompt_or_an_image_is_named_and_no_local_file_is_opened(
    hub: Any, tmp_path: Path
) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    rows = [
        {"image": image("a"), "prompt": " "},
        {"image": {"bytes": None, "path": str(tmp_path / "secret.png")}, "prompt": "a cat"},
        {"image": None, "prompt": "a cat"},
        {"image": image("b"), "prompt": "a cat"},
    ]
    hub(lambda: {"train": rows})
    entries = [entry for entry, _ in read()]
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "train/0: the column 'prompt' has no text.",
        "train/1: the column of images holds no image.",
        "train/2: the column of images holds no image.",
    ]
    assert [entry.name for entry in entries if isinstance(entry, FolderImage)] == ["train/3"]


@pytest.mark.parametrize("source", ["hf:images", "hf:", "hf:a/b/c", "hf:../x"])
def test_a_name_that_is_none_is_one_sentence(source: str) -> None:
    with pytest.raises(BadRequest, match="write hf:OWNER/NAME"):
        read(source)


def test_a_stream_that_breaks_off_is_one_sentence(hub: Any) -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield {"image": image("a"), "prompt": "a cat"}
        raise OSError("the connection broke")

    hub(lambda: {"train": rows()})
    with pytest.raises(BadRequest, match="the connection broke"):
        read()
