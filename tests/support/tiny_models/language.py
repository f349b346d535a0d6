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
    qwen2_5_vl,
    qwen2_vl,
    qwen3_vl,
    save,
    square,
)

# --- BLIP-2
# --------------------------------------------------------------------------------------------------


_QFORMER = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "vocab_size": 300,
}


def blip_parts(tokenizer: hf.PreTrainedTokenizerFast, text: str) -> dict[str, Any]:
    """The parts of a BLIP-2 and an InstructBLIP with that kind of language model."""
    small = {"vocab_size": len(tokenizer), **ids(tokenizer)}
    ends = {"decoder_start_token_id": tokenizer.pad_token_id}
    language = {
        "opt": lambda: hf.OPTConfig(
            hidden_size=32,
            ffn_dim=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            word_embed_proj_dim=32,
            max_position_embeddings=READS,
            **small,
        ),
        "t5": lambda: hf.T5Config(
            d_model=32, d_ff=48, d_kv=8, num_layers=2, num_heads=4, **small, **ends
        ),
        "llama": lambda: hf.LlamaConfig(**LANGUAGE, **small),
    }
    return {
        "vision_config": {**SIGHT, "patch_size": 7},
        "qformer_config": {**_QFORMER, "vocab_size": len(tokenizer), "encoder_hidden_size": 16},
        "text_config": language[text]().to_dict(),
        "num_query_tokens": 4,
        "image_token_index": tokenizer.convert_tokens_to_ids("<image>"),
    }


def blip_2(folder: Path, text: str) -> Path:
    tokenizer = letters("<image>")
    torch.manual_seed(0)
    model = hf.Blip2ForConditionalGeneration(hf.Blip2Config(**blip_parts(tokenizer, text)))
    return save(
        model,
        hf.Blip2Processor(hf.BlipImageProcessorPil(size=square()), tokenizer, num_query_tokens=4),
        folder,
    )


# --- LLaVA
# --------------------------------------------------------------------------------------------------


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


def llava_next(folder: Path) -> Path:
    tokenizer = letters("<image>", picture="<image>\n")
    text = hf.MistralConfig(
        vocab_size=len(tokenizer), sliding_window=None, **LANGUAGE, **ids(tokenizer)
    )
    pinpoints = [[SIDE, 2 * SIDE], [2 * SIDE, SIDE], [2 * SIDE, 2 * SIDE]]
    config = hf.LlavaNextConfig(
        vision_config=hf.CLIPVisionConfig(**SIGHT),
        text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_grid_pinpoints=pinpoints,
        image_seq_length=16,
    )
    torch.manual_seed(0)
    images = hf.LlavaNextImageProcessorPil(
        size={"shortest_edge": SIDE}, crop_size=square(), image_grid_pinpoints=pinpoints
    )
    how = {
        "patch_size": 7,
        "vision_feature_select_strategy": "default",
        "num_additional_image_tokens": 1,
    }
    return save(
        hf.LlavaNextForConditionalGeneration(config),
        make_processor(hf.LlavaNextProcessor, images, tokenizer, **how),
        folder,
    )


