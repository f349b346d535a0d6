"""Vision-language models that follow instructions say what the library's own models say, however
many questions are asked at once.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, Captioner, Judge, Stopped, Writer
from hallascope.backends.transformers import processors
from hallascope.backends.transformers.chat import ChatModel
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import CANNOT_TELL, Picture, Question
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Describe, Failure, Write
from hallascope.metrics import get
from hallascope.metrics.base import Case
from tests.support import damaged_model
from tests.support.tiny_models import vision

ENTRIES = {
    "llava": "llava-1.5-7b",
    "llava-next": "llava-1.6-mistral-7b",
    "llava-onevision": "llava-onevision-0.5b",
    "qwen2-vl": "qwen2-vl-2b",
    "qwen2.5-vl": "qwen2.5-vl-7b",
    "qwen3-vl": "qwen3-vl-2b",
    "qwen3.5": "qwen3.5-4b",
    "idefics3": "smolvlm-500m",
    "smolvlm": "smolvlm2-2.2b",
}
WORDS = 8  # of a reply
THREE = ("Red", "Blue", "None of the above")
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
def chat(tiny: Tiny) -> Load:
    return cache(lambda kind: registry.load(entry(kind, tiny(kind))))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    folder = tmp_path_factory.mktemp("pictures")
    return [vision.picture(folder), vision.picture(folder, "tall", (40, 90))]


def lettered(picture: Picture, question: str, choices: tuple[str, ...] = THREE) -> Ask:
    lines = "\n".join(
        f"{letter}) {choice}" for letter, choice in zip("ABCDE", choices, strict=False)
    )
    return Ask(
        images=(picture,),
        text=f"Look at it.\nQuestion: {question}\n{lines}\nAnswer:",
        question=question,
        choices=choices,
    )


def answers(replies: list[Answer | Failure]) -> list[Answer]:
    assert all(isinstance(reply, Answer) for reply in replies), replies
    return [reply for reply in replies if isinstance(reply, Answer)]


def chances(reply: Answer | Failure) -> tuple[float, ...]:
    """The probabilities of a reply, none where it has none."""
    return (isinstance(reply, Answer) and reply.probabilities) or ()


def inputs(model: Any, picture: Picture | None, text: str) -> Any:
    """What the library itself makes of a question."""
    content = [*([{"type": "image"}] if picture else []), {"type": "text", "text": text}]
    prompt = model.processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )
    if not picture:
        return model.processor.tokenizer([prompt], return_tensors="pt")
    with Image.open(picture.path) as image:
        return model.processor(images=[image.convert("RGB")], text=[prompt], return_tensors="pt")


# --- all architectures
# -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_model_fills_the_roles_of_its_entry_and_its_revision_is_known_before(
    chat: Load, tiny: Tiny, kind: str
) -> None:
    spec, model = entry(kind, tiny(kind)), chat(kind)
    assert registry.available(spec) is None
    assert spec.roles == ("judge", "captioner", "writer")
    assert all(isinstance(model, role) for role in (Judge, Captioner, Writer))
    assert model.revision == registry.revision(spec) != "unpinned"
    assert model.limits == registry.limits(spec)


@pytest.mark.parametrize("kind", ENTRIES)
def test_the_probabilities_of_letters_are_those_of_one_plain_pass_of_the_library(
    chat: Load, pictures: list[Picture], kind: str
) -> None:
    model, asks = (
        chat(kind),
        [
            lettered(pictures[0], question)
            for question in ("What color is it?", "Is it big, or is it small?")
        ],
    )
    for ask, reply in zip(asks, answers(model.ask(asks)), strict=True):
        with torch.inference_mode():
            chances = (
                model.model(**inputs(model, pictures[0], ask.text))
                .logits[0, -1]
                .float()
                .softmax(-1)
            )
        own = torch.stack(
            [chances[model.tokenizer.convert_tokens_to_ids(letter)] for letter in "ABC"]
        )
        assert reply.probabilities == pytest.approx((own / own.sum()).tolist(), abs=1e-5)
        assert reply.text == f"{'ABC'[int(own.argmax())]}) {THREE[int(own.argmax())]}"


@pytest.mark.parametrize("kind", ENTRIES)
def test_what_it_says_is_what_the_librarys_own_generation_says(
    chat: Load, pictures: list[Picture], kind: str
) -> None:
    model, text = chat(kind), "Tell me what you see in it."
    given = inputs(model, pictures[1], text)
    own = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)[
        0, given["input_ids"].shape[1] :
    ]
    (said,) = model.describe([Describe(pictures[1], text)])
    expected = model.tokenizer.decode(own, skip_special_tokens=True).strip()
    assert (said.text if isinstance(said, Answer) else "") == expected


@pytest.mark.parametrize("kind", ENTRIES)
def test_many_questions_are_answered_as_one_by_one_and_in_order(
    chat: Load, pictures: list[Picture], kind: str
) -> None:
    model, (one, other) = chat(kind), pictures
    asks = [
        lettered(one, "What color is it?"),
        Ask(images=(one,), text="Tell me.", question="Tell me."),
        Ask(
            images=(one,),
            text=f"Is it red? Yes or No, or: {CANNOT_TELL}",
            question="Is it red?",
            choices=("Yes", "No"),
        ),
        lettered(one, "And what is the other one?", ("Red", "Blue", "Green", "Black", "White")),
        Ask(images=(one,), text="Tell me more of it.", question="Tell me more."),
        lettered(other, "What color is it?"),
        replace(lettered(one, "What color is it?"), region=Box(0, 0, 0.4, 0.6)),
    ]
    together = model.ask(asks)
    for reply, alone in zip(together, (model.ask([ask])[0] for ask in asks), strict=True):
        assert getattr(reply, "text", reply) == getattr(alone, "text", alone)
        assert chances(reply) == pytest.approx(chances(alone), abs=1e-5)
    first, *_, tall, cut = map(chances, together)
    assert first != pytest.approx(tall, abs=1e-5), "it does not look at the picture"
    assert first != pytest.approx(cut, abs=1e-5), "it does not look at the region"
    assert model.ask(asks) == together


@pytest.mark.parametrize("kind", ENTRIES)
@pytest.mark.parametrize("damage", ["pickle", "a weight is gone", "remote code"])
def test_bad_weights_and_remote_code_are_refused(
    tiny: Tiny, tmp_path: Path, kind: str, damage: str
) -> None:
    folder = damaged_model.damaged(tiny(kind), tmp_path / "broken", damage)
    with pytest.raises(BadWeights, match="could not be loaded from") as caught:
        registry.load(entry(kind, folder))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("damage", ["truncated", "missing", "no config"])
def test_a_damaged_folder_is_refused_with_one_sentence(
    tiny: Tiny, tmp_path: Path, damage: str
) -> None:
    with pytest.raises(BadWeights, match="could not be loaded from"):
        registry.load(
            entry("llava", damaged_model.damaged(tiny("llava"), tmp_path / "broken", damage))
        )


# --- a picture is read once
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "calls"), [("qwen3-vl", 2), ("smolvlm", 2), ("qwen3.5", 6)])
def test_a_picture_is_read_once_for_all_questions_about_it(
    chat: Load, pictures: list[Picture], kind: str, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One pass for the picture and one for all questions.

    The states of linear attention cannot be had several times: one a question.
    """
    model, shown = chat(kind), []
    forward = model.model.forward

    @wraps(forward)
    def counted(*args: Any, **named: Any) -> Any:
        shown.append("pixel_values" in named)
        return forward(*args, **named)

    monkeypatch.setattr(model.model, "forward", counted)
    model.ask(
        [
            lettered(pictures[0], question)
            for question in ("What color is it?", "What is it?", "Why is it?", "Where?", "Who?")
        ]
    )
    assert shown == [True] + [False] * (calls - 1)


