"""Makes pipelines of the real architectures that are a few thousand random weights small, as
folders; it knows no test.
"""

import json
from pathlib import Path
from typing import Any

import torch
from diffusers import (
    AutoencoderKL,
    EulerDiscreteScheduler,
    FlowMatchEulerDiscreteScheduler,
    FluxPipeline,
    FluxTransformer2DModel,
    StableDiffusionXLPipeline,
    UNet2DConditionModel,
)
from transformers import (
    CLIPTextConfig,
    CLIPTextModel,
    CLIPTextModelWithProjection,
    CLIPTokenizer,
    T5Config,
    T5EncoderModel,
    T5Tokenizer,
)

SIDE = 32  # pixels of a picture, where nothing else is asked
WIDTH = 32  # of the text encoders
LETTERS = "abcdefghijklmnopqrstuvwxyz"


NOISE = {
    "beta_start": 0.00085,
    "beta_end": 0.012,
    "beta_schedule": "scaled_linear",
    "steps_offset": 1,
}


def stable_diffusion_xl(folder: Path, scheduler: Any = None, **decoder: Any) -> Path:
    torch.manual_seed(0)
    words = folder.with_name(f"{folder.name}-words")
    StableDiffusionXLPipeline(
        vae=autoencoder(**decoder),
        text_encoder=CLIPTextModel(clip_text()),
        text_encoder_2=CLIPTextModelWithProjection(clip_text()),
        tokenizer=clip_tokenizer(words),
        tokenizer_2=clip_tokenizer(words),
        unet=make_unet(
            cross_attention_dim=2 * WIDTH,
            addition_embed_type="text_time",
            addition_time_embed_dim=8,
            projection_class_embeddings_input_dim=6 * 8 + WIDTH,
        ),
        scheduler=scheduler or EulerDiscreteScheduler(**NOISE),
    ).save_pretrained(folder)
    return folder


def rename(folder: Path, **kinds: str) -> Path:
    """The same folder, with classes of parts called as they are on the Hub."""
    index = folder / "model_index.json"
    said = json.loads(index.read_text())
    index.write_text(
        json.dumps(said | {part: [said[part][0], kind] for part, kind in kinds.items()})
    )
    return folder


def make_unet(**options: Any) -> UNet2DConditionModel:
    return UNet2DConditionModel(
        sample_size=SIDE // 2,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        layers_per_block=1,
        attention_head_dim=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        **options,
    )


def autoencoder(**options: Any) -> AutoencoderKL:
    """Two blocks: a latent for each 2 by 2 pixels."""
    return AutoencoderKL(
        **{
            "block_out_channels": (8, 16),
            "norm_num_groups": 4,
            "down_block_types": ("DownEncoderBlock2D",) * 2,
            "up_block_types": ("UpDecoderBlock2D",) * 2,
            "latent_channels": 4,
            "sample_size": SIDE,
            **options,
        }
    )


def t5(width: int) -> T5EncoderModel:
    text = T5Config(
        vocab_size=len(t5_tokenizer()),
        d_model=width,
        d_kv=8,
        d_ff=37,
        num_layers=1,
        num_heads=4,
        feed_forward_proj="gated-gelu",
    )
    return T5EncoderModel(text)


def clip_text() -> CLIPTextConfig:
    return CLIPTextConfig(
        vocab_size=1000,
        hidden_size=WIDTH,
        projection_dim=WIDTH,
        intermediate_size=37,
        num_hidden_layers=2,
        num_attention_heads=4,
        bos_token_id=0,
        eos_token_id=2,
    )


def clip_tokenizer(folder: Path) -> CLIPTokenizer:
    """Letters, and a few pairs of them."""
    folder.mkdir(exist_ok=True)
    pieces = [
        "<|startoftext|>",
        "<|endoftext|>",
        *LETTERS,
        *(f"{letter}</w>" for letter in LETTERS),
        "th",
        "the</w>",
        "a</w>",
    ]
    (folder / "vocab.json").write_text(
        json.dumps({piece: i for i, piece in enumerate(dict.fromkeys(pieces))})
    )
    (folder / "merges.txt").write_text("#version: 0.2\nt h\nth e</w>\n")
    return CLIPTokenizer.from_pretrained(folder, model_max_length=77)


def t5_tokenizer() -> T5Tokenizer:
    scored = {"<pad>": 0.0, "</s>": 0.0, "<unk>": 0.0, "▁": -2.0} | dict.fromkeys(LETTERS, -3.0)
    return T5Tokenizer(vocab=list(scored.items()), extra_ids=0, model_max_length=64)


def flux(folder: Path) -> Path:
    """As FLUX.1 schnell."""
    torch.manual_seed(0)
    denoiser = FluxTransformer2DModel(
        in_channels=16,
        num_layers=1,
        num_single_layers=1,
        attention_head_dim=8,
        num_attention_heads=2,
        joint_attention_dim=WIDTH,
        pooled_projection_dim=WIDTH,
        axes_dims_rope=(4, 2, 2),
        guidance_embeds=False,
    )
    FluxPipeline(
        scheduler=FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=False),
        vae=flow_decoder(4),
        text_encoder=CLIPTextModel(clip_text()),
        tokenizer=clip_tokenizer(folder.with_name(f"{folder.name}-words")),
        text_encoder_2=t5(WIDTH),
        tokenizer_2=t5_tokenizer(),
        transformer=denoiser,
    ).save_pretrained(folder)
    return rename(folder, tokenizer_2="T5TokenizerFast")


def flow_decoder(channels: int) -> AutoencoderKL:
    """A latent for each 2 by 2 pixels, shifted and scaled as where flows are matched."""
    return autoencoder(
        latent_channels=channels,
        use_quant_conv=False,
        use_post_quant_conv=False,
        scaling_factor=1.5,
        shift_factor=0.06,
    )
