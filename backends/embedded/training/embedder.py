"""Trains the embedded embedder, a tiny CLIP: pictures and captions in one space.

``python -m hallascope.backends.embedded.training.embedder`` draws what is missing, trains with
checkpoints (the same command goes on where it was stopped) and writes a stock ``CLIPModel`` folder.
Every caption stands beside captions that are false of its picture by one word: another number,
color, relation or thing. Beside the captions the vision tower is taught which parts each patch
shows; that head is dropped in the end.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional
from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPProcessor, CLIPTokenizer

from hallascope.backends.embedded.training import loop, vision
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset import captions, corpus, labeled
from hallascope.backends.embedded.training.dataset.labeled import LabeledImages
from hallascope.backends.embedded.training.heads import PartHead
from hallascope.primer import scenes

OUT = Path(__file__).parents[1] / "embedder"
WORK = Path("runs/embedder")
MAX_LOGIT_SCALE = math.log(100.0)


@dataclass(frozen=True, kw_only=True)
class EmbedderConfig:
    """Holds all that decides the result."""

    width: int = 192
    patch: int = 16
    layers: int = 5
    text_layers: int = 2
    projection: int = 128
    samples: int = corpus.SAMPLES
    twisted: int = 3  # false captions for a picture
    steps: int = 3_000
    batch: int = 64
    rate: float = 1.5e-3
    parts: float = 0.5  # weight of predicting the parts
    average: float = 0.998
    seed: int = 0


def make_model(
    config: EmbedderConfig, tokenizer: CLIPTokenizer, size: int = labeled.SIZE
) -> CLIPModel:
    return CLIPModel(
        CLIPConfig(
            text_config=vision.text_config(config.width, config.text_layers, tokenizer),
            vision_config=vision.vision_config(config.width, config.layers, size, config.patch),
            projection_dim=config.projection,
        )
    )


# --- what is learned from ---


class EmbedderBatch(NamedTuple):
    """Holds bytes (B, H, W, 3), parts (B, H, W) and tokens (B + F, L), false captions last.

    `same` (B, B + F): captions of other pictures that say the same, which are neither right nor
    wrong.
    """

    pixels: Tensor
    parts: Tensor
    tokens: Tensor
    same: Tensor

    def to_device(self, device: torch.device) -> "EmbedderBatch":
        return EmbedderBatch(*(tensor.to(device) for tensor in self))


class CaptionedPictures:
    """Holds pictures with their captions and random false ones, the same for the same step."""

    def __init__(
        self, pictures: LabeledImages, tokenizer: CLIPTokenizer, numbers: vision.PartNumbers
    ) -> None:
        self.pictures = pictures
        self.tokenizer = tokenizer
        self.numbers = numbers

    def batch(self, step: int, config: EmbedderConfig) -> EmbedderBatch:
        rows = loop.batch_rows(len(self.pictures), config.batch, step, config.seed).tolist()
        chance = random.Random(f"captions {config.seed} {step}")
        return self.select_batch(rows, config.twisted, chance)

    def select_batch(
        self, rows: Sequence[int], false_captions: int, chance: random.Random
    ) -> EmbedderBatch:
        """Return the pictures of these rows, each with so many false captions."""
        true = [self.pictures.captions[row] for row in rows]
        false = [
            text
            for caption in true
            for text in captions.false_captions(scenes.parse(caption), false_captions, chance)
        ]
        texts = [*true, *false]
        return EmbedderBatch(
            torch.from_numpy(self.pictures.pixels[rows]),
            vision.batch_part_labels(self.pictures, rows, self.numbers),
            words.as_tokens(self.tokenizer, texts),
            _same_meaning(texts, len(true)),
        )


def _same_meaning(texts: Sequence[str], count: int) -> Tensor:
    """Return which other texts mean what each of the first `count` means, (count, texts)."""
    meanings = [captions.meaning_key(scenes.parse(text)) for text in texts]
    return torch.tensor(
        [
            [i != j and own == other for j, other in enumerate(meanings)]
            for i, own in enumerate(meanings[:count])
        ]
    )


# --- training ---


class EmbedderLosses(NamedTuple):
    """Holds the cross entropies of the right caption, of the right picture, and of the parts."""

    caption: Tensor
    picture: Tensor
    parts: Tensor

    def total(self, config: EmbedderConfig) -> Tensor:
        return self.caption + self.picture + config.parts * self.parts


def similarities(model: CLIPModel, pictures: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Return cosines (B, T) of pictures (B, 3, H, W) and texts (T, L), and states (B, N, D).

    The states are those of the patches.
    """
    states = model.vision_model(pixel_values=pictures)
    images = functional.normalize(model.visual_projection(states.pooler_output).float(), dim=-1)
    texts = functional.normalize(
        model.get_text_features(input_ids=tokens).pooler_output.float(), dim=-1
    )
    return images @ texts.T, states.last_hidden_state[:, 1:]


