"""Tiny vision-language and language models of real architectures with random weights, which read
letter by letter.

Built from the library's own configuration classes and saved by it; it knows no test.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch
import transformers as hf

from tests.support.tiny_models.chat_models import (
    AXES,
    DEEP,
    LANGUAGE,
    PLACES,
    READS,
    SIDE,
    SIGHT,
    ids,
    letters,
    make_processor,
    make_qwen,
    qwen3_vl,
    save,
    square,
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
    "qwen3-vl": qwen3_vl,
    "qwen3.5": qwen3_5,
    "smolvlm": smolvlm,
    "llama": llama,
}
