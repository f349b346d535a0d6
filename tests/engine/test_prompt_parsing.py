"""A parser reads prompts beside any run, and files of corrections are read whole or not at all."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hallascope.backends.base import Backend
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.requests import Failure, Write
from hallascope.engine.corrections import (
    read_corrections,
    save_corrections,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.prompt_parsing import parse_prompts
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.scripted import Scripted

SPEC = ModelSpec(
    id="m/writer",
    title="Writer",
    roles=("writer",),
    backend="scripted",
    kind="api",
    price=Price("2026-04-06", input=1.0, output=2.0),
)
PROMPTS = ("a cat", "nothing", "a cat")


def write(request: Write) -> str:
    """Read a cat, and fail to read anything else."""
    if "\n\na cat\n\n" not in request.text:
        return "I cannot help with that."
    return json.dumps({"language": "en", "objects": [{"id": "1", "name": "cat"}]})


@pytest.fixture
def serve(store: Store) -> Callable[[Scripted], Services]:
    def services(model: Scripted) -> Services:
        backends: dict[str, Backend] = {model.spec.id: model}
        return Services(store, read_models(), backends)

    return services


def test_each_prompt_is_read_once_and_what_cannot_be_read_is_a_failure(
    serve: Callable[[Scripted], Services],
) -> None:
    model = Scripted(SPEC, write)
    parsed = parse_prompts(serve(model), PROMPTS, "m/writer")
    cat, nothing = parsed["a cat"], parsed["nothing"]
    assert isinstance(cat, PromptReading)
    assert [asked.name for asked in cat.objects] == ["cat"]
    assert isinstance(nothing, Failure)
    assert model.requests == 2


def test_only_what_is_not_kept_is_asked_again(
    serve: Callable[[Scripted], Services],
) -> None:
    model = Scripted(SPEC, write)
    services = serve(model)
    parse_prompts(services, PROMPTS, "m/writer")
    parse_prompts(services, PROMPTS, "m/writer")
    assert model.requests == 3


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


@pytest.mark.parametrize(
    "text, said",
    [
        ("[]", "has no prompt: write what `hallascope asks PROMPT` prints"),
        ("- {prompt: ''}", r"asks\.yaml: The prompt is empty"),
        (
            "- {prompt: a, wants: b}",
            r"asks\.yaml, line 1: In “a”: 'wants' of item 1 is not a known key",
        ),
        ("a: [", "is no YAML"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said) as caught:
        read_corrections(written(tmp_path, text))
    assert "\n" not in str(caught.value)


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
