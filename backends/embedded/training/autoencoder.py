"""Trains the autoencoder of the Primer diffusion models: 128 px pictures to 32 x 32 latents.

``python -m hallascope.backends.embedded.training.autoencoder`` draws the corpus where it is
missing, trains with checkpoints (the same command goes on where it was stopped) and writes a stock
``AutoencoderKL`` folder.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from diffusers import AutoencoderKL
from torch import Tensor

from hallascope.backends.embedded.training import loop as steps
from hallascope.backends.embedded.training.dataset import corpus

WORK = Path("runs/autoencoder")
CHECKPOINT_EVERY, MEASURE_EVERY = 250, 1000  # steps, the second a multiple of the first
HELD_OUT = 256  # the last pictures of the corpus: never trained on
CROPPED, WHOLE = 64, corpus.SIZE  # px


@dataclass(frozen=True, kw_only=True)
class AutoencoderConfig:
    """All that decides the result.

    Beside the differences of pixels, those of their edges count: lines stay sharp.
    """

    channels: str = "16,32,64"  # each further one halves the sides: 4 pixels across are one latent
    latents: int = 4
    samples: int = 20_000
    steps: int = 4_000
    # the last part of the steps sees whole pictures, the others crops of a quarter, four times as
    # many
    whole: float = 0.25
    batch: int = 32  # crops
    rate: float = 1e-3
    edges: float = 1.0
    kl: float = 5e-4  # of the mean over latents: 1e-6 of the sum over a crop of 64 px
    average: float = 0.999
    seed: int = 0


def make(recipe: AutoencoderConfig) -> AutoencoderKL:
    """No attention in the middle: what is learned from crops holds for whole pictures."""
    channels = tuple(int(c) for c in recipe.channels.split(","))
    return AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * len(channels),
        up_block_types=("UpDecoderBlock2D",) * len(channels),
        block_out_channels=channels,
        layers_per_block=1,
        latent_channels=recipe.latents,
        norm_num_groups=8,
        mid_block_add_attention=False,
        sample_size=WHOLE,
        force_upcast=False,
    )


def as_input(pixels: Tensor) -> Tensor:
    """Bytes (B, H, W, 3) as the model's input (B, 3, H, W) in [-1, 1]."""
    return pixels.permute(0, 3, 1, 2).float() / 127.5 - 1.0


# --- losses
# --------------------------------------------------------------------------------------------------


class AutoencoderLosses(NamedTuple):
    pixels: Tensor
    edges: Tensor
    kl: Tensor


def losses(model: AutoencoderKL, pictures: Tensor, chance: torch.Generator) -> AutoencoderLosses:
    """pictures (B, 3, H, W) in [-1, 1]."""
    with torch.autocast(pictures.device.type, torch.bfloat16):
        latents = model.encode(pictures).latent_dist
        noise = torch.randn(latents.mean.shape, generator=chance, device=pictures.device)
        made = model.decode(latents.mean + latents.std * noise).sample
    apart = made.float() - pictures
    kl = (
        0.5
        * (latents.mean.float() ** 2 + latents.var.float() - 1.0 - latents.logvar.float()).mean()
    )
    return AutoencoderLosses(apart.abs().mean() + apart.square().mean(), _edges(apart), kl)


def _edges(apart: Tensor) -> Tensor:
    """How far the differences between neighbours are off, across and down."""
    return apart.diff(dim=-1).abs().mean() + apart.diff(dim=-2).abs().mean()


def psnr(model: AutoencoderKL, pixels: Tensor) -> float:
    """Return the peak signal-to-noise ratio in dB of whole pictures through the mean latents.

    The pictures are bytes (N, H, W, 3).
    """
    errors = []
    with torch.inference_mode():
        for some in torch.split(pixels, 16):
            pictures = as_input(some.to(model.device))
            made = model.decode(model.encode(pictures).latent_dist.mean).sample.clamp(-1, 1)
            errors.append(((made - pictures) / 2).square().mean(dim=(1, 2, 3)))
    return float(-10 * torch.cat(errors).clamp_min(1e-10).log10().mean())


# --- latents of one size
# -----------------------------------------------------------------------------------------------


def even_out(model: AutoencoderKL, pixels: Tensor) -> None:
    """Shift and stretch each latent channel to mean 0 and deviation 1, inside the model.

    Pictures stay what they were.

    The two 1 x 1 convolutions around the latents take it up exactly. What is left is the config's
    scaling_factor, 1 / the deviation of the latents as measured afterwards.
    """
    latents = encoded(model, pixels)
    mean = latents.mean(dim=(0, 2, 3))
    spread = latents.std(dim=(0, 2, 3))
    into = model.quant_conv
    out = model.post_quant_conv
    with torch.no_grad():
        out.bias += out.weight[:, :, 0, 0] @ mean
        out.weight *= spread[None, :, None, None]
        stretch = torch.cat(
            [spread, torch.ones_like(spread)]
        )  # the second half are logarithms of variances
        into.weight /= stretch[:, None, None, None]
        into.bias.copy_(
            torch.cat(
                [
                    (into.bias[: len(mean)] - mean) / spread,
                    into.bias[len(mean) :] - 2 * spread.log(),
                ]
            )
        )
    model.register_to_config(scaling_factor=round(1.0 / float(encoded(model, pixels).std()), 5))


