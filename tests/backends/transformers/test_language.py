"""Language models write what the library's own generation writes."""

import pytest

from hallascope.backends.base import Stopped
from hallascope.data.requests import Failure, Write
from tests.support.tiny_entries import (
    WORDS,
    Load,
    decoded,
    texts_of,
)

TEXTS = ("Write of a fish.", "Write of a bird that sings.", "Say what a tree is, in a few words.")


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
    assert isinstance(written, Failure)
    assert "reads at most 4096 tokens" in written.message
