"""Builds the embedded judge before it is trained, a small BLIP with its tokenizer.

It is new, or an older one with more words.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from transformers import BertTokenizer, BlipConfig, BlipForQuestionAnswering

PAD = "[PAD]"
UNKNOWN = "[UNK]"
START = "[CLS]"
END = "[SEP]"
MASK = "[MASK]"
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,?!'()-/&:"


@dataclass(frozen=True, kw_only=True)
class VqaConfig:
    """Holds all that decides the result.

    `samples` are of three pictures each, `batch` is the number of samples in a step.
    """

    size: int = 128
    patch: int = 8
    width: int = 192
    vision_layers: int = 6
    text_layers: int = 2
    samples: int = 20_000
    epochs: float = 3.0
    batch: int = 12
    rate: float = 1.5e-3
    seed: int = 0


# --- words ---


def split_words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text.lower())


def make_tokenizer(texts: Iterable[str]) -> BertTokenizer:
    """Return a WordPiece tokenizer of all words in `texts`; it spells out any other word."""
    special = (PAD, UNKNOWN, START, END, MASK)
    following = ("##" + c for c in _CHARACTERS)
    return _tokenizer((*special, *_unique_words(texts), *_CHARACTERS, *following))


def extend_tokenizer(tokenizer: BertTokenizer, texts: Iterable[str]) -> BertTokenizer:
    """Return the tokenizer with the words of `texts` that it does not hold whole.

    What it holds keeps its number.
    """
    numbers = tokenizer.get_vocab()
    return _tokenizer((*sorted(numbers, key=lambda token: numbers[token]), *_unique_words(texts)))


def _unique_words(texts: Iterable[str]) -> list[str]:
    return sorted({word for text in texts for word in split_words(text)})


def _tokenizer(tokens: Iterable[str]) -> BertTokenizer:
    return BertTokenizer(
        vocab={token: number for number, token in enumerate(dict.fromkeys(tokens))},
        do_lower_case=True,
    )


# --- weights ---


def make_model(config: VqaConfig, tokenizer: BertTokenizer) -> BlipForQuestionAnswering:
    """Return the model of a config with random weights."""
    text = text_settings(tokenizer, config.width, config.text_layers)
    vision = {
        "hidden_size": config.width,
        "intermediate_size": config.width * 4,
        "num_attention_heads": config.width // 32,
        "num_hidden_layers": config.vision_layers,
        "image_size": config.size,
        "patch_size": config.patch,
        "projection_dim": config.width,
        # the library's own, 1e-10, leaves a tower that has to learn everything without a signal
        "initializer_range": 0.02,
    }
    return BlipForQuestionAnswering(
        BlipConfig(text_config=text, vision_config=vision, projection_dim=config.width)
    )


def text_settings(tokenizer: BertTokenizer, width: int, layers: int) -> dict[str, Any]:
    """Return the configuration of the text encoder and the text decoder."""
    return {
        "hidden_size": width,
        "intermediate_size": width * 4,
        "num_attention_heads": width // 32,
        "vocab_size": len(tokenizer),
        "encoder_hidden_size": width,
        "num_hidden_layers": layers,
        "max_position_embeddings": 64,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
        "sep_token_id": tokenizer.sep_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "projection_dim": width,
    }


def load_model(
    folder: Path, config: VqaConfig, texts: Iterable[str]
) -> tuple[BlipForQuestionAnswering, BertTokenizer]:
    """Load the model of a folder and its tokenizer, with the words of `texts` added.

    Pictures may be of another size than before. To words that it knew it answers as before, as long
    as pictures are of the same size. Its width and its layers go before the config's. Raises
    ValueError where its patches are not those of the config.
    """
    old = BertTokenizer.from_pretrained(folder)
    tokenizer = extend_tokenizer(old, texts)
    model = BlipForQuestionAnswering.from_pretrained(
        folder, use_safetensors=True, dtype=torch.float32
    )
    patch = model.config.vision_config.patch_size
    if patch != config.patch:
        raise ValueError(
            f"The judge in {str(folder)!r} looks at patches of {patch} px, not of {config.patch}:"
            f" give `--patch {patch}`."
        )
    add_words(model, old, tokenizer)
    resize(model, config.size)
    return model, tokenizer


def add_words(model: BlipForQuestionAnswering, old: BertTokenizer, new: BertTokenizer) -> None:
    """Make room for the words that only the new tokenizer holds whole.

    Each begins as the mean of the pieces it was read as.
    """
    added = [
        token
        for token, number in sorted(new.get_vocab().items(), key=lambda item: item[1])
        if number >= len(old)
    ]
    pieces = [torch.tensor(old(token, add_special_tokens=False)["input_ids"]) for token in added]
    decoder = model.text_decoder
    for embeddings in (model.text_encoder.embeddings, decoder.bert.embeddings):
        embeddings.word_embeddings = _extend_embedding(embeddings.word_embeddings, pieces)
    _extend_predictions(decoder, len(added))
    for config in (model.config.text_config, model.text_encoder.config, decoder.config):
        config.vocab_size = len(new)


def _extend_embedding(embedding: nn.Embedding, pieces: Sequence[torch.Tensor]) -> nn.Embedding:
    weight = embedding.weight.data
    weight = torch.cat([weight, *(weight[ids].mean(dim=0, keepdim=True) for ids in pieces)])
    return nn.Embedding(
        len(weight), weight.shape[1], padding_idx=embedding.padding_idx, _weight=weight
    )


def _extend_predictions(decoder: Any, added: int) -> None:
    """Give the decoder's last layer the weights of its extended embedding, and biases for them.

    A new word begins with the lowest bias of all.
    """
    predictions = decoder.cls.predictions
    bias = predictions.decoder.bias.data
    bias = functional.pad(bias, (0, added), value=float(bias.min()))
    weight = decoder.bert.embeddings.word_embeddings.weight
    predictions.decoder = nn.Linear(weight.shape[1], weight.shape[0])
    predictions.decoder.weight = weight
    predictions.decoder.bias = predictions.bias = nn.Parameter(bias)


def resize(model: BlipForQuestionAnswering, size: int) -> None:
    """Make the model take pictures of another size by spreading the places of its patches."""
    config = model.config.vision_config
    embeddings = model.vision_model.embeddings
    if size == config.image_size:
        return
    before = config.image_size // config.patch_size
    after = size // config.patch_size
    positions = embeddings.position_embedding.data
    grid = positions[:, 1:].transpose(1, 2).unflatten(2, (before, before))
    spread = functional.interpolate(grid, size=(after, after), mode="bicubic", align_corners=False)
    of_patches = spread.flatten(2).transpose(1, 2)
    embeddings.position_embedding = nn.Parameter(torch.cat([positions[:, :1], of_patches], dim=1))
    embeddings.num_patches = after * after
    embeddings.num_positions = after * after + 1
    embeddings.image_size = config.image_size = embeddings.config.image_size = size
