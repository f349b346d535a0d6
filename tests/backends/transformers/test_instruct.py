"""Instruction followers answer as the library does, however many questions are asked."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from hallascope.backends import registry
from hallascope.backends.base import Stopped
from hallascope.backends.transformers.chat import ChatModel
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Describe, Failure
from tests.support.chat_entries import (
    ENTRIES,
    THREE,
    WORDS,
    Load,
    answers_of,
    ask_by_letter,
    chat_spec,
    library_inputs,
    probabilities_of,
)
from tests.support.vision_entries import Tiny


@pytest.mark.parametrize("kind", ENTRIES)
def test_the_probabilities_of_letters_are_those_of_one_plain_pass_of_the_library(
    load_chat: Load, two_pictures: list[Picture], kind: str
) -> None:
    model, asks = (
        load_chat(kind),
        [
            ask_by_letter(two_pictures[0], question)
            for question in ("What color is it?", "Is it big, or is it small?")
        ],
    )
    for ask, reply in zip(asks, answers_of(model.ask(asks)), strict=True):
        with torch.inference_mode():
            probabilities_of = (
                model.model(**library_inputs(model, two_pictures[0], ask.text))
                .logits[0, -1]
                .float()
                .softmax(-1)
            )
        own = torch.stack(
            [probabilities_of[model.tokenizer.convert_tokens_to_ids(letter)] for letter in "ABC"]
        )
        assert reply.probabilities == pytest.approx((own / own.sum()).tolist(), abs=1e-5)
        assert reply.text == f"{'ABC'[int(own.argmax())]}) {THREE[int(own.argmax())]}"


@pytest.mark.parametrize("kind", ENTRIES)
def test_what_it_says_is_what_the_librarys_own_generation_says(
    load_chat: Load, two_pictures: list[Picture], kind: str
) -> None:
    model, text = load_chat(kind), "Tell me what you see in it."
    given = library_inputs(model, two_pictures[1], text)
    own = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)[
        0, given["input_ids"].shape[1] :
    ]
    (said,) = model.describe([Describe(two_pictures[1], text)])
    expected = model.tokenizer.decode(own, skip_special_tokens=True).strip()
    assert (said.text if isinstance(said, Answer) else "") == expected


@pytest.mark.parametrize("kind", ENTRIES)
def test_many_questions_are_answered_as_one_by_one_and_in_order(
    load_chat: Load, two_pictures: list[Picture], kind: str
) -> None:
    model, (one, other) = load_chat(kind), two_pictures
    asks = [
        ask_by_letter(one, "What color is it?"),
        Ask(images=(one,), text="Tell me.", question="Tell me."),
        Ask(
            images=(one,),
            text=f"Is it red? Yes or No, or: {CANNOT_TELL}",
            question="Is it red?",
            choices=("Yes", "No"),
        ),
        ask_by_letter(
            one, "And what is the other one?", ("Red", "Blue", "Green", "Black", "White")
        ),
        Ask(images=(one,), text="Tell me more of it.", question="Tell me more."),
        ask_by_letter(other, "What color is it?"),
        replace(ask_by_letter(one, "What color is it?"), region=Box(0, 0, 0.4, 0.6)),
    ]
    together = model.ask(asks)
    for reply, alone in zip(together, (model.ask([ask])[0] for ask in asks), strict=True):
        assert getattr(reply, "text", reply) == getattr(alone, "text", alone)
        assert probabilities_of(reply) == pytest.approx(probabilities_of(alone), abs=1e-5)
    first, *_, tall, cut = map(probabilities_of, together)
    assert first != pytest.approx(tall, abs=1e-5), "it does not look at the image"
    assert first != pytest.approx(cut, abs=1e-5), "it does not look at the region"
    assert model.ask(asks) == together


def test_a_choice_in_words_has_the_probability_of_its_words_as_the_whole_answer(
    load_chat: Load, two_pictures: list[Picture]
) -> None:
    model, text = load_chat("llava"), "Is it red? Yes or No."
    (reply,) = answers_of(
        model.ask(
            [
                Ask(
                    images=(two_pictures[0],),
                    text=text,
                    question="Is it red?",
                    choices=("Yes", "No"),
                )
            ]
        )
    )
    given = library_inputs(model, two_pictures[0], text)
    probabilities_of = []
    for word in ("Yes", "No"):
        ways = [
            model.tokenizer(space + way)["input_ids"]
            for way in (word, word.lower())
            for space in ("", " ")
        ]
        probabilities_of.append(
            sum(
                float(_log(model, given, [*ids, model.tokenizer.eos_token_id]).exp())
                for ids in ways
            )
        )
    assert reply.probabilities == pytest.approx(
        [chance / sum(probabilities_of) for chance in probabilities_of], rel=1e-3
    )


def _log(model: Any, given: Any, ids: list[int]) -> torch.Tensor:
    whole = torch.cat([given["input_ids"], torch.tensor([ids])], 1)
    with torch.inference_mode():
        scores = (
            model.model(input_ids=whole, pixel_values=given["pixel_values"])
            .logits[0, -len(ids) - 1 : -1]
            .float()
            .log_softmax(-1)
        )
    total: torch.Tensor = scores[range(len(ids)), ids].sum()
    return total


def test_draws_with_a_seed_are_the_same_again_and_others_without_it(
    load_chat: Load, two_pictures: list[Picture]
) -> None:
    asks = [
        Ask(
            images=(two_pictures[0],),
            text="Tell me.",
            question="Tell me.",
            temperature=2.0,
            seed=seed,
        )
        for seed in (1, 2, 3, 1)
    ]
    one, two, three, again = (
        getattr(reply, "text", "") for reply in load_chat("smolvlm").ask(asks)
    )
    assert one == again
    assert len({one, two, three}) > 1
    drawn = [
        replace(ask_by_letter(two_pictures[0], "What?"), temperature=50.0, seed=seed)
        for seed in range(12)
    ]
    assert len({reply.text for reply in answers_of(load_chat("smolvlm").ask(drawn))}) == 3


def test_a_stop_is_heard_between_two_words_and_the_model_can_be_asked_again(
    load_chat: Load, two_pictures: list[Picture]
) -> None:
    def stop(step: int, steps: int) -> None:
        told.append((step, steps))
        if step == 2:
            raise Stopped

    told: list[tuple[int, int]] = []
    with pytest.raises(Stopped):
        load_chat("llava").ask(
            [Ask(images=(two_pictures[0],), text="Tell me.", question="Tell me.")], stop
        )
    assert told == [(0, 1), (1, 0), (2, 0)]
    assert answers_of(load_chat("llava").ask([ask_by_letter(two_pictures[0], "What?")]))


def test_more_than_it_reads_is_a_failure_that_says_so_and_no_words_are_one_too(
    load_chat: Load, two_pictures: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    (long,) = load_chat("llava").ask([ask_by_letter(two_pictures[0], "What? " * 1000)])
    assert isinstance(long, Failure)
    assert "LLaVA 1.5 7B reads at most 4096 tokens and this is" in long.message
    monkeypatch.setattr(
        "hallascope.backends.transformers.prefix_cache.likeliest",
        lambda scores: load_chat("llava").tokenizer.eos_token_id,
    )
    (empty,) = load_chat("llava").ask(
        [Ask(images=(two_pictures[0],), text="Tell me.", question="Tell me.")]
    )
    assert isinstance(empty, Failure)
    assert (empty.kind, empty.message) == (
        "empty",
        "LLaVA 1.5 7B answers with nothing: ask it otherwise, or choose another model.",
    )


def test_weights_without_numbers_are_a_failure_and_no_choice(
    tiny: Tiny, two_pictures: list[Picture]
) -> None:
    model = registry.load(chat_spec("llava", tiny("llava")))
    assert isinstance(model, ChatModel)
    model.model.lm_head.weight.data.fill_(float("nan"))
    (reply,) = model.ask([ask_by_letter(two_pictures[0], "What?")])
    assert isinstance(reply, Failure)
    assert "gives no choice a probability" in reply.message
