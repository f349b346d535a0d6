"""Language models and scene-graph parsers write what the library's own generation writes."""

import pytest

from hallascope.backends.base import Stopped
from hallascope.backends.transformers.scene_graph_parser import INSTRUCTION
from hallascope.data.requests import Failure, ReadPrompt, Write
from tests.support.tiny_entries import (
    WORDS,
    Load,
    decoded,
    texts_of,
)

TEXTS = ("Write of a fish.", "Write of a bird that sings.", "Say what a tree is, in a few words.")
PROMPTS = ("2 pigs are flying", "A red cat\non a mat", "a dog")


def request(prompt: str) -> ReadPrompt:
    return ReadPrompt(prompt, f"List what {prompt} asks for.")


def test_it_writes_what_the_librarys_own_generation_writes_together_and_alone(load: Load) -> None:
    model = load("llama")
    together = texts_of(model.write([Write(text) for text in TEXTS]))
    for text, said in zip(TEXTS, together, strict=True):
        given = model.tokenizer.apply_chat_template(
            [{"role": "user", "content": text}],
            add_generation_prompt=True,
            return_tensors="pt",
            return_dict=True,
        )
        own = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)
        assert said == decoded(model.tokenizer, own[0, given["input_ids"].shape[1] :])
        assert texts_of(model.write([Write(text)])) == [said]
    assert len(set(together)) > 1, "it does not read what it is asked"


def test_draws_hang_on_their_seed_and_a_stop_is_heard(load: Load) -> None:
    asked = [Write(TEXTS[0], temperature=2.0, seed=n) for n in (1, 2, 3, 1)]
    drawn = [getattr(reply, "text", "") for reply in load("llama").write(asked)]
    assert drawn[0] == drawn[3]
    assert len(set(drawn)) > 1

    def stop(step: int, steps: int) -> None:
        if step == 3:
            raise Stopped

    with pytest.raises(Stopped):
        load("llama").write([Write(TEXTS[0])], stop)


def test_more_than_it_reads_is_a_failure_that_says_so(load: Load) -> None:
    (written,) = load("llama").write([Write("word " * 1000)])
    (parsed,) = load("factual-t5").parse([request("cat " * 300)])
    for reply, limit in ((written, 4096), (parsed, 512)):
        assert isinstance(reply, Failure)
        assert f"reads at most {limit} tokens" in reply.message


def test_a_parser_writes_what_the_librarys_own_generation_writes_of_the_prompt(load: Load) -> None:
    model = load("factual-t5")
    together = texts_of(model.parse([request(prompt) for prompt in PROMPTS]))
    for prompt, text in zip(PROMPTS, together, strict=True):
        given = model.processor(INSTRUCTION + " ".join(prompt.split()), return_tensors="pt")
        (own,) = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)
        assert text == decoded(model.processor, own)
        assert texts_of(model.parse([request(prompt)])) == [text]
    assert len(set(together)) > 1, "it does not read the prompt"
