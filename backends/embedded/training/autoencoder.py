"""Trains the autoencoder of the Primer diffusion models: pictures of 128 px to 32 x 32 latents.

``python -m hallascope.backends.embedded.training.autoencoder`` draws the corpus where it is
missing, trains with checkpoints (the same command goes on where it was stopped) and writes a stock
``AutoencoderKL`` folder.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from diffusers import AutoencoderKL
from PIL import Image
from torch import Tensor

from hallascope.backends.embedded.training import loop
from hallascope.backends.embedded.training.dataset import background, corpus, samples

WORK = Path("runs/autoencoder")
CHECKPOINT_EVERY = 250  # steps
MEASURE_EVERY = 1000  # steps, a multiple of CHECKPOINT_EVERY
HELD_OUT = 256  # the last pictures of the corpus: never trained on
CROP = 64  # px
PER_SHARD = 250  # pictures that are drawn together


@dataclass(frozen=True, kw_only=True)
class AutoencoderConfig:
    """Holds all that decides the result.

    Beside the differences of pixels, those of their edges count: lines stay sharp.
    """

    size: int = 128  # px
    # Each further one halves the sides: 4 pixels across are one latent.
    channels: str = "16,32,64"
    latents: int = 4
    samples: int = 20_000
    workers: int = 2  # processes that draw
    begin: int = 0  # shards to learn from while others are drawn; 0 for all
    steps: int = 4_000
    minutes: float = 0.0  # how long it takes, whatever the steps; 0 for as long as these take
    # The last part of the steps sees whole pictures, the others crops of a quarter, four times as
    # many.
    whole: float = 0.25
    batch: int = 32  # crops
    rate: float = 1e-3
    edges: float = 1.0
    # Weight of the mean over latents: 1e-6 of the sum over a crop of 64 px.
    kl: float = 5e-4
    average: float = 0.999
    seed: int = 0


def make_model(config: AutoencoderConfig) -> AutoencoderKL:
    """Return the model with random weights.

    It has no attention in the middle: what is learned from crops holds for whole pictures.
    """
    channels = tuple(int(c) for c in config.channels.split(","))
    return AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * len(channels),
        up_block_types=("UpDecoderBlock2D",) * len(channels),
        block_out_channels=channels,
        layers_per_block=1,
        latent_channels=config.latents,
        norm_num_groups=8,
        mid_block_add_attention=False,
        sample_size=config.size,
        force_upcast=False,
    )


def as_input(pixels: Tensor) -> Tensor:
    """Return bytes (B, H, W, 3) as the model's input (B, 3, H, W) in [-1, 1]."""
    return pixels.permute(0, 3, 1, 2).float() / 127.5 - 1.0


# --- losses ---


class AutoencoderLosses(NamedTuple):
    """Holds the losses of pixels and of their edges, and the divergence of the latents."""

    pixels: Tensor
    edges: Tensor
    kl: Tensor

    def total(self, config: AutoencoderConfig) -> Tensor:
        return self.pixels + config.edges * self.edges + config.kl * self.kl


def losses(model: AutoencoderKL, pictures: Tensor, generator: torch.Generator) -> AutoencoderLosses:
    """Compute the losses on pictures (B, 3, H, W) in [-1, 1]."""
    with torch.autocast(pictures.device.type, torch.bfloat16):
        latents = model.encode(pictures).latent_dist
        noise = torch.randn(latents.mean.shape, generator=generator, device=pictures.device)
        decoded = model.decode(latents.mean + latents.std * noise).sample
    mean = latents.mean.float()
    kl = 0.5 * (mean**2 + latents.var.float() - 1.0 - latents.logvar.float()).mean()
    return AutoencoderLosses(*pixel_losses(decoded, pictures), kl)


def pixel_losses(decoded: Tensor, pictures: Tensor) -> tuple[Tensor, Tensor]:
    """Return how far decoded pictures are off, in their pixels and in the edges of these.

    The edges are the differences between neighbors, across and down.
    """
    error = decoded.float() - pictures
    edges = error.diff(dim=-1).abs().mean() + error.diff(dim=-2).abs().mean()
    return error.abs().mean() + error.square().mean(), edges


