"""Makes pipelines of the real architectures that are a few thousand random weights small, as
folders; it knows no test.
"""

from pathlib import Path
from typing import Any

import torch
from diffusers import (
    DDIMScheduler,
    DPMSolverMultistepScheduler,
    EulerDiscreteScheduler,
    PixArtAlphaPipeline,
    PixArtTransformer2DModel,
    StableDiffusionPipeline,
)
from diffusers.pipelines.stable_diffusion import StableDiffusionSafetyChecker
from safetensors.torch import save_file
from transformers import (
    CLIPConfig,
    CLIPImageProcessor,
    CLIPTextModel,
    CLIPVisionConfig,
    CLIPVisionModelWithProjection,
)

from tests.support.tiny_models.pipeline_parts import (
    NOISE,
    SIDE,
    WIDTH,
    autoencoder,
    clip_text,
    clip_tokenizer,
    make_unet,
    stable_diffusion_xl,
    t5,
    t5_tokenizer,
)


def stable_diffusion(
    folder: Path, checked: bool = False, flags: bool = False, scheduler: Any = None, **unet: Any
) -> Path:
    """As SD 1.5. `checked`: with a safety checker, which flags every picture or none."""
    torch.manual_seed(0)
    StableDiffusionPipeline(
        vae=autoencoder(),
        text_encoder=CLIPTextModel(clip_text()),
        tokenizer=clip_tokenizer(folder.with_name(f"{folder.name}-words")),
        unet=make_unet(cross_attention_dim=WIDTH, **unet),
        scheduler=scheduler or DDIMScheduler(**NOISE, clip_sample=False),
        safety_checker=_safety_checker(flags) if checked else None,
        feature_extractor=CLIPImageProcessor(size=32, crop_size=32) if checked else None,
        requires_safety_checker=checked,
    ).save_pretrained(folder)
    return folder


def stable_diffusion_checked(folder: Path) -> Path:
    """As SD 1.4 on the Hub, with a safety checker."""
    return stable_diffusion(folder, checked=True)


def stable_diffusion_2(folder: Path) -> Path:
    """As SD 2.0: it predicts velocities, and its attention is linear at both ends."""
    return stable_diffusion(
        folder,
        scheduler=EulerDiscreteScheduler(**NOISE, prediction_type="v_prediction"),
        use_linear_projection=True,
    )


def stable_diffusion_xl_half(folder: Path) -> Path:
    return as_variant(stable_diffusion_xl(folder), "fp16")


def as_variant(folder: Path, variant: str) -> Path:
    """The same folder, with weights that are called those of a variant."""
    for file in folder.glob("*/*.safetensors"):
        file.rename(file.with_name(f"{file.stem}.{variant}.safetensors"))
    return folder


def pixart(folder: Path) -> Path:
    """As PixArt-alpha, but that its size is none of those that pictures are binned to."""
    torch.manual_seed(0)
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
    PixArtAlphaPipeline(
        t5_tokenizer(), t5(WIDTH), autoencoder(), denoiser, DPMSolverMultistepScheduler()
    ).save_pretrained(folder)
    return folder


def ip_adapter(folder: Path) -> Path:
    """An adapter: projection, attention layers and image encoder."""
    torch.manual_seed(1)
    denoiser = make_unet(cross_attention_dim=WIDTH)
    layers = [name for name in denoiser.attn_processors if "attn2" in name]
    weights = {
        "image_proj.proj.weight": torch.randn(4 * WIDTH, WIDTH),
        "image_proj.proj.bias": torch.zeros(4 * WIDTH),
        "image_proj.norm.weight": torch.ones(WIDTH),
        "image_proj.norm.bias": torch.zeros(WIDTH),
    }
    for number, name in enumerate(layers):
        layer = denoiser.get_submodule(name.removesuffix(".processor"))
        for part in ("k", "v"):
            weights[f"ip_adapter.{2 * number + 1}.to_{part}_ip.weight"] = torch.randn(
                layer.to_k.weight.shape
            )
    folder.mkdir()
    save_file(weights, folder / "adapter.safetensors")
    encoder = CLIPVisionModelWithProjection(
        CLIPVisionConfig(
            hidden_size=WIDTH,
            intermediate_size=37,
            num_hidden_layers=2,
            num_attention_heads=4,
            projection_dim=WIDTH,
            image_size=32,
            patch_size=16,
        )
    )
    encoder.save_pretrained(folder / "image_encoder")
    return folder


def _safety_checker(flags: bool) -> StableDiffusionSafetyChecker:
    small = {
        "hidden_size": WIDTH,
        "intermediate_size": 37,
        "num_hidden_layers": 1,
        "num_attention_heads": 4,
    }
    checker = StableDiffusionSafetyChecker(
        CLIPConfig(
            vision_config={**small, "image_size": 32, "patch_size": 16},
            text_config=small,
            projection_dim=WIDTH,
        )
    )
    for threshold in (checker.concept_embeds_weights, checker.special_care_embeds_weights):
        threshold.data.fill_(-2.0 if flags else 2.0)  # cosines are from -1 to 1
    return checker
