"""Trains the detector of images outside Primer's drawn style.

``python -m training.domain`` fetches Debian packages and icon sets with images, draws and generates
images in the style, changes both as people change files, trains `StyleNet` and writes the folder of
its weights. Images whose seeds begin with "measured" are never learned from.
"""

import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional

from hallascope.backends import domain
from hallascope.backends.embedded.style_net import StyleNet, resize, to_pixels
from training import loop, packages, shards, style_images
from training.pixels import as_shares
from training.style_images import change_file, crop_part

HARDEST = 0.1  # share of the images of each sort that count for half of the loss
# How often images in the style are drawn, drawn with facts that a person changed, and generated.
INSIDE = (0.8, 0.1, 0.1)
PAINTED = 0.25  # share of the other images; the rest are those of packages


@dataclass(frozen=True, kw_only=True)
class DomainConfig(loop.Config):
    """Holds all that decides the result; `validated` images set the limit."""

    work: Path = Path("runs/domain")
    out: Path = domain.FOLDER
    samples: int = 72_000
    validated: int = 1_200
    steps: int = 12_000
    batch: int = 512
    rate: float = 3e-3
    checkpoint_every: int = 300


# --- samples ---


def draw_sample(packages_folder: Path, is_learned: bool, seed: int) -> list[dict[str, Any]]:
    """Draw the image of one seed, `pixels` as the network reads them: every second in the style.

    Images that are not learned from come from other packages, and few of them are changed.
    """
    name = "train" if is_learned else "validation"
    chance = random.Random(f"{name} {seed}")
    if seed % 2:
        image = _draw_inside(name, seed, chance)
        if is_learned and chance.random() < 0.1:
            image = crop_part(image, chance, 0.5)
    elif chance.random() < PAINTED:
        image = style_images.paint(chance)
    else:
        image = style_images.read_other(packages_folder, is_learned, chance)
    if is_learned:
        image = change_file(image, chance, crop=0.85, quality=35, sides=(96, 1024))
    elif seed % 4 == 1:
        image = change_file(image, chance)
    return [{"pixels": resize(image), "inside": np.float32(seed % 2)}]


def _draw_inside(name: str, seed: int, chance: random.Random) -> Image.Image:
    match chance.choices(("drawn", "altered", "generated"), INSIDE)[0]:
        case "drawn":
            return style_images.draw_image(seed, name)[1]
        case "altered":
            return style_images.draw_altered(seed, name)
    return style_images.generate_image(chance.choice(style_images.DIFFUSION), seed, name)


# --- training ---


def train(config: DomainConfig) -> None:
    """Fetch packages, draw what is missing, train, write `out`."""
    torch.manual_seed(config.seed)
    folder = config.work / "packages"
    packages.fetch(folder)
    shards.draw(config.work / "images", partial(draw_sample, folder, True), config)
    net = StyleNet().train()
    corpus = shards.Corpus(
        config.work / "images",
        config.samples,
        lambda shard: shards.tensors(shard, "pixels", "inside"),
    )
    validated = [draw_sample(folder, False, seed)[0] for seed in range(config.validated)]

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        pixels = vary(batch["pixels"], generator)
        scores = net(pixels).float()
        entropies = functional.binary_cross_entropy_with_logits(
            scores, batch["inside"], reduction="none"
        )
        sorts = [entropies[batch["inside"] == sort] for sort in (0, 1)]
        hardest = [one.topk(int(HARDEST * len(one)) + 1).values.mean() for one in sorts if len(one)]
        return {"all": entropies.mean() / 2, "hardest": torch.stack(hardest).mean() / 2}

    def save(average: StyleNet) -> None:
        pixels = to_pixels([sample["pixels"] for sample in validated]).to(loop.best_device())
        with torch.inference_mode():
            scores = torch.cat([average(part) for part in torch.split(pixels, 256)]).cpu().numpy()
        is_inside = np.array([sample["inside"] for sample in validated]) > 0
        inside, outside = scores[is_inside], scores[~is_inside]
        limit = choose_limit(inside, outside)
        write(average, limit, config.out)
        print(
            f"Images are in the style from {limit:.2f} on: of {len(inside):,} validation images"
            f" in it {np.mean(inside < limit):.2%} are refused, of {len(outside):,} others"
            f" {np.mean(outside >= limit):.2%} are not.",
            flush=True,
        )

    loop.train(
        config,
        net,
        corpus.batch,
        losses,
        save,
        make_optimizers=lambda module: loop.make_adam(module.parameters(), 0.02),
    )


def vary(images: Tensor, generator: torch.Generator) -> Tensor:
    """Return bytes (B, SIDE, SIDE, 3) as inputs, half mirrored, with a little other light."""
    pixels = as_shares(images)
    mirrored, contrast = torch.rand((2, len(pixels), 1, 1, 1), generator=generator)
    light = 0.08 * (torch.rand((len(pixels), 3, 1, 1), generator=generator) - 0.5)
    pixels = torch.where(mirrored < 0.5, pixels.flip(3), pixels)
    varied: Tensor = (pixels - 0.5) * (0.94 + 0.12 * contrast) + 0.5 + light
    return varied.clamp(0, 1)


def choose_limit(inside: NDArray[np.float32], outside: NDArray[np.float32]) -> float:
    """Return the limit with the smallest sum of both shares of errors.

    `inside` and `outside` are scores of validation images. Of equals it is the highest: a score
    that means nothing is worse than a refusal.
    """
    limits = np.arange(3.0, -3.01, -0.5)
    errors = [np.mean(inside < limit) + np.mean(outside >= limit) for limit in limits]
    return float(limits[int(np.argmin(errors))])


def write(net: StyleNet, limit: float, folder: Path) -> None:
    """Write the weights in 16 bits, and the score from which on an image is in the style."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = loop.halves(net.state_dict()) | {domain.LIMIT: torch.tensor(limit)}
    save_file(
        {name: one.cpu().contiguous() for name, one in tensors.items()}, folder / domain.WEIGHTS
    )
    (folder / domain.WEIGHTS).chmod(0o644)
    loop.write_hashes(folder)


if __name__ == "__main__":
    train(loop.read_arguments(DomainConfig, __doc__))
