"""Trains the embedded judge, a small question answerer, from nothing but Primer drawings.

``python -m training.judge`` draws the samples and writes the folder of a ``ConvBlip`` with its
domain (`hallascope.backends.feature_domain`); ``--start FOLDER`` goes on from the weights of such a
folder. Beside the answers the judge is taught what each cell of an image shows and where parts have
their centers: counting and placing are learned far faster that way. The heads for cells are dropped
in the end; the centers stay, as the sums over an image say how many of each part it shows. Images
are small at first and grow.
"""

import random
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from diffusers import AutoencoderKL
from torch import Tensor, nn
from torch.nn import functional

from hallascope.backends import feature_domain
from hallascope.backends.embedded import conv_blip
from hallascope.backends.embedded.conv_blip import (
    CELL,
    STATE,
    ConvBlipForQuestionAnswering,
    ConvVision,
)
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.backends.weights import EMBEDDED
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.primer.drawing.parts import PALETTE
from training import blip, loop, questions, shards, words
from training.drawings import part_numbers
from training.pixels import as_shares
from training.style_images import change_file, draw_image, labeled_images

FOLDER = EMBEDDED / "judge"
SIZE = 224  # px
# Shares of the training up to which images have a share of their full side.
GROWTH = ((0.3, 2 / 3), (0.55, 5 / 6), (1.0, 1.0))
# Weights of the losses beside that of the answers.
CELLS = 0.4
CENTERS = 0.2
ASKED = 6  # questions of an image in a step, chosen by chance
LOOKED_AT = 96  # cells of an image in a step, chosen by chance
MARGIN = 0.1  # of an image's side, on each of its sides at most
UNCHANGED = 0.4  # share of the images that get no margin
REDRAWN = 0.15  # share of the images that are bent and have the traces of an autoencoder
BENT = 0.02  # of an image's side
DISTURBED = 0.4  # deviations of the noise in the latents of redrawn images, at most
COARSE = 0.25  # share of the steps in which images lose their fine detail
DETAIL = (0.375, 0.67)  # of an image's side, the px that are left then
IMAGES_OF_SAMPLE = 1.5  # a sample is one image or three
# The logarithm of how many centers of a part a cell holds, as the model begins to guess it.
RARE = -9.0
# Of the farthest of the images of the domain: parts of drawings are farther.
DOMAIN_MARGIN = 2.73


@dataclass(frozen=True, kw_only=True)
class JudgeConfig(loop.Config):
    """Holds all that decides the result; `batch` is the number of images in a step.

    Some images get the traces of the autoencoder in `vae`. Its domain is that of `domain` drawings.
    """

    work: Path = Path("runs/judge")
    out: Path = FOLDER
    start: Path | None = None
    vae: Path | None = None
    samples: int = 60_000
    steps: int = 12_000
    batch: int = 64
    rate: float = 2e-3
    warmup: int = 300
    domain: int = 960


# --- model ---


def initialize(tower: ConvVision) -> None:
    """Give the kernels weights that keep the scale of what goes through them."""
    for module in tower.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    nn.init.normal_(tower.centers.weight, std=0.01)
    nn.init.constant_(tower.centers.bias, RARE)  # type: ignore[arg-type]


def cell_loss(
    part_head: nn.Module,
    color_head: nn.Module,
    cells: Tensor,
    parts: Tensor,
    centers: Tensor,
    generator: torch.Generator,
) -> Tensor:
    """Compute how unlikely the parts that cells show are, and the colors of those centered in them.

    Cells (B, F, H, W), parts (B, H, W), centers (B, C, 4) in cells.
    """
    batch, _, height, width = cells.shape
    flat = cells.flatten(2).transpose(1, 2)
    rows = torch.arange(batch)[:, None]
    chosen = torch.randint(height * width, (batch, LOOKED_AT), generator=generator)
    of_parts = functional.cross_entropy(
        part_head(flat[rows, chosen]).flatten(0, 1).float(),
        parts.flatten(1)[rows, chosen].flatten(),
    )
    y, x, number, color = centers.unbind(-1)
    there = number > 0
    of_centers = color_head(flat[rows.expand_as(y)[there], (y * width + x)[there]])
    return of_parts + 0.5 * functional.cross_entropy(of_centers.float(), color[there])


