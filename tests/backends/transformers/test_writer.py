"""Language models write what the library's own generation writes and read shared text once."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, Captioner, Judge, Stopped, Writer
from hallascope.backends.transformers.writer import TextWriter
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Answer, Failure, Write
from tests.support import damaged_model

ENTRIES = {
    "qwen2": "qwen2.5-0.5b",
    "qwen3": "qwen3-1.7b",
    "phi3": "phi-3.5-mini",
    "mistral": "mistral-7b",
    "llama": "llama-3.2-1b",
}
WORDS = 8  # of a reply
TEXTS = ("Write of a fish.", "Write of a bird that sings.", "Say what a tree is, in a few words.")
Load = Callable[[str], Any]


def entry(kind: str, folder: Path, **settings: Any) -> ModelSpec:
    """The entry of the file with the folder in place of the repository, and no need of a GPU."""
    spec = read_models()[ENTRIES[kind]]
    said = {**spec.settings, "dtype": "float32", "max_tokens": WORDS, "device": "cpu", **settings}
    return replace(
        spec, repository=str(folder), needs=(), memory_gb=None, gated=False, settings=said
    )


@pytest.fixture(scope="module")
def writer(tiny: Callable[[str], Path]) -> Load:
    return cache(lambda kind: registry.load(entry(kind, tiny(kind))))


def words(replies: list[Answer | Failure]) -> list[str]:
    assert all(isinstance(reply, Answer) for reply in replies), replies
    return [reply.text for reply in replies if isinstance(reply, Answer)]


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_writer_writes_and_looks_at_nothing(
    writer: Load, tiny: Callable[[str], Path], kind: str
) -> None:
    spec, model = entry(kind, tiny(kind)), writer(kind)
    assert registry.available(spec) is None
    assert spec.roles == ("writer",)
    assert isinstance(model, Writer)
    assert not isinstance(model, Judge | Captioner)
    assert model.revision == registry.revision(spec) != "unpinned"


@pytest.mark.parametrize("kind", ENTRIES)
def test_it_writes_what_the_librarys_own_generation_writes_together_and_alone(
    writer: Load, kind: str
) -> None:
    model = writer(kind)
    together = words(model.write([Write(text) for text in TEXTS]))
    for text, said in zip(TEXTS, together, strict=True):
        asked = [{"role": "user", "content": text}]
        given = model.tokenizer.apply_chat_template(
            asked, add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        own = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)[
            0, given["input_ids"].shape[1] :
        ]
        assert said == model.tokenizer.decode(own, skip_special_tokens=True).strip()
        assert words(model.write([Write(text)])) == [said]
    assert len(set(together)) > 1, "it does not read what it is asked"


@pytest.mark.parametrize("kind", ENTRIES)
@pytest.mark.parametrize("damage", ["pickle", "a weight is gone", "remote code"])
def test_bad_weights_and_remote_code_are_refused(
    tiny: Callable[[str], Path], tmp_path: Path, kind: str, damage: str
) -> None:
    with pytest.raises(BadWeights, match="could not be loaded from") as caught:
        registry.load(entry(kind, damaged_model.damaged(tiny(kind), tmp_path / "broken", damage)))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_a_reply_at_the_limit_is_said_to_be_cut(writer: Load, tiny: Callable[[str], Path]) -> None:
    (reply,) = writer("llama").write([Write(TEXTS[0])])
    assert reply.truncated
    (shorter,) = registry.load(entry("llama", tiny("llama"), max_tokens=2)).write([Write(TEXTS[0])])  # type: ignore[attr-defined]
    tokens = writer("llama").tokenizer(shorter.text, add_special_tokens=False)["input_ids"]
    # A letter may be three bytes, each of them a token.
    assert len(tokens) <= 2 * 3


def test_draws_hang_on_their_seed_and_a_stop_is_heard(writer: Load) -> None:
    drawn = [
        getattr(reply, "text", "")
        for reply in writer("qwen2").write(
            [Write(TEXTS[0], temperature=2.0, seed=n) for n in (1, 2, 3, 1)]
        )
    ]
    assert drawn[0] == drawn[3]
    assert len(set(drawn)) > 1

    def stop(step: int, steps: int) -> None:
        if step == 3:
            raise Stopped

    with pytest.raises(Stopped):
        writer("qwen2").write([Write(TEXTS[0])], stop)


def test_a_text_longer_than_it_reads_is_a_failure(writer: Load) -> None:
    (reply,) = writer("qwen2").write([Write("word " * 1000)])
    assert isinstance(reply, Failure)
    assert "reads at most 4096 tokens" in reply.message


def test_a_tokenizer_without_a_template_is_refused(
    tiny: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = damaged_model.copied(tiny("llama"), tmp_path / "plain")
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(BadWeights, match="it has no template for a conversation"):
        TextWriter(entry("llama", folder))
