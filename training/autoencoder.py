"""Trains the autoencoder of the Primer diffusion models: images to latents and back, in two steps.

``python -m training.autoencoder`` draws the images that are missing and writes a stock
``AutoencoderKL`` folder that makes 32 x 32 latents of 128 px. `enlarge`, a part of
``python -m training.diffusion``, puts one more level around it and trains that level alone: the
decoder learns to draw what 256 px show, the encoder to give the latents that it gave for the image
of half the size. The denoiser sees latents and needs no other training.
"""

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from diffusers import AutoencoderKL
from torch import Tensor, nn
from torch.nn import functional

from hallascope.backends.weights import EMBEDDED
from training import captions, loop, shards
from training.pixels import as_shares

SHAPE = EMBEDDED / "diffusion-small" / "vae"
SIZE = 128  # px, half of what ships
CROP = 64  # px
WHOLE = 0.25  # the last part of the steps, which sees whole images, others crops
KL = 5e-7  # weight of the sum over the latents of an image
MEASURED = range(10**6, 10**6 + 64)  # seeds of images that are never learned from


@dataclass(frozen=True, kw_only=True)
class AutoencoderConfig(loop.Config):
    """Holds all that decides the result; `batch` is a number of crops."""

    work: Path = Path("runs/autoencoder")
    out: Path = Path("runs/autoencoder/vae")
    samples: int = 20_000
    steps: int = 4_000
    batch: int = 32
    rate: float = 1e-3
    warmup: int = 200
    average: float = 0.999


LARGER = AutoencoderConfig(
    work=Path("runs/enlarge"),
    out=Path("runs/enlarge/vae"),
    samples=4_000,
    steps=1_500,
    batch=4,
    warmup=100,
    average=0.995,
    checkpoint_every=100,
)
"""How it is enlarged: `batch` is a number of whole images."""


# --- models ---


def make_small() -> AutoencoderKL:
    """Return an autoencoder of the shape that ships without its outer level, with random weights.

    It has no attention in the middle: what is learned from crops holds for whole images.
    """
    shape = AutoencoderKL.load_config(SHAPE)
    levels = ("block_out_channels", "down_block_types", "up_block_types")
    inner = {name: shape[name][1:] for name in levels}
    return AutoencoderKL.from_config(shape | inner | {"sample_size": SIZE})


def add_level(small: AutoencoderKL) -> AutoencoderKL:
    """Return an autoencoder of the shape that ships, whose inner layers are those of `small`.

    Its latents are those of `small`. The outer level begins as one that repeats each pixel of what
    `small` decodes, and only this level is left to be trained.
    """
    large: AutoencoderKL = AutoencoderKL.from_config(AutoencoderKL.load_config(SHAPE))
    large.register_to_config(scaling_factor=small.config.scaling_factor)
    inner = {
        re.sub(r"(?<=down_blocks\.)\d+", lambda level: str(int(level[0]) + 1), name): weights
        for name, weights in small.state_dict().items()
        if not name.startswith("encoder.conv_in")
    }
    outer = set(large.load_state_dict(inner, strict=False).missing_keys)
    for name, weights in large.named_parameters():
        last = name.startswith(("decoder.conv_norm_out", "decoder.conv_out"))
        weights.requires_grad_(name in outer or last)
    # `small` ends with its last level, after which `large` doubles the sides once more.
    repeated = large.decoder.up_blocks[-2].upsamplers[0].conv
    nn.init.dirac_(repeated.weight)
    nn.init.zeros_(repeated.bias)
    for layer in large.decoder.up_blocks[-1].resnets:
        nn.init.zeros_(layer.conv2.weight)
        nn.init.zeros_(layer.conv2.bias)
    return large


def encode_mean(model: AutoencoderKL, pixels: Tensor) -> Tensor:
    """Return mean latents (N, channels, H / 4, W / 4) of bytes (N, H, W, 3), not yet scaled."""
    images = 2 * as_shares(pixels.to(model.device)) - 1
    with torch.no_grad(), torch.autocast(model.device.type, torch.bfloat16):
        latents: Tensor = model.encode(images).latent_dist.mean.float()
    return latents


def normalize_latents(model: AutoencoderKL, pixels: Tensor) -> None:
    """Shift and stretch each latent channel to mean 0 and deviation 1, inside the model.

    Images stay what they were: the two 1 x 1 convolutions around the latents take it up exactly.
    What is left is the config's scaling_factor, 1 / the deviation of the latents as measured
    afterwards.
    """
    latents = encode_mean(model, pixels)
    mean = latents.mean(dim=(0, 2, 3))
    spread = latents.std(dim=(0, 2, 3))
    before, after = model.quant_conv, model.post_quant_conv
    with torch.no_grad():
        after.bias += after.weight[:, :, 0, 0] @ mean
        after.weight *= spread[None, :, None, None]
        # The first half are means, the second half logarithms of variances.
        before.weight /= torch.cat([spread, torch.ones_like(spread)])[:, None, None, None]
        means, variances = before.bias.chunk(2)
        before.bias.copy_(torch.cat([(means - mean) / spread, variances - 2 * spread.log()]))
    deviation = float(encode_mean(model, pixels).std())
    model.register_to_config(scaling_factor=round(1.0 / deviation, 5))