def llava_onevision(folder: Path) -> Path:
    tokenizer = letters("<image>", "<video>", picture="<image>\n")
    text = hf.Qwen2Config(vocab_size=len(tokenizer), **LANGUAGE, **ids(tokenizer))
    pinpoints = [[SIDE, SIDE], [SIDE, 2 * SIDE], [2 * SIDE, SIDE]]
    config = hf.LlavaOnevisionConfig(
        vision_config=hf.SiglipVisionConfig(**SIGHT, vision_use_head=False),
        text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        video_token_index=tokenizer.convert_tokens_to_ids("<video>"),
        image_grid_pinpoints=pinpoints,
    )
    torch.manual_seed(0)
    images = hf.LlavaOnevisionImageProcessorPil(size=square(), image_grid_pinpoints=pinpoints)
    how = {"num_image_tokens": 16, "vision_feature_select_strategy": "full"}
    return save(
        hf.LlavaOnevisionForConditionalGeneration(config),
        make_processor(hf.LlavaOnevisionProcessor, images, tokenizer, **how),
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


# --- SmolVLM
# --------------------------------------------------------------------------------------------------


def _splitting(folder: Path, model: Any, config: Any, images: Any) -> Path:
    """Large pictures are cut into tiles, in rows and columns, each with its own tokens."""
    rows = [f"<row_{row}_col_{column}>" for row in range(1, 3) for column in range(1, 3)]
    special = ("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>", *rows)
    tokenizer = letters(*special, picture="<image>")
    text = hf.LlamaConfig(vocab_size=len(tokenizer), **LANGUAGE, **ids(tokenizer))
    torch.manual_seed(0)
    made = model(
        config(
            vision_config=SIGHT,
            text_config=text,
            image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
            scale_factor=2,
        )
    )
    seen = images(
        size={"longest_edge": 2 * SIDE},
        max_image_size={"longest_edge": SIDE},
        do_image_splitting=True,
    )
    return save(
        made, make_processor(hf.Idefics3Processor, seen, tokenizer, image_seq_len=4), folder
    )


def smolvlm(folder: Path) -> Path:
    return _splitting(
        folder, hf.SmolVLMForConditionalGeneration, hf.SmolVLMConfig, hf.SmolVLMImageProcessorPil
    )


def idefics3(folder: Path) -> Path:
    """What the first SmolVLMs are of."""
    return _splitting(
        folder, hf.Idefics3ForConditionalGeneration, hf.Idefics3Config, hf.Idefics3ImageProcessorPil
    )


# --- writers
# --------------------------------------------------------------------------------------------------


def _writer(folder: Path, model: Any, config: Any, **more: Any) -> Path:
    tokenizer = letters()
    torch.manual_seed(0)
    return save(
        model(config(vocab_size=len(tokenizer), **{**LANGUAGE, **ids(tokenizer), **more})),
        tokenizer,
        folder,
    )


def qwen2(folder: Path) -> Path:
    return _writer(folder, hf.Qwen2ForCausalLM, hf.Qwen2Config)


def qwen3(folder: Path) -> Path:
    return _writer(folder, hf.Qwen3ForCausalLM, hf.Qwen3Config, head_dim=8)


def phi3(folder: Path) -> Path:
    return _writer(folder, hf.Phi3ForCausalLM, hf.Phi3Config)


def mistral(folder: Path) -> Path:
    """With a window of attention that is shorter than what it reads, as the first one had it."""
    return _writer(folder, hf.MistralForCausalLM, hf.MistralConfig, sliding_window=24)


def llama(folder: Path) -> Path:
    return _writer(folder, hf.LlamaForCausalLM, hf.LlamaConfig)


def _instructblip(folder: Path, text: str) -> Path:
    tokenizer = letters("<image>")
    torch.manual_seed(0)
    model = hf.InstructBlipForConditionalGeneration(
        hf.InstructBlipConfig(**blip_parts(tokenizer, text))
    )
    processor = hf.InstructBlipProcessor(
        hf.BlipImageProcessorPil(size=square()), tokenizer, letters(), num_query_tokens=4
    )
    return save(model, processor, folder)


def _paligemma(folder: Path, text: Any, **more: Any) -> Path:
    tokenizer = letters("<image>", *(f"<loc{n:04}>" for n in range(2)))
    tokenizer.add_special_tokens({"bos_token": "<bos>"})
    language = text(vocab_size=len(tokenizer), head_dim=8, **{**LANGUAGE, **ids(tokenizer), **more})
    config = hf.PaliGemmaConfig(
        vision_config=hf.SiglipVisionConfig(**SIGHT, vision_use_head=False, projection_dim=32),
        text_config=language,
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


PROMPTED: dict[str, Callable[[Path], Path]] = {
    "blip-2-opt": lambda folder: blip_2(folder, "opt"),
    "blip-2-t5": lambda folder: blip_2(folder, "t5"),
    "instructblip-t5": lambda folder: _instructblip(folder, "t5"),
    "instructblip-vicuna": lambda folder: _instructblip(folder, "llama"),
    "paligemma": lambda folder: _paligemma(folder, hf.GemmaConfig),
    "paligemma2": lambda folder: _paligemma(
        folder, hf.Gemma2Config, query_pre_attn_scalar=8, sliding_window=4096
    ),
    "florence-2": florence2,
}
CHATS: dict[str, Callable[[Path], Path]] = {
    "llava": llava,
    "llava-next": llava_next,
    "llava-onevision": llava_onevision,
    "qwen2-vl": qwen2_vl,
    "qwen2.5-vl": qwen2_5_vl,
    "qwen3-vl": qwen3_vl,
    "qwen3.5": qwen3_5,
    "idefics3": idefics3,
    "smolvlm": smolvlm,
}
WRITERS: dict[str, Callable[[Path], Path]] = {
    "qwen2": qwen2,
    "qwen3": qwen3,
    "phi3": phi3,
    "mistral": mistral,
    "llama": llama,
}


def factual_t5(folder: Path) -> Path:
    """A parser of scene graphs, of T5's architecture with the letters of its tokenizer."""
    tokenizer = letters()
    config = hf.T5Config(
        vocab_size=len(tokenizer),
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_heads=4,
        n_positions=512,
        feed_forward_proj="gated-gelu",
        tie_word_embeddings=False,
        decoder_start_token_id=tokenizer.pad_token_id,
        **ids(tokenizer),
    )
    torch.manual_seed(0)
    return save(hf.T5ForConditionalGeneration(config), tokenizer, folder)


PARSERS: dict[str, Callable[[Path], Path]] = {"factual-t5": factual_t5}
TALKERS = {**CHATS, **PROMPTED, **WRITERS, **PARSERS}
