"""Trains the embedded segmenter, a small CLIPSeg: picture and phrase in, the mask out.

``python -m hallascope.backends.embedded.training.segmenter`` draws what is missing, trains with
checkpoints (the same command goes on where it was stopped) and writes a stock
``CLIPSegForImageSegmentation`` folder. Things that touch are kept apart by a gap of one pixel, and
what is drawn of a thing in several pieces is joined by lines, so that connected pieces can be
counted. The vision tower begins with what the judge has learned. Beside the masks it is taught
which parts each patch shows, and the decoder's first states, where phrase and picture meet, whether
a patch shows what the phrase names: without that no phrase is heeded for long. Both heads are
dropped in the end.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import (
    CLIPSegConfig,
    CLIPSegForImageSegmentation,
    CLIPSegProcessor,
    CLIPTokenizer,
    ViTImageProcessor,
)

from hallascope.backends.embedded.training import loop, tower_transfer, vision
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset import corpus, labeled, phrases
from hallascope.backends.embedded.training.dataset.labeled import LabeledImages
from hallascope.backends.embedded.training.dataset.phrases import PhraseSample, World
from hallascope.backends.embedded.training.heads import MatchHead, PartHead, SegmenterHeads

OUT = Path(__file__).parents[1] / "segmenter"
# Of the weights that ship, these have a tower like its own.
JUDGE = OUT.with_name("judge") / "pairs"
WORK = Path("runs/segmenter")
GAP_WEIGHT = 6.0  # of a pixel between two instances that touch
SPECK = 20  # px: a piece of so many is counted as pointed at


@dataclass(frozen=True, kw_only=True)
class SegmenterConfig:
    """Holds all that decides the result."""

    text_width: int = 128
    text_layers: int = 2
    reduced: int = 128  # width of the decoder
    samples: int = 36_000  # factual pictures of the corpus
    wrong: int = labeled.SAMPLES  # pictures with errors and crowds
    asked: int = 4  # phrases for a picture
    steps: int = 1_500
    batch: int = 16  # pictures
    rate: float = 7e-4
    match: float = 1.0  # weight of predicting the patches that match
    parts: float = 0.3  # weight of predicting the parts
    average: float = 0.998
    seed: int = 0


# --- model ---


def make_model(
    config: SegmenterConfig, tokenizer: CLIPTokenizer, tower: Mapping[str, Any]
) -> CLIPSegForImageSegmentation:
    """Return the model with random weights; `tower` is the configuration of its vision tower.

    The decoder reads the deepest layer and two before it. One transposed convolution gives every
    patch all of its pixels.
    """
    deepest = tower["num_hidden_layers"] - 1
    model = CLIPSegForImageSegmentation(
        CLIPSegConfig(
            text_config=vision.text_config(config.text_width, config.text_layers, tokenizer),
            vision_config=dict(tower),
            projection_dim=config.text_width,
            extract_layers=sorted({0, deepest // 2, deepest}),
            reduce_dim=config.reduced,
            decoder_num_attention_heads=max(1, config.reduced // 64),
            decoder_intermediate_size=2 * config.reduced,
            # The complex one reaches full size with patches of 16 px only.
            use_complex_transposed_convolution=False,
        )
    )
    _initialize_decoder(model.decoder)
    for unused in (model.clip.visual_projection, model.clip.vision_model.post_layernorm):
        unused.requires_grad_(False)
    model.clip.logit_scale.requires_grad_(False)
    return model


def _initialize_decoder(decoder: Any) -> None:
    """Replace the decoder's own initial weights, with which no phrase is heeded."""
    nn.init.normal_(decoder.transposed_convolution.weight, std=0.02)
    # Most pixels are not what is asked for.
    nn.init.constant_(decoder.transposed_convolution.bias, -2.0)
    for gain, layers in ((0.3, decoder.reduces), (1.0, (decoder.film_mul, decoder.film_add))):
        for layer in layers:
            nn.init.normal_(layer.weight, std=gain / layer.in_features**0.5)
            nn.init.zeros_(layer.bias)
    nn.init.ones_(decoder.film_mul.bias)


def make_heads(
    config: SegmenterConfig, tower: Mapping[str, Any], part_count: int
) -> SegmenterHeads:
    """Return the heads with random weights; `part_count` includes the backdrop."""
    patch = int(tower["patch_size"])
    match = MatchHead(config.reduced, patch)
    return SegmenterHeads(match, PartHead(int(tower["hidden_size"]), part_count, patch))


class SegmenterOutput(NamedTuple):
    """Holds mask logits (B * Q, H, W), patch states (B, N, D) and matched states (B * Q, N, R).

    Matched states are those where a phrase meets the patches.
    """

    logits: Tensor
    patches: Tensor
    matched: Tensor


