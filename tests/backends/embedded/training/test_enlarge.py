"""The larger autoencoder has the latents of the smaller one; its outer level alone is trained."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from diffusers import AutoencoderKL
from torch import Tensor
from torch.nn import functional

from hallascope.backends.embedded.training import autoencoder, enlarge
from tests.support.tiny_trainings import AUTOENCODER_CONFIG

CONFIG = enlarge.EnlargeConfig(samples=12, workers=1, steps=2, batch=2)


@pytest.fixture
def small() -> AutoencoderKL:
    torch.manual_seed(0)
    config = replace(AUTOENCODER_CONFIG, size=64, channels="8,8,8")
    return autoencoder.make_model(config).eval()


def last_features(model: AutoencoderKL, latents: Tensor) -> Tensor:
    """Return what the last convolution of the decoder is given, (B, C, H, W)."""
    seen: list[Tensor] = []
    model.decoder.conv_norm_out.register_forward_hook(lambda _, __, output: seen.append(output))
    with torch.inference_mode():
        model.decode(latents)
    return seen[-1]


def test_before_its_training_it_draws_each_pixel_of_the_smaller_one_four_times(
    small: AutoencoderKL,
) -> None:
    latents = torch.randn(2, 4, 16, 16)
    repeated = functional.interpolate(last_features(small, latents), scale_factor=2.0)
    large = enlarge.add_level(small).eval()
    assert torch.allclose(last_features(large, latents), repeated, atol=1e-4)


def test_the_outer_level_alone_is_trained_and_takes_the_place_of_the_smaller_one(
    small: AutoencoderKL, tmp_path: Path
) -> None:
    small.save_pretrained(tmp_path / "small")
    pipeline = tmp_path / "pipeline"
    folders = (tmp_path / "small", pipeline, tmp_path / "pictures", tmp_path / "work")
    enlarge.train(CONFIG, *folders)
    large = AutoencoderKL.from_pretrained(pipeline / "vae")
    assert large.config.sample_size == 128
    untrained = enlarge.add_level(small)
    changed = {
        name
        for name, weights in untrained.named_parameters()
        if not torch.equal(weights.half().float(), large.get_parameter(name))
    }
    outer = {name for name, weights in untrained.named_parameters() if weights.requires_grad}
    assert changed <= outer
    assert {"encoder.conv_in.weight", "decoder.conv_out.weight"} <= changed
    assert (pipeline / "hashes.json").exists()