def center_loss(log_centers: Tensor, centers: Tensor) -> Tensor:
    """Compute how unlikely the centers of parts are, as counts of Poisson in each cell.

    Log rates (B, parts, H, W), centers (B, C, 4) in cells. It is taken by the center: without any
    it would be the sum of all rates.
    """
    y, x, number, _ = centers.unbind(-1)
    there = number > 0
    rows = torch.arange(len(centers))[:, None].expand_as(y)
    hits = log_centers[rows[there], number[there], y[there], x[there]]
    return (log_centers.exp().sum() - hits.sum()) / there.sum().clamp(min=1)


# --- images, a little varied ---


def vary(
    batch: dict[str, Tensor], size: int, vae: AutoencoderKL | None, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Return inputs (B, 3, size, size) with parts and centers in cells.

    A margin around them makes what they show smaller; they are softer, noisier or brighter, and
    some are bent and have the traces of an autoencoder, as generators draw.
    """
    pixels = as_shares(batch["pixels"])
    whole = pixels.shape[-1]
    if torch.rand((), generator=generator) < COARSE:
        low, high = (int(share * whole) for share in DETAIL)
        coarse = int(torch.randint(low, high, (), generator=generator))
        pixels = functional.interpolate(pixels, size=(coarse, coarse), mode="area")
    pixels = functional.interpolate(pixels, size=(size, size), mode="bilinear", antialias=True)
    count = len(pixels)
    margins = MARGIN * torch.rand((4, count), generator=generator)
    top, bottom, left, right = margins * (torch.rand(count, generator=generator) >= UNCHANGED)
    none = torch.zeros(count)
    rows = [1 + left + right, none, right - left, none, 1 + top + bottom, bottom - top]
    shown = torch.stack(rows, dim=1).view(-1, 2, 3)
    grid = functional.affine_grid(shown, [count, 1, size, size], align_corners=False)
    redrawn = int(REDRAWN * count) if vae is not None else 0
    grid[:redrawn] += draw_moves(redrawn, size, generator)
    pixels = functional.grid_sample(pixels, grid, padding_mode="border", align_corners=False)
    if redrawn:
        pixels = torch.cat([redraw(vae, pixels[:redrawn], generator), pixels[redrawn:]])
    cells = size // CELL
    grid = functional.affine_grid(shown, [count, 1, cells, cells], align_corners=False)
    parts = functional.grid_sample(
        batch["parts"][:, None].float(), grid, mode="nearest", align_corners=False
    )
    y, x, number, color = batch["centers"].long().unbind(-1)
    y = (((y + 0.5) / whole + top[:, None]) / (1 + top + bottom)[:, None] * cells).long()
    x = (((x + 0.5) / whole + left[:, None]) / (1 + left + right)[:, None] * cells).long()
    centers = torch.stack([y, x, number, color], dim=-1)
    return blip.as_input(pixels, generator), parts[:, 0].long(), centers


def draw_moves(count: int, size: int, generator: torch.Generator) -> Tensor:
    """Return by how much each place of an image is moved, up to about BENT, (N, size, size, 2)."""
    moves = torch.randn((count, 2, 8, 8), generator=generator) * (2 * BENT / 3)
    moves = moves * torch.rand((count, 1, 1, 1), generator=generator)
    moves = functional.interpolate(moves, size=(size, size), mode="bicubic")
    return moves.permute(0, 2, 3, 1)


@torch.no_grad()
def redraw(vae: Any, pixels: Tensor, generator: torch.Generator) -> Tensor:
    """Return pixels (B, 3, H, W) in [0, 1] as an autoencoder gives them back, a little disturbed.

    What generators draw comes out of such a decoder.
    """
    side = vae.config.sample_size
    small = functional.interpolate(pixels, size=(side, side), mode="bilinear", antialias=True)
    latents = vae.encode(2 * small - 1).latent_dist.mean
    strength = torch.rand((len(latents), 1, 1, 1), generator=generator) * DISTURBED
    noise = torch.randn(latents.shape, generator=generator) / vae.config.scaling_factor
    decoded = vae.decode(latents + strength * noise).sample
    back = functional.interpolate(decoded.float(), size=pixels.shape[-2:], mode="bilinear")
    return ((back + 1) / 2).clamp(0, 1)


def choose_questions(asked: Tensor, pad: int, generator: torch.Generator) -> Tensor:
    """Return ASKED random questions (B, Q, 2, L) of each image; padding is chosen last."""
    is_padding = (asked == pad).flatten(2).all(-1)
    order = torch.rand(is_padding.shape, generator=generator).masked_fill(is_padding, 2)
    return asked[torch.arange(len(asked))[:, None], order.argsort(1)[:, :ASKED]]


# --- training ---


def train(config: JudgeConfig) -> None:
    """Draw the samples, train (from the weights in `start`), write `out`."""
    torch.manual_seed(config.seed)
    conv_blip.register()
    part_numbers()  # once, before the processes that draw need them
    folder = config.work / "images"
    shards.draw(folder, partial(questions.draw_sample, SIZE), config)
    texts = blip.read_texts(row for shard in shards.read(folder) for row in shard["asked"])
    model, processor = words.load(
        ConvBlipForQuestionAnswering, FOLDER, config.start, texts, blip.ENCODERS
    )
    pad = processor.tokenizer.pad_token_id
    if config.start is None:
        initialize(model.vision_model)
    width = model.config.vision_config.hidden_size
    part_head = nn.Linear(width, len(part_numbers()) + 1)
    color_head = nn.Linear(width, len(PALETTE) + 1)
    vae = AutoencoderKL.from_pretrained(config.vae).to(loop.best_device()) if config.vae else None

    def encode(shard: shards.Arrays) -> loop.Batch:
        asked = blip.as_tokens(processor.tokenizer, shard["asked"], questions.QUESTIONS)
        return shards.tensors(shard, "pixels", "parts", "centers") | {"asked": asked}

    corpus = shards.Corpus(folder, int(IMAGES_OF_SAMPLE * config.samples) + 1, encode)

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        growth = next(side for until, side in GROWTH if progress <= until)
        size = round(SIZE * growth / STATE) * STATE
        pixels, parts, centers = vary(batch, size, vae, generator)
        asked = choose_questions(batch["asked"], pad, generator)
        seen = model.vision_model.look(pixels)
        return {
            "answers": blip.answer_loss(model, seen.states, asked, pad),
            "cells": CELLS
            * cell_loss(part_head, color_head, seen.cells, parts, centers, generator),
            "centers": CENTERS * center_loss(seen.log_centers, centers),
        }

    loop.train(
        config,
        model,
        corpus.batch,
        losses,
        lambda average: loop.save_model(average, processor, config.out),
        heads=nn.ModuleList([part_head, color_head]),
        make_optimizers=partial(loop.make_optimizers, muon_decay=0.03, decay=0.01),
    )
    write_domain(config.out, config.domain)


# --- which images it knows ---


def write_domain(folder: Path, drawings: int) -> None:
    """Note in a judge's folder which images it knows.

    These are so many drawings, right and wrong, and the labeled images of the diffusion models,
    each also as a file that somebody changed. What lies much farther from them than any of these is
    of another kind, a photograph say.
    """
    spec = read_models()["primer/judge"]
    judge = VisualQuestionAnswering(replace(spec, repository=str(folder.resolve())))
    chance = random.Random("domain")
    drawn = (draw_image(number, "domain")[1] for number in range(drawings))
    features: list[Tensor] = []
    with tempfile.TemporaryDirectory() as kept:
        path = Path(kept) / "image.png"
        for image in chain(drawn, labeled_images()):
            for version in (image, change_file(image, chance)):
                version.save(path)
                features.append(judge.features(Picture(str(len(features)), path)).cpu())
    fitted = feature_domain.fit(torch.stack(features), DOMAIN_MARGIN)
    feature_domain.write(fitted, folder)
    loop.write_hashes(folder)
    print(f"{len(features)} images are inside up to {fitted.limit:.3f}", flush=True)


if __name__ == "__main__":
    train(loop.read_arguments(JudgeConfig, __doc__))
