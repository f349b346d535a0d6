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

from hallascope.backends.embedded.training import loop as steps
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training import vision
from hallascope.backends.embedded.training.dataset import captions, corpus, labelled
from hallascope.backends.embedded.training.dataset.labelled import LabeledImages
from hallascope.primer import scenes

OUT = Path(__file__).parents[1] / "embedder"
WORK = Path("runs/embedder")
SHARPEST = math.log(100.0)  # of the similarities' scale


@dataclass(frozen=True, kw_only=True)
class EmbedderConfig:
    """All that decides the result."""

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
    parts: float = 0.5  # weight of telling the parts
    average: float = 0.998
    seed: int = 0


def make_model(
    recipe: EmbedderConfig, tokenizer: CLIPTokenizer, size: int = labelled.SIZE
) -> CLIPModel:
    config = CLIPConfig(
        text_config=vision.text_config(recipe.width, recipe.text_layers, tokenizer),
        vision_config=vision.vision_config(recipe.width, recipe.layers, size, recipe.patch),
        projection_dim=recipe.projection,
    )
    return CLIPModel(config)


# --- what is learned from
# --------------------------------------------------------------------------------------------------


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
    """Pictures with their captions and false ones drawn by chance, the same for the same step."""

    def __init__(
        self, pictures: LabeledImages, tokenizer: CLIPTokenizer, numbers: vision.PartNumbers
    ) -> None:
        self.pictures = pictures
        self.tokenizer = tokenizer
        self.numbers = numbers

    def batch(self, step: int, recipe: EmbedderConfig) -> EmbedderBatch:
        rows = steps.rows(len(self.pictures), recipe.batch, step, recipe.seed).tolist()
        return self.select_batch(
            rows, recipe.twisted, random.Random(f"captions {recipe.seed} {step}")
        )

    def select_batch(
        self, rows: Sequence[int], twisted: int, chance: random.Random
    ) -> EmbedderBatch:
        """The pictures of these rows."""
        true = [self.pictures.captions[row] for row in rows]
        false = [
            text
            for caption in true
            for text in captions.twisted(scenes.parse(caption), twisted, chance)
        ]
        labels = [
            vision.part_labels(self.pictures.index[row], self.pictures.drawn[row], self.numbers)
            for row in rows
        ]
        said = [captions.meaning(scenes.parse(text)) for text in (*true, *false)]
        same = torch.tensor(
            [
                [i != j and one == other for j, other in enumerate(said)]
                for i, one in enumerate(said[: len(true)])
            ]
        )
        parts = torch.stack([torch.from_numpy(some) for some in labels])
        return EmbedderBatch(
            torch.from_numpy(self.pictures.pixels[rows]),
            parts,
            words.as_tokens(self.tokenizer, [*true, *false]),
            same,
        )


# --- training
# --------------------------------------------------------------------------------------------------


class EmbedderLosses(NamedTuple):
    """Cross entropy of the right caption, of the right picture, and of the parts."""

    caption: Tensor
    picture: Tensor
    parts: Tensor


