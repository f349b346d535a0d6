"""Training the embedded judge: samples are labelled by what is drawn, a stopped run goes on, the
result loads as stock.
"""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertTokenizer, BlipForQuestionAnswering

from hallascope.backends.embedded.training import judge, loop, vqa_training
from hallascope.backends.embedded.training.dataset import judge_samples, samples
from hallascope.backends.embedded.training.dataset.judge_samples import draw_sitting
from hallascope.backends.embedded.training.vqa_model import VqaConfig, started
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import CANNOT_TELL
from tests.support.stopped_training import stopping_at

SMALL = VqaConfig(
    size=32, patch=8, width=32, vision_layers=1, text_layers=1, samples=24, epochs=3.0, batch=8
)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    judge.train(SMALL, folder, folder / "out")
    return folder


def test_a_sample_is_the_same_for_the_same_seed_and_labels_what_its_pixels_show() -> None:
    for first, again in zip(
        draw_sitting(5, 64, 8).pictures, draw_sitting(5, 64, 8).pictures, strict=True
    ):
        assert (first.pixels == again.pixels).all()
        assert first.pairs == again.pairs
        assert first.parts.shape == first.centres.shape == (8, 8)
        assert (first.centres > 0).any()
        assert ((first.colours > 0) == (first.centres > 0)).all()


def test_training_writes_a_folder_that_the_ordinary_adapter_loads(work: Path) -> None:
    spec = ModelSpec(
        id="t", title="t", roles=("judge",), backend="transformers", repository=str(work / "out")
    )
    assert VisualQuestionAnswering(spec).model.config.vision_config.image_size == 32


def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "MANNER", replace(judge.MANNER, checkpoint_every=5))
    with monkeypatch.context() as once:
        once.setattr(loop, "keep", stopping_at(5))
        with pytest.raises(KeyboardInterrupt):
            judge.train(SMALL, tmp_path, tmp_path / "out")
    judge.train(SMALL, tmp_path, tmp_path / "out")
    one, two = (
        torch.load(folder / "checkpoint.pt", weights_only=True)["model"]
        for folder in (work, tmp_path)
    )
    assert all(np.allclose(one[name], two[name], atol=1e-4) for name in one)


# --- what it is trained on
# ---------------------------------------------------------------------------------------------


def test_kinds_of_questions_are_mixed_and_no_answer_is_the_rule() -> None:
    whole, region, pair = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(80):
        drawn = draw_sitting(seed, 32, 8)
        for counter, pairs in (
            (whole, drawn.picture.pairs + drawn.reference.pairs),
            (region, drawn.region.pairs),
            (pair, drawn.compared),
        ):
            counter.update(
                answer if answer in ("Yes", "No", CANNOT_TELL) else "other" for _, answer in pairs
            )
        assert max(len(p.pairs) for p in drawn.pictures) <= judge_samples.QUESTIONS
        assert drawn.region.pairs
    for told in (whole, region, pair):
        assert 0.38 < told["Yes"] / (told["Yes"] + told["No"]) < 0.7
        assert 0.01 < told[CANNOT_TELL] / told.total() < 0.35
    assert whole["other"] > 0.6 * whole.total()


def test_no_two_questions_of_a_picture_contradict_each_other() -> None:
    for seed in range(40):
        for sample in draw_sitting(seed, 32, 8).pictures:
            told: dict[str, str] = {}
            assert all(
                told.setdefault(question, answer) == answer for question, answer in sample.pairs
            )


def test_the_patches_of_a_region_are_labelled_by_what_the_region_shows() -> None:
    shown = 0
    for seed in range(20):
        drawn = draw_sitting(seed, 64, 8)
        names = {number: name for name, number in samples.part_numbers().items()}
        said = next((a for q, a in drawn.region.pairs if q == "What is this?"), "").lower()
        owners = {
            name
            for number in drawn.region.parts.flatten()
            if number
            for name in names[int(number)].lower().split(" / ")
        }
        shown += said in owners
    assert shown >= 17


