"""Makes pipelines of the real architectures that are a few thousand random weights small, as
folders; it knows no test.
"""

from pathlib import Path
from typing import Any

import torch
from diffusers import (
    DDIMScheduler,
    DPMSolverMultistepScheduler,
    EDMDPMSolverMultistepScheduler,
    EulerAncestralDiscreteScheduler,
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

LAYERS = 4  # of the projection of IP-Adapter Plus, which the library counts on


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


def stable_diffusion_turbo(folder: Path) -> Path:
    return as_variant(
        stable_diffusion(
            folder, scheduler=EulerDiscreteScheduler(**NOISE, timestep_spacing="trailing")
        ),
        "fp16",
    )


def stable_diffusion_xl_half(folder: Path) -> Path:
    return as_variant(stable_diffusion_xl(folder), "fp16")


def stable_diffusion_xl_turbo(folder: Path) -> Path:
    return as_variant(
        stable_diffusion_xl(
            folder, EulerAncestralDiscreteScheduler(**NOISE, timestep_spacing="trailing")
        ),
        "fp16",
    )


def playground(folder: Path) -> Path:
    """As Playground 2.5: the SDXL pipeline, with the noise of EDM and latents of a stated mean and
    spread.
    """
    made = stable_diffusion_xl(
        folder, EDMDPMSolverMultistepScheduler(), latents_mean=[0.1] * 4, latents_std=[1.2] * 4
    )
    return as_variant(made, "fp16")


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


def ip_adapter(folder: Path, width: int = WIDTH, plus: bool = False) -> Path:
    """An adapter for a pipeline whose denoiser looks at states of `width`: projection, attention
    layers and image encoder.

    `plus`: the projection looks at the patches of the picture, not at the whole.
    """
    torch.manual_seed(1)
    denoiser = make_unet(cross_attention_dim=width)
    layers = [name for name in denoiser.attn_processors if "attn2" in name]
    weights = _patch_projection(width) if plus else _projection(width)
    for number, name in enumerate(layers):
        layer = denoiser.get_submodule(name.removesuffix(".processor"))
        for part in ("k", "v"):
            weights[f"ip_adapter.{2 * number + 1}.to_{part}_ip.weight"] = torch.randn(
                layer.to_k.weight.shape
            )
    folder.mkdir()
    save_file(weights, folder / "adapter.safetensors")
    small = {
        "hidden_size": WIDTH,
        "intermediate_size": 37,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
    }
    encoder = CLIPVisionModelWithProjection(
        CLIPVisionConfig(**small, projection_dim=WIDTH, image_size=32, patch_size=16)
    )
    encoder.save_pretrained(folder / "image_encoder")
    return folder


def _projection(width: int) -> dict[str, torch.Tensor]:
    weights = {
        "image_proj.proj.weight": torch.randn(4 * width, WIDTH),
        "image_proj.proj.bias": torch.zeros(4 * width),
    }
    return weights | {
        "image_proj.norm.weight": torch.ones(width),
        "image_proj.norm.bias": torch.zeros(width),
    }


def _patch_projection(width: int) -> dict[str, torch.Tensor]:
    """The projection of IP-Adapter Plus, its tensors named as its authors name them."""
    from diffusers.models.embeddings import IPAdapterPlusImageProjection

    own = IPAdapterPlusImageProjection(
        embed_dims=WIDTH, output_dims=width, hidden_dims=64, depth=LAYERS, heads=1, num_queries=4
    ).state_dict()
    theirs = {
        "ln0": "0.norm1",
        "ln1": "0.norm2",
        "attn.to_q": "0.to_q",
        "attn.to_out.0": "0.to_out",
    }
    theirs |= {"ff.0": "1.0", "ff.1.net.0.proj": "1.1", "ff.1.net.2": "1.3"}
    weights = {
        f"image_proj.{name}": tensor
        for name, tensor in own.items()
        if not name.startswith("layers.")
    }
    for layer in range(LAYERS):
        of = f"layers.{layer}."
        for mine, other in theirs.items():
            found = {
                name: tensor for name, tensor in own.items() if name.startswith(f"{of}{mine}.")
            }
            weights |= {
                f"image_proj.{of}{other}.{name.rsplit('.', 1)[1]}": tensor
                for name, tensor in found.items()
            }
        both = [own[f"{of}attn.to_{part}.weight"] for part in ("k", "v")]
        weights[f"image_proj.{of}0.to_kv.weight"] = torch.cat(both)
    return {name: tensor.contiguous().clone() for name, tensor in weights.items()}


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
