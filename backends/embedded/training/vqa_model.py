"""Builds the embedded judge before it is trained, a small BLIP with its tokenizer.

It is new or grown from an older one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

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
    """All that decides the result.

    `samples` are sittings of three pictures, `batch` so many of them.
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


# --- words
# --------------------------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text.lower())


def make_tokenizer(texts: Iterable[str]) -> BertTokenizer:
    """A WordPiece tokenizer of all words in `texts`, with single characters for any other word."""
    return _tokenizer(
        (
            PAD,
            UNKNOWN,
            START,
            END,
            MASK,
            *_words(texts),
            *_CHARACTERS,
            *("##" + c for c in _CHARACTERS),
        )
    )


def extended(tokenizer: BertTokenizer, texts: Iterable[str]) -> BertTokenizer:
    """The tokenizer with the words of `texts` that it does not hold whole.

    What it holds keeps its number.
    """
    held = tokenizer.get_vocab()
    return _tokenizer((*sorted(held, key=lambda token: held[token]), *_words(texts)))


def _words(texts: Iterable[str]) -> list[str]:
    return sorted({word for text in texts for word in words(text)})


def _tokenizer(tokens: Iterable[str]) -> BertTokenizer:
    return BertTokenizer(
        vocab={token: number for number, token in enumerate(dict.fromkeys(tokens))},
        do_lower_case=True,
    )


# --- weights
# --------------------------------------------------------------------------------------------------


def make_model(recipe: VqaConfig, tokenizer: BertTokenizer) -> BlipForQuestionAnswering:
    """The model of a recipe with random weights."""
    shared = {
        "hidden_size": recipe.width,
        "intermediate_size": recipe.width * 4,
        "num_attention_heads": recipe.width // 32,
    }
    text = {
        **shared,
        "vocab_size": len(tokenizer),
        "encoder_hidden_size": recipe.width,
        "num_hidden_layers": recipe.text_layers,
        "max_position_embeddings": 64,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
        "sep_token_id": tokenizer.sep_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "projection_dim": recipe.width,
    }
    vision = {
        **shared,
        "num_hidden_layers": recipe.vision_layers,
        "image_size": recipe.size,
        "patch_size": recipe.patch,
        "projection_dim": recipe.width,
        # the library's own, 1e-10, leaves a tower that has to learn everything without a signal
        "initializer_range": 0.02,
    }
    return BlipForQuestionAnswering(
        BlipConfig(text_config=text, vision_config=vision, projection_dim=recipe.width)
    )


def started(
    folder: Path, recipe: VqaConfig, texts: Iterable[str]
) -> tuple[BlipForQuestionAnswering, BertTokenizer]:
    """The model of a folder and its tokenizer, grown by the words of `texts`.

    Pictures may be of another size than before.

    To what it knew it answers as before, as long as pictures are of the same size. Raises
    ValueError where its patches are not those of the recipe; its width and its layers go before the
    recipe's.
    """
    old = BertTokenizer.from_pretrained(folder)
    tokenizer = extended(old, texts)
    model = BlipForQuestionAnswering.from_pretrained(
        folder, use_safetensors=True, dtype=torch.float32
    )
    if (patch := model.config.vision_config.patch_size) != recipe.patch:
        raise ValueError(
            f"The judge in {str(folder)!r} looks at patches of {patch} px, not of {recipe.patch}:"
            f" give `--patch {patch}`."
        )
    grow(model, old, tokenizer)
    resize(model, recipe.size)
    return model, tokenizer


def grow(model: BlipForQuestionAnswering, old: BertTokenizer, new: BertTokenizer) -> None:
    """Room for the words that only the new tokenizer holds whole.

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
        held = embeddings.word_embeddings
        rows = [held.weight.data[piece].mean(dim=0, keepdim=True) for piece in pieces]
        weight = torch.cat([held.weight.data, *rows])
        embeddings.word_embeddings = nn.Embedding(
            len(weight), weight.shape[1], padding_idx=held.padding_idx, _weight=weight
        )
    predictions = decoder.cls.predictions
    bias = functional.pad(
        predictions.decoder.bias.data,
        (0, len(added)),
        value=float(predictions.decoder.bias.data.min()),
    )
    weight = decoder.bert.embeddings.word_embeddings.weight
    predictions.decoder = nn.Linear(weight.shape[1], weight.shape[0])
    predictions.decoder.weight = weight
    predictions.decoder.bias = predictions.bias = nn.Parameter(bias)
    for config in (model.config.text_config, model.text_encoder.config, decoder.config):
        config.vocab_size = len(new)


def resize(model: BlipForQuestionAnswering, size: int) -> None:
    """Make the model take pictures of another size by spreading the places of its patches."""
    config = model.config.vision_config
    embeddings = model.vision_model.embeddings
    if size == config.image_size:
        return
    before = config.image_size // config.patch_size
    after = size // config.patch_size
    held = embeddings.position_embedding.data
    grid = held[:, 1:].transpose(1, 2).unflatten(2, (before, before))
    spread = (
        functional.interpolate(grid, size=(after, after), mode="bicubic", align_corners=False)
        .flatten(2)
        .transpose(1, 2)
    )
    embeddings.position_embedding = nn.Parameter(torch.cat([held[:, :1], spread], dim=1))
    embeddings.num_patches, embeddings.num_positions = after * after, after * after + 1
    embeddings.image_size = config.image_size = embeddings.config.image_size = size
