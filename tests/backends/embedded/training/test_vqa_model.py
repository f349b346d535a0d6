"""A judge grows by new words and other sizes and answers as before."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from transformers import BertTokenizer, BlipForQuestionAnswering

from hallascope.backends.embedded.training import pair_judge
from hallascope.backends.embedded.training.vqa_model import VqaConfig, load_model


def answer_logits(model: Any, tokenizer: BertTokenizer, size: int) -> torch.Tensor:
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
        pair_judge.OUT, use_safetensors=True, dtype=torch.float32
    ).eval()
    old = BertTokenizer.from_pretrained(pair_judge.OUT)
    model, tokenizer = load_model(
        pair_judge.OUT,
        replace(VqaConfig(), size=before.config.vision_config.image_size),
        ["I cannot tell quixotic things"],
    )
    size = before.config.vision_config.image_size
    assert len(tokenizer) > len(old)
    assert {word: tokenizer.get_vocab()[word] for word in old.get_vocab()} == old.get_vocab()
    assert len(tokenizer("quixotic", add_special_tokens=False)["input_ids"]) == 1
    grown = answer_logits(model.eval(), tokenizer, size)
    assert torch.equal(grown[..., : len(old)], answer_logits(before, old, size))
    assert grown.shape[-1] == len(tokenizer)
    assert (
        model.text_decoder.cls.predictions.decoder.weight
        is model.text_decoder.bert.embeddings.word_embeddings.weight
    )


def test_a_model_is_spread_over_pictures_of_another_size() -> None:
    model, tokenizer = load_model(pair_judge.OUT, replace(VqaConfig(), size=112), [])
    assert answer_logits(model.eval(), tokenizer, 112).isfinite().all()
    assert model.config.vision_config.image_size == model.vision_model.config.image_size == 112


def test_weights_with_other_patches_are_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match="give `--patch 8`"):
        load_model(pair_judge.OUT, replace(VqaConfig(), patch=16), [])
