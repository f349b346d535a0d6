"""Makes pipelines of diffusers at the sizes of SDXL and FLUX.1 as folders without weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.gpu.folders import build_on_meta, write_hollow
from bench.gpu.rows import Size

_STEMS = {"unet": "diffusion_pytorch_model", "transformer": "diffusion_pytorch_model"}
_STEMS |= {"vae": "diffusion_pytorch_model", "text_encoder": "model", "text_encoder_2": "model"}
_SDXL_UNET: dict[str, Any] = {
    "sample_size": 128,
    "block_out_channels": (320, 640, 1280),
    "layers_per_block": 2,
    "attention_head_dim": [5, 10, 20],
    "transformer_layers_per_block": [1, 2, 10],
    "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
    "up_block_types": ("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
    "cross_attention_dim": 2048,
    "addition_embed_type": "text_time",
    "addition_time_embed_dim": 256,
    "projection_class_embeddings_input_dim": 2816,
    "use_linear_projection": True,
    "norm_num_groups": 32,
}
_VAE: dict[str, Any] = {
    "block_out_channels": (128, 256, 512, 512),
    "down_block_types": ("DownEncoderBlock2D",) * 4,
    "up_block_types": ("UpDecoderBlock2D",) * 4,
    "layers_per_block": 2,
    "norm_num_groups": 32,
    "sample_size": 1024,
}
_SDXL_VAE = _VAE | {"latent_channels": 4, "scaling_factor": 0.13025}
_FLUX_VAE = _VAE | {
    "latent_channels": 16,
    "scaling_factor": 0.3611,
    "shift_factor": 0.1159,
    "use_quant_conv": False,
    "use_post_quant_conv": False,
}
_CLIP_L = {
    "vocab_size": 49_408,
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "projection_dim": 768,
}
_CLIP_G = {
    "vocab_size": 49_408,
    "hidden_size": 1280,
    "intermediate_size": 5120,
    "num_hidden_layers": 32,
    "num_attention_heads": 20,
    "projection_dim": 1280,
}
_FLUX: dict[str, Any] = {
    "in_channels": 64,
    "num_layers": 19,
    "num_single_layers": 38,
    "attention_head_dim": 128,
    "num_attention_heads": 24,
    "joint_attention_dim": 4096,
    "pooled_projection_dim": 768,
    "axes_dims_rope": (16, 56, 56),
    "guidance_embeds": False,
}
_HALF_OF_FLUX = {"num_layers": 10, "num_single_layers": 19}
_T5_XXL: dict[str, Any] = {
    "vocab_size": 32_128,
    "d_model": 4096,
    "d_kv": 64,
    "d_ff": 10_240,
    "num_layers": 24,
    "num_heads": 64,
}


def make_sdxl(folder: Path, size: Size) -> Path:
    """Make an SDXL of float16 zeros (variant fp16), with the tokenizers of a tiny one."""

    from tests.support.tiny_models import pipeline_parts

    pipeline_parts.stable_diffusion_xl(folder)
    sizes = {
        "unet": _SDXL_UNET,
        "vae": _SDXL_VAE,
        "text_encoder": _CLIP_L,
        "text_encoder_2": _CLIP_G,
    }
    _make_hollow(folder, sizes if size == "full" else {}, "float16", ".fp16")
    return folder


def make_flux(folder: Path, size: Size, *, is_half: bool = False) -> Path:
    """Make a FLUX.1 schnell of bfloat16 zeros, with the tokenizers of a tiny one.

    `is_half`: with half as many blocks of its transformer.
    """

    from tests.support.tiny_models import pipeline_parts

    pipeline_parts.flux(folder)
    sizes = {
        "transformer": _FLUX | (_HALF_OF_FLUX if is_half else {}),
        "vae": _FLUX_VAE,
        "text_encoder": _CLIP_L,
        "text_encoder_2": _T5_XXL,
    }
    _make_hollow(folder, sizes if size == "full" else {}, "bfloat16", "")
    return folder


def _make_hollow(folder: Path, sizes: dict[str, dict[str, Any]], dtype: str, variant: str) -> None:
    """Replace the models of a tiny pipeline by ones of these sizes without numbers."""
    from hallascope.backends.diffusers.components import find_component_class
    from hallascope.backends.diffusers.folders import read_index

    for name, component in read_index(folder).components.items():
        if name not in _STEMS:
            continue
        model_class: Any = find_component_class(component)
        model = _resized(model_class, component.folder, sizes.get(name, {}))
        for old in component.folder.glob("*.safetensors"):
            old.unlink()
        write_hollow(model, component.folder / f"{_STEMS[name]}{variant}.safetensors", dtype)


def _resized(model_class: Any, folder: Path, sizes: dict[str, Any]) -> Any:
    """Return a model on the meta device, of the configuration in a folder with other sizes.

    The configuration is written back.
    """
    import torch

    if hasattr(model_class, "load_config"):
        config = {**model_class.load_config(folder), **sizes}
        with torch.device("meta"):
            model = model_class.from_config(config)
        model.save_config(folder)
        return model
    config = model_class.config_class.from_pretrained(folder)
    for name, value in sizes.items():
        setattr(config, name, value)
    config.save_pretrained(folder)
    return build_on_meta(model_class, config)