def test_what_it_writes_without_a_picture_does_not_hang_on_one_it_saw_before(
    chat: Load, pictures: list[Picture]
) -> None:
    model, asked = chat("qwen2.5-vl"), [Write("Write of a fish."), Write("Write of a bird.")]
    before = model.write(asked)
    model.ask([lettered(pictures[0], "What color is it?")])
    assert model.write(asked) == before
    given = inputs(model, None, asked[0].text)
    model.model.base_model.rope_deltas = None
    own = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)[
        0, given["input_ids"].shape[1] :
    ]
    assert (
        getattr(before[0], "text", "")
        == model.tokenizer.decode(own, skip_special_tokens=True).strip()
    )


def test_two_pictures_are_seen_in_their_order_and_more_than_it_takes_are_a_failure(
    chat: Load, pictures: list[Picture]
) -> None:
    one, other = pictures
    asks = [
        replace(lettered(one, "Is it the same thing?"), images=pair)
        for pair in ((one, other), (other, one))
    ]
    there, back = answers(chat("qwen2-vl").ask(asks))
    assert there.probabilities != pytest.approx(back.probabilities, abs=1e-5)
    (failed,) = chat("llava").ask(asks[:1])
    assert failed == Failure(
        "broken",
        "LLaVA 1.5 7B looks at one picture a question, not at 2: ask it about fewer, or choose"
        " another judge.",
    )


