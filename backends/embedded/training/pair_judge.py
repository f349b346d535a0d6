"""Trains the weights by which the embedded judge compares two pictures, on Primer drawings.

``python -m hallascope.backends.embedded.training.pair_judge`` goes on from weights that answer
questions about one picture. It draws pairs, trains with checkpoints (the same command goes on where
it was stopped) and writes a folder of the same kind. Beside what is the same in both, it goes on
being asked what the picture itself shows: the facts are what the criteria are about. The reference
is encoded with the weights as they are; what is learned is learned from the picture.
"""

import json
import random
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from hallascope.backends.embedded.training import loop
from hallascope.backends.embedded.training.dataset import samples, shards
from hallascope.backends.embedded.training.dataset.judge_samples import render_region
from hallascope.backends.embedded.training.vqa_model import VqaConfig, load_model
from hallascope.backends.embedded.training.vqa_training import VqaCorpus, VqaTrainer
from hallascope.primer.benchmark import pair_criteria, pairs
from hallascope.primer.benchmark.pairs import PicturePair
from hallascope.primer.drawing.parts import Drawing

OUT = Path(__file__).parents[1] / "judge" / "pairs"
# The judge itself has another tower in the making; these weights once began as the judge's.
START = OUT
QUESTIONS = samples.FACTS + 1  # about the picture itself
SIZE = 512  # px of the references of the benchmark
PixelArray = NDArray[np.uint8]
ALONE = 0.5  # weight of the loss on the picture itself beside that on the pair
SCHEDULE = loop.TrainingSchedule(
    average=0.995, warmup=50, cooldown=0.6, checkpoint_every=200, log_every=20
)
CONFIG = VqaConfig(samples=24_000, epochs=1.0, batch=24, rate=6e-4)


# --- drawing ---


def render_pair(pair: PicturePair, size: int, chance: random.Random) -> PixelArray:
    """Return picture and reference as a judge sees them, (2, size, size, 3)."""
    view = pair.picture
    if pair.look:
        picture, _ = render_region(view, pair.look, size, chance)
    else:
        picture = samples.render(view.drawing, size, chance)
    drawing = pair.reference.drawing
    if pair.known:
        reference = _render_reference(drawing, size)
    else:
        reference = samples.render(drawing, size, chance)
    return np.stack([picture, reference])


@lru_cache(maxsize=128)
def _render_reference(drawing: Drawing, size: int) -> PixelArray:
    return np.asarray(drawing.image(SIZE).resize((size, size), Image.Resampling.BICUBIC))


def draw_shard(size: int, seeds: range) -> shards.Arrays:
    """Draw the pairs of these seeds."""
    pixels = []
    compared = []
    asked = []
    for seed in seeds:
        chance = random.Random(f"pair {seed}")
        pair = pairs.pair(f"pair {seed}", chance)
        pixels.append(render_pair(pair, size, chance))
        compared.append(
            [(pair_criteria.QUESTIONS[aspect], answer) for aspect, answer in pair.compared.items()]
        )
        whole = pair.look is None
        picture = pair.picture
        asked.append(
            samples.questions_on_facts(picture.scene, picture.values, chance) if whole else []
        )
    return {
        "pixels": np.stack(pixels),
        "compared": np.array([json.dumps(compared)]),
        "asked": np.array([json.dumps(asked)]),
    }


# --- training ---


class PairBatch(NamedTuple):
    """Holds B pairs: pixels (B, 2, H, W, 3) as bytes, and texts (B, Q, L) as token numbers.

    Texts are all padding where nothing is asked.
    """

    pixels: Tensor
    questions: Tensor
    answers: Tensor
    alone_questions: Tensor
    alone_answers: Tensor


class PairCorpus(VqaCorpus[PairBatch]):
    """Holds all pairs in memory, the texts as numbers."""

    def __init__(self, folder: Path) -> None:
        pixels = []
        compared = []
        asked = []
        for file in shards.files(folder):
            with np.load(file) as shard:
                pixels.append(torch.from_numpy(shard["pixels"]))
                compared += json.loads(str(shard["compared"][0]))
                asked += json.loads(str(shard["asked"][0]))
        self.pixels = torch.cat(pixels)
        super().__init__([*compared, *asked])
        self.compared = self.as_numbers(compared, len(pair_criteria.ASPECTS))
        self.asked = self.as_numbers(asked, QUESTIONS)

    def __len__(self) -> int:
        return len(self.pixels)

    def batch(self, rows: Tensor, device: str) -> PairBatch:
        texts = (*self.tokens(self.compared[rows]), *self.tokens(self.asked[rows]))
        return PairBatch(*(tensor.to(device) for tensor in (self.pixels[rows], *texts)))


class PairLosses(NamedTuple):
    """Holds the losses on the pairs and on the pictures alone."""

    pairs: Tensor
    pictures: Tensor


def losses(
    trainer: VqaTrainer, batch: PairBatch, generator: torch.Generator
) -> tuple[Tensor, PairLosses]:
    """Compute the loss of one batch, and what it is made of."""
    picture, reference = (trainer.inputs(batch.pixels[:, n], generator) for n in (0, 1))
    with torch.autocast(picture.device.type, torch.bfloat16):
        patches = trainer.model.vision_model(pixel_values=picture).last_hidden_state
        with torch.no_grad():
            fixed = trainer.model.vision_model(pixel_values=reference).last_hidden_state
        of_pairs = trainer.answer_loss(
            torch.cat([patches, fixed], dim=1), batch.questions, batch.answers
        )
        alone = trainer.answer_loss(patches, batch.alone_questions, batch.alone_answers)
    return of_pairs + ALONE * alone, PairLosses(of_pairs, alone)


def train(config: VqaConfig, work: Path, out: Path, start: Path) -> None:
    """Draw the pairs, train from the weights in `start`, write `out`.

    What is already in `work` is not done again.
    """
    torch.manual_seed(config.seed)
    device = loop.best_device()
    folder = work / f"pairs-{config.size}"
    draw = partial(draw_shard, config.size)
    shards.write(folder, config.samples, draw, per_shard=500, compressed=False)
    corpus = PairCorpus(folder)
    model, tokenizer = load_model(start, config, corpus.texts)
    corpus.tokenize(tokenizer)
    with torch.device(device):
        trainer = VqaTrainer(config, model.to(device), tokenizer)
        trainer.train(
            corpus,
            lambda batch, generator: losses(trainer, batch, generator),
            SCHEDULE,
            pictures=2,
            work=work,
            out=out,
        )


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        CONFIG,
        {
            "work": (Path("runs/comparer-training"), "pairs and checkpoints"),
            "out": (OUT, "the finished folder"),
            "start": (START, "a folder with the weights to go on from"),
        },
    )
    train(config, **folders)


if __name__ == "__main__":
    main()