def test_a_text_is_never_cut_off_and_filling_counts_nothing(work: Path) -> None:
    corpus = judge.JudgeCorpus(work / "sittings-32-8", 24)
    model, tokenizer = judge._fresh(SMALL, corpus.texts)
    corpus.tokenize(tokenizer)
    lengths = {
        text: len(tokens)
        for text, tokens in zip(corpus.texts, tokenizer(corpus.texts)["input_ids"], strict=True)
    }
    assert max(lengths.values()) <= vqa_training.QUESTION_TOKENS
    answers = {corpus.texts[n - 1] for n in corpus.asked[..., 1].flatten().tolist() if n}
    assert max(lengths[answer] for answer in answers) <= vqa_training.ANSWER_TOKENS
    batch = corpus.batch(torch.arange(4), "cpu")
    states = torch.randn(12 * judge_samples.QUESTIONS, vqa_training.QUESTION_TOKENS, SMALL.width)
    questions, answered = batch.questions.flatten(0, 2), batch.answers.flatten(0, 2)
    asked = (answered != 0).any(dim=-1)
    with torch.inference_mode():
        all_rows = vqa_training.answer_loss(model, states, questions, answered, 0)
        without = vqa_training.answer_loss(
            model, states[asked], questions[asked], answered[asked], 0
        )
    assert not asked.all()
    assert all_rows.item() == pytest.approx(without.item())


def test_a_pair_is_the_states_of_the_compared_picture_and_of_the_reference() -> None:
    patches = torch.arange(2 * 3).float().reshape(6, 1, 1).expand(6, 5, 4)
    joined = judge._pairs(patches, torch.tensor([0, 2]))
    assert joined.shape == (2, 10, 4)
    assert joined[:, ::5, 0].tolist() == [[0.0, 1.0], [5.0, 4.0]]


def test_the_folder_says_that_pairs_may_be_shown(work: Path) -> None:
    assert json.loads((work / "out" / "config.json").read_text())["pictures"] == 2


# --- going on from older weights
# -----------------------------------------------------------------------------------------


def _logits(model: Any, tokenizer: BertTokenizer, size: int) -> torch.Tensor:
    asked, answer = (
        tokenizer(text, return_tensors="pt")["input_ids"]
        for text in ("How many legs does the animal have in the image?", "Six")
    )
    torch.manual_seed(1)
    with torch.inference_mode():
        patches = model.vision_model(pixel_values=torch.randn(1, 3, size, size)).last_hidden_state
        states = model.text_encoder(
            input_ids=asked, encoder_hidden_states=patches
        ).last_hidden_state
        found: torch.Tensor = model.text_decoder(
            input_ids=answer, encoder_hidden_states=states
        ).logits
    return found


def test_a_grown_model_answers_to_old_words_as_before() -> None:
    before = BlipForQuestionAnswering.from_pretrained(
        judge.OUT, use_safetensors=True, dtype=torch.float32
    ).eval()
    old = BertTokenizer.from_pretrained(judge.OUT)
    model, tokenizer = started(
        judge.OUT,
        replace(VqaConfig(), size=before.config.vision_config.image_size),
        ["I cannot tell quixotic things"],
    )
    size = before.config.vision_config.image_size
    assert len(tokenizer) > len(old)
    assert {word: tokenizer.get_vocab()[word] for word in old.get_vocab()} == old.get_vocab()
    assert len(tokenizer("quixotic", add_special_tokens=False)["input_ids"]) == 1
    grown = _logits(model.eval(), tokenizer, size)
    assert torch.equal(grown[..., : len(old)], _logits(before, old, size))
    assert grown.shape[-1] == len(tokenizer)
    assert (
        model.text_decoder.cls.predictions.decoder.weight
        is model.text_decoder.bert.embeddings.word_embeddings.weight
    )


def test_a_model_is_spread_over_pictures_of_another_size() -> None:
    model, tokenizer = started(judge.OUT, replace(VqaConfig(), size=112), [])
    assert _logits(model.eval(), tokenizer, 112).isfinite().all()
    assert model.config.vision_config.image_size == model.vision_model.config.image_size == 112


def test_weights_with_other_patches_are_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match="give `--patch 8`"):
        started(judge.OUT, replace(VqaConfig(), patch=16), [])


def test_going_on_from_older_weights_ends_as_a_folder_that_knows_the_new_words(
    work: Path, tmp_path: Path
) -> None:
    shutil.copytree(work / "sittings-32-8", tmp_path / "sittings-32-8")
    judge.train(
        replace(SMALL, epochs=0.7, rate=1e-5), tmp_path, tmp_path / "out", start=work / "out"
    )
    spec = ModelSpec(
        id="t",
        title="t",
        roles=("judge",),
        backend="transformers",
        repository=str(tmp_path / "out"),
    )
    loaded = VisualQuestionAnswering(spec)
    started_from = BlipForQuestionAnswering.from_pretrained(
        work / "out", use_safetensors=True, dtype=torch.float32
    )
    for one, other in zip(loaded.model.parameters(), started_from.parameters(), strict=True):
        assert torch.allclose(one, other, atol=2e-3)
