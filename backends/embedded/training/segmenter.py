"""Trains the embedded segmenter, a small CLIPSeg: picture and phrase in, the mask out.

``python -m hallascope.backends.embedded.training.segmenter`` draws what is missing, trains with
checkpoints (the same command goes on where it was stopped) and writes a stock
``CLIPSegForImageSegmentation`` folder. Things that touch are kept apart by a gap of one pixel, and
what is drawn of a thing in several pieces is joined by lines, so that connected pieces can be
counted. The vision tower begins with what the judge has learned to see. Beside the masks it is
taught which parts each patch shows, and the decoder's first states, where phrase and picture meet,
whether a patch shows what the phrase names: without that no phrase is heeded for long. Both heads
are dropped in the end.
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

from hallascope.backends.embedded.training import loop as steps
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training import tower_transfer
from hallascope.backends.embedded.training import vision as sight
from hallascope.backends.embedded.training.dataset import corpus, labelled, phrases
from hallascope.backends.embedded.training.dataset.labelled import LabeledImages
from hallascope.backends.embedded.training.dataset.phrases import PhraseSample, World

OUT = Path(__file__).parents[1] / "segmenter"
EYES = OUT.with_name("judge")
WORK = Path("runs/segmenter")
GAP = 6.0  # the weight of a pixel between two instances that touch


@dataclass(frozen=True, kw_only=True)
class SegmenterConfig:
    """All that decides the result."""

    text_width: int = 128
    text_layers: int = 2
    reduced: int = 128  # width of the decoder
    samples: int = 36_000  # factual pictures of the corpus
    wrong: int = labelled.SAMPLES  # pictures with errors and crowds
    asked: int = 4  # phrases for a picture
    steps: int = 1_500
    batch: int = 16  # pictures
    rate: float = 7e-4
    match: float = 1.0  # weight of telling the patches that match
    parts: float = 0.3  # weight of telling the parts
    average: float = 0.998
    seed: int = 0


# --- model
# --------------------------------------------------------------------------------------------------


def make_model(
    recipe: SegmenterConfig, tokenizer: CLIPTokenizer, vision: Mapping[str, Any]
) -> CLIPSegForImageSegmentation:
    """The decoder reads the deepest layer and two before it.

    One transposed convolution gives every patch all of its pixels.
    """
    deepest = vision["num_hidden_layers"] - 1
    config = CLIPSegConfig(
        text_config=sight.text_config(recipe.text_width, recipe.text_layers, tokenizer),
        vision_config=dict(vision),
        projection_dim=recipe.text_width,
        extract_layers=sorted({0, deepest // 2, deepest}),
        reduce_dim=recipe.reduced,
        decoder_num_attention_heads=max(1, recipe.reduced // 64),
        decoder_intermediate_size=2 * recipe.reduced,
        use_complex_transposed_convolution=False,  # it reaches full size with patches of 16 px only
    )
    model = CLIPSegForImageSegmentation(config)
    nn.init.normal_(model.decoder.transposed_convolution.weight, std=0.02)
    nn.init.constant_(
        model.decoder.transposed_convolution.bias, -2.0
    )  # most pixels are not what is asked for
    decoder = (
        model.decoder
    )  # its own initial weights are so large that what the phrase tells drowns
    for gain, layers in ((0.3, decoder.reduces), (1.0, (decoder.film_mul, decoder.film_add))):
        for layer in layers:
            nn.init.normal_(layer.weight, std=gain / layer.in_features**0.5)
            nn.init.zeros_(layer.bias)
    nn.init.ones_(decoder.film_mul.bias)
    for unused in (model.clip.visual_projection, model.clip.vision_model.post_layernorm):
        unused.requires_grad_(False)
    model.clip.logit_scale.requires_grad_(False)
    return model


class MatchHead(nn.Module):
    """Decides from the states of phrase and patch whether the patch shows what the phrase names."""

    def __init__(self, width: int, patch: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.told = nn.Linear(width, 1)
        self.patch = patch

    def forward(self, met: Tensor, masks: Tensor) -> Tensor:
        """Cross entropy with the share of each patch that the mask covers.

        Met (B, N, D), masks (B, H, W).
        """
        shares = functional.avg_pool2d(masks[:, None], self.patch).flatten(1)
        scores = self.told(self.norm(met)).squeeze(-1).float()
        return functional.binary_cross_entropy_with_logits(scores, shares)


class SegmenterOutput(NamedTuple):
    """Holds mask logits (B * Q, H, W), patch states (B, N, D) and matched states (B * Q, N, R).

    Matched states are those where a phrase meets the patches.
    """

    logits: Tensor
    patches: Tensor
    met: Tensor


def see(model: CLIPSegForImageSegmentation, pictures: Tensor, tokens: Tensor) -> SegmenterOutput:
    """Compute the model's own forward with gradients in both towers, in one pass for all phrases.

    pictures (B, 3, H, W), tokens (B * Q, L) with Q phrases for each picture, one picture after the
    other.
    """
    states = model.clip.vision_model(pixel_values=pictures, output_hidden_states=True).hidden_states
    asked = len(tokens) // len(pictures)
    extracted = [
        states[layer + 1].repeat_interleave(asked, dim=0) for layer in model.extract_layers
    ]
    said = model.clip.get_text_features(input_ids=tokens).pooler_output
    decoder = model.decoder
    deepest = decoder.reduces[0](states[model.extract_layers[-1] + 1][:, 1:]).repeat_interleave(
        asked, dim=0
    )
    met = decoder.film_mul(said)[:, None] * deepest + decoder.film_add(said)[:, None]
    return SegmenterOutput(decoder(extracted, said).logits, states[-1][:, 1:], met)


# --- what is learned from
# --------------------------------------------------------------------------------------------------


class SegmenterBatch(NamedTuple):
    """Bytes (B, H, W, 3), parts (B, H, W), tokens (B * Q, L), masks and gaps (B * Q, H, W)."""

    pixels: Tensor
    parts: Tensor
    tokens: Tensor
    masks: Tensor
    gaps: Tensor

    def to_device(self, device: torch.device) -> "SegmenterBatch":
        return SegmenterBatch(*(tensor.to(device) for tensor in self))


class SegmenterPhrases:
    """Pictures with phrases drawn by chance, the same for the same step."""

    def __init__(
        self,
        pictures: LabeledImages,
        parts: World,
        tokenizer: CLIPTokenizer,
        numbers: sight.PartNumbers,
    ) -> None:
        self.pictures = pictures
        self.parts = parts
        self.tokenizer = tokenizer
        self.numbers = numbers

    def batch(self, step: int, recipe: SegmenterConfig) -> SegmenterBatch:
        rows = steps.rows(len(self.pictures), recipe.batch, step, recipe.seed).tolist()
        chance = random.Random(f"phrases {recipe.seed} {step}")
        return self.select_batch(
            rows,
            [phrases.ask(self.pictures[row], recipe.asked, self.parts, chance) for row in rows],
        )

    def select_batch(
        self, rows: Sequence[int], asked: Sequence[Sequence[PhraseSample]]
    ) -> SegmenterBatch:
        """The pictures of these rows, each with as many phrases as the others."""
        flat = [one for some in asked for one in some]
        pixels = torch.from_numpy(self.pictures.pixels[rows])
        labels = [
            sight.part_labels(self.pictures.index[row], self.pictures.drawn[row], self.numbers)
            for row in rows
        ]
        instances = [
            phrases.joined(one.instances) if one.noun.thing and not one.noun.part else one.instances
            for one in flat
        ]
        between = np.stack([phrases.gaps(one) for one in instances])
        masks = np.stack([one > 0 for one in instances]) & ~between
        tokens = words.as_tokens(self.tokenizer, [one.text for one in flat])
        return SegmenterBatch(
            pixels,
            torch.from_numpy(np.stack(labels)),
            tokens,
            torch.from_numpy(masks),
            torch.from_numpy(between),
        )


# --- training
# --------------------------------------------------------------------------------------------------


class SegmenterLosses(NamedTuple):
    """Holds the losses: pixel cross entropy, one minus Dice, matched patches, and parts.

    The last two are cross entropies, too.
    """

    pixels: Tensor
    overlap: Tensor
    match: Tensor
    parts: Tensor


class SegmenterHeads(nn.Module):
    """What is learned beside the masks."""

    def __init__(self, match: MatchHead, parts: sight.PartHead) -> None:
        super().__init__()
        self.match = match
        self.parts = parts


def losses(
    model: CLIPSegForImageSegmentation,
    heads: SegmenterHeads,
    batch: SegmenterBatch,
    chance: torch.Generator,
) -> SegmenterLosses:
    """Pictures are varied by chance before they are seen."""
    pictures = sight.varied(sight.as_input(batch.pixels), chance)
    with torch.autocast(pictures.device.type, torch.bfloat16):
        seen = see(model, pictures, batch.tokens)
        parts = heads.parts(seen.patches, batch.parts)
        match = heads.match(seen.met, batch.masks.float())
    logits = seen.logits.float()
    masks = batch.masks.float()
    wrong = functional.binary_cross_entropy_with_logits(
        logits, masks, weight=1 + (GAP - 1) * batch.gaps.float()
    )
    return SegmenterLosses(wrong, _overlap(logits.sigmoid(), masks), match, parts)


def _overlap(shares: Tensor, masks: Tensor, least: float = 20.0) -> Tensor:
    """One minus the Dice coefficient.

    `least` px are added to both sides, so that specks where nothing is count too.
    """
    both = (shares * masks).sum((1, 2))
    return (1 - (2 * both + least) / (shares.sum((1, 2)) + masks.sum((1, 2)) + least)).mean()


def train(
    recipe: SegmenterConfig,
    pictures: Path,
    wrong: Path,
    work: Path,
    out: Path,
    *,
    eyes: Path = EYES,
) -> None:
    """Train from the vision tower of the judge in `eyes` and write `out`.

    What is already in `work` is not done again.
    """
    torch.manual_seed(recipe.seed)
    tower, processor = tower_transfer.tower(eyes)
    vision = tower_transfer.config_of(tower)
    size, patch, width = (int(vision[name]) for name in ("image_size", "patch_size", "hidden_size"))
    learned, aside = sight.split(
        labelled.load([(pictures, recipe.samples), (wrong, recipe.wrong)], size)
    )
    drawn = [*learned.drawn, *aside.drawn]
    tokenizer = words.make_tokenizer(sight.vocabulary(drawn))
    numbers = sight.part_numbers(drawn)
    data, held = (
        SegmenterPhrases(some, phrases.world(drawn), tokenizer, numbers)
        for some in (learned, aside)
    )
    model = make_model(recipe, tokenizer, vision)
    tower_transfer.graft(
        model.clip.vision_model, tower, processor, sight.as_input(torch.from_numpy(aside.pixels))
    )
    model.to(steps.device())
    heads = SegmenterHeads(
        MatchHead(recipe.reduced, patch), sight.PartHead(width, len(numbers) + 1, patch)
    ).to(model.device)
    if model.device.type == "cpu":
        sight.attend_plainly([*model.clip.vision_model.encoder.layers, *model.decoder.layers])
    learner = sight.VisionLearner(model, heads, recipe.rate, recipe.average, work / "checkpoint.pt")

    def at(step: int) -> tuple[Tensor, SegmenterLosses]:
        now = losses(
            model,
            heads,
            data.batch(step, recipe).to_device(model.device),
            steps.chance(recipe.seed, step, model.device),
        )
        return now.pixels + now.overlap + recipe.match * now.match + recipe.parts * now.parts, now

    sight.course(
        learner, recipe.steps, recipe.batch, at, lambda: measured(learner.average.model, held)
    )
    save(learner.average.model, tokenizer, out)


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


def measured(
    model: CLIPSegForImageSegmentation, held: SegmenterPhrases, asked: int = 4, batch: int = 8
) -> SegmenterAccuracy:
    """Over the pictures that were put aside, with the same phrases each time."""
    overlaps = []
    specks = []
    chance = random.Random("measured")
    drawn = [phrases.ask(picture, asked, held.parts, chance) for picture in held.pictures]
    for at in range(0, len(drawn), batch):
        rows = list(range(at, min(at + batch, len(drawn))))
        one = held.select_batch(rows, drawn[at : at + batch]).to_device(model.device)
        with torch.inference_mode():
            found = see(model, sight.as_input(one.pixels), one.tokens).logits > 0
        there = one.masks.any(-1).any(-1)
        both = (found & one.masks).sum((1, 2))
        either = (found | one.masks).sum((1, 2))
        overlaps.extend((both[there] / either[there].clamp_min(1)).tolist())
        specks.extend((found[~there].sum((1, 2)) >= 20).float().tolist())
    return SegmenterAccuracy(float(np.mean(overlaps or [0.0])), float(np.mean(specks or [0.0])))


def save(model: CLIPSegForImageSegmentation, tokenizer: CLIPTokenizer, out: Path) -> None:
    """Write the stock folder that any CLIPSeg loader reads, safetensors in 16 bits a weight."""
    size = model.config.vision_config.image_size
    model.save_pretrained(out, state_dict=sight.in_halves(model))
    processor = ViTImageProcessor(
        size={"height": size, "width": size},
        resample=3,
        image_mean=[sight.MEAN] * 3,
        image_std=[sight.DEVIATION] * 3,
    )
    CLIPSegProcessor(processor, words.settled(tokenizer)).save_pretrained(out)
    steps.write_hashes(out)


def main() -> None:
    parser = steps.parser(__doc__, SegmenterConfig())
    parser.add_argument(
        "--pictures", type=Path, default=corpus.FOLDER, help="the corpus; drawn where it is missing"
    )
    parser.add_argument(
        "--pictures-wrong",
        type=Path,
        default=labelled.WRONG,
        help="pictures with errors; drawn where they are missing",
    )
    parser.add_argument("--work", type=Path, default=WORK, help="checkpoints")
    parser.add_argument("--out", type=Path, default=OUT, help="the finished folder")
    parser.add_argument(
        "--eyes",
        type=Path,
        default=EYES,
        help="the folder of the judge whose vision tower is begun with",
    )
    chosen = vars(parser.parse_args())
    pictures, wrong, work, out, eyes = (
        chosen.pop(name) for name in ("pictures", "pictures_wrong", "work", "out", "eyes")
    )
    recipe = SegmenterConfig(**chosen)
    corpus.write(pictures)
    labelled.write_wrong(wrong, recipe.wrong)
    train(recipe=recipe, pictures=pictures, wrong=wrong, work=work, out=out, eyes=eyes)


if __name__ == "__main__":
    main()