def similarities(model: CLIPModel, pictures: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Return cosines (B, T) of pictures (B, 3, H, W) and texts (T, L), and states (B, N, D).

    The states are those of the patches.
    """
    seen = model.vision_model(pixel_values=pictures)
    image = functional.normalize(model.visual_projection(seen.pooler_output).float(), dim=-1)
    text = functional.normalize(
        model.get_text_features(input_ids=tokens).pooler_output.float(), dim=-1
    )
    return image @ text.T, seen.last_hidden_state[:, 1:]


def losses(
    model: CLIPModel, head: vision.PartHead, batch: EmbedderBatch, chance: torch.Generator
) -> EmbedderLosses:
    """Pictures are varied by chance before they are seen."""
    pictures = vision.varied(vision.as_input(batch.pixels), chance)
    with torch.autocast(pictures.device.type, torch.bfloat16):
        cosines, patches = similarities(model, pictures, batch.tokens)
        parts = head(patches, batch.parts)
    scores = (cosines * model.logit_scale.clamp(max=SHARPEST).exp()).masked_fill(batch.same, -1e4)
    right = torch.arange(len(pictures), device=pictures.device)
    own = scores[:, : len(pictures)]
    return EmbedderLosses(
        functional.cross_entropy(scores, right), functional.cross_entropy(own.T, right), parts
    )


def train(
    recipe: EmbedderConfig, pictures: Path, work: Path, out: Path, size: int = labelled.SIZE
) -> None:
    """Train and write `out`; what is already in `work` is not done again."""
    torch.manual_seed(recipe.seed)
    learned, aside = vision.split(labelled.load([(pictures, recipe.samples)], size))
    drawn = [*learned.drawn, *aside.drawn]
    tokenizer = words.make_tokenizer(vision.vocabulary(drawn))
    numbers = vision.part_numbers(drawn)
    data, held = (CaptionedPictures(some, tokenizer, numbers) for some in (learned, aside))
    model = make_model(recipe, tokenizer, size).to(steps.device())
    head = vision.PartHead(recipe.width, len(numbers) + 1, recipe.patch).to(model.device)
    if model.device.type == "cpu":
        vision.attend_plainly(model.vision_model.encoder.layers)
    learner = vision.VisionLearner(model, head, recipe.rate, recipe.average, work / "checkpoint.pt")

    def at(step: int) -> tuple[Tensor, EmbedderLosses]:
        now = losses(
            model,
            head,
            data.batch(step, recipe).to_device(model.device),
            steps.chance(recipe.seed, step, model.device),
        )
        return now.caption + now.picture + recipe.parts * now.parts, now

    vision.course(
        learner, recipe.steps, recipe.batch, at, lambda: measured(learner.average.model, held)
    )
    save(learner.average.model, tokenizer, out)


class EmbedderAccuracy(NamedTuple):
    """Holds how often a picture's caption comes first among false ones, and among all captions.

    All captions are those of the pictures put aside.
    """

    among_false: float
    among_all: float

    def __str__(self) -> str:
        return (
            f"the caption comes first in {self.among_false:.1%} among false ones, in"
            f" {self.among_all:.1%} among all"
        )


def measured(model: CLIPModel, held: CaptionedPictures, twisted: int = 3) -> EmbedderAccuracy:
    """Over the pictures that were put aside, with the same false captions each time."""
    batch = held.select_batch(
        range(len(held.pictures)), twisted, random.Random("measured")
    ).to_device(model.device)
    with torch.inference_mode():
        cosines, _ = similarities(model, vision.as_input(batch.pixels), batch.tokens)
    count = len(cosines)
    right = torch.arange(count, device=cosines.device)
    others = cosines.masked_fill(batch.same, -2.0)
    false = others[:, count:].reshape(count, count, twisted)[right, right].amax(1)
    return EmbedderAccuracy(
        float((cosines.diagonal() > false).float().mean()),
        float((others[:, :count].argmax(1) == right).float().mean()),
    )


def save(model: CLIPModel, tokenizer: CLIPTokenizer, out: Path) -> None:
    """Write the stock folder that any CLIP loader reads, safetensors in 16 bits a weight."""
    size = model.config.vision_config.image_size
    model.save_pretrained(out, state_dict=vision.in_halves(model))
    square = {"height": size, "width": size}
    processor = CLIPImageProcessor(
        size=square,
        do_center_crop=False,
        resample=3,
        image_mean=[vision.MEAN] * 3,
        image_std=[vision.DEVIATION] * 3,
    )
    CLIPProcessor(processor, words.settled(tokenizer)).save_pretrained(out)
    steps.write_hashes(out)


def main() -> None:
    parser = steps.parser(__doc__, EmbedderConfig())
    parser.add_argument(
        "--pictures", type=Path, default=corpus.FOLDER, help="the corpus; drawn where it is missing"
    )
    parser.add_argument("--work", type=Path, default=WORK, help="checkpoints")
    parser.add_argument("--out", type=Path, default=OUT, help="the finished folder")
    chosen = vars(parser.parse_args())
    pictures, work, out = (chosen.pop(name) for name in ("pictures", "work", "out"))
    corpus.write(pictures)
    train(EmbedderConfig(**chosen), pictures, work, out)


if __name__ == "__main__":
    main()