def psnr(model: AutoencoderKL) -> float:
    """Return the peak signal-to-noise ratio in dB of images that the model never saw."""
    errors = []
    for seed in MEASURED:
        (drawn,) = captions.draw_sample(model.config.sample_size, seed)
        image = 2 * as_shares(torch.from_numpy(drawn["pixels"])[None].to(model.device)) - 1
        with torch.inference_mode():
            back = model.decode(model.encode(image).latent_dist.mean).sample.clamp(-1, 1)
        errors.append(((back - image) / 2).square().mean())
    return float(-10 * torch.stack(errors).clamp_min(1e-10).log10().mean())


# --- training ---


def pixel_losses(decoded: Tensor, images: Tensor) -> dict[str, Tensor]:
    """Return how far decoded images are off, in their pixels and in the edges of these.

    The edges are the differences between neighbors, across and down: lines stay sharp.
    """
    error = decoded.float() - images
    edges = error.diff(dim=-1).abs().mean() + error.diff(dim=-2).abs().mean()
    return {"pixels": error.abs().mean() + error.square().mean(), "edges": edges}


def train(config: AutoencoderConfig) -> None:
    """Draw the images that are missing, train, write `out`."""
    torch.manual_seed(config.seed)
    # Channels last is the faster order on CPUs.
    model = make_small().to(memory_format=torch.channels_last)

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        pixels = batch["pixels"]
        if progress >= 1 - WHOLE:
            pixels = pixels[: max(1, config.batch * CROP**2 // SIZE**2)]
        else:
            corners = (2, len(pixels), 1)
            moved = torch.randint(0, SIZE - CROP + 1, corners, generator=generator)
            y, x = moved + torch.arange(CROP)
            pixels = pixels[torch.arange(len(pixels))[:, None, None], y[..., None], x[:, None]]
        images = 2 * as_shares(pixels) - 1
        latents = model.encode(images).latent_dist
        decoded = model.decode(latents.sample(generator)).sample
        return pixel_losses(decoded, images) | {"kl": KL * latents.kl().float().mean()}

    def save(average: AutoencoderKL, pixels: Tensor) -> None:
        finished = copy.deepcopy(average).to(memory_format=torch.contiguous_format)
        normalize_latents(finished, pixels)
        finished.save_pretrained(config.out)

    _train(config, SIZE, model, losses, save)


def enlarge(config: AutoencoderConfig, vae: Path) -> None:
    """Put one more level around the autoencoder in a folder, train that level, write `out`."""
    torch.manual_seed(config.seed)
    small = AutoencoderKL.from_pretrained(vae).to(loop.best_device()).requires_grad_(False)
    large = add_level(small)

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        images = 2 * as_shares(batch["pixels"]) - 1
        halves = functional.avg_pool2d(images, 2)
        with torch.no_grad():
            # The encoder has less to learn: one image of each batch is enough.
            features = small.encoder.conv_in(halves[:1])
            latents = small.encode(halves).latent_dist.sample(generator)
        decoded = large.decode(latents).sample
        seen = large.encoder.down_blocks[0](large.encoder.conv_in(images[:1]))
        taught = functional.mse_loss(seen.float(), features.float())
        return pixel_losses(decoded, images) | {"features": taught}

    def save(average: AutoencoderKL, pixels: Tensor) -> None:
        average.save_pretrained(config.out)

    _train(config, 2 * SIZE, large, losses, save)


def _train(
    config: AutoencoderConfig,
    size: int,
    model: AutoencoderKL,
    losses: Callable[[loop.Batch, float, torch.Generator], loop.Batch],
    save: Callable[[AutoencoderKL, Tensor], None],
) -> None:
    """Train by losses on bytes (B, size, size, 3), and print how good what is saved is."""
    folder = captions.draw(config, size)
    corpus = shards.Corpus(folder, config.samples, lambda shard: shards.tensors(shard, "pixels"))

    def save_and_measure(average: AutoencoderKL) -> None:
        save(average, corpus.columns["pixels"][: min(256, len(corpus))])
        print(f"{config.out}: {psnr(average):.2f} dB", flush=True)

    loop.train(
        config,
        model,
        corpus.batch,
        losses,
        save_and_measure,
        make_optimizers=lambda module: loop.make_adam(module.parameters(), 1e-3),
    )


if __name__ == "__main__":
    train(loop.read_arguments(AutoencoderConfig, __doc__))
