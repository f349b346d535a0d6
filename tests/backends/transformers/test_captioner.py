"""BLIP-2, InstructBLIP, PaliGemma and Florence-2 say what the library's own models say to the
prompts of their entries.
"""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from PIL import Image

from hallascope.backends.base import Stopped
from hallascope.backends.transformers.captioner import has_text_encoder
from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Describe, Failure
from tests.support.tiny_entries import (
    CAPTIONERS,
    WORDS,
    Load,
    ask,
    decoded,
    probabilities_of,
    quick,
    text_of,
)

JUDGES = [kind for kind in CAPTIONERS if kind != "florence-2"]
QUICK = "blip-2-t5"


def inputs(model: Any, picture: Picture, prompt: str) -> dict[str, torch.Tensor]:
    """What the library itself makes of one prompt.

    Numpy, because PaliGemma's processor warns of tensors.
    """
    with Image.open(picture.path) as image:
        made = model.processor(images=image.convert("RGB"), text=prompt, return_tensors="np")
    return {name: torch.from_numpy(value) for name, value in made.items() if name != "labels"}


def own_words(model: Any, picture: Picture, prompt: str) -> str:
    given = inputs(model, picture, prompt)
    ids = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False, num_beams=1)[0]
    start = 0 if has_text_encoder(model.model) else given["input_ids"].shape[1]
    return decoded(model.processor, ids[start:])


def own_chance(model: Any, picture: Picture, prompt: str, words: str) -> float:
    """The probability of words and their end as the whole answer, in one pass of the library a
    spelling.
    """
    given, tokenizer = inputs(model, picture, prompt), model.processor.tokenizer
    found = 0.0
    for spelled in {
        space + way for way in (words, words[:1].lower() + words[1:]) for space in ("", " ")
    }:
        ids = torch.tensor(
            [[*tokenizer(spelled, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]]
        )
        with torch.inference_mode():
            if has_text_encoder(model.model):
                logits = model.model(**given, labels=ids).logits
            else:
                whole = dict(given)
                for name, value in given.items():
                    if value.dim() == 2 and "qformer" not in name:
                        more = ids if name == "input_ids" else torch.ones_like(ids)
                        whole[name] = torch.cat([value, more], 1)
                logits = model.model(**whole).logits[:, -ids.shape[1] - 1 : -1]
        found += math.exp(logits[0].float().log_softmax(-1)[range(ids.shape[1]), ids[0]].sum())
    return found


@pytest.mark.parametrize("kind", quick(CAPTIONERS, QUICK))
def test_it_describes_as_the_librarys_own_generation_does_together_and_alone(
    load: Load, two_pictures: list[Picture], kind: str
) -> None:
    model = load(kind)
    asked = [Describe(picture, "Anything.") for picture in (*two_pictures, two_pictures[0])]
    replies = model.describe(asked)
    assert replies == [model.describe([one])[0] for one in asked]
    for one, reply in zip(asked, replies, strict=True):
        text = own_words(model, one.image, str(model.spec.settings["describe"]))
        assert text_of(reply) == text[:1].upper() + text[1:]


@pytest.mark.parametrize("kind", quick(JUDGES, QUICK))
def test_choices_have_the_probabilities_of_their_words_as_the_library_has_them(
    load: Load, picture: Picture, kind: str
) -> None:
    model, question, choices = load(kind), "Is it red, or is it blue?", ("Red", "Blue")
    assert model.spec.ranks
    prompt = str(model.spec.settings["ask"]).replace("{question}", question)
    other = ask(picture, "Why?", "A cat", NONE_OF_THE_ABOVE)
    reply, _ = model.ask([ask(picture, question, *choices), other])
    own = [own_chance(model, picture, prompt, words) for words in choices]
    assert reply.probabilities == pytest.approx([chance / sum(own) for chance in own], rel=1e-3)
    assert reply.text == choices[own.index(max(own))]


@pytest.mark.parametrize("kind", quick(JUDGES, QUICK))
def test_many_questions_are_answered_as_one_by_one_and_in_order(
    load: Load, two_pictures: list[Picture], kind: str
) -> None:
    model, (one, other) = load(kind), two_pictures
    asks = [
        ask(one, "What color is the larger one?", "Red", "Blue", NONE_OF_THE_ABOVE),
        ask(one, "What is it?"),
        ask(one, "Is it big?", "Yes", "No"),
        ask(one, "Where is the thing that is not red?"),
        ask(other, "Is it big?", "Yes", "No"),
        ask(one, "Is it big?", "Yes", "No", region=Box(0, 0, 0.4, 0.6)),
    ]
    together = model.ask(asks)
    for reply, alone in zip(together, (model.ask([one])[0] for one in asks), strict=True):
        assert text_of(reply) == text_of(alone)
        chances = probabilities_of(alone)
        assert probabilities_of(reply) == pytest.approx(chances, abs=1e-5, rel=1e-3)
    _, _, big, _, tall, cut = map(probabilities_of, together)
    assert big != pytest.approx(tall, rel=1e-3), "it does not look at the image"
    assert big != pytest.approx(cut, rel=1e-3), "it does not look at the region"
    assert together[0].text[:3] in ("A) ", "B) ", "C) ")


def test_two_pictures_in_one_question_are_a_failure_that_says_so(
    load: Load, two_pictures: list[Picture]
) -> None:
    asked = replace(ask(two_pictures[0], "?", "Yes", "No"), images=tuple(two_pictures))
    (reply,) = load(QUICK).ask([asked])
    assert isinstance(reply, Failure)
    assert "looks at exactly one image a question, not at 2" in reply.message


@pytest.mark.parametrize("kind", quick(("blip-2-t5", "paligemma2"), QUICK))
def test_a_stop_is_heard_between_two_words_and_the_model_can_be_asked_again(
    load: Load, picture: Picture, kind: str
) -> None:
    def stop(step: int, steps: int) -> None:
        told.append((step, steps))
        if step == 1:
            raise Stopped

    told: list[tuple[int, int]] = []
    with pytest.raises(Stopped):
        load(kind).describe([Describe(picture, "?")], stop)
    assert told == [(0, 1), (1, 0)]
    assert len(load(kind).ask([ask(picture, "Is it red?", "Yes", "No")])) == 1
