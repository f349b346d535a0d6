"""Makes pipelines of the real architectures that are a few thousand random weights small, as folders; it knows no test."""

import json
from pathlib import Path
from typing import Any

import torch
from diffusers import (
    AutoencoderKL,
    DDIMScheduler,
    DPMSolverMultistepScheduler,
    EulerDiscreteScheduler,
    PixArtAlphaPipeline,
    PixArtTransformer2DModel,
    StableDiffusionPipeline,
    StableDiffusionXLPipeline,
    UNet2DConditionModel,
)
from diffusers.pipelines.stable_diffusion import StableDiffusionSafetyChecker
from safetensors.torch import save_file
from transformers import (
    CLIPConfig,
    CLIPImageProcessor,
    CLIPTextConfig,
    CLIPTextModel,
    CLIPTextModelWithProjection,
    CLIPTokenizer,
    CLIPVisionConfig,
    CLIPVisionModelWithProjection,
    T5Config,
    T5EncoderModel,
    T5Tokenizer,
)

SIDE = 32  # pixels of a picture, where nothing else is asked
WIDTH = 32  # of the text encoders
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def stable_diffusion(folder: Path, checked: bool = False, flags: bool = False) -> Path:
    """As SD 1.5. `checked`: with a safety checker, which flags every picture or none."""
    torch.manual_seed(0)
    StableDiffusionPipeline(
        vae=_autoencoder(),
        text_encoder=CLIPTextModel(_clip_text()),
        tokenizer=_clip_tokenizer(folder.with_name(f"{folder.name}-words")),
        unet=_unet(cross_attention_dim=WIDTH),
        scheduler=DDIMScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", clip_sample=False, steps_offset=1),
        safety_checker=_safety_checker(flags) if checked else None,
        feature_extractor=CLIPImageProcessor(size=16, crop_size=16) if checked else None,
        requires_safety_checker=checked,
    ).save_pretrained(folder)
    return folder


def stable_diffusion_xl(folder: Path) -> Path:
    torch.manual_seed(0)
    words = folder.with_name(f"{folder.name}-words")
    StableDiffusionXLPipeline(
        vae=_autoencoder(),
        text_encoder=CLIPTextModel(_clip_text()),
        text_encoder_2=CLIPTextModelWithProjection(_clip_text()),
        tokenizer=_clip_tokenizer(words),
        tokenizer_2=_clip_tokenizer(words),
        unet=_unet(
            cross_attention_dim=2 * WIDTH,
            addition_embed_type="text_time",
            addition_time_embed_dim=8,
            projection_class_embeddings_input_dim=6 * 8 + WIDTH,
        ),
        scheduler=EulerDiscreteScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1),
    ).save_pretrained(folder)
    return folder


def pixart(folder: Path) -> Path:
    """As PixArt-alpha, but that its size is none of those that pictures are binned to."""
    torch.manual_seed(0)
    tokenizer = _t5_tokenizer()
    text = T5Config(vocab_size=len(tokenizer), d_model=WIDTH, d_kv=8, d_ff=37, num_layers=1, num_heads=4, feed_forward_proj="gated-gelu")
    denoiser = PixArtTransformer2DModel(
        num_attention_heads=2,
        attention_head_dim=8,
        in_channels=4,
        out_channels=8,
        num_layers=2,
        cross_attention_dim=16,
        caption_channels=WIDTH,
        sample_size=SIDE // 2,
        patch_size=2,
    )
    PixArtAlphaPipeline(tokenizer, T5EncoderModel(text), _autoencoder(), denoiser, DPMSolverMultistepScheduler()).save_pretrained(folder)
    return folder


def ip_adapter(folder: Path, width: int = WIDTH) -> Path:
    """An adapter for a pipeline whose denoiser looks at states of `width`: projection, attention layers and image encoder."""
    torch.manual_seed(1)
    denoiser = _unet(cross_attention_dim=width)
    layers = [name for name in denoiser.attn_processors if "attn2" in name]
    weights = {"image_proj.proj.weight": torch.randn(4 * width, WIDTH), "image_proj.proj.bias": torch.zeros(4 * width)}
    weights |= {"image_proj.norm.weight": torch.ones(width), "image_proj.norm.bias": torch.zeros(width)}
    for number, name in enumerate(layers):
        layer = denoiser.get_submodule(name.removesuffix(".processor"))
        for part in ("k", "v"):
            weights[f"ip_adapter.{2 * number + 1}.to_{part}_ip.weight"] = torch.randn(layer.to_k.weight.shape)
    folder.mkdir()
    save_file(weights, folder / "adapter.safetensors")
    small = {"hidden_size": WIDTH, "intermediate_size": 37, "num_hidden_layers": 1, "num_attention_heads": 4}
    encoder = CLIPVisionModelWithProjection(CLIPVisionConfig(**small, projection_dim=WIDTH, image_size=32, patch_size=16))
    encoder.save_pretrained(folder / "image_encoder")
    return folder


def _unet(**options: Any) -> UNet2DConditionModel:
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


def _autoencoder() -> AutoencoderKL:
    """Two blocks: a latent for each 2 by 2 pixels."""
    return AutoencoderKL(
        block_out_channels=(8, 16),
        norm_num_groups=4,
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        latent_channels=4,
        sample_size=SIDE,
    )


def _clip_text() -> CLIPTextConfig:
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


def _safety_checker(flags: bool) -> StableDiffusionSafetyChecker:
    small = {"hidden_size": WIDTH, "intermediate_size": 37, "num_hidden_layers": 1, "num_attention_heads": 4}
    checker = StableDiffusionSafetyChecker(
        CLIPConfig(vision_config={**small, "image_size": 16, "patch_size": 8}, text_config=small, projection_dim=WIDTH)
    )
    for threshold in (checker.concept_embeds_weights, checker.special_care_embeds_weights):
        threshold.data.fill_(-2.0 if flags else 2.0)  # cosines are from -1 to 1
    return checker


def _clip_tokenizer(folder: Path) -> CLIPTokenizer:
    """Letters, and a few pairs of them."""
    folder.mkdir(exist_ok=True)
    pieces = ["<|startoftext|>", "<|endoftext|>", *LETTERS, *(f"{letter}</w>" for letter in LETTERS), "th", "the</w>", "a</w>"]
    (folder / "vocab.json").write_text(json.dumps({piece: i for i, piece in enumerate(dict.fromkeys(pieces))}))
    (folder / "merges.txt").write_text("#version: 0.2\nt h\nth e</w>\n")
    return CLIPTokenizer.from_pretrained(folder, model_max_length=77)


def _t5_tokenizer() -> T5Tokenizer:
    scored = {"<pad>": 0.0, "</s>": 0.0, "<unk>": 0.0, "▁": -2.0} | dict.fromkeys(LETTERS, -3.0)
    return T5Tokenizer(vocab=list(scored.items()), extra_ids=0, model_max_length=64)