def losses(
    model: CLIPModel, head: PartHead, batch: EmbedderBatch, generator: torch.Generator
) -> EmbedderLosses:
    """Compute the losses on randomly varied pictures."""
    pictures = vision.augment(vision.as_input(batch.pixels), generator)
    with torch.autocast(pictures.device.type, torch.bfloat16):
        cosines, patches = similarities(model, pictures, batch.tokens)
        parts = head(patches, batch.parts)
    scale = model.logit_scale.clamp(max=MAX_LOGIT_SCALE).exp()
    scores = (cosines * scale).masked_fill(batch.same, -1e4)
    targets = torch.arange(len(pictures), device=pictures.device)
    true_scores = scores[:, : len(pictures)]
    return EmbedderLosses(
        functional.cross_entropy(scores, targets),
        functional.cross_entropy(true_scores.T, targets),
        parts,
    )


def train(
    config: EmbedderConfig, pictures: Path, work: Path, out: Path, size: int = labeled.SIZE
) -> None:
    """Train and write `out`; what is already in `work` is not done again."""
    torch.manual_seed(config.seed)
    split = vision.LabeledSplit(labeled.load([(pictures, config.samples)], size))
    tokenizer, numbers = split.tokenizer, split.part_numbers
    training = CaptionedPictures(split.training, tokenizer, numbers)
    held_out = CaptionedPictures(split.held_out, tokenizer, numbers)
    model = make_model(config, tokenizer, size).to(loop.best_device())
    head = PartHead(config.width, len(numbers) + 1, config.patch).to(model.device)
    if model.device.type == "cpu":
        vision.attend_plainly(model.vision_model.encoder.layers)

    def losses_at(step: int) -> tuple[Tensor, EmbedderLosses]:
        batch = training.batch(step, config).to_device(model.device)
        generator = loop.step_generator(config.seed, step, model.device)
        step_losses = losses(model, head, batch, generator)
        return step_losses.total(config), step_losses

    average = vision.train(
        model, head, config, losses_at, lambda averaged: measure(averaged, held_out), work
    )
    save(average, tokenizer, out)


class EmbedderAccuracy(NamedTuple):
    """Holds how often a picture's caption comes first among false ones, and among all captions.

    All captions are those of the held-out pictures.
    """

    among_false: float
    among_all: float

    def __str__(self) -> str:
        return (
            f"the caption comes first in {self.among_false:.1%} among false ones, in"
            f" {self.among_all:.1%} among all"
        )


def measure(
    model: CLIPModel, held_out: CaptionedPictures, false_captions: int = 3
) -> EmbedderAccuracy:
    """Measure on pictures that were held out, with the same false captions each time."""
    rows = range(len(held_out.pictures))
    batch = held_out.select_batch(rows, false_captions, random.Random("measured"))
    batch = batch.to_device(model.device)
    with torch.inference_mode():
        cosines, _ = similarities(model, vision.as_input(batch.pixels), batch.tokens)
    count = len(cosines)
    right = torch.arange(count, device=cosines.device)
    others = cosines.masked_fill(batch.same, -2.0)
    false = others[:, count:].reshape(count, count, false_captions)[right, right].amax(1)
    return EmbedderAccuracy(
        float((cosines.diagonal() > false).float().mean()),
        float((others[:, :count].argmax(1) == right).float().mean()),
    )


def save(model: CLIPModel, tokenizer: CLIPTokenizer, out: Path) -> None:
    """Write the stock folder that any CLIP loader reads, safetensors in 16 bits a weight."""
    size = model.config.vision_config.image_size
    images = CLIPImageProcessor(
        size={"height": size, "width": size},
        do_center_crop=False,
        resample=3,
        image_mean=[vision.MEAN] * 3,
        image_std=[vision.DEVIATION] * 3,
    )
    loop.save_model(model, CLIPProcessor(images, words.reset_lengths(tokenizer)), out)


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        EmbedderConfig(),
        {
            "pictures": (corpus.FOLDER, "the corpus; drawn where it is missing"),
            "work": (WORK, "checkpoints"),
            "out": (OUT, "the finished folder"),
        },
    )
    corpus.write(folders["pictures"])
    train(config, **folders)


if __name__ == "__main__":
    main()
