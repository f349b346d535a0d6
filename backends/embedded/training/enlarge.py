"""Doubles the size of the pictures of a Primer diffusion model; its latents stay what they are.

``python -m hallascope.backends.embedded.training.enlarge --pipeline runs/diffusion-small/pipeline``
puts one more level around the autoencoder that a finished pipeline was trained with, trains that
level alone, and gives the pipeline the larger autoencoder in place of its own. The decoder learns
to draw what the pixels of twice the size show, the encoder to give the latents that it gave for the
picture of half the size. The denoiser needs no training, for it sees latents. Training goes on from
its checkpoint where it was stopped.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from diffusers import AutoencoderKL
from torch import Tensor, nn
from torch.nn import functional

from hallascope.backends.embedded.training import autoencoder, loop
from hallascope.backends.embedded.training.dataset import corpus, samples

WORK = Path("runs/enlarge")
CHECKPOINT_EVERY = 100  # steps
MEASURED = 64  # held-out pictures


@dataclass(frozen=True, kw_only=True)
class EnlargeConfig:
    """Holds all that decides the result."""

    samples: int = 4_000
    workers: int = 2  # processes that draw
    steps: int = 1_500
    minutes: float = 0.0  # how long it takes, whatever the steps; 0 for as long as these take
    batch: int = 4  # whole pictures
    rate: float = 1e-3
    edges: float = 1.0  # weight of the differences between neighbors, as for the autoencoder
    average: float = 0.995
    seed: int = 0


# --- the larger model ---


def add_level(small: AutoencoderKL) -> AutoencoderKL:
    """Return an autoencoder of twice the size in pixels, whose inner layers are those of `small`.

    Its latents are those of `small`. The outer level begins as one that repeats each pixel of what
    `small` decodes, and only this level is left to be trained.
    """
    channels = small.config.block_out_channels
    settings = {
        **small.config,
        "block_out_channels": (channels[0], *channels),
        "down_block_types": ("DownEncoderBlock2D", *small.config.down_block_types),
        "up_block_types": (*small.config.up_block_types, "UpDecoderBlock2D"),
        "sample_size": 2 * small.config.sample_size,
        "_name_or_path": "",
    }
    large: AutoencoderKL = AutoencoderKL.from_config(settings).requires_grad_(False)
    for new, old in pair_layers(large, small):
        new.load_state_dict(old.state_dict())
    # `small` ends with its last level, after which `large` doubles the sides once more.
    repeat_pixels(large.decoder.up_blocks[-2].upsamplers[0].conv)
    for layer in large.decoder.up_blocks[-1].resnets:
        nn.init.zeros_(layer.conv2.weight)
        nn.init.zeros_(layer.conv2.bias)
    for trained in outer_layers(large):
        trained.requires_grad_(True)
    return large


def pair_layers(large: AutoencoderKL, small: AutoencoderKL) -> list[tuple[nn.Module, nn.Module]]:
    """Pair the layers of `large` with those of `small` that they begin as."""
    pairs = [
        (large.quant_conv, small.quant_conv),
        (large.post_quant_conv, small.post_quant_conv),
        (large.encoder.mid_block, small.encoder.mid_block),
        (large.encoder.conv_norm_out, small.encoder.conv_norm_out),
        (large.encoder.conv_out, small.encoder.conv_out),
        (large.decoder.conv_in, small.decoder.conv_in),
        (large.decoder.mid_block, small.decoder.mid_block),
        (large.decoder.conv_norm_out, small.decoder.conv_norm_out),
        (large.decoder.conv_out, small.decoder.conv_out),
        *zip(large.encoder.down_blocks[1:], small.encoder.down_blocks, strict=True),
        *zip(large.decoder.up_blocks[:-2], small.decoder.up_blocks[:-1], strict=True),
    ]
    last = small.decoder.up_blocks[-1]
    return [*pairs, (large.decoder.up_blocks[-2].resnets, last.resnets)]


def outer_layers(large: AutoencoderKL) -> list[nn.Module]:
    """Return the layers that work at the larger size, which are trained."""
    encoder = large.encoder
    decoder = large.decoder
    return [
        encoder.conv_in,
        encoder.down_blocks[0],
        decoder.up_blocks[-2].upsamplers[0],
        decoder.up_blocks[-1],
        decoder.conv_norm_out,
        decoder.conv_out,
    ]


def repeat_pixels(convolution: nn.Conv2d) -> None:
    """Let a convolution of 3 x 3 give what it is given."""
    nn.init.dirac_(convolution.weight)
    assert convolution.bias is not None
    nn.init.zeros_(convolution.bias)


# --- losses ---


class EnlargeLosses(NamedTuple):
    """Holds the losses of the decoder's pixels and their edges, and of the encoder's features."""

    pixels: Tensor
    edges: Tensor
    features: Tensor

    def total(self, config: EnlargeConfig) -> Tensor:
        return self.pixels + config.edges * self.edges + self.features


def losses(
    large: AutoencoderKL, small: AutoencoderKL, pictures: Tensor, generator: torch.Generator
) -> EnlargeLosses:
    """Compute the losses on pictures (B, 3, H, W) in [-1, 1] of the larger size."""
    halves = functional.avg_pool2d(pictures, 2)
    device = pictures.device
    with torch.autocast(device.type, torch.bfloat16):
        with torch.no_grad():
            # The encoder has less to learn: one picture of each batch is enough.
            features = small.encoder.conv_in(halves[:1])
            latents = small.encode(halves).latent_dist
            noise = torch.randn(latents.mean.shape, generator=generator, device=device)
        decoded = large.decode(latents.mean + latents.std * noise).sample
        seen = large.encoder.down_blocks[0](large.encoder.conv_in(pictures[:1]))
    features_loss = functional.mse_loss(seen.float(), features.float())
    return EnlargeLosses(*autoencoder.pixel_losses(decoded, pictures), features_loss)


# --- training ---


def train(
    config: EnlargeConfig, vae: Path, pipeline: Path, pictures: Path | None, work: Path
) -> None:
    """Train and put the larger autoencoder in the place of the one of the pipeline's folder."""
    small = AutoencoderKL.from_pretrained(vae).requires_grad_(False)
    size = 2 * small.config.sample_size
    pictures = pictures or corpus.folder_of(size)
    samples.part_numbers()  # once, before other processes need them
    corpus.write(pictures, config.samples, config.workers, autoencoder.PER_SHARD, size)
    large = learn(config, small, pictures, work)
    large.to(dtype=torch.float16).save_pretrained(pipeline / "vae")
    loop.write_hashes(pipeline)


