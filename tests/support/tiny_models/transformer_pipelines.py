"""Makes pipelines in which a transformer draws, a few thousand random weights small, as folders.

It knows no test.
"""

from pathlib import Path
from typing import Any

import torch
from diffusers import (
    AutoencoderDC,
    AutoencoderKLQwenImage,
    DPMSolverMultistepScheduler,
    FlowMatchEulerDiscreteScheduler,
    QwenImagePipeline,
    QwenImageTransformer2DModel,
    SanaPipeline,
    SanaTransformer2DModel,
    SD3Transformer2DModel,
    StableDiffusion3Pipeline,
    ZImagePipeline,
    ZImageTransformer2DModel,
)
from transformers import (
    CLIPTextModelWithProjection,
    Gemma2Config,
    Gemma2Model,
    GemmaTokenizer,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2Tokenizer,
    Qwen3Config,
    Qwen3Model,
)

from tests.support.tiny_models.pipeline_parts import (
    SIDE,
    WIDTH,
    clip_text,
    clip_tokenizer,
    flow_decoder,
    flux,
    rename,
    t5,
    t5_tokenizer,
)

_CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content"
    " }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)
_SMALL = {
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "intermediate_size": 16,
    "hidden_size": 16,
}


def stable_diffusion_3(folder: Path) -> Path:
    """As SD 3.5: normalised queries and keys, and a second attention in its first block."""
    torch.manual_seed(0)
    words = folder.with_name(f"{folder.name}-words")
    both = 2 * WIDTH  # of the two CLIP encoders side by side
    denoiser = SD3Transformer2DModel(
        sample_size=SIDE // 2,
        patch_size=2,
        in_channels=4,
        out_channels=4,
        num_layers=2,
        attention_head_dim=8,
        num_attention_heads=2,
        caption_projection_dim=16,
        joint_attention_dim=both,
        pooled_projection_dim=both,
        pos_embed_max_size=SIDE // 2,
        dual_attention_layers=(0,),
        qk_norm="rms_norm",
    )
    StableDiffusion3Pipeline(
        transformer=denoiser,
        scheduler=FlowMatchEulerDiscreteScheduler(shift=3.0),
        vae=flow_decoder(4),
        text_encoder=CLIPTextModelWithProjection(clip_text()),
        tokenizer=clip_tokenizer(words),
        text_encoder_2=CLIPTextModelWithProjection(clip_text()),
        tokenizer_2=clip_tokenizer(words),
        text_encoder_3=t5(both),
        tokenizer_3=t5_tokenizer(),
    ).save_pretrained(folder)
    return rename(folder, tokenizer_3="T5TokenizerFast")


def flux_guided(folder: Path) -> Path:
    return flux(folder, guided=True)


def qwen_image(folder: Path) -> Path:
    torch.manual_seed(0)
    tokenizer = _qwen_tokenizer()
    rope = {"mrope_section": [1, 1, 2], "rope_type": "default", "type": "default"}
    text = {
        **_SMALL,
        "vocab_size": len(tokenizer),
        "rope_scaling": rope,
        "max_position_embeddings": 512,
    }
    seeing = {
        "depth": 1,
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_heads": 2,
        "out_hidden_size": 16,
    }
    config = Qwen2_5_VLConfig(text_config=text, vision_config=seeing)
    denoiser = QwenImageTransformer2DModel(
        in_channels=16,
        out_channels=4,
        num_layers=2,
        attention_head_dim=16,
        num_attention_heads=2,
        joint_attention_dim=16,
        axes_dims_rope=(8, 4, 4),
    )
    for weights in denoiser.parameters():  # or what the prompt changes is lost in 16 bits
        weights.data.add_(0.1 * torch.randn_like(weights))
    decoder = AutoencoderKLQwenImage(
        base_dim=8,
        z_dim=4,
        dim_mult=[1, 2, 2],
        num_res_blocks=1,
        temperal_downsample=[False, True],
        latents_mean=[0.0] * 4,
        latents_std=[1.0] * 4,
    )
    scheduler = FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True, shift_terminal=0.02)
    text_encoder = Qwen2_5_VLForConditionalGeneration(config)
    QwenImagePipeline(scheduler, decoder, text_encoder, tokenizer, denoiser).save_pretrained(folder)
    return folder


def z_image(folder: Path) -> Path:
    torch.manual_seed(0)
    tokenizer = _qwen_tokenizer()
    tokenizer.chat_template = _CHAT
    text = Qwen3Model(
        Qwen3Config(**_SMALL, head_dim=8, vocab_size=len(tokenizer), max_position_embeddings=512)
    )
    denoiser = ZImageTransformer2DModel(
        in_channels=4,
        dim=32,
        n_layers=1,
        n_refiner_layers=1,
        n_heads=2,
        n_kv_heads=2,
        cap_feat_dim=16,
        axes_dims=[8, 4, 4],
        axes_lens=[256, 32, 32],
    )
    ZImagePipeline(
        FlowMatchEulerDiscreteScheduler(shift=3.0), flow_decoder(4), text, tokenizer, denoiser
    ).save_pretrained(folder)
    return folder


def sana(folder: Path) -> Path:
    torch.manual_seed(0)
    tokenizer = _gemma_tokenizer()
    text = Gemma2Model(
        Gemma2Config(
            **_SMALL,
            head_dim=8,
            vocab_size=len(tokenizer),
            max_position_embeddings=4096,
            sliding_window=64,
        )
    )
    denoiser = SanaTransformer2DModel(
        in_channels=4,
        out_channels=4,
        num_layers=1,
        num_attention_heads=2,
        attention_head_dim=4,
        num_cross_attention_heads=2,
        cross_attention_head_dim=4,
        cross_attention_dim=8,
        caption_channels=16,
        sample_size=SIDE,
    )
    blocks: dict[str, Any] = {}
    for half in ("encoder", "decoder"):
        blocks[f"{half}_block_types"] = ("ResBlock", "EfficientViTBlock")
        blocks[f"{half}_block_out_channels"] = (8, 8)
        blocks[f"{half}_qkv_multiscales"] = ((), (5,))
        blocks[f"{half}_layers_per_block"] = (1, 1)
    decoder = AutoencoderDC(
        latent_channels=4,
        attention_head_dim=2,
        downsample_block_type="conv",
        upsample_block_type="interpolate",
        scaling_factor=0.41407,
        **blocks,
    )
    scheduler = DPMSolverMultistepScheduler(
        prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=3.0
    )
    SanaPipeline(tokenizer, text, decoder, denoiser, scheduler).save_pretrained(folder)
    return rename(folder, tokenizer="GemmaTokenizerFast")


def _qwen_tokenizer() -> Qwen2Tokenizer:
    """Bytes, and the marks of a chat."""
    from tokenizers.pre_tokenizers import ByteLevel

    pieces = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *sorted(ByteLevel.alphabet())]
    marks = ["<|im_start|>", "<|im_end|>"]
    return Qwen2Tokenizer(
        vocab={p: i for i, p in enumerate(pieces)},
        additional_special_tokens=marks,
        model_max_length=512,
    )


def _gemma_tokenizer() -> GemmaTokenizer:
    pieces = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "▁", *map(chr, range(33, 127)), "\n"]
    return GemmaTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}, model_max_length=4096)