def reconstruct(model: AutoencoderKL, pictures: Tensor) -> Tensor:
    """Return pictures (B, 3, H, W) in [-1, 1] as they come back through the mean latents."""
    decoded: Tensor = model.decode(model.encode(pictures).latent_dist.mean).sample
    return decoded.clamp(-1, 1)


def psnr(model: AutoencoderKL, pixels: Tensor) -> float:
    """Return the peak signal-to-noise ratio in dB of whole pictures through the mean latents.

    The pictures are bytes (N, H, W, 3).
    """
    errors = []
    with torch.inference_mode():
        for batch in torch.split(pixels, 16):
            pictures = as_input(batch.to(model.device))
            difference = (reconstruct(model, pictures) - pictures) / 2
            errors.append(difference.square().mean(dim=(1, 2, 3)))
    return float(-10 * torch.cat(errors).clamp_min(1e-10).log10().mean())


# --- latents of one size ---


def normalize_latents(model: AutoencoderKL, pixels: Tensor) -> None:
    """Shift and stretch each latent channel to mean 0 and deviation 1, inside the model.

    Pictures stay what they were: the two 1 x 1 convolutions around the latents take it up exactly.
    What is left is the config's scaling_factor, 1 / the deviation of the latents as measured
    afterwards.
    """
    latents = encode_mean(model, pixels)
    mean = latents.mean(dim=(0, 2, 3))
    spread = latents.std(dim=(0, 2, 3))
    encoder_conv = model.quant_conv
    decoder_conv = model.post_quant_conv
    with torch.no_grad():
        decoder_conv.bias += decoder_conv.weight[:, :, 0, 0] @ mean
        decoder_conv.weight *= spread[None, :, None, None]
        # The first half are means, the second half logarithms of variances.
        stretch = torch.cat([spread, torch.ones_like(spread)])
        encoder_conv.weight /= stretch[:, None, None, None]
        mean_bias, variance_bias = encoder_conv.bias.chunk(2)
        encoder_conv.bias.copy_(
            torch.cat([(mean_bias - mean) / spread, variance_bias - 2 * spread.log()])
        )
    deviation = float(encode_mean(model, pixels).std())
    model.register_to_config(scaling_factor=round(1.0 / deviation, 5))


def encode_mean(model: AutoencoderKL, pixels: Tensor, batch: int = 32) -> Tensor:
    """Return mean latents (N, channels, H / 4, W / 4) of bytes (N, H, W, 3), not yet scaled."""
    with torch.inference_mode(), torch.autocast(model.device.type, torch.bfloat16):
        latents = [
            model.encode(as_input(part.to(model.device))).latent_dist.mean.float()
            for part in torch.split(pixels, batch)
        ]
    return torch.cat(latents).clone()


# --- training ---