def encoded(model: AutoencoderKL, pixels: Tensor, batch: int = 32) -> Tensor:
    """Mean latents (N, channels, H / 4, W / 4) of bytes (N, H, W, 3), not yet scaled."""
    with torch.inference_mode(), torch.autocast(model.device.type, torch.bfloat16):
        found = [
            model.encode(as_input(some.to(model.device))).latent_dist.mean.float()
            for some in torch.split(pixels, batch)
        ]
    return torch.cat(found).clone()


# --- training
# --------------------------------------------------------------------------------------------------


def batch(pixels: Tensor, step: int, recipe: AutoencoderConfig) -> Tensor:
    """Return bytes (B, side, side, 3) of one step: crops by chance, whole pictures at the end.

    Whole pictures come in the last part of the training.
    """
    if step >= recipe.steps * (1 - recipe.whole):
        return pixels[steps.rows(len(pixels), max(1, recipe.batch // 4), step, recipe.seed)]
    chance = np.random.default_rng((recipe.seed, step, 1))
    chosen = steps.rows(len(pixels), recipe.batch, step, recipe.seed).tolist()
    corners = chance.integers(0, WHOLE - CROPPED + 1, (len(chosen), 2)).tolist()
    return torch.stack(
        [
            pixels[i, y : y + CROPPED, x : x + CROPPED]
            for i, (y, x) in zip(chosen, corners, strict=True)
        ]
    )


def load_pixels(folder: Path, count: int) -> tuple[Tensor, Tensor]:
    """Load the first `count` pictures to learn from, and the last HELD_OUT to measure on."""
    found: list[np.ndarray] = []
    for shard in corpus.read_shards(folder):
        found.append(shard.pixels)
        if sum(map(len, found)) >= count:
            break
    pixels = torch.from_numpy(np.concatenate(found)[:count])
    aside = min(HELD_OUT, len(pixels) // 4)
    return pixels[:-aside], pixels[-aside:]


def train(recipe: AutoencoderConfig, pictures: Path, work: Path) -> None:
    """Train and write ``work/vae``; what is already in `work` is not done again."""
    torch.manual_seed(recipe.seed)
    pixels, aside = load_pixels(pictures, recipe.samples)
    model = make(recipe).to(
        steps.device(), memory_format=torch.channels_last
    )  # the faster order on CPUs
    average = steps.Average(model, recipe.average)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=recipe.rate, betas=(0.9, 0.98), weight_decay=1e-3, fused=True
    )
    stateful = {"model": model, "average": average.model, "optimizer": optimizer}

    def at(step: int) -> AutoencoderLosses:
        some = as_input(batch(pixels, step, recipe).to(model.device))
        now = losses(model, some, steps.chance(recipe.seed, step, model.device))
        share = steps.pace(step, recipe.steps)
        steps.learn(
            now.pixels + recipe.edges * now.edges + recipe.kl * now.kl, [model], [optimizer], share
        )
        average.update(model, step)
        return now

    def kept(done: int) -> None:
        if done % MEASURE_EVERY == 0:
            print(f"after {done} steps: {psnr(average.model, aside[:64]):.2f} dB", flush=True)
            show(average.model, aside[:16], work / "pictures.png")

    print(f"{len(pixels):,} pictures, {steps.weights(model)}", flush=True)
    whole = recipe.batch * CROPPED**2 / WHOLE**2  # so many pictures a step, by their area
    steps.course(
        work / "checkpoint.pt",
        stateful,
        recipe.steps,
        at,
        kept,
        pictures=whole,
        keep_every=CHECKPOINT_EVERY,
    )
    save(average.model, pixels, aside, work)


def save(model: AutoencoderKL, pixels: Tensor, aside: Tensor, work: Path) -> None:
    """Write the stock folder ``work/vae`` with 32-bit weights, and say how good it is.

    Its latents are of one size.
    """
    even_out(model, pixels[:512])
    model.to(memory_format=torch.contiguous_format).save_pretrained(work / "vae")
    show(model, aside[:16], work / "pictures.png")
    print(
        f"{psnr(model, aside):.2f} dB on {len(aside)} pictures it never saw, scaling factor"
        f" {model.config.scaling_factor}",
        flush=True,
    )


def show(model: AutoencoderKL, pixels: Tensor, file: Path) -> None:
    """A sheet: pictures above, what comes back of them below."""
    from PIL import Image

    with torch.inference_mode():
        made = model.decode(model.encode(as_input(pixels.to(model.device))).latent_dist.mean).sample
    back = ((made.clamp(-1, 1) + 1) * 127.5).round().byte().permute(0, 2, 3, 1).cpu()
    lines = [
        torch.cat(list(line), dim=1)
        for i in range(0, len(pixels), 8)
        for line in (pixels[i : i + 8], back[i : i + 8])
    ]
    Image.fromarray(torch.cat(lines).numpy()).save(file)


def main() -> None:
    parser = steps.parser(__doc__, AutoencoderConfig())
    parser.add_argument(
        "--pictures", type=Path, default=corpus.FOLDER, help="the corpus; drawn where it is missing"
    )
    parser.add_argument(
        "--work", type=Path, default=WORK, help="checkpoints, sheets and the finished folder `vae`"
    )
    chosen = vars(parser.parse_args())
    pictures = chosen.pop("pictures")
    work = chosen.pop("work")
    corpus.write(pictures)
    train(AutoencoderConfig(**chosen), pictures, work)


if __name__ == "__main__":
    main()
