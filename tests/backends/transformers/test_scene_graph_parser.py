"""A scene-graph parser writes what the library's own generation writes of the prompt alone."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, PromptParser, Stopped, Unavailable, Writer
from hallascope.backends.transformers.scene_graph_parser import INSTRUCTION
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Answer, Failure, ReadPrompt
from tests.support import damaged_model

TOKENS = 8  # of a reply
PROMPTS = ("2 pigs are flying", "A red cat\non a mat", "a dog")
Load = Callable[..., Any]


def entry(folder: Path, **settings: Any) -> ModelSpec:
    """The entry of the file with the folder in place of the repository."""
    chosen = {"device": "cpu", "dtype": "float32", "max_tokens": TOKENS, **settings}
    spec = read_models()["factual-t5-base"]
    return replace(spec, repository=str(folder), revision=None, needs=(), settings=chosen)


@pytest.fixture(scope="module")
def folder(tiny: Callable[[str], Path]) -> Path:
    return tiny("factual-t5")


@pytest.fixture(scope="module")
def parser(folder: Path) -> Load:
    return cache(lambda **settings: registry.load(entry(folder, **settings)))


def request(prompt: str) -> ReadPrompt:
    return ReadPrompt(prompt, f"List what {prompt} asks for.")


def texts(replies: list[Answer | Failure]) -> list[str]:
    assert all(isinstance(reply, Answer) for reply in replies), replies
    return [reply.text for reply in replies if isinstance(reply, Answer)]


def test_a_parser_reads_prompts_and_writes_nothing_else(parser: Load, folder: Path) -> None:
    model = parser()
    assert registry.available(entry(folder)) is None
    assert model.spec.roles == ("parser",)
    assert isinstance(model, PromptParser)
    assert not isinstance(model, Writer)
    assert model.revision == registry.revision(entry(folder)) != "unpinned"


def test_it_writes_what_the_librarys_own_generation_writes(parser: Load) -> None:
    model = parser()
    together = texts(model.parse([request(prompt) for prompt in PROMPTS]))
    for prompt, text in zip(PROMPTS, together, strict=True):
        given = model.processor(INSTRUCTION + " ".join(prompt.split()), return_tensors="pt")
        (own,) = model.model.generate(**given, max_new_tokens=TOKENS, do_sample=False)
        assert text == model.processor.decode(own, skip_special_tokens=True).strip()
        assert texts(model.parse([request(prompt)])) == [text]
    assert len(set(together)) > 1, "it does not read the prompt"


def test_only_a_reply_that_ends_by_itself_is_whole(folder: Path) -> None:
    model = registry.load(entry(folder))
    assert isinstance(model, PromptParser)
    (cut,) = model.parse([request(PROMPTS[0])])
    assert isinstance(cut, Answer)
    assert cut.truncated
    loaded: Any = model
    given = loaded.processor(INSTRUCTION + PROMPTS[0], return_tensors="pt")
    (ids,) = loaded.model.generate(**given, max_new_tokens=TOKENS, do_sample=False)
    loaded.model.generation_config.eos_token_id = int(ids[-1])
    (whole,) = model.parse([request(PROMPTS[0])])
    assert isinstance(whole, Answer)
    assert not whole.truncated


def test_a_prompt_longer_than_it_reads_is_a_failure(parser: Load) -> None:
    (reply,) = parser().parse([request("cat " * 300)])
    assert isinstance(reply, Failure)
    assert "reads at most 512 tokens" in reply.message


def test_a_stop_is_heard_between_prompts(parser: Load) -> None:
    def stop(step: int, steps: int) -> None:
        assert steps == 2
        if step == 1:
            raise Stopped

    with pytest.raises(Stopped):
        parser().parse([request("a"), request("b")], stop)


@pytest.mark.parametrize("tokens", [0, True, "many", 1.5])
def test_a_limit_that_makes_no_sense_is_refused(folder: Path, tokens: Any) -> None:
    with pytest.raises(Unavailable, match="max_tokens"):
        registry.load(entry(folder, max_tokens=tokens))


@pytest.mark.parametrize("damage", ["pickle", "a weight is gone", "remote code"])
def test_bad_weights_and_remote_code_are_refused(folder: Path, tmp_path: Path, damage: str) -> None:
    with pytest.raises(BadWeights, match="could not be loaded from") as caught:
        registry.load(entry(damaged_model.damaged(folder, tmp_path / "broken", damage)))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()