def select_batch(pixels: Tensor, step: int, config: AutoencoderConfig, progress: float) -> Tensor:
    """Return bytes (B, side, side, 3) of one step: random crops, and whole pictures at the end.

    Whole pictures come in the last part of the training; `progress` in [0, 1] is how far it is.
    """
    if progress >= 1 - config.whole:
        whole = max(1, config.batch * CROP**2 // config.size**2)
        rows = loop.batch_rows(len(pixels), whole, step, config.seed)
        return pixels[rows.to(pixels.device)]
    generator = loop.step_generator(config.seed + 2, step)
    rows = loop.batch_rows(len(pixels), config.batch, step, config.seed)
    corners = torch.randint(0, config.size - CROP + 1, (2, len(rows), 1), generator=generator)
    y, x = (corners + torch.arange(CROP)).to(pixels.device)
    return pixels[rows.to(pixels.device)[:, None, None], y[:, :, None], x[:, None, :]]


def load_pixels(folder: Path, count: int) -> tuple[Tensor, Tensor]:
    """Load the first `count` pictures: those to learn from, and the last HELD_OUT to measure on."""
    shards = corpus.read_first_pictures(folder, count)
    pixels = torch.from_numpy(np.concatenate([shard.pixels for shard in shards])[:count])
    held_out = min(HELD_OUT, len(pixels) // 4)
    return pixels[:-held_out], pixels[-held_out:]


def make_trainer(config: AutoencoderConfig, model: AutoencoderKL) -> loop.Trainer:
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=config.rate, betas=(0.9, 0.98), weight_decay=1e-3, fused=True
    )
    schedule = loop.TrainingSchedule(average=config.average, checkpoint_every=CHECKPOINT_EVERY)
    # Crops count by their area.
    pictures = config.batch * CROP**2 / config.size**2
    return loop.Trainer(
        model,
        [optimizer],
        schedule,
        steps=config.steps,
        minutes=config.minutes,
        pictures=pictures,
    )


def train(config: AutoencoderConfig, pictures: Path, work: Path) -> None:
    """Train and write ``work/vae``; what is already in `work` is not done again."""
    samples.part_numbers()  # once, before other processes need them
    draw = partial(corpus.write, pictures, config.samples, config.workers, PER_SHARD, config.size)
    with background.drawing(draw, pictures, config.begin):
        learn(config, pictures, work)


def learn(config: AutoencoderConfig, pictures: Path, work: Path) -> None:
    """Train on the pictures of a folder that are there by now."""
    torch.manual_seed(config.seed)
    pixels, held_out = load_pixels(pictures, config.samples)
    if loop.best_device() != "cpu":
        pixels = pixels.to(loop.best_device())
    # Channels last is the faster order on CPUs.
    model = make_model(config).to(loop.best_device(), memory_format=torch.channels_last)
    trainer = make_trainer(config, model)

    def losses_at(step: int) -> tuple[Tensor, AutoencoderLosses]:
        chosen = select_batch(pixels, step, config, trainer.progress)
        inputs = as_input(chosen.to(model.device))
        generator = loop.step_generator(config.seed, step, model.device)
        step_losses = losses(model, inputs, generator)
        return step_losses.total(config), step_losses

    def measure(done: int) -> None:
        if done % MEASURE_EVERY == 0:
            averaged = trainer.average.model
            print(f"after {done} steps: {psnr(averaged, held_out[:64]):.2f} dB", flush=True)
            save_sheet(averaged, held_out[:16], work / "pictures.png")

    print(f"{len(pixels):,} images, {loop.describe_size(model)}", flush=True)
    trainer.run(work / "checkpoint.pt", losses_at, measure)
    save(trainer.average.model, pixels, held_out, work)


def save(model: AutoencoderKL, pixels: Tensor, held_out: Tensor, work: Path) -> None:
    """Write the stock folder ``work/vae`` with 32-bit weights, and print how good it is.

    Its latents are of one size.
    """
    normalize_latents(model, pixels[:512])
    model.to(memory_format=torch.contiguous_format).save_pretrained(work / "vae")
    save_sheet(model, held_out[:16], work / "pictures.png")
    print(
        f"{psnr(model, held_out):.2f} dB on {len(held_out)} images it never saw, scaling factor"
        f" {model.config.scaling_factor}",
        flush=True,
    )


def save_sheet(model: AutoencoderKL, pixels: Tensor, file: Path) -> None:
    """Save rows of pictures, and below each row what comes back of it."""
    with torch.inference_mode():
        decoded = reconstruct(model, as_input(pixels.to(model.device)))
    back = ((decoded + 1) * 127.5).round().byte().permute(0, 2, 3, 1).cpu()
    lines = [
        torch.cat(list(line), dim=1)
        for i in range(0, len(pixels), 8)
        for line in (pixels[i : i + 8], back[i : i + 8])
    ]
    Image.fromarray(torch.cat(lines).numpy()).save(file)


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        AutoencoderConfig(),
        {
            "pictures": (None, "the corpus; drawn where it is missing"),
            "work": (WORK, "checkpoints, sheets and the finished folder `vae`"),
        },
    )
    train(config, folders["pictures"] or corpus.folder_of(config.size), folders["work"])


if __name__ == "__main__":
    main()
