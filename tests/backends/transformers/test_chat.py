"""Vision-language models that follow instructions say what the library's own models say, however
many questions are asked at once.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, Captioner, Judge, Writer
from hallascope.backends.transformers.chat import ChatModel
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture, Question
from hallascope.data.requests import Failure
from hallascope.metrics import get
from hallascope.metrics.base import Case
from tests.support import damaged_model
from tests.support.chat_entries import ENTRIES, Load, answers_of, ask_by_letter, chat_spec
from tests.support.vision_entries import Tiny


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_model_fills_the_roles_of_its_entry_and_its_revision_is_known_before(
    load_chat: Load, tiny: Tiny, kind: str
) -> None:
    spec, model = chat_spec(kind, tiny(kind)), load_chat(kind)
    assert registry.available(spec) is None
    assert spec.roles == ("judge", "captioner", "writer")
    assert all(isinstance(model, role) for role in (Judge, Captioner, Writer))
    assert model.revision == registry.revision(spec) != "unpinned"
    assert model.limits == registry.limits(spec)


@pytest.mark.parametrize("kind", ENTRIES)
@pytest.mark.parametrize("damage", ["pickle", "a weight is gone", "remote code"])
def test_bad_weights_and_remote_code_are_refused(
    tiny: Tiny, tmp_path: Path, kind: str, damage: str
) -> None:
    folder = damaged_model.damaged(tiny(kind), tmp_path / "broken", damage)
    with pytest.raises(BadWeights, match="could not be loaded from") as caught:
        registry.load(chat_spec(kind, folder))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("damage", ["truncated", "missing", "no config"])
def test_a_damaged_folder_is_refused_with_one_sentence(
    tiny: Tiny, tmp_path: Path, damage: str
) -> None:
    with pytest.raises(BadWeights, match="could not be loaded from"):
        registry.load(
            chat_spec("llava", damaged_model.damaged(tiny("llava"), tmp_path / "broken", damage))
        )


def test_two_pictures_are_seen_in_their_order_and_more_than_it_takes_are_a_failure(
    load_chat: Load, two_pictures: list[Picture]
) -> None:
    one, other = two_pictures
    asks = [
        replace(ask_by_letter(one, "Is it the same thing?"), images=pair)
        for pair in ((one, other), (other, one))
    ]
    there, back = answers_of(load_chat("qwen2-vl").ask(asks))
    assert there.probabilities != pytest.approx(back.probabilities, abs=1e-5)
    (failed,) = load_chat("llava").ask(asks[:1])
    assert failed == Failure(
        "broken",
        "LLaVA 1.5 7B looks at one image a question, not at 2: ask it about fewer, or choose"
        " another judge.",
    )


def test_i_halla_is_answered_with_the_probability_of_every_letter(
    load_chat: Load, two_pictures: list[Picture]
) -> None:
    questions = tuple(
        Question(
            text=f"What is number {n}?",
            choices=(*"abcd", "None of the above"),
            gold="A",
            coi="shape",
        )
        for n in range(5)
    )
    plan = get("ihalla").plan(
        Case(prompt="a red circle", image=two_pictures[0], questions=questions)
    )
    replies = load_chat("qwen3-vl").ask(next(plan))
    with pytest.raises(StopIteration) as done:
        plan.send(replies)
    verdicts = done.value.value.verdicts
    assert len(verdicts) == 5
    assert all(
        verdict.answer and verdict.probability and verdict.probability >= 0.2
        for verdict in verdicts
    )


def test_half_precision_answers_nearly_the_same(
    load_chat: Load, tiny: Tiny, two_pictures: list[Picture]
) -> None:
    half = registry.load(chat_spec("qwen3-vl", tiny("qwen3-vl"), dtype="bfloat16"))
    assert isinstance(half, ChatModel)
    assert half.model.dtype == torch.bfloat16
    ask = ask_by_letter(two_pictures[0], "What color is it?")
    assert answers_of(half.ask([ask]))[0].probabilities == pytest.approx(
        answers_of(load_chat("qwen3-vl").ask([ask]))[0].probabilities, abs=0.1
    )


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("dtype", "int8", "give float32, bfloat16, float16, or leave it out."),
        ("max_tokens", 0, "give a number from 1."),
        ("temperature", "hot", "give a number from 0."),
        ("pictures", True, "give a number from 1."),
    ],
)
def test_a_setting_that_makes_no_sense_is_said_before_anything_is_loaded(
    tiny: Tiny, name: str, value: Any, remedy: str
) -> None:
    reason = registry.available(chat_spec("llava", tiny("llava"), **{name: value}))
    assert reason == f"LLaVA 1.5 7B cannot run here: its setting {name!r} is {value!r}: {remedy}"


def test_a_model_without_a_template_and_one_that_sees_nothing_are_refused(
    tiny: Tiny, tmp_path: Path
) -> None:
    folder = damaged_model.copied(tiny("llava"), tmp_path / "plain")
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(BadWeights, match="it has no template for a conversation"):
        registry.load(chat_spec("llava", folder))
    with pytest.raises(BadWeights, match="it is of the kind 'llama', which looks at no images"):
        registry.load(chat_spec("llava", tiny("llama")))


def test_a_gated_model_is_explained_before_anything_starts() -> None:
    reason = registry.available(replace(read_models()["paligemma2-3b"], memory_gb=None))
    assert reason is not None
    assert "https://huggingface.co/google/paligemma2-3b-mix-448" in reason
    assert "hf auth login" in reason
