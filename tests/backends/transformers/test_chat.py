"""Vision-language models that follow instructions say what the library's own models say, however
many questions are asked at once.
"""

from dataclasses import replace
from functools import wraps
from typing import Any

import pytest
import torch

from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Describe, Failure
from tests.support.tiny_entries import (
    CHATS,
    THREE,
    Load,
    ask,
    ask_by_letter,
    library_inputs,
    library_words,
    probabilities_of,
    quick,
    text_of,
    texts_of,
)


@pytest.mark.parametrize("kind", quick(CHATS, "llava"))
def test_letters_have_the_probabilities_and_words_are_those_of_the_library(
    load: Load, two_pictures: list[Picture], kind: str
) -> None:
    model = load(kind)
    asks = [
        ask_by_letter(two_pictures[0], question)
        for question in ("What color is it?", "Is it big, or is it small?")
    ]
    for one, reply in zip(asks, model.ask(asks), strict=True):
        with torch.inference_mode():
            logits = model.model(**library_inputs(model, two_pictures[0], one.text)).logits
        chances = logits[0, -1].float().softmax(-1)
        own = chances[[model.tokenizer.convert_tokens_to_ids(letter) for letter in "ABC"]]
        assert reply.probabilities == pytest.approx((own / own.sum()).tolist(), abs=1e-5)
        assert reply.text == f"{'ABC'[int(own.argmax())]}) {THREE[int(own.argmax())]}"
    text = "Tell me what you see in it."
    (said,) = model.describe([Describe(two_pictures[1], text)])
    assert text_of(said) == library_words(model, library_inputs(model, two_pictures[1], text))


@pytest.mark.parametrize("kind", quick(CHATS, "llava"))
def test_many_questions_are_answered_as_one_by_one_and_in_order(
    load: Load, two_pictures: list[Picture], kind: str
) -> None:
    model, (one, other) = load(kind), two_pictures
    asks = [
        ask_by_letter(one, "What color is it?"),
        ask(one, "Tell me."),
        replace(ask(one, "Is it red?", "Yes", "No"), text=f"Is it red? Or: {CANNOT_TELL}"),
        ask_by_letter(
            one, "And what is the other one?", ("Red", "Blue", "Green", "Black", "White")
        ),
        ask(one, "Tell me more of it."),
        ask_by_letter(other, "What color is it?"),
        replace(ask_by_letter(one, "What color is it?"), region=Box(0, 0, 0.4, 0.6)),
    ]
    together = model.ask(asks)
    for reply, alone in zip(together, (model.ask([one])[0] for one in asks), strict=True):
        assert text_of(reply) == text_of(alone)
        assert probabilities_of(reply) == pytest.approx(probabilities_of(alone), abs=1e-5)
    first, *_, tall, cut = map(probabilities_of, together)
    assert first != pytest.approx(tall, abs=1e-5), "it does not look at the image"
    assert first != pytest.approx(cut, abs=1e-5), "it does not look at the region"


def test_a_choice_in_words_has_the_probability_of_its_words_as_the_whole_answer(
    load: Load, picture: Picture
) -> None:
    model, text = load("llava"), "Is it red? Yes or No."
    (reply,) = model.ask([replace(ask(picture, "Is it red?", "Yes", "No"), text=text)])
    given = library_inputs(model, picture, text)
    chances = []
    for word in ("Yes", "No"):
        chances.append(0.0)
        for spelled in (word, word.lower(), f" {word}", f" {word.lower()}"):
            ids = [*model.tokenizer(spelled)["input_ids"], model.tokenizer.eos_token_id]
            whole = torch.cat([given["input_ids"], torch.tensor([ids])], 1)
            with torch.inference_mode():
                logits = model.model(input_ids=whole, pixel_values=given["pixel_values"]).logits
            scores = logits[0, -len(ids) - 1 : -1].float().log_softmax(-1)
            chances[-1] += float(scores[range(len(ids)), ids].sum().exp())
    assert reply.probabilities == pytest.approx(
        [chance / sum(chances) for chance in chances], rel=1e-3
    )


def test_draws_with_a_seed_are_the_same_again_and_others_without_it(
    load: Load, picture: Picture
) -> None:
    model = load("llava")
    asks = [ask(picture, "Tell me.", temperature=2.0, seed=seed) for seed in (1, 2, 3, 1)]
    one, two, three, again = map(text_of, model.ask(asks))
    assert one == again
    assert len({one, two, three}) > 1
    drawn = [
        replace(ask_by_letter(picture, "What?"), temperature=50.0, seed=seed) for seed in range(12)
    ]
    assert len(set(texts_of(model.ask(drawn)))) == 3


def test_more_than_it_reads_no_words_and_no_numbers_are_failures_that_say_so(
    load_anew: Load, picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_anew("llava")
    (long,) = model.ask([ask_by_letter(picture, "What? " * 1000)])
    assert isinstance(long, Failure)
    assert "reads at most 4096 tokens and this is" in long.message
    (two,) = model.ask([replace(ask_by_letter(picture, "Same?"), images=(picture, picture))])
    assert isinstance(two, Failure)
    assert "looks at one image a question, not at 2" in two.message
    assert "choose another judge" in two.message
    with monkeypatch.context() as patch:
        likeliest = "hallascope.backends.transformers.prefix_cache.likeliest"
        patch.setattr(likeliest, lambda scores: model.tokenizer.eos_token_id)
        (empty,) = model.ask([ask(picture, "Tell me.")])
    assert isinstance(empty, Failure)
    assert empty.kind == "empty"
    assert "returned no text: rephrase the question" in empty.message
    model.model.lm_head.weight.data.fill_(float("nan"))
    (without,) = model.ask([ask_by_letter(picture, "What?")])
    assert isinstance(without, Failure)
    assert "gives no choice a probability" in without.message


# --- what several questions begin with ---


@pytest.mark.parametrize(
    "kind, calls",
    [
        ("llava", 2),
        pytest.param("smolvlm", 2, marks=pytest.mark.full),
        # The states of linear attention cannot be had several times: one a question.
        pytest.param("qwen3.5", 6, marks=pytest.mark.full),
    ],
)
def test_a_picture_is_read_once_for_all_questions_about_it(
    load: Load, picture: Picture, kind: str, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, shown = load(kind), []
    forward = model.model.forward

    @wraps(forward)
    def counted(*args: Any, **named: Any) -> Any:
        shown.append("pixel_values" in named)
        return forward(*args, **named)

    monkeypatch.setattr(model.model, "forward", counted)
    questions = ("What color is it?", "What is it?", "Why is it?", "Where?", "Who?")
    model.ask([ask_by_letter(picture, question) for question in questions])
    assert shown == [True] + [False] * (calls - 1)
