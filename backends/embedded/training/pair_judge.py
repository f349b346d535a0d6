"""Trains the weights by which the embedded judge compares two pictures, on Primer drawings.

``python -m hallascope.backends.embedded.training.pair_judge`` goes on from the weights that answer
questions about one picture. It draws pairs, trains with checkpoints (the same command goes on where
it was stopped) and writes a folder of the same kind. Beside what is the same in both, it goes on
being asked what the picture itself shows: the facts are what the criteria are about. The reference
is looked at with the weights as they are; what is learned is learned from the picture.
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
from hallascope.backends.embedded.training.dataset.judge_samples import seen_close
from hallascope.backends.embedded.training.vqa_model import VqaConfig, started
from hallascope.backends.embedded.training.vqa_training import (
    Texts,
    VqaLearner,
    VqaSchedule,
    normalised,
)
from hallascope.primer.benchmark import pair_criteria, pairs
from hallascope.primer.benchmark.pairs import PicturePair
from hallascope.primer.drawing.parts import Drawing

START = Path(__file__).parents[1] / "judge"
OUT = START / "pairs"
ASKED = samples.FACTS + 1  # questions about the picture itself
SIZE = 512  # px of the references of the benchmark
PixelArray = NDArray[np.uint8]
ALONE = 0.5  # weight of the loss on the picture itself beside that on the pair
MANNER = VqaSchedule(decay=0.995, warm=50, checkpoint_every=200, say_every=20)
RECIPE = VqaConfig(samples=24_000, epochs=1.0, batch=24, rate=6e-4)


# --- drawing
# --------------------------------------------------------------------------------------------------


def _render_pair(made: PicturePair, size: int, chance: random.Random) -> PixelArray:
    """Picture and reference as a judge sees them, (2, size, size, 3)."""
    view = made.picture
    seen = (
        seen_close(view, made.look, size, chance)[0]
        if made.look
        else samples.render(view.drawing, size, chance)
    )
    other = made.reference.drawing
    return np.stack(
        [seen, _sharp(other, size) if made.known else samples.render(other, size, chance)]
    )


@lru_cache(maxsize=128)
def _sharp(reference: Drawing, size: int) -> PixelArray:
    return np.asarray(reference.image(SIZE).resize((size, size), Image.Resampling.BICUBIC))


def _arrays(size: int, seeds: range) -> shards.Arrays:
    pixels = []
    compared = []
    asked = []
    for seed in seeds:
        chance = random.Random(f"pair {seed}")
        made = pairs.pair(f"pair {seed}", chance)
        pixels.append(_render_pair(made, size, chance))
        compared.append(
            [(pair_criteria.QUESTIONS[aspect], answer) for aspect, answer in made.compared.items()]
        )
        alone = (
            samples.facts_asked(made.picture.scene, made.picture.values, chance)
            if made.look is None
            else []
        )
        asked.append([(question, answer) for question, answer in alone])
    return {
        "pixels": np.stack(pixels),
        "compared": np.array([json.dumps(compared)]),
        "asked": np.array([json.dumps(asked)]),
    }


class PairBatch(NamedTuple):
    """Holds B pairs: pixels (B, 2, H, W, 3) as bytes, and texts (B, Q, L) as token numbers.

    Texts are all padding where nothing is asked.
    """

    pixels: Tensor
    questions: Tensor
    answers: Tensor
    alone_questions: Tensor
    alone_answers: Tensor


class PairCorpus(Texts):
    """All pairs in memory, the texts as numbers."""

    def __init__(self, folder: Path) -> None:
        pixels = []
        compared = []
        asked = []
        for file in shards.files(folder):
            with np.load(file) as held:
                pixels.append(torch.from_numpy(held["pixels"]))
                compared += json.loads(str(held["compared"][0]))
                asked += json.loads(str(held["asked"][0]))
        self.pixels = torch.cat(pixels)
        super().__init__([*compared, *asked])
        self.compared = self.numbered(compared, len(pair_criteria.ASPECTS))
        self.asked = self.numbered(asked, ASKED)

    def __len__(self) -> int:
        return len(self.pixels)

    def batch(self, rows: Tensor, device: str) -> PairBatch:
        texts = (*self.tokens(self.compared[rows]), *self.tokens(self.asked[rows]))
        return PairBatch(*(each.to(device) for each in (self.pixels[rows], *texts)))


class PairLosses(NamedTuple):
    """On the pairs and on the pictures alone."""

    pairs: Tensor
    pictures: Tensor


def learn(learner: VqaLearner, batch: PairBatch, step: int) -> PairLosses:
    """Learn from one batch."""
    device = batch.pixels.device
    chance = loop.chance(learner.recipe.seed, step, device)
    picture, reference = (normalised(batch.pixels[:, n], learner.processor, chance) for n in (0, 1))
    with torch.autocast(device.type, torch.bfloat16):
        seen = learner.model.vision_model(pixel_values=picture).last_hidden_state
        with torch.no_grad():
            known = learner.model.vision_model(pixel_values=reference).last_hidden_state
        compared = learner.answers(torch.cat([seen, known], dim=1), batch.questions, batch.answers)
        alone = learner.answers(seen, batch.alone_questions, batch.alone_answers)
    learner.learn(compared + ALONE * alone, step)
    return PairLosses(compared, alone)


def train(recipe: VqaConfig, work: Path, out: Path, start: Path) -> None:
    """Draw the pairs, train from the weights in `start`, write `out`.

    What is already in `work` is not done again.
    """
    torch.manual_seed(recipe.seed)
    device = loop.device()
    folder = work / f"pairs-{recipe.size}"
    shards.write(folder, recipe.samples, partial(_arrays, recipe.size), per_shard=500, packed=False)
    corpus = PairCorpus(folder)
    planned = int(recipe.epochs * len(corpus) / recipe.batch)
    model, tokenizer = started(start, recipe, corpus.texts)
    corpus.tokenize(tokenizer)
    with torch.device(device):
        learner = VqaLearner(recipe, model.to(device), tokenizer, MANNER, planned)

        def at(step: int) -> PairLosses:
            rows = loop.rows(len(corpus), recipe.batch, step, recipe.seed)
            return learn(learner, corpus.batch(rows, device), step)

        learner.course(work / "checkpoint.pt", out, at, recipe.batch * 2)


def main() -> None:
    parser = loop.parser(__doc__, RECIPE)
    parser.add_argument(
        "--work", type=Path, default=Path("runs/comparer-training"), help="pairs and checkpoints"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument(
        "--start", type=Path, default=START, help="a folder with the weights to go on from"
    )
    chosen = vars(parser.parse_args())
    work = chosen.pop("work")
    out = chosen.pop("out")
    start = chosen.pop("start")
    train(VqaConfig(**chosen), work, out, start)


if __name__ == "__main__":
    main()