def forward(
    model: CLIPSegForImageSegmentation, pictures: Tensor, tokens: Tensor
) -> SegmenterOutput:
    """Compute the model's own forward with gradients in both towers, in one pass for all phrases.

    Pictures are (B, 3, H, W), tokens (B * Q, L) with Q phrases for each picture, one picture after
    the other.
    """
    states = model.clip.vision_model(pixel_values=pictures, output_hidden_states=True).hidden_states
    repeats = len(tokens) // len(pictures)
    extracted = [
        states[layer + 1].repeat_interleave(repeats, dim=0) for layer in model.extract_layers
    ]
    texts = model.clip.get_text_features(input_ids=tokens).pooler_output
    decoder = model.decoder
    deepest = decoder.reduces[0](states[model.extract_layers[-1] + 1][:, 1:])
    deepest = deepest.repeat_interleave(repeats, dim=0)
    matched = decoder.film_mul(texts)[:, None] * deepest + decoder.film_add(texts)[:, None]
    return SegmenterOutput(decoder(extracted, texts).logits, states[-1][:, 1:], matched)


# --- what is learned from ---


class SegmenterBatch(NamedTuple):
    """Holds B pictures with Q phrases each.

    Bytes (B, H, W, 3), parts (B, H, W), tokens (B * Q, L), masks and gaps (B * Q, H, W).
    """

    pixels: Tensor
    parts: Tensor
    tokens: Tensor
    masks: Tensor
    gaps: Tensor

    def to_device(self, device: torch.device) -> "SegmenterBatch":
        return SegmenterBatch(*(tensor.to(device) for tensor in self))


class SegmenterPhrases:
    """Holds pictures with random phrases, the same for the same step."""

    def __init__(
        self,
        pictures: LabeledImages,
        parts: World,
        tokenizer: CLIPTokenizer,
        numbers: vision.PartNumbers,
    ) -> None:
        self.pictures = pictures
        self.parts = parts
        self.tokenizer = tokenizer
        self.numbers = numbers

    def batch(self, step: int, config: SegmenterConfig) -> SegmenterBatch:
        rows = loop.batch_rows(len(self.pictures), config.batch, step, config.seed).tolist()
        chance = random.Random(f"phrases {config.seed} {step}")
        drawn = [
            phrases.sample_phrases(self.pictures[row], config.asked, self.parts, chance)
            for row in rows
        ]
        return self.select_batch(rows, drawn)

    def select_batch(
        self, rows: Sequence[int], drawn: Sequence[Sequence[PhraseSample]]
    ) -> SegmenterBatch:
        """Return the pictures of these rows, each with as many phrases as the others."""
        flat = [phrase for phrases_of_picture in drawn for phrase in phrases_of_picture]
        # Each thing is in one piece, so that things can be counted.
        instances = np.stack(
            [
                phrases.join_pieces(phrase.instances)
                if phrase.noun.thing and not phrase.noun.part
                else phrase.instances
                for phrase in flat
            ]
        )
        gaps = np.stack([phrases.gaps(numbers) for numbers in instances])
        masks = (instances > 0) & ~gaps
        return SegmenterBatch(
            torch.from_numpy(self.pictures.pixels[rows]),
            vision.batch_part_labels(self.pictures, rows, self.numbers),
            words.as_tokens(self.tokenizer, [phrase.text for phrase in flat]),
            torch.from_numpy(masks),
            torch.from_numpy(gaps),
        )


# --- training ---


class SegmenterLosses(NamedTuple):
    """Holds the losses: pixel cross entropy, one minus Dice, matched patches, and parts.

    The last two are cross entropies, too.
    """

    pixels: Tensor
    overlap: Tensor
    match: Tensor
    parts: Tensor

    def total(self, config: SegmenterConfig) -> Tensor:
        return self.pixels + self.overlap + config.match * self.match + config.parts * self.parts


def losses(
    model: CLIPSegForImageSegmentation,
    heads: SegmenterHeads,
    batch: SegmenterBatch,
    generator: torch.Generator,
) -> SegmenterLosses:
    """Compute the losses on randomly varied pictures."""
    pictures = vision.augment(vision.as_input(batch.pixels), generator)
    masks = batch.masks.float()
    with torch.autocast(pictures.device.type, torch.bfloat16):
        output = forward(model, pictures, batch.tokens)
        parts = heads.parts(output.patches, batch.parts)
        match = heads.match(output.matched, masks)
    logits = output.logits.float()
    weights = 1 + (GAP_WEIGHT - 1) * batch.gaps.float()
    pixels = functional.binary_cross_entropy_with_logits(logits, masks, weight=weights)
    return SegmenterLosses(pixels, _dice_loss(logits.sigmoid(), masks), match, parts)


def _dice_loss(shares: Tensor, masks: Tensor, least: float = 20.0) -> Tensor:
    """Compute one minus the Dice coefficient.

    `least` px are added to both sides, so that specks where nothing is count too.
    """
    both = (shares * masks).sum((1, 2))
    return (1 - (2 * both + least) / (shares.sum((1, 2)) + masks.sum((1, 2)) + least)).mean()