def learn(config: EnlargeConfig, small: AutoencoderKL, pictures: Path, work: Path) -> AutoencoderKL:
    """Train the outer level on pictures of the larger size, and return its average."""
    torch.manual_seed(config.seed)
    device = loop.best_device()
    pixels, held_out = autoencoder.load_pixels(pictures, config.samples)
    held_out = held_out[:MEASURED]
    small.to(device)
    large = add_level(small).to(device)
    trained = [parameter for parameter in large.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=config.rate, betas=(0.9, 0.98), fused=True)
    trainer = loop.Trainer(
        large,
        [optimizer],
        loop.TrainingSchedule(
            average=config.average, warmup=100, checkpoint_every=CHECKPOINT_EVERY
        ),
        steps=config.steps,
        minutes=config.minutes,
        pictures=config.batch,
    )
    average: AutoencoderKL = trainer.average.model
    print(f"{len(pixels):,} images, {loop.describe_size(large)}", flush=True)

    def losses_at(step: int) -> tuple[Tensor, EnlargeLosses]:
        rows = loop.batch_rows(len(pixels), config.batch, step, config.seed)
        inputs = autoencoder.as_input(pixels[rows].to(device))
        generator = loop.step_generator(config.seed, step, device)
        step_losses = losses(large, small, inputs, generator)
        return step_losses.total(config), step_losses

    def measure(done: int) -> None:
        print(f"after {done} steps: {autoencoder.psnr(average, held_out):.2f} dB", flush=True)
        autoencoder.save_sheet(average, held_out[:16], work / "pictures.png")

    trainer.run(work / "checkpoint.pt", losses_at, measure)
    return average


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        EnlargeConfig(),
        {
            "vae": (autoencoder.WORK / "vae", "the autoencoder that the pipeline was trained with"),
            "pipeline": (Path("runs/diffusion-small/pipeline"), "the finished pipeline"),
            "pictures": (None, "the corpus of twice the size; drawn where it is missing"),
            "work": (WORK, "checkpoint and sheet"),
        },
    )
    train(config, **folders)


if __name__ == "__main__":
    main()
