"""Question answerers of the transformers library: the choices are ranked, the rest is None of the
above.
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file

from hallascope.backends.transformers.choice_ranking import LEFT_OVER
from hallascope.backends.transformers.vqa import DESCRIBE, VisualQuestionAnswering
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Describe, Failure
from hallascope.metrics.replies.letters import read_letter
from hallascope.primer.extra_questions import CAPTION

FOUR = ("One", "Two", "Three", "Four")
CHOICES = (*FOUR, NONE_OF_THE_ABOVE)


def load_judge(folder: Path) -> VisualQuestionAnswering:
    return VisualQuestionAnswering(
        ModelSpec(
            id="test/judge",
            title="test",
            roles=("judge", "captioner"),
            backend="transformers",
            repository=str(folder),
        )
    )


@pytest.fixture(scope="module")
def judge(tiny_blip: Path) -> VisualQuestionAnswering:
    return load_judge(tiny_blip)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    """A red, a blue and a white one, and one that is red on the left and blue on the right."""
    folder = tmp_path_factory.mktemp("pictures")
    half = Image.new("RGB", (100, 100), "red")
    half.paste("navy", (50, 0, 100, 100))
    images = [*(Image.new("RGB", (64, 64), color) for color in ("red", "navy", "white")), half]
    for number, image in enumerate(images):
        image.save(folder / f"{number}.png")
    return [Picture(str(number), folder / f"{number}.png") for number in range(4)]


def dots(*images: Picture, choices: tuple[str, ...] = FOUR, **more: Any) -> Ask:
    asked = "How many dots are there?"
    return Ask(images=images, text=asked, question=asked, choices=choices, **more)


def chances(reply: Answer | Failure) -> tuple[float, ...]:
    assert isinstance(reply, Answer)
    assert reply.probabilities is not None
    return reply.probabilities


def test_probabilities_are_those_of_the_library_itself(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    (reply,) = judge.ask([dots(pictures[0], choices=CHOICES)])
    assert isinstance(reply, Answer)
    assert read_letter(reply.text, CHOICES) is not None
    inputs = judge.processor(
        images=Image.open(pictures[0].path), text="How many dots are there?", return_tensors="pt"
    )
    inputs.pop("token_type_ids", None)
    own = []
    for choice in CHOICES[:4]:
        labels = judge.processor.tokenizer(choice, return_tensors="pt")["input_ids"]
        labels[:, 0] = judge.model.decoder_start_token_id
        with torch.inference_mode():
            patches = judge.model.vision_model(
                pixel_values=inputs["pixel_values"]
            ).last_hidden_state
            states = judge.model.text_encoder(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                encoder_hidden_states=patches,
            ).last_hidden_state
            scores = judge.model.text_decoder(
                input_ids=labels, encoder_hidden_states=states
            ).logits.log_softmax(-1)
        own.append(scores[0, :-1].gather(-1, labels[0, 1:, None]).sum().exp().item())
    left = LEFT_OVER * (1 - sum(own))
    assert reply.probabilities == pytest.approx(
        [chance / (sum(own) + left) for chance in (*own, left)], abs=1e-5
    )


def test_yes_or_no_and_free_answers_are_text_and_a_description_is_one(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    decided, free = judge.ask(
        [dots(pictures[0], choices=("Yes", "No")), dots(pictures[0], choices=())]
    )
    assert isinstance(decided, Answer)
    assert decided.text in ("Yes", "No")
    assert isinstance(free, Answer)
    assert free.probabilities is None
    assert DESCRIBE == CAPTION, "the question that the captions of Primer are trained with"
    for region in (None, Box(0.5, 0, 1, 1)):
        plain = replace(dots(pictures[3], choices=(), region=region), question=DESCRIBE)
        assert judge.describe([Describe(pictures[3], "Anything.", region)]) == judge.ask([plain])


def test_other_numbers_of_pictures_than_it_learned_are_a_failure_that_says_so(
    judge: VisualQuestionAnswering, of_pairs: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    for model, count in ((judge, 2), (of_pairs, 3), (of_pairs, 0)):
        (reply,) = model.ask([dots(*pictures[:count])])
        assert isinstance(reply, Failure)
        assert f"not at {count}" in reply.message


# --- regions, pairs, and what cannot be told ---


@pytest.fixture(scope="module")
def of_pairs(tiny_blip: Path, tmp_path_factory: pytest.TempPathFactory) -> VisualQuestionAnswering:
    """The tiny judge as one that was trained on pairs."""
    folder = tmp_path_factory.mktemp("pairs") / "judge"
    shutil.copytree(tiny_blip, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "pictures": 2}))
    return load_judge(folder)


def test_of_a_region_nothing_counts_but_what_it_shows_with_its_margin(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    red, half = pictures[0], pictures[3]
    inside, across, whole, plain = (
        chances(judge.ask([asked])[0])
        for asked in (
            dots(half, region=Box(0.1, 0.1, 0.4, 0.4)),
            dots(half, region=Box(0.3, 0.3, 0.7, 0.7)),
            dots(half),
            dots(red),
        )
    )
    assert inside == pytest.approx(plain, abs=1e-5)
    assert across != pytest.approx(inside, abs=1e-5)
    assert whole != pytest.approx(inside, abs=1e-5)


def test_a_picture_and_its_reference_are_seen_together_and_the_region_is_of_the_first(
    of_pairs: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    one, other, _, half = pictures
    pairs = ((one, other), (other, one), (one, one), (one,))
    there, back, twice, alone = map(chances, of_pairs.ask([dots(*pair) for pair in pairs]))
    assert there == pytest.approx(back, abs=1e-5)
    assert there != pytest.approx(alone, abs=1e-5)
    assert twice == pytest.approx(alone, abs=1e-5)  # the same states twice weigh as much as once
    region = Box(0, 0, 0.4, 0.4)
    asks = [dots(half, half), dots(half, half, region=region), dots(half, region=region)]
    whole, cut, cut_alone = map(chances, of_pairs.ask(asks))
    assert whole != pytest.approx(cut, abs=1e-5)
    assert cut != pytest.approx(cut_alone, abs=1e-5)


@pytest.fixture(scope="module")
def with_pairs(tiny_blip: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny judge with other weights, in `pairs`, that were trained on pairs."""
    folder = tmp_path_factory.mktemp("judge") / "judge"
    shutil.copytree(tiny_blip, folder)
    shutil.copytree(tiny_blip, folder / "pairs")
    config = json.loads((folder / "pairs" / "config.json").read_text("utf-8"))
    (folder / "pairs" / "config.json").write_text(
        json.dumps(config | {"pictures": 2}), encoding="utf-8"
    )
    weights = {
        name: held * 1.5 for name, held in load_file(folder / "pairs" / "model.safetensors").items()
    }
    save_file(weights, folder / "pairs" / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_weights_of_their_own_compare_pictures_and_the_others_answer_about_one(
    judge: VisualQuestionAnswering, with_pairs: Path, pictures: list[Picture]
) -> None:
    both, alone = load_judge(with_pairs), load_judge(with_pairs / "pairs")
    two = dots(pictures[0], pictures[1])
    asked = [dots(pictures[0]), two, dots(pictures[1])]
    assert both.ask(asked) == [*judge.ask([asked[0]]), *alone.ask([two]), *judge.ask([asked[2]])]
    assert alone.ask([asked[0]]) != judge.ask([asked[0]])
