"""What several questions begin with is read once, and leaves no trace."""

from functools import wraps
from typing import Any

import pytest

from hallascope.data.records import Picture
from hallascope.data.requests import Write
from tests.support.chat_entries import WORDS, Load, ask_by_letter, library_inputs


@pytest.mark.parametrize(("kind", "calls"), [("qwen3-vl", 2), ("smolvlm", 2), ("qwen3.5", 6)])
def test_a_picture_is_read_once_for_all_questions_about_it(
    load_chat: Load,
    two_pictures: list[Picture],
    kind: str,
    calls: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One pass for the picture and one for all questions.

    The states of linear attention cannot be had several times: one a question.
    """
    model, shown = load_chat(kind), []
    forward = model.model.forward

    @wraps(forward)
    def counted(*args: Any, **named: Any) -> Any:
        shown.append("pixel_values" in named)
        return forward(*args, **named)

    monkeypatch.setattr(model.model, "forward", counted)
    model.ask(
        [
            ask_by_letter(two_pictures[0], question)
            for question in ("What color is it?", "What is it?", "Why is it?", "Where?", "Who?")
        ]
    )
    assert shown == [True] + [False] * (calls - 1)


def test_what_it_writes_without_a_picture_does_not_hang_on_one_it_saw_before(
    load_chat: Load, two_pictures: list[Picture]
) -> None:
    model, asked = load_chat("qwen2.5-vl"), [Write("Write of a fish."), Write("Write of a bird.")]
    before = model.write(asked)
    model.ask([ask_by_letter(two_pictures[0], "What color is it?")])
    assert model.write(asked) == before
    given = library_inputs(model, None, asked[0].text)
    model.model.base_model.rope_deltas = None
    own = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)[
        0, given["input_ids"].shape[1] :
    ]
    assert (
        getattr(before[0], "text", "")
        == model.tokenizer.decode(own, skip_special_tokens=True).strip()
    )
