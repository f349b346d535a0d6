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
from tests.support.tiny_models.vision import stir

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
) -> Path:
    """A picture is cut into 64 patches of 4 pixels."""
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
    size = {"shortest_edge": 16 * 4**2, "longest_edge": 64 * 4**2}
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


def qwen3_vl(folder: Path) -> Path:
    sight, text = {**DEEP, **PLACES, "deepstack_visual_indexes": [0, 1]}, {"head_dim": 8}
    return make_qwen(
        folder,
        hf.Qwen3VLForConditionalGeneration,
        hf.Qwen3VLConfig,
        hf.Qwen3VLProcessor,
        sight,
        text,
    )


_QFORMER = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "vocab_size": 300,
}


def blip_2(folder: Path) -> Path:
    tokenizer = letters("<image>")
    text = hf.T5Config(
        d_model=32,
        d_ff=48,
        d_kv=8,
        num_layers=2,
        num_heads=4,
        vocab_size=len(tokenizer),
        decoder_start_token_id=tokenizer.pad_token_id,
        **ids(tokenizer),
    )
    config = hf.Blip2Config(
        vision_config={**SIGHT, "patch_size": 7},
        qformer_config={**_QFORMER, "vocab_size": len(tokenizer), "encoder_hidden_size": 16},
        text_config=text.to_dict(),
        num_query_tokens=4,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
    )
    torch.manual_seed(0)
    return save(
        hf.Blip2ForConditionalGeneration(config),
        hf.Blip2Processor(hf.BlipImageProcessorPil(size=square()), tokenizer, num_query_tokens=4),
        folder,
    )


def llava(folder: Path) -> Path:
    tokenizer = letters("<image>", picture="<image>\n")
    text = hf.LlamaConfig(vocab_size=len(tokenizer), **LANGUAGE, **ids(tokenizer))
    config = hf.LlavaConfig(
        vision_config=hf.CLIPVisionConfig(**SIGHT),
        text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
    )
    torch.manual_seed(0)
    images = hf.CLIPImageProcessorPil(size={"shortest_edge": SIDE}, crop_size=square())
    how = {
        "patch_size": 7,
        "vision_feature_select_strategy": "default",
        "num_additional_image_tokens": 1,
    }
    return save(
        hf.LlavaForConditionalGeneration(config),
        make_processor(hf.LlavaProcessor, images, tokenizer, **how),
        folder,
    )


def qwen3_5(folder: Path) -> Path:
    """Three layers of linear attention to one of full attention, as the real ones have them."""
    linear = {
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 8,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "layer_types": ["linear_attention", "full_attention"],
        "head_dim": 8,
        "rope_parameters": {**AXES, "partial_rotary_factor": 1.0},
    }
    sight = {**DEEP, **PLACES}
    return make_qwen(
        folder,
        hf.Qwen3_5ForConditionalGeneration,
        hf.Qwen3_5Config,
        hf.Qwen3VLProcessor,
        sight,
        linear,
    )


def smolvlm(folder: Path) -> Path:
    """Large pictures are cut into tiles, in rows and columns, each with its own tokens."""
    rows = [f"<row_{row}_col_{column}>" for row in range(1, 3) for column in range(1, 3)]
    special = ("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>", *rows)
    tokenizer = letters(*special, picture="<image>")
    text = hf.LlamaConfig(vocab_size=len(tokenizer), **LANGUAGE, **ids(tokenizer))
    config = hf.SmolVLMConfig(
        vision_config=SIGHT,
        text_config=text,
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
    )
    torch.manual_seed(0)
    seen = hf.SmolVLMImageProcessorPil(
        size={"longest_edge": 2 * SIDE},
        max_image_size={"longest_edge": SIDE},
        do_image_splitting=True,
    )
    return save(
        hf.SmolVLMForConditionalGeneration(config),
        make_processor(hf.Idefics3Processor, seen, tokenizer, image_seq_len=4),
        folder,
    )


def llama(folder: Path) -> Path:
    tokenizer = letters()
    torch.manual_seed(0)
    config = hf.LlamaConfig(vocab_size=len(tokenizer), **LANGUAGE, **ids(tokenizer))
    return save(hf.LlamaForCausalLM(config), tokenizer, folder)


def paligemma2(folder: Path) -> Path:
    tokenizer = letters("<image>", *(f"<loc{n:04}>" for n in range(2)))
    tokenizer.add_special_tokens({"bos_token": "<bos>"})
    config = hf.PaliGemmaConfig(
        vision_config=hf.SiglipVisionConfig(**SIGHT, vision_use_head=False, projection_dim=32),
        text_config=hf.Gemma2Config(
            vocab_size=len(tokenizer),
            head_dim=8,
            query_pre_attn_scalar=8,
            sliding_window=4096,
            **{**LANGUAGE, **ids(tokenizer)},
        ),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        projection_dim=32,
        hidden_size=32,
        vocab_size=len(tokenizer),
    )
    torch.manual_seed(0)
    images = hf.SiglipImageProcessorPil(size=square())
    images.image_seq_length = 16
    return save(
        hf.PaliGemmaForConditionalGeneration(config),
        hf.PaliGemmaProcessor(images, tokenizer),
        folder,
    )


def florence2(folder: Path) -> Path:
    tokenizer = letters(image_token="<image>")
    tokenizer.add_special_tokens({"bos_token": "<s>"})
    text = hf.BartConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        max_position_embeddings=READS,
        decoder_start_token_id=tokenizer.eos_token_id,
        forced_bos_token_id=None,
        forced_eos_token_id=None,
        **ids(tokenizer),
    )
    sight = {
        "depths": [1, 1],
        "patch_size": [7, 3],
        "patch_stride": [4, 2],
        "patch_padding": [3, 1],
        "patch_prenorm": [False, True],
        "embed_dim": [16, 32],
        "num_heads": [2, 2],
        "num_groups": [2, 2],
        "window_size": 4,
        "projection_dim": 32,
        "drop_path_rate": 0.0,
    }
    config = hf.Florence2Config(
        text_config=text,
        vision_config=sight,
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
    )
    torch.manual_seed(0)
    images = hf.CLIPImageProcessorPil(size=square(), crop_size=square(), do_center_crop=False)
    images.image_seq_length = 17
    return save(
        hf.Florence2ForConditionalGeneration(config),
        hf.Florence2Processor(images, tokenizer),
        folder,
    )


TALKERS: dict[str, Callable[[Path], Path]] = {
    "blip-2-t5": blip_2,
    "paligemma2": paligemma2,
    "florence-2": florence2,
    "llava": llava,
    "qwen2-vl": qwen2_vl,
    "qwen2.5-vl": qwen2_5_vl,
    "qwen3-vl": qwen3_vl,
    "qwen3.5": qwen3_5,
    "smolvlm": smolvlm,
    "llama": llama,
}
