"""Question answerers of the transformers library: the choices are ranked, the rest is None of the above."""

import shutil
from pathlib import Path

import pytest
import torch
from PIL import Image

from backends.base import BadWeights
from backends.transformers_ import VisualQuestionAnswering
from data.models import ModelSpec
from data.records import NONE_OF_THE_ABOVE, Picture
from data.requests import Answer, Ask, Failure
from metrics.replies import read_letter

CHOICES = ("One", "Two", "Three", "Four", NONE_OF_THE_ABOVE)


def _judge(folder: Path) -> VisualQuestionAnswering:
    return VisualQuestionAnswering(ModelSpec("test/judge", "test", ("judge",), "transformers", repository=str(folder)))


@pytest.fixture(scope="module")
def judge(tiny_blip: Path) -> VisualQuestionAnswering:
    return _judge(tiny_blip)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    folder = tmp_path_factory.mktemp("pictures")
    found = []
    for n, colour in enumerate(("red", "navy", "white")):
        Image.new("RGB", (64, 64), colour).save(folder / f"{n}.png")
        found.append(Picture(str(n), folder / f"{n}.png"))
    return found


def _ask(picture: Picture, question: str = "How many dots are there?", choices: tuple[str, ...] = CHOICES) -> Ask:
    return Ask((picture,), question, question, choices)


def test_a_choice_is_answered_by_its_letter_with_probabilities_that_sum_to_one(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    (reply,) = judge.ask([_ask(pictures[0])])
    assert isinstance(reply, Answer)
    assert read_letter(reply.text, CHOICES) is not None
    assert reply.probabilities is not None
    assert len(reply.probabilities) == 5
    assert sum(reply.probabilities) == pytest.approx(1.0)


def test_probabilities_are_those_of_the_library_itself(judge: VisualQuestionAnswering, pictures: list[Picture]) -> None:
    (reply,) = judge.ask([_ask(pictures[0])])
    assert isinstance(reply, Answer)
    inputs = judge.processor(images=Image.open(pictures[0].path), text="How many dots are there?", return_tensors="pt")
    inputs.pop("token_type_ids", None)
    own = []
    for choice in CHOICES[:4]:
        labels = judge.processor.tokenizer(choice, return_tensors="pt")["input_ids"]
        labels[:, 0] = judge.model.decoder_start_token_id
        with torch.inference_mode():
            patches = judge.model.vision_model(pixel_values=inputs["pixel_values"]).last_hidden_state
            states = judge.model.text_encoder(
                input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], encoder_hidden_states=patches
            ).last_hidden_state
            scores = judge.model.text_decoder(input_ids=labels, encoder_hidden_states=states).logits.log_softmax(-1)
        own.append(scores[0, :-1].gather(-1, labels[0, 1:, None]).sum().exp().item())
    assert reply.probabilities == pytest.approx((*own, 1 - sum(own)), abs=1e-5)


def test_a_batch_answers_as_one_by_one_would_and_in_order(judge: VisualQuestionAnswering, pictures: list[Picture]) -> None:
    requests = [_ask(p, q) for p in (*pictures, pictures[0]) for q in ("How many dots are there?", "Red?", "Three circle dots are there?")]
    together = judge.ask(requests)
    alone = [judge.ask([r])[0] for r in requests]
    for one, other in zip(together, alone, strict=True):
        assert isinstance(one, Answer)
        assert isinstance(other, Answer)
        assert one.text == other.text
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-5)


def test_only_pixels_and_question_count_not_the_name_of_the_file(
    judge: VisualQuestionAnswering, pictures: list[Picture], tmp_path: Path
) -> None:
    other = tmp_path / "four red circles.png"
    shutil.copy(pictures[1].path, other)
    assert judge.ask([_ask(Picture("x", other))]) == judge.ask([_ask(pictures[1])])


def test_yes_or_no_and_free_answers_are_text(judge: VisualQuestionAnswering, pictures: list[Picture]) -> None:
    decided, free = judge.ask([_ask(pictures[0], choices=("Yes", "No")), _ask(pictures[0], choices=())])
    assert isinstance(decided, Answer)
    assert decided.text in ("Yes", "No")
    assert isinstance(free, Answer)
    assert free.probabilities is None


def test_two_pictures_in_one_question_are_a_failure_that_says_so(judge: VisualQuestionAnswering, pictures: list[Picture]) -> None:
    (reply,) = judge.ask([Ask((pictures[0], pictures[1]), "?", "?", CHOICES)])
    assert isinstance(reply, Failure)
    assert "exactly one picture" in reply.message


@pytest.mark.parametrize("damage", ["truncated", "missing", "pickle", "no config", "remote code"])
def test_a_damaged_folder_is_refused_with_one_sentence(tiny_blip: Path, tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(tiny_blip, folder)
    weights = folder / "model.safetensors"
    match damage:
        case "truncated":
            weights.write_bytes(weights.read_bytes()[:1000])
        case "missing":
            weights.unlink()
        case "pickle":
            weights.unlink()
            torch.save({"a": torch.ones(1)}, folder / "pytorch_model.bin")
        case "no config":
            (folder / "config.json").unlink()
        case _:
            text = (folder / "config.json").read_text()
            (folder / "config.json").write_text(
                text.replace('"model_type": "blip"', '"model_type": "mine", "auto_map": {"AutoConfig": "evil.Config"}', 1)
            )
            (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Config: ...\n")
    with pytest.raises(BadWeights, match="test/judge could not be loaded") as caught:
        _judge(folder)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_a_missing_embedded_folder_is_said_before_anything_is_loaded() -> None:
    reason = VisualQuestionAnswering.check(ModelSpec("x", "x", ("judge",), "transformers", repository="embedded:nowhere"))
    assert reason is not None
    assert "nowhere" in reason
