"""Loads what a training begins with, and makes the words that it needs known to the tokenizer."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import AddedToken, AutoProcessor

from hallascope.primer import scenes
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS
from training.captions import OPENINGS

TOKENS = 32  # of a text at most
GRAMMAR = (*scenes.prompts(), *scenes.nouns(), *scenes.RELATIONS, *NUMBERS, *COLORS, *OPENINGS)
"""Texts that hold every word of Primer's prompts."""


def load(
    kind: Any, folder: Path, start: Path | None, texts: Iterable[str], encoders: Sequence[str]
) -> tuple[Any, Any]:
    """Return a model of a kind and its processor, which knows every word of the texts.

    It has the weights in `start`, or else the shape of the one in `folder` and random weights;
    `encoders` are its parts that read texts.
    """
    processor = AutoProcessor.from_pretrained(start or folder)
    add_words(processor.tokenizer, texts)
    count = len(processor.tokenizer)
    if start is None:
        config = kind.config_class.from_pretrained(folder)
        config.text_config.vocab_size = count
        return kind(config), processor
    model = kind.from_pretrained(start, use_safetensors=True, dtype=torch.float32)
    for name in encoders:
        model.get_submodule(name).resize_token_embeddings(count)
    model.config.text_config.vocab_size = count
    return model, processor


def add_words(tokenizer: Any, texts: Iterable[str]) -> None:
    """Add every word of the texts that the tokenizer spells out; what it holds stays."""
    found = {
        word for text in texts for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", text.lower())
    }
    spelled = sorted(word for word in found if len(tokenizer.tokenize(word)) > 1)
    tokenizer.add_tokens([AddedToken(word, single_word=True) for word in spelled])


def as_tokens(tokenizer: Any, texts: Sequence[str]) -> Tensor:
    """Return texts as token numbers (N, TOKENS), filled up with padding."""
    tokens: Tensor = tokenizer(
        list(texts),
        padding="max_length",
        max_length=TOKENS,
        truncation=True,
        return_tensors="pt",
    )["input_ids"]
    # The lengths of what it read last are not to be saved.
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    return tokens.short()