def train(
    config: SegmenterConfig,
    pictures: Path,
    pictures_wrong: Path,
    work: Path,
    out: Path,
    *,
    judge: Path = JUDGE,
) -> None:
    """Train from the vision tower of the judge in a folder and write `out`.

    What is already in `work` is not done again.
    """
    torch.manual_seed(config.seed)
    tower, processor = tower_transfer.load_tower(judge)
    tower_config = tower_transfer.clip_config(tower)
    folders = [(pictures, config.samples), (pictures_wrong, config.wrong)]
    split = vision.LabeledSplit(labeled.load(folders, int(tower_config["image_size"])))
    parts = phrases.parts_of_things(split.drawn)
    training = SegmenterPhrases(split.training, parts, split.tokenizer, split.part_numbers)
    held_out = SegmenterPhrases(split.held_out, parts, split.tokenizer, split.part_numbers)
    model = make_model(config, split.tokenizer, tower_config)
    pixels = vision.as_input(torch.from_numpy(split.held_out.pixels))
    tower_transfer.copy_tower(model.clip.vision_model, tower, processor, pixels)
    heads = make_heads(config, tower_config, len(split.part_numbers) + 1)
    average = learn(config, model, heads, training, held_out, work)
    save(average, split.tokenizer, out)


def learn(
    config: SegmenterConfig,
    model: CLIPSegForImageSegmentation,
    heads: SegmenterHeads,
    training: SegmenterPhrases,
    held_out: SegmenterPhrases,
    work: Path,
) -> Any:
    """Train a model with its heads on the best device, and return its average."""
    device = torch.device(loop.best_device())
    model.to(device)
    heads.to(device)
    if device.type == "cpu":
        vision.attend_plainly([*model.clip.vision_model.encoder.layers, *model.decoder.layers])

    def losses_at(step: int) -> tuple[Tensor, SegmenterLosses]:
        batch = training.batch(step, config).to_device(device)
        generator = loop.step_generator(config.seed, step, device)
        step_losses = losses(model, heads, batch, generator)
        return step_losses.total(config), step_losses

    return vision.train(
        model, heads, config, losses_at, lambda averaged: measure(averaged, held_out), work
    )


# --- measures ---


class SegmenterAccuracy(NamedTuple):
    """Holds the mean intersection over union, and the share of absent phrases with a speck.

    A speck has 20 px or more.
    """

    overlap: float
    false_positives: float

    def __str__(self) -> str:
        return (
            f"IoU {self.overlap:.3f} of what is there, {self.false_positives:.1%} of what is absent"
            " pointed at"
        )


def measure(
    model: CLIPSegForImageSegmentation,
    held_out: SegmenterPhrases,
    phrases_each: int = 4,
    batch_size: int = 8,
) -> SegmenterAccuracy:
    """Measure on pictures that were held out, with the same phrases each time."""
    overlaps: list[float] = []
    specks: list[float] = []
    chance = random.Random("measured")
    drawn = [
        phrases.sample_phrases(picture, phrases_each, held_out.parts, chance)
        for picture in held_out.pictures
    ]
    for start in range(0, len(drawn), batch_size):
        rows = range(len(drawn))[start : start + batch_size]
        batch = held_out.select_batch(rows, [drawn[row] for row in rows]).to_device(model.device)
        with torch.inference_mode():
            logits = forward(model, vision.as_input(batch.pixels), batch.tokens).logits
        present = batch.masks.flatten(1).any(1)
        overlaps.extend(intersection_over_union(logits > 0, batch.masks)[present].tolist())
        specks.extend(((logits[~present] > 0).sum((1, 2)) >= SPECK).float().tolist())
    return SegmenterAccuracy(float(np.mean(overlaps or [0.0])), float(np.mean(specks or [0.0])))


def intersection_over_union(first: Tensor, second: Tensor) -> Tensor:
    """Return the intersection over union (N,) of masks (N, H, W), 0 where both are empty."""
    intersection = (first & second).sum((1, 2))
    return intersection / (first | second).sum((1, 2)).clamp_min(1)


def save(model: CLIPSegForImageSegmentation, tokenizer: CLIPTokenizer, out: Path) -> None:
    """Write the stock folder that any CLIPSeg loader reads, safetensors in 16 bits a weight."""
    size = model.config.vision_config.image_size
    images = ViTImageProcessor(
        size={"height": size, "width": size},
        resample=3,
        image_mean=[vision.MEAN] * 3,
        image_std=[vision.DEVIATION] * 3,
    )
    loop.save_model(model, CLIPSegProcessor(images, words.reset_lengths(tokenizer)), out)


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        SegmenterConfig(),
        {
            "pictures": (corpus.FOLDER, "the corpus; drawn where it is missing"),
            "pictures_wrong": (
                labeled.WRONG,
                "pictures with errors; drawn where they are missing",
            ),
            "work": (WORK, "checkpoints"),
            "out": (OUT, "the finished folder"),
            "eyes": (JUDGE, "the folder of the judge whose vision tower is begun with"),
        },
    )
    corpus.write(folders["pictures"])
    labeled.write_wrong(folders["pictures_wrong"], config.wrong)
    train(config, judge=folders.pop("eyes"), **folders)


if __name__ == "__main__":
    main()
