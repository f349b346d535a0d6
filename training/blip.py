"""Holds what judge and comparer share: texts as tokens, and the loss of answers in one pass."""

import json
from collections.abc import Iterable
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import BertTokenizer, BlipForQuestionAnswering
from transformers.image_utils import OPENAI_CLIP_MEAN, OPENAI_CLIP_STD

from training import words
from training.pixels import augment

ENCODERS = ("text_encoder", "text_decoder")


# --- texts ---


def read_texts(rows: Iterable[str]) -> list[str]:
    """Return the questions and answers of rows of JSON, each once."""
    return sorted({text for row in rows for pair in json.loads(str(row)) for text in pair})


def as_tokens(tokenizer: BertTokenizer, rows: NDArray[Any], most: int) -> Tensor:
    """Return up to `most` questions and answers of rows of JSON, (N, most, 2, TOKENS).

    All is padding where nothing is asked.
    """
    texts = read_texts(rows)
    padding = torch.full((1, words.TOKENS), tokenizer.pad_token_id, dtype=torch.int16)
    tokens = torch.cat([padding, words.as_tokens(tokenizer, texts)])
    number = {text: i for i, text in enumerate(texts, start=1)}
    asked = [[[number[text] for text in pair] for pair in json.loads(str(row))] for row in rows]
    return tokens[torch.tensor([(pairs + [[0, 0]] * most)[:most] for pairs in asked])]


# --- images ---


def as_input(pixels: Tensor, generator: torch.Generator) -> Tensor:
    """Return pixels (B, 3, H, W) in [0, 1] as the model's input, randomly varied."""
    mean, deviation = torch.tensor([OPENAI_CLIP_MEAN, OPENAI_CLIP_STD]).view(2, 1, 3, 1, 1)
    inputs: Tensor = (augment(pixels, generator) - mean) / deviation
    return inputs


# --- losses ---


def answer_loss(
    model: BlipForQuestionAnswering, patches: Tensor, asked: Tensor, pad: int
) -> Tensor:
    """Compute the cross entropy of the answers' words; the questions of an image share one pass.

    Patches (B, N, D), questions and answers (B, Q, 2, L). What is all padding counts nothing.
    """
    if (asked == pad).all():
        return 0 * patches.sum()
    questions, answers = (_trim(asked[:, :, i].long(), pad) for i in (0, 1))
    images, count, length = questions.shape
    # Each question attends to its own words only.
    own = torch.kron(torch.eye(count), torch.ones(length, length)).bool()
    attended = own & (questions != pad).reshape(images, 1, 1, count * length)
    states = model.text_encoder(
        input_ids=questions.reshape(images, -1),
        attention_mask=torch.zeros(attended.shape).masked_fill(~attended, -1e4),
        position_ids=torch.arange(length).repeat(count)[None].expand(images, -1),
        encoder_hidden_states=patches,
        encoder_attention_mask=torch.ones(patches.shape[:2], dtype=torch.long),
    ).last_hidden_state.reshape(images, count, length, -1)
    is_asked = (answers != pad).any(dim=-1)
    expected = answers[is_asked]
    scores = model.text_decoder(
        input_ids=expected,
        attention_mask=(expected != pad).long(),
        encoder_hidden_states=states[is_asked],
        encoder_attention_mask=(questions[is_asked] != pad).long(),
    ).logits
    return functional.cross_entropy(
        scores[:, :-1].flatten(0, 1).float(), expected[:, 1:].flatten(), ignore_index=pad
    )


def _trim(tokens: Tensor, pad: int) -> Tensor:
    """Return tokens (..., L) without the columns that are padding everywhere."""
    return tokens[..., : int((tokens != pad).sum(-1).max())]
