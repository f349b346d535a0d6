"""Latents of the autoencoder are normalized, and some pictures are never learned from."""

from pathlib import Path

import pytest
import torch

from hallascope.backends.embedded.training import autoencoder
from tests.support.tiny_trainings import AUTOENCODER_CONFIG


def test_evening_out_the_latents_leaves_the_pictures_as_they_were(corpus_folder: Path) -> None:
    torch.manual_seed(0)
    model = autoencoder.make_model(AUTOENCODER_CONFIG).eval()
    torch.nn.init.normal_(model.quant_conv.bias)
    pixels, _ = autoencoder.load_pixels(corpus_folder, 16)
    with torch.inference_mode():
        shown = autoencoder.as_input(pixels)
        before = model.decode(model.encode(shown).latent_dist.mean).sample
        autoencoder.normalize_latents(model, pixels)
        after = model.decode(model.encode(shown).latent_dist.mean).sample
    assert torch.allclose(before, after, atol=1e-3)
    latents = autoencoder.encode_mean(model, pixels) * model.config.scaling_factor
    assert latents.mean(dim=(0, 2, 3)).abs().max() < 0.05
    assert latents.std() == pytest.approx(1.0, abs=0.05)


def test_pictures_set_aside_are_not_learned_from(corpus_folder: Path) -> None:
    learned, aside = autoencoder.load_pixels(corpus_folder, 20)
    assert (len(learned), len(aside)) == (15, 5)
    assert not {a.numpy().tobytes() for a in learned} & {a.numpy().tobytes() for a in aside}
