"""BLIP-2, InstructBLIP, PaliGemma and Florence-2 say what the library's own models say to the
prompts of their entries.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, Captioner, Judge, Stopped
from hallascope.backends.transformers.captioner import PromptedCaptioner, has_text_encoder
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Describe, Failure
from tests.support import damaged_model
from tests.support.tiny_models import vision

ENTRIES = {
    "blip-2-opt": "blip2-opt-2.7b",
    "blip-2-t5": "blip2-flan-t5-xl",
    "instructblip-t5": "instructblip-flan-t5-xl",
    "instructblip-vicuna": "instructblip-vicuna-7b",
    "paligemma": "paligemma-3b",
    "paligemma2": "paligemma2-3b",
    "florence-2": "florence-2-base",
}
JUDGES = [kind for kind in ENTRIES if kind != "florence-2"]
WORDS = 6  # of a reply
Tiny = Callable[[str], Path]
Load = Callable[[str], Any]


def entry(kind: str, folder: Path, **settings: Any) -> ModelSpec:
    """The entry of the file with the folder in place of the repository, and no need of a GPU."""
    spec = read_models()[ENTRIES[kind]]
    said = {**spec.settings, "dtype": "float32", "max_tokens": WORDS, "device": "cpu", **settings}
    return replace(
        spec, repository=str(folder), needs=(), memory_gb=None, gated=False, settings=said
    )


@pytest.fixture(scope="module")
def load(tiny: Tiny) -> Load:
    return cache(lambda kind: registry.load(entry(kind, tiny(kind))))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    folder = tmp_path_factory.mktemp("pictures")
    return [vision.picture(folder), vision.picture(folder, "tall", (40, 90))]


def said(reply: Answer | Failure) -> str:
    """What was said, in the library's own letters; nothing is a failure."""
    assert isinstance(reply, Answer) or reply.kind == "empty", reply
    return reply.text if isinstance(reply, Answer) else ""


def chances(reply: Answer | Failure) -> tuple[float, ...]:
    """The probabilities of a reply, none where it has none."""
    return (isinstance(reply, Answer) and reply.probabilities) or ()


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
    text: str = model.processor.tokenizer.decode(
        ids if has_text_encoder(model.model) else ids[given["input_ids"].shape[1] :],
        skip_special_tokens=True,
    )
    return text.strip()


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
                whole = {
                    name: (
                        torch.cat([value, _more(name, ids)], 1)
                        if value.dim() == 2 and "qformer" not in name
                        else value
                    )
                    for name, value in given.items()
                }
                logits = model.model(**whole).logits[:, -ids.shape[1] - 1 : -1]
        found += math.exp(logits[0].float().log_softmax(-1)[range(ids.shape[1]), ids[0]].sum())
    return found


def _more(name: str, ids: torch.Tensor) -> torch.Tensor:
    return ids if name == "input_ids" else torch.ones_like(ids)


# --- all architectures
# -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_model_fills_the_roles_of_its_entry_and_its_revision_is_known_before(
    load: Load, tiny: Tiny, kind: str
) -> None:
    spec, model = entry(kind, tiny(kind)), load(kind)
    assert registry.available(spec) is None
    assert isinstance(model, Captioner)
    assert isinstance(model, Judge)
    assert spec.ranks == ("judge" in spec.roles) == (kind in JUDGES)
    assert model.revision == registry.revision(spec) != "unpinned"
    assert model.limits == registry.limits(spec)


@pytest.mark.parametrize("kind", ENTRIES)
def test_it_describes_as_the_librarys_own_generation_does_together_and_alone(
    load: Load, pictures: list[Picture], kind: str
) -> None:
    model, prompt = load(kind), read_models()[ENTRIES[kind]].settings["describe"]
    asked = [Describe(picture, "Anything.") for picture in (*pictures, pictures[0])]
    replies = model.describe(asked)
    assert replies == [model.describe([one])[0] for one in asked]
    for one, reply in zip(asked, replies, strict=True):
        text = own_words(model, one.image, str(prompt))
        assert said(reply) == text[:1].upper() + text[1:]


@pytest.mark.parametrize("kind", JUDGES)
def test_choices_have_the_probabilities_of_their_words_as_the_library_has_them(
    load: Load, pictures: list[Picture], kind: str
) -> None:
    model, question, choices = load(kind), "Is it red, or is it blue?", ("Red", "Blue")
    prompt = str(model.spec.settings["ask"]).replace("{question}", question)
    other = Ask(
        images=(pictures[0],),
        text="Anything.",
        question="Why?",
        choices=("A cat", NONE_OF_THE_ABOVE),
    )
    reply, _ = model.ask(
        [Ask(images=(pictures[0],), text="Anything.", question=question, choices=choices), other]
    )
    own = [own_chance(model, pictures[0], prompt, words) for words in choices]
    assert isinstance(reply, Answer)
    assert reply.probabilities == pytest.approx([chance / sum(own) for chance in own], rel=1e-3)
    assert reply.text == choices[own.index(max(own))]


