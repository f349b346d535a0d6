"""Tiny vision-language and language models of real architectures with random weights, which read
letter by letter.

Built from the library's own configuration classes and saved by it; it knows no test.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from hallascope.backends.transformers.processors import VIDEOS, without_videos
from tests.support.tiny_models.vision_models import stir

READS = 4096  # tokens
SIDE = 28  # pixels of a picture, in patches of 7
END, PAD = "<|end|>", "<|pad|>"
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>\n{% if message['content'] is string"
    " %}{{ message['content'] }}{% else %}{% for part in message['content'] %}{% if part['type'] =="
    " 'image' %}PICTURE{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|end|>\n{%"
    " endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
LANGUAGE: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": READS,
}
SIGHT: dict[str, Any] = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": SIDE,
    "patch_size": 7,
}


def letters(*special: str, picture: str = "", **named: str) -> hf.PreTrainedTokenizerFast:
    """A token a byte, and the special ones.

    `picture` stands in the template where a picture is shown; `named` can be asked for by name.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    reads = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(alphabet)}, merges=[]))
    reads.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    reads.decoder = decoders.ByteLevel()
    more = {"extra_special_tokens": named or list(special)}
    made = hf.PreTrainedTokenizerFast(tokenizer_object=reads, eos_token=END, pad_token=PAD, **more)
    made.chat_template = TEMPLATE.replace("PICTURE", picture)
    return made


def ids(tokenizer: hf.PreTrainedTokenizerFast, **named: str) -> dict[str, int]:
    """The ids of tokens by what a configuration calls them, and those of the ends."""
    found = {name: tokenizer.convert_tokens_to_ids(token) for name, token in named.items()}
    return found | {
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": None,
    }


def save(model: hf.PreTrainedModel, processor: Any, folder: Path, spread: float = 0.15) -> Path:
    """The model, whose words hang on what it sees and reads, beside what prepares both."""
    stir(model, spread)
    model.generation_config.eos_token_id = getattr(processor, "tokenizer", processor).eos_token_id
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def make_processor(
    kind: Any, images: Any, tokenizer: hf.PreTrainedTokenizerFast, **said: Any
) -> Any:
    """A processor without its part for videos, which needs torchvision."""
    parts = [images, tokenizer]
    if VIDEOS in kind.get_attributes():
        kind = without_videos(kind)
        parts.append(None)
    return kind(*parts, chat_template=tokenizer.chat_template, **said)


def square() -> dict[str, int]:
    return {"height": SIDE, "width": SIDE}


_QWEN = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
# The sections are of the 4 pairs of a head of 8.
AXES = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1]}


def make_qwen(
    folder: Path,
    model: Any,
    config: Any,
    processor: Any,
    sight: dict[str, Any],
    text: dict[str, Any],
    most: int = 64,
) -> Path:
    """`most`: how many patches of 4 pixels a picture is cut into."""
    tokenizer = letters(*_QWEN, picture="<|vision_start|><|image_pad|><|vision_end|>")
    named = {
        "image_token_id": _QWEN[2],
        "video_token_id": _QWEN[3],
        "vision_start_token_id": _QWEN[0],
        "vision_end_token_id": _QWEN[1],
    }
    language = {
        **LANGUAGE,
        "vocab_size": len(tokenizer),
        "rope_parameters": AXES,
        **ids(tokenizer),
        **text,
    }
    torch.manual_seed(0)
    made = model(
        config(
            text_config=language,
            vision_config=sight,
            **{name: ids(tokenizer, **named)[name] for name in named},
        )
    )
    size = {"shortest_edge": most // 4 * 4**2, "longest_edge": most * 4**2}
    images = hf.Qwen2VLImageProcessorPil(
        size=size, patch_size=4, temporal_patch_size=2, merge_size=2
    )
    return save(made, make_processor(processor, images, tokenizer), folder)


def qwen2_vl(folder: Path) -> Path:
    sight = {
        "depth": 2,
        "embed_dim": 16,
        "hidden_size": 32,
        "num_heads": 2,
        "patch_size": 4,
        "mlp_ratio": 2,
    }
    return make_qwen(
        folder, hf.Qwen2VLForConditionalGeneration, hf.Qwen2VLConfig, hf.Qwen2VLProcessor, sight, {}
    )


def qwen2_5_vl(folder: Path) -> Path:
    sight = {
        "depth": 2,
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_heads": 2,
        "patch_size": 4,
        "out_hidden_size": 32,
        "window_size": 16,
        "fullatt_block_indexes": [1],
    }
    return make_qwen(
        folder,
        hf.Qwen2_5_VLForConditionalGeneration,
        hf.Qwen2_5_VLConfig,
        hf.Qwen2_5_VLProcessor,
        sight,
        {},
    )


DEEP = {
    "depth": 3,
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_heads": 2,
    "patch_size": 4,
    "out_hidden_size": 32,
}
PLACES = {"num_position_embeddings": 16}


def qwen3_vl(folder: Path, most: int = 64) -> Path:
    sight, text = {**DEEP, **PLACES, "deepstack_visual_indexes": [0, 1]}, {"head_dim": 8}
    return make_qwen(
        folder,
        hf.Qwen3VLForConditionalGeneration,
        hf.Qwen3VLConfig,
        hf.Qwen3VLProcessor,
        sight,
        text,
        most,
    )


CHATS: dict[str, Callable[[Path], Path]] = {
    "qwen2-vl": qwen2_vl,
    "qwen2.5-vl": qwen2_5_vl,
    "qwen3-vl": qwen3_vl,
}
