"""Trains the weights by which the embedded judge compares a picture with a reference, from nothing but Primer drawings.

``python -m backends.embedded.training.comparer`` goes on from the weights that answer questions about one picture. It draws
pairs, trains with checkpoints (the same command goes on where it was stopped) and writes a folder of the same kind. Beside
what is the same in both, it goes on being asked what the picture itself shows: the facts are what the criteria are about.
The reference is looked at with the weights as they are; what is learned is learned from the picture.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor, nn
from transformers import BertTokenizer, BlipForQuestionAnswering, BlipImageProcessor, BlipProcessor

from backends.embedded.training import samples, shards, sight, steps
from backends.embedded.training.answerer import Recipe, started
from backends.embedded.training.judge import ANSWER_TOKENS, QUESTION_TOKENS, answer_loss, make_optimizers, normalised, packed
from backends.embedded.training.sittings import seen_close
from data.primer import comparisons, pairs
from data.primer.drawing import Drawing
from data.primer.pairs import Pair

START = Path(__file__).parents[1] / "judge"
OUT = START / "pairs"
ASKED = samples.FACTS + 1  # questions about the picture itself
SIZE = 512  # px of the references of the benchmark
Pixels = NDArray[np.uint8]
CHECKPOINT_EVERY = 200  # steps
DECAY = 0.995  # of the averaged weights, which are those that are saved
ALONE = 0.5  # weight of the loss on the picture itself beside that on the pair
RECIPE = Recipe(samples=24_000, epochs=1.0, batch=24, rate=6e-4)


# --- drawing -------------------------------------------------------------------------------------------------------------


def _drawn(made: Pair, size: int, chance: random.Random) -> Pixels:
    """Picture and reference as a judge sees them, (2, size, size, 3)."""
    view = made.picture
    seen = seen_close(view, made.look, size, chance)[0] if made.look else samples.render(view.drawing, size, chance)
    other = made.reference.drawing
    return np.stack([seen, _sharp(other, size) if made.known else samples.render(other, size, chance)])


@lru_cache(maxsize=128)
def _sharp(reference: Drawing, size: int) -> Pixels:
    return np.asarray(reference.image(SIZE).resize((size, size), Image.Resampling.BICUBIC))


def _arrays(size: int, seeds: range) -> shards.Arrays:
    pixels, compared, asked = [], [], []
    for seed in seeds:
        chance = random.Random(f"pair {seed}")
        made = pairs.pair(f"pair {seed}", chance)
        pixels.append(_drawn(made, size, chance))
        compared.append([(comparisons.QUESTIONS[aspect], answer) for aspect, answer in made.compared.items()])
        alone = samples.facts_asked(made.picture.scene, made.picture.values, chance) if made.look is None else []
        asked.append([(question, answer) for question, answer in alone])
    return {"pixels": np.stack(pixels), "compared": np.array([json.dumps(compared)]), "asked": np.array([json.dumps(asked)])}


class Batch(NamedTuple):
    """B pairs: pixels (B, 2, H, W, 3) as bytes, texts (B, Q, L) as token numbers, all padding where nothing is asked."""

    pixels: Tensor
    questions: Tensor
    answers: Tensor
    alone_questions: Tensor
    alone_answers: Tensor


class Corpus:
    """All pairs in memory, the texts as numbers; number 0 is no text."""

    def __init__(self, folder: Path) -> None:
        pixels, compared, asked = [], [], []
        for file in shards.files(folder):
            with np.load(file) as held:
                pixels.append(torch.from_numpy(held["pixels"]))
                compared += json.loads(str(held["compared"][0]))
                asked += json.loads(str(held["asked"][0]))
        self.pixels = torch.cat(pixels)
        self.texts = sorted({text for row in (*compared, *asked) for two in row for text in two})
        number = {text: i for i, text in enumerate(self.texts, start=1)}
        self.compared = _numbered(compared, number, len(comparisons.ASPECTS))
        self.asked = _numbered(asked, number, ASKED)

    def tokenize(self, tokenizer: BertTokenizer) -> None:
        longest = max(QUESTION_TOKENS, ANSWER_TOKENS)
        told = tokenizer(self.texts, padding="max_length", max_length=longest, truncation=True)["input_ids"]
        self.tokens = torch.tensor([[tokenizer.pad_token_id] * longest, *told])

    def batch(self, rows: Tensor, device: str) -> Batch:
        compared, asked = self.tokens[self.compared[rows]], self.tokens[self.asked[rows]]
        texts = [words for both in (compared, asked) for words in (both[..., 0, :QUESTION_TOKENS], both[..., 1, :ANSWER_TOKENS])]
        return Batch(*(each.to(device) for each in (self.pixels[rows], *texts)))


def _numbered(rows: Sequence[Sequence[tuple[str, str]]], number: dict[str, int], length: int) -> Tensor:
    """Questions and answers by their numbers, (N, length, 2), filled up with none."""
    return torch.tensor([[[number[text] for text in two] for two in row] + [[0, 0]] * (length - len(row)) for row in rows])


# --- learning ------------------------------------------------------------------------------------------------------------


@dataclass
class Learner:
    """Model and optimizers with all that a restart needs."""

    recipe: Recipe
    model: BlipForQuestionAnswering
    tokenizer: BertTokenizer
    planned: int

    def __post_init__(self) -> None:
        self.model.config.pictures = 2
        self.pad = self.tokenizer.pad_token_id
        self.processor = BlipImageProcessor(size={"height": self.recipe.size, "width": self.recipe.size})
        self.optimizers = make_optimizers(self.model, nn.Module(), self.recipe.rate)
        self.average = steps.Average(self.model, DECAY)
        self.pace = partial(steps.pace, steps=self.planned, warm=50, falling=0.6)

    def step(self, batch: Batch, step: int) -> tuple[float, float]:
        """Learn from one batch; returns the losses on the pairs and on the pictures alone."""
        chance = steps.chance(self.recipe.seed, step, batch.pixels.device)
        picture, reference = (normalised(batch.pixels[:, n], self.processor, chance) for n in (0, 1))
        with torch.autocast(batch.pixels.device.type, torch.bfloat16):
            seen = self.model.vision_model(pixel_values=picture).last_hidden_state
            with torch.no_grad():
                known = self.model.vision_model(pixel_values=reference).last_hidden_state
            compared = self._asked(torch.cat([seen, known], dim=1), batch.questions, batch.answers)
            alone = self._asked(seen, batch.alone_questions, batch.alone_answers)
        steps.learn(compared + ALONE * alone, (self.model,), self.optimizers, self.pace(step))
        self.average.update(self.model, step)
        return compared.item(), alone.item()

    def _asked(self, patches: Tensor, questions: Tensor, answers: Tensor) -> Tensor:
        states = packed(self.model, patches, questions, self.pad)
        return answer_loss(self.model, states, questions.flatten(0, 1), answers.flatten(0, 1), self.pad)

    def stateful(self) -> dict[str, Any]:
        return {"model": self.model, "average": self.average.model} | {f"optimizer {i}": one for i, one in enumerate(self.optimizers)}

    def save(self, out: Path) -> None:
        """Write the stock folder that any BLIP loader reads, in 16 bits a weight."""
        averaged: Any = self.average.model
        averaged.save_pretrained(out, state_dict=sight.in_halves(averaged))
        BlipProcessor(self.processor, self.tokenizer).save_pretrained(out)
        steps.write_hashes(out)


def train(recipe: Recipe, work: Path, out: Path, start: Path) -> None:
    """Draw the pairs, train from the weights in `start`, write `out`; what is already in `work` is not done again."""
    torch.manual_seed(recipe.seed)
    device = steps.device()
    folder = work / f"pairs-{recipe.size}"
    shards.write(folder, recipe.samples, partial(_arrays, recipe.size), per_shard=500, packed=False)
    corpus = Corpus(folder)
    model, tokenizer = started(start, recipe, corpus.texts)
    corpus.tokenize(tokenizer)
    count = len(corpus.pixels)
    planned = int(recipe.epochs * count / recipe.batch)
    with torch.device(device):
        learner = Learner(recipe, model.to(device), tokenizer, planned)
        first = steps.resume(work / "checkpoint.pt", learner.stateful())
        print(f"{count:,} pairs, steps {first} to {planned}", flush=True)
        began = time.monotonic()
        for step in range(first, planned):
            rows = steps.rows(count, recipe.batch, step, recipe.seed)
            compared, alone = learner.step(corpus.batch(rows, device), step)
            if step % 20 == 0:
                speed = (step - first + 1) * recipe.batch / (time.monotonic() - began)
                print(f"step {step} of {planned}: pairs {compared:.3f}, pictures {alone:.3f}, {speed:.0f} pairs/s", flush=True)
            if (step + 1) % CHECKPOINT_EVERY == 0 or step + 1 == planned:
                steps.keep(work / "checkpoint.pt", learner.stateful(), step + 1)
                learner.save(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in vars(RECIPE).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    parser.add_argument("--work", type=Path, default=Path("runs/comparer-training"), help="pairs and checkpoints")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--start", type=Path, default=START, help="a folder with the weights to go on from")
    chosen = vars(parser.parse_args())
    work, out, start = chosen.pop("work"), chosen.pop("out"), chosen.pop("start")
    train(Recipe(**chosen), work, out, start)


if __name__ == "__main__":
    main()