@pytest.mark.parametrize("kind", JUDGES)
def test_many_questions_are_answered_as_one_by_one_and_in_order(
    load: Load, pictures: list[Picture], kind: str
) -> None:
    model, (one, other) = load(kind), pictures
    asks = [
        Ask(
            images=(one,),
            text="Anything.",
            question="What color is the larger one of the two things?",
            choices=("Red", "Blue", NONE_OF_THE_ABOVE),
        ),
        Ask(images=(one,), text="Anything.", question="What is it?"),
        Ask(images=(one,), text="Anything.", question="Is it big?", choices=("Yes", "No")),
        Ask(images=(one,), text="Anything.", question="Where is the thing that is not red?"),
        Ask(images=(other,), text="Anything.", question="Is it big?", choices=("Yes", "No")),
        Ask(
            images=(one,),
            text="Anything.",
            question="Is it big?",
            choices=("Yes", "No"),
            region=Box(0, 0, 0.4, 0.6),
        ),
    ]
    together = model.ask(asks)
    for reply, alone in zip(together, (model.ask([ask])[0] for ask in asks), strict=True):
        assert said(reply) == said(alone)
        assert chances(reply) == pytest.approx(chances(alone), abs=1e-5, rel=1e-3)
    _, _, big, _, tall, cut = map(chances, together)
    assert big != pytest.approx(tall, rel=1e-3), "it does not look at the image"
    assert big != pytest.approx(cut, rel=1e-3), "it does not look at the region"
    assert together[0].text[:3] in ("A) ", "B) ", "C) ")


@pytest.mark.parametrize("kind", ENTRIES)
@pytest.mark.parametrize("damage", ["pickle", "a weight is gone", "remote code"])
def test_bad_weights_and_remote_code_are_refused(
    tiny: Tiny, tmp_path: Path, kind: str, damage: str
) -> None:
    with pytest.raises(BadWeights, match="could not be loaded from") as caught:
        registry.load(entry(kind, damaged_model.damaged(tiny(kind), tmp_path / "broken", damage)))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


# --- what they share
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", JUDGES)
def test_a_picture_is_seen_once_for_all_questions_and_choices(
    tiny: Tiny, pictures: list[Picture], kind: str, monkeypatch: Any
) -> None:
    model = registry.load(entry(kind, tiny(kind)))
    assert isinstance(model, PromptedCaptioner)
    tower = next(
        module
        for name, module in model.model.named_modules()
        if name.rpartition(".")[2] in ("vision_model", "vision_tower")
    )
    seen: list[tuple[int, ...]] = []
    inner = tower.forward._forward

    def forward(pixels: Any, **named: Any) -> Any:
        seen.append(tuple(pixels.shape))
        return inner(pixels, **named)

    monkeypatch.setattr(tower.forward, "_forward", forward)
    asks = [
        Ask(
            images=(pictures[0],),
            text="?",
            question=question,
            choices=("Yes", "No", "Perhaps", "Never", "Ever"),
        )
        for question in ("Is it red?", "Is it big?")
    ]
    model.ask([*asks, Ask(images=(pictures[0],), text="?", question="What is it?")])
    assert [shape[0] for shape in seen] == [1]
    model.ask([replace(ask, images=(pictures[1],)) for ask in asks])
    assert [shape[0] for shape in seen] == [1, 1]


def test_the_text_of_a_metric_stands_in_the_prompt_where_the_entry_wants_it(
    tiny: Tiny, pictures: list[Picture]
) -> None:
    model = registry.load(entry("blip-2-opt", tiny("blip-2-opt"), ask="{text} Short answer:"))
    assert isinstance(model, PromptedCaptioner)
    (reply,) = model.ask([Ask(images=(pictures[0],), text="Is {question} in it?", question="red")])
    plain = registry.load(
        entry("blip-2-opt", tiny("blip-2-opt"), ask="Is {question} in it? Short answer:")
    )
    assert isinstance(plain, PromptedCaptioner)
    assert said(reply) == said(
        plain.ask([Ask(images=(pictures[0],), text="", question="{question}")])[0]
    )


def test_two_pictures_in_one_question_are_a_failure_that_says_so(
    load: Load, pictures: list[Picture]
) -> None:
    (reply,) = load("blip-2-opt").ask(
        [Ask(images=tuple(pictures), text="?", question="?", choices=("Yes", "No"))]
    )
    message = (
        "BLIP-2 OPT 2.7B looks at exactly one image a question, not at 2: choose another judge"
        " for that."
    )
    assert reply == Failure("broken", message)


@pytest.mark.parametrize("kind", ["blip-2-t5", "paligemma2"])
def test_a_stop_is_heard_between_two_words_and_the_model_can_be_asked_again(
    tiny: Tiny, pictures: list[Picture], kind: str
) -> None:
    def stop(step: int, steps: int) -> None:
        told.append((step, steps))
        if step == 1:
            raise Stopped

    told: list[tuple[int, int]] = []
    model = registry.load(entry(kind, tiny(kind)))
    assert isinstance(model, PromptedCaptioner)
    with pytest.raises(Stopped):
        model.describe([Describe(pictures[0], "?")], stop)
    assert told == [(0, 1), (1, 0)]
    assert (
        len(
            model.ask(
                [Ask(images=(pictures[0],), text="?", question="Is it red?", choices=("Yes", "No"))]
            )
        )
        == 1
    )


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("ask", 5, "give a text, with {question} where the question belongs."),
        ("max_tokens", 1.5, "give a whole number from 1."),
        ("dtype", "int4", "give float32, bfloat16, float16, or leave it out."),
    ],
)
def test_a_setting_that_makes_no_sense_is_said_before_anything_is_loaded(
    tiny: Tiny, name: str, value: Any, remedy: str
) -> None:
    reason = registry.available(entry("florence-2", tiny("florence-2"), **{name: value}))
    assert reason == f"Florence-2 base cannot run here: its setting {name!r} is {value!r}: {remedy}"


def test_a_model_of_another_kind_is_refused(tiny: Tiny) -> None:
    with pytest.raises(
        BadWeights, match="it is of the kind 'llava', and this backend is for blip-2"
    ):
        registry.load(entry("florence-2", tiny("llava")))
