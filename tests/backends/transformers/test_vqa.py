"""Question answerers of the transformers library: the choices are ranked, the rest is None of the
above.
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file

from hallascope.backends.base import BadWeights
from hallascope.backends.transformers.choice_ranking import LEFT_OVER, choose
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import CANNOT_TELL, NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.metrics.replies.letters import read_letter
from hallascope.primer import scenes
from hallascope.primer.appearance import RenderedScene

FOUR = ("One", "Two", "Three", "Four")
CHOICES = (*FOUR, NONE_OF_THE_ABOVE)


def _judge(folder: Path) -> VisualQuestionAnswering:
    return VisualQuestionAnswering(
        ModelSpec(
            id="test/judge",
            title="test",
            roles=("judge",),
            backend="transformers",
            repository=str(folder),
        )
    )


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


def _ask(
    picture: Picture, question: str = "How many dots are there?", choices: tuple[str, ...] = CHOICES
) -> Ask:
    return Ask(images=(picture,), text=question, question=question, choices=choices)


def test_a_choice_is_answered_by_its_letter_with_probabilities_that_sum_to_one(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    (reply,) = judge.ask([_ask(pictures[0])])
    assert isinstance(reply, Answer)
    assert read_letter(reply.text, CHOICES) is not None
    assert reply.probabilities is not None
    assert len(reply.probabilities) == 5
    assert sum(reply.probabilities) == pytest.approx(1.0)


def test_probabilities_are_those_of_the_library_itself(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    (reply,) = judge.ask([_ask(pictures[0])])
    assert isinstance(reply, Answer)
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


def test_a_batch_answers_as_one_by_one_would_and_in_order(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    requests = [
        _ask(p, q)
        for p in (*pictures, pictures[0])
        for q in ("How many dots are there?", "Red?", "Three circle dots are there?")
    ]
    together = judge.ask(requests)
    alone = [judge.ask([r])[0] for r in requests]
    for one, other in zip(together, alone, strict=True):
        assert isinstance(one, Answer)
        assert isinstance(other, Answer)
        assert one.text == other.text
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-5 / LEFT_OVER)


def test_only_pixels_and_question_count_not_the_name_of_the_file(
    judge: VisualQuestionAnswering, pictures: list[Picture], tmp_path: Path
) -> None:
    other = tmp_path / "four red circles.png"
    shutil.copy(pictures[1].path, other)
    assert judge.ask([_ask(Picture("x", other))]) == judge.ask([_ask(pictures[1])])


def test_yes_or_no_and_free_answers_are_text(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    decided, free = judge.ask(
        [_ask(pictures[0], choices=("Yes", "No")), _ask(pictures[0], choices=())]
    )
    assert isinstance(decided, Answer)
    assert decided.text in ("Yes", "No")
    assert isinstance(free, Answer)
    assert free.probabilities is None


def test_two_pictures_in_one_question_are_a_failure_that_says_so(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    (reply,) = judge.ask(
        [Ask(images=(pictures[0], pictures[1]), text="?", question="?", choices=CHOICES)]
    )
    assert isinstance(reply, Failure)
    assert "exactly one image" in reply.message


# --- regions, pairs, and what cannot be told
# -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def of_pairs(tiny_blip: Path, tmp_path_factory: pytest.TempPathFactory) -> VisualQuestionAnswering:
    """The tiny judge as one that was trained on pairs."""
    folder = tmp_path_factory.mktemp("pairs") / "judge"
    shutil.copytree(tiny_blip, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "pictures": 2}))
    return _judge(folder)


def _probabilities(reply: Answer | Failure) -> tuple[float, ...]:
    assert isinstance(reply, Answer)
    assert reply.probabilities is not None
    return reply.probabilities


def test_of_a_region_nothing_counts_but_what_it_shows_with_its_margin(
    judge: VisualQuestionAnswering, tmp_path: Path
) -> None:
    half = Image.new("RGB", (100, 100), "red")
    half.paste("navy", (50, 0, 100, 100))
    half.save(tmp_path / "half.png")
    Image.new("RGB", (60, 60), "red").save(tmp_path / "red.png")
    both, red = Picture("half", tmp_path / "half.png"), Picture("red", tmp_path / "red.png")
    (inside,), (across,), (whole,) = (
        judge.ask([replace(_ask(both, choices=FOUR), region=region)])
        for region in (Box(0.1, 0.1, 0.4, 0.4), Box(0.3, 0.3, 0.7, 0.7), None)
    )
    assert _probabilities(inside) == pytest.approx(
        _probabilities(judge.ask([_ask(red, choices=FOUR)])[0]), abs=1e-5
    )
    assert _probabilities(across) != pytest.approx(_probabilities(inside), abs=1e-5)
    assert _probabilities(whole) != pytest.approx(_probabilities(inside), abs=1e-5)


def test_questions_on_several_regions_are_answered_in_one_call_as_one_by_one(
    judge: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    regions = (Box(0, 0, 0.5, 0.5), None, Box(0.5, 0.5, 1, 1), Box(0, 0, 0.5, 0.5))
    requests = [replace(_ask(pictures[0], choices=FOUR), region=region) for region in regions]
    assert [_probabilities(r) for r in judge.ask(requests)] == [
        _probabilities(judge.ask([r])[0]) for r in requests
    ]


def test_a_picture_and_its_reference_are_seen_together_in_either_order(
    of_pairs: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    one, other, _ = pictures
    requests = [
        Ask(images=pair, text="?", question="How many dots are there?", choices=FOUR)
        for pair in ((one, other), (other, one), (one, one), (one,))
    ]
    there, back, twice, alone = map(_probabilities, of_pairs.ask(requests))
    assert there == pytest.approx(back, abs=1e-5)
    assert there != pytest.approx(alone, abs=1e-5)
    assert twice == pytest.approx(alone, abs=1e-5)  # the same states twice weigh as much as once


def test_the_region_is_one_of_the_first_picture_not_of_the_reference(
    of_pairs: VisualQuestionAnswering, tmp_path: Path
) -> None:
    half = Image.new("RGB", (64, 64), "red")
    half.paste("navy", (32, 0, 64, 64))
    half.save(tmp_path / "half.png")
    picture, region = Picture("half", tmp_path / "half.png"), Box(0, 0, 0.4, 0.4)
    whole, cut = (
        Ask(images=(picture, picture), text="?", question="Red?", choices=FOUR, region=r)
        for r in (None, region)
    )
    assert _probabilities(of_pairs.ask([whole])[0]) != pytest.approx(
        _probabilities(of_pairs.ask([cut])[0]), abs=1e-5
    )
    assert _probabilities(of_pairs.ask([cut])[0]) != pytest.approx(
        _probabilities(of_pairs.ask([replace(cut, images=(picture,))])[0]), abs=1e-5
    )


def test_three_pictures_and_none_are_a_failure_that_says_so(
    of_pairs: VisualQuestionAnswering, pictures: list[Picture]
) -> None:
    for images in (tuple(pictures), ()):
        (reply,) = of_pairs.ask([Ask(images=images, text="?", question="?", choices=CHOICES)])
        assert isinstance(reply, Failure)
        assert f"not at {len(images)} images" in reply.message


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
    both, alone = _judge(with_pairs), _judge(with_pairs / "pairs")
    two = replace(_ask(pictures[0]), images=(pictures[0], pictures[1]))
    asked = [_ask(pictures[0]), two, _ask(pictures[1])]
    assert both.ask(asked) == [*judge.ask([asked[0]]), *alone.ask([two]), *judge.ask([asked[2]])]
    assert alone.ask([asked[0]]) != judge.ask([asked[0]])


def test_the_revision_of_a_judge_changes_with_either_of_its_weights(
    with_pairs: Path, tiny_blip: Path, tmp_path: Path
) -> None:
    shutil.copytree(with_pairs, tmp_path / "other")
    shutil.copy(tiny_blip / "model.safetensors", tmp_path / "other" / "pairs")
    assert (
        len({_judge(folder).revision for folder in (with_pairs, tmp_path / "other", tiny_blip)})
        == 3
    )


def test_damaged_weights_for_pairs_are_refused_as_the_others_are(
    with_pairs: Path, tmp_path: Path
) -> None:
    shutil.copytree(with_pairs, tmp_path / "damaged")
    (tmp_path / "damaged" / "pairs" / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(BadWeights, match="could not be loaded"):
        _judge(tmp_path / "damaged")


def test_a_judge_that_would_rather_say_that_it_cannot_tell_is_not_held_to_a_choice() -> None:
    unsure = {"Yes": 0.2, "No": 0.1, CANNOT_TELL: 0.6}
    assert choose(("Yes", "No"), unsure) == Answer(CANNOT_TELL)
    assert read_letter(CANNOT_TELL, ("Yes", "No")) is None
    assert choose(("Yes", "No"), {**unsure, "Yes": 0.7}).text == "Yes"
    four = dict.fromkeys(("One", "Two", "Three", "Four"), 0.02)
    assert choose(CHOICES, four).text == f"E) {NONE_OF_THE_ABOVE}"
    assert choose(("Yes", CANNOT_TELL), {"Yes": 0.2, CANNOT_TELL: 0.6}).text == CANNOT_TELL
    assert choose(
        ("Yes", CANNOT_TELL), {"Yes": 0.2, CANNOT_TELL: 0.6}
    ).probabilities == pytest.approx((0.25, 0.75))


def test_the_judge_that_ships_looks_at_a_region_and_at_a_pair_only_if_it_learned_to(
    tmp_path: Path,
) -> None:
    shipped = VisualQuestionAnswering(read_models()["primer/judge"])
    scene = scenes.parse("a red circle to the left of a blue star")
    view = RenderedScene(scene, scene.truths(), scene.draw(scene.truths(), 0))
    view.drawing.image(512).save(tmp_path / "both.png")
    both, colours = (
        Picture("both", tmp_path / "both.png"),
        ("Red", "Blue", "Green", "Black", NONE_OF_THE_ABOVE),
    )
    asked = "What color is the shape in the image?"
    told = shipped.ask(
        [
            Ask(images=(both,), text=asked, question=asked, choices=colours, region=look.region)
            for look in view.looks()
        ]
    )
    assert [reply.text for reply in told if isinstance(reply, Answer)] == ["A) Red", "B) Blue"]
    (pair,) = shipped.ask(
        [
            Ask(
                images=(both, both),
                text="?",
                question="Is the same thing shown in both images?",
                choices=("Yes", "No"),
            )
        ]
    )
    assert isinstance(
        pair, Answer if getattr(shipped.model.config, "pictures", 1) == 2 else Failure
    )


@pytest.mark.parametrize("damage", ["truncated", "missing", "pickle", "no config", "remote code"])
def test_a_damaged_folder_is_refused_with_one_sentence(
    tiny_blip: Path, tmp_path: Path, damage: str
) -> None:
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
                text.replace(
                    '"model_type": "blip"',
                    '"model_type": "mine", "auto_map": {"AutoConfig": "evil.Config"}',
                    1,
                )
            )
            (folder / "evil.py").write_text(
                f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Config: ...\n"
            )
    with pytest.raises(BadWeights, match="test/judge could not be loaded") as caught:
        _judge(folder)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_a_missing_embedded_folder_is_said_before_anything_is_loaded() -> None:
    reason = VisualQuestionAnswering.check(
        ModelSpec(
            id="x",
            title="x",
            roles=("judge",),
            backend="transformers",
            repository="embedded:nowhere",
        )
    )
    assert reason is not None
    assert "nowhere" in reason
