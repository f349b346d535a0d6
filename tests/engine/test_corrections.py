"""Files of corrections are read whole or not at all, and each fault is one sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.data.prompt_reading import PromptReading
from hallascope.engine.corrections import (
    read_corrections,
    reading_of,
    require_any,
    save_corrections,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.store import Store

TWO = "- {prompt: a  cat, author: Bo}\n- {prompt: a dog}\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    yield opened
    opened.close()


def written(folder: Path, text: str) -> Path:
    path = folder / "asks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_readings_are_found_by_prompts_with_single_spaces(tmp_path: Path) -> None:
    path = written(tmp_path, TWO)
    assert list(read_corrections(path)) == ["a cat", "a dog"]
    assert reading_of(" a cat ", path) == PromptReading(
        prompt="a cat", source="person", author="Bo"
    )


def test_a_file_of_other_prompts_is_named_with_what_it_has(tmp_path: Path) -> None:
    path = written(tmp_path, TWO)
    with pytest.raises(BadRequest, match=r"asks\.yaml' does not say what 'a cow' asks for, it has"):
        reading_of("a cow", path)
    readings = read_corrections(path)
    require_any(readings, ["a cow", "a  dog"], path)
    with pytest.raises(BadRequest, match="is about none of these prompts, it has 'a cat', 'a dog'"):
        require_any(readings, ["a cow"], path)
    many = written(tmp_path, "".join(f"- {{prompt: p{at}}}\n" for at in range(5)))
    with pytest.raises(BadRequest, match="it has 'p0', 'p1', 'p2' and 2 more"):
        reading_of("a cow", many)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "has no prompt: write what `hallascope asks PROMPT` prints"),
        ("- {prompt: ''}", r"asks\.yaml: The prompt is empty"),
        ("- {prompt: a, wants: b}", r"asks\.yaml, line 1: In “a”: 'wants' of item 1 is no key"),
        ("a: [", "is no YAML"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said) as caught:
        read_corrections(written(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match=r"gone\.yaml' cannot be read .*: check that it is there"):
        read_corrections(tmp_path / "gone.yaml")


def test_a_named_author_goes_before_those_of_the_file(store: Store, tmp_path: Path) -> None:
    path = written(tmp_path, TWO)
    with pytest.raises(
        BadRequest, match=r"No author is named who says what 'a dog' in .* asks for"
    ):
        save_corrections(store.readings, path)
    assert store.readings.all() == []
    kept = save_corrections(store.readings, path, "Ann")
    assert [(reading.prompt, reading.author) for reading in kept] == [
        ("a cat", "Ann"),
        ("a dog", "Ann"),
    ]
    assert [correction.reading for correction in store.readings.all()] == kept


def test_the_authors_of_a_file_are_kept(store: Store, tmp_path: Path) -> None:
    path = written(tmp_path, TWO.replace("a dog", "a dog, author: Cy"))
    assert [reading.author for reading in save_corrections(store.readings, path)] == ["Bo", "Cy"]