def test_the_pictures_of_smolvlm_are_prepared_as_its_own_processor_prepares_them(
    tiny: Tiny, pictures: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import SmolVLMProcessor
    from transformers.models.smolvlm import processing_smolvlm

    monkeypatch.setattr(processing_smolvlm, "num2words", str, raising=False)
    ours = processors.of_pictures(str(tiny("smolvlm")), {})
    kind = type(
        "Still",
        (SmolVLMProcessor,),
        {"get_attributes": classmethod(lambda _: ["image_processor", "tokenizer"])},
    )
    own = kind(
        ours.image_processor,
        ours.tokenizer,
        None,
        image_seq_len=4,
        chat_template=ours.chat_template,
    )
    with Image.open(pictures[0].path) as image:
        for text in ("<image>What is it?", "Are <image> and <image> alike?"):
            shown = {
                "images": [image] * text.count("<image>"),
                "text": [text],
                "return_tensors": "pt",
            }
            made, expected = ours(**shown), own(**shown)
            assert set(made) == set(expected)
            assert all(torch.equal(made[name], expected[name]) for name in expected)


# --- answers
# --------------------------------------------------------------------------------------------------


def test_a_choice_in_words_has_the_probability_of_its_words_as_the_whole_answer(
    chat: Load, pictures: list[Picture]
) -> None:
    model, text = chat("llava"), "Is it red? Yes or No."
    (reply,) = answers(
        model.ask(
            [Ask(images=(pictures[0],), text=text, question="Is it red?", choices=("Yes", "No"))]
        )
    )
    given = inputs(model, pictures[0], text)
    chances = []
    for word in ("Yes", "No"):
        ways = [
            model.tokenizer(space + way)["input_ids"]
            for way in (word, word.lower())
            for space in ("", " ")
        ]
        chances.append(
            sum(
                float(_log(model, given, [*ids, model.tokenizer.eos_token_id]).exp())
                for ids in ways
            )
        )
    assert reply.probabilities == pytest.approx(
        [chance / sum(chances) for chance in chances], rel=1e-3
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


def test_i_halla_is_answered_with_the_probability_of_every_letter(
    chat: Load, pictures: list[Picture]
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
    plan = get("ihalla").plan(Case(prompt="a red circle", image=pictures[0], questions=questions))
    replies = chat("qwen3-vl").ask(next(plan))
    with pytest.raises(StopIteration) as done:
        plan.send(replies)
    verdicts = done.value.value.verdicts
    assert len(verdicts) == 5
    assert all(
        verdict.answer and verdict.probability and verdict.probability >= 0.2
        for verdict in verdicts
    )


def test_draws_with_a_seed_are_the_same_again_and_others_without_it(
    chat: Load, pictures: list[Picture]
) -> None:
    asks = [
        Ask(images=(pictures[0],), text="Tell me.", question="Tell me.", temperature=2.0, seed=seed)
        for seed in (1, 2, 3, 1)
    ]
    one, two, three, again = (getattr(reply, "text", "") for reply in chat("smolvlm").ask(asks))
    assert one == again
    assert len({one, two, three}) > 1
    drawn = [
        replace(lettered(pictures[0], "What?"), temperature=50.0, seed=seed) for seed in range(12)
    ]
    assert len({reply.text for reply in answers(chat("smolvlm").ask(drawn))}) == 3


def test_a_stop_is_heard_between_two_words_and_the_model_can_be_asked_again(
    chat: Load, pictures: list[Picture]
) -> None:
    def stop(step: int, steps: int) -> None:
        told.append((step, steps))
        if step == 2:
            raise Stopped

    told: list[tuple[int, int]] = []
    with pytest.raises(Stopped):
        chat("llava").ask([Ask(images=(pictures[0],), text="Tell me.", question="Tell me.")], stop)
    assert told == [(0, 1), (1, 0), (2, 0)]
    assert answers(chat("llava").ask([lettered(pictures[0], "What?")]))


def test_more_than_it_reads_is_a_failure_that_says_so_and_no_words_are_one_too(
    chat: Load, pictures: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    (long,) = chat("llava").ask([lettered(pictures[0], "What? " * 1000)])
    assert isinstance(long, Failure)
    assert "LLaVA 1.5 7B reads at most 4096 tokens and this is" in long.message
    monkeypatch.setattr(
        "hallascope.backends.transformers.prefix_cache.likeliest",
        lambda scores: chat("llava").tokenizer.eos_token_id,
    )
    (empty,) = chat("llava").ask([Ask(images=(pictures[0],), text="Tell me.", question="Tell me.")])
    assert isinstance(empty, Failure)
    assert (empty.kind, empty.message) == (
        "empty",
        "LLaVA 1.5 7B answers with nothing: ask it otherwise, or choose another model.",
    )


def test_weights_without_numbers_are_a_failure_and_no_choice(
    tiny: Tiny, pictures: list[Picture]
) -> None:
    model = registry.load(entry("llava", tiny("llava")))
    assert isinstance(model, ChatModel)
    model.model.lm_head.weight.data.fill_(float("nan"))
    (reply,) = model.ask([lettered(pictures[0], "What?")])
    assert isinstance(reply, Failure)
    assert "gives no choice a probability" in reply.message


def test_half_precision_answers_nearly_the_same(
    chat: Load, tiny: Tiny, pictures: list[Picture]
) -> None:
    half = registry.load(entry("qwen3-vl", tiny("qwen3-vl"), dtype="bfloat16"))
    assert isinstance(half, ChatModel)
    assert half.model.dtype == torch.bfloat16
    ask = lettered(pictures[0], "What color is it?")
    assert answers(half.ask([ask]))[0].probabilities == pytest.approx(
        answers(chat("qwen3-vl").ask([ask]))[0].probabilities, abs=0.1
    )


# --- before anything is loaded
# -------------------------------------------------------------------------------------------


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
    reason = registry.available(entry("llava", tiny("llava"), **{name: value}))
    assert reason == f"LLaVA 1.5 7B cannot run here: its setting {name!r} is {value!r}: {remedy}"


def test_a_model_without_a_template_and_one_that_sees_nothing_are_refused(
    tiny: Tiny, tmp_path: Path
) -> None:
    folder = damaged_model.copied(tiny("llava"), tmp_path / "plain")
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(BadWeights, match="it has no template for a conversation"):
        registry.load(entry("llava", folder))
    with pytest.raises(BadWeights, match="it is of the kind 'llama', which looks at no pictures"):
        registry.load(entry("llava", tiny("llama")))


def test_a_gated_model_is_explained_before_anything_starts() -> None:
    reason = registry.available(replace(read_models()["paligemma2-3b"], memory_gb=None))
    assert reason is not None
    assert "https://huggingface.co/google/paligemma2-3b-mix-448" in reason
    assert "hf auth login" in reason
