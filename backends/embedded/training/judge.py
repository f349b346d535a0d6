"""Trains the embedded judge, a small BLIP question answerer, from nothing but Primer drawings.

``python -m hallascope.backends.embedded.training.judge`` draws the sittings, trains with
checkpoints (the same command goes on where it was stopped) and writes a stock
``BlipForQuestionAnswering`` folder; ``--start FOLDER`` goes on from the weights of such a folder.
Beside the answers it is taught, patch by patch, which part it looks at and where parts have their
centres: counting and placing are learned far faster that way. Those heads are dropped in the end.
Of a picture and its reference the states of both are shown to the question at once, by which no
weight is added.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertTokenizer, BlipForQuestionAnswering

from hallascope.backends.embedded.training import loop
from hallascope.backends.embedded.training.dataset import judge_samples, samples
from hallascope.backends.embedded.training.vqa_model import (
    VqaConfig,
    make_model,
    make_tokenizer,
    started,
)
from hallascope.backends.embedded.training.vqa_training import (
    Texts,
    VqaLearner,
    VqaSchedule,
    normalised,
)
from hallascope.primer.drawing.parts import PALETTE

OUT = Path(__file__).parents[1] / "judge"
MANNER = VqaSchedule(decay=0.998, warm=300, checkpoint_every=250, say_every=50)
PATCHES, COMPARED = (
    0.4,
    0.5,
)  # weights of the losses on patches and on pairs beside that on pictures


class JudgeHeads(nn.Module):
    """Predicts for each patch its part, the part centered in it, and that part's color.

    This is learned beside the answers.
    """

    def __init__(self, width: int, parts: int) -> None:
        super().__init__()
        self.part, self.centre, self.colour = (
            nn.Linear(width, n) for n in (parts, parts, len(PALETTE) + 1)
        )

    def forward(self, patches: Tensor, parts: Tensor, centres: Tensor, colours: Tensor) -> Tensor:
        there = centres > 0
        part = functional.cross_entropy(self.part(patches).flatten(0, 1), parts.flatten())
        centre_scores = self.centre(patches)
        weights = torch.ones(centre_scores.shape[-1])
        weights[0] = 0.25
        centre = functional.cross_entropy(
            centre_scores.flatten(0, 1), centres.flatten(), weight=weights
        )
        colour = functional.cross_entropy(self.colour(patches[there]), colours[there])
        return part + centre + 0.5 * colour


class JudgeBatch(NamedTuple):
    """B sittings, K pictures each.

    Pixels (B, K, H, W, 3) as bytes, labels of each patch (B, K, N), questions (B, K, Q, L) and
    answers (B, K, Q, A) as token numbers, those of the pairs (B, C, L) and (B, C, A), and the
    picture (B,) that the reference is compared with.
    """

    pixels: Tensor
    parts: Tensor
    centres: Tensor
    colours: Tensor
    questions: Tensor
    answers: Tensor
    pair_questions: Tensor
    pair_answers: Tensor
    first: Tensor


class JudgeCorpus(Texts):
    """All sittings in memory, the texts as numbers."""

    def __init__(self, folder: Path, most: int) -> None:
        shards = list(judge_samples.read_judge_shards(folder))
        self.pixels, self.parts, self.centres, self.colours, self.first = (
            torch.from_numpy(np.concatenate([shard[i] for shard in shards])[:most])
            for i in range(5)
        )
        asked = [row for shard in shards for row in shard.asked][:most]
        compared = [row for shard in shards for row in shard.compared][:most]
        super().__init__([*(rows for three in asked for rows in three), *compared])
        self.asked = torch.stack([self.numbered(three, judge_samples.QUESTIONS) for three in asked])
        self.compared = self.numbered(compared, judge_samples.COMPARED)

    def __len__(self) -> int:
        return len(self.pixels)

    def batch(self, rows: Tensor, device: str) -> JudgeBatch:
        labels = (each[rows].flatten(2).long() for each in (self.parts, self.centres, self.colours))
        texts = (*self.tokens(self.asked[rows]), *self.tokens(self.compared[rows]))
        return JudgeBatch(
            *(
                each.to(device)
                for each in (self.pixels[rows], *labels, *texts, self.first[rows].long())
            )
        )


class JudgeLosses(NamedTuple):
    """Of the answers on pictures and on pairs, and of the patches."""

    answers: Tensor
    pairs: Tensor
    patches: Tensor


def learn(learner: VqaLearner, heads: JudgeHeads, batch: JudgeBatch, step: int) -> JudgeLosses:
    """Learn from one batch."""
    device = batch.pixels.device
    pictures = normalised(
        batch.pixels.flatten(0, 1),
        learner.processor,
        loop.chance(learner.recipe.seed, step, device),
    )
    with torch.autocast(device.type, torch.bfloat16):
        patches = learner.model.vision_model(pixel_values=pictures).last_hidden_state
        asked = learner.answers(patches, batch.questions.flatten(0, 1), batch.answers.flatten(0, 1))
        compared = learner.answers(
            _pairs(patches, batch.first), batch.pair_questions, batch.pair_answers
        )
        beside = heads(
            patches[:, 1:],
            *(labels.flatten(0, 1) for labels in (batch.parts, batch.centres, batch.colours)),
        )
    learner.learn(asked + COMPARED * compared + PATCHES * beside, step)
    return JudgeLosses(asked, compared, beside)


def _pairs(patches: Tensor, first: Tensor) -> Tensor:
    """The states of the picture that is compared and those of its reference, one after the other.

    patches (B * K, N, D), first (B,) -> (B, 2 * N, D).
    """
    own = patches.reshape(-1, judge_samples.PICTURES, *patches.shape[1:])
    return torch.cat([own[torch.arange(len(own), device=first.device), first], own[:, 1]], dim=1)


def train(recipe: VqaConfig, work: Path, out: Path, start: Path | None = None) -> None:
    """Draw the sittings, train (from the weights in `start`), write `out`.

    What is already in `work` is not done again.
    """
    torch.manual_seed(recipe.seed)
    device = loop.device()
    drawn = work / f"sittings-{recipe.size}-{recipe.patch}"
    judge_samples.write(drawn, recipe.samples, recipe.size, recipe.patch)
    corpus = JudgeCorpus(drawn, recipe.samples)
    planned = int(recipe.epochs * len(corpus) / recipe.batch)
    model, tokenizer = (
        started(start, recipe, corpus.texts) if start else _fresh(recipe, corpus.texts)
    )
    corpus.tokenize(tokenizer)
    with torch.device(device):
        heads = JudgeHeads(model.config.vision_config.hidden_size, len(samples.part_numbers()) + 1)
        learner = VqaLearner(
            recipe=recipe,
            model=model.to(device),
            tokenizer=tokenizer,
            manner=MANNER,
            planned=planned,
            heads=heads,
        )

        def at(step: int) -> JudgeLosses:
            rows = loop.rows(len(corpus), recipe.batch, step, recipe.seed)
            return learn(learner, heads, corpus.batch(rows, device), step)

        learner.course(work / "checkpoint.pt", out, at, recipe.batch * judge_samples.PICTURES)


def _fresh(
    recipe: VqaConfig, texts: Sequence[str]
) -> tuple[BlipForQuestionAnswering, BertTokenizer]:
    tokenizer = make_tokenizer(texts)
    return make_model(recipe, tokenizer), tokenizer


def main() -> None:
    parser = loop.parser(__doc__, VqaConfig())
    parser.add_argument(
        "--work", type=Path, default=Path("runs/judge-training"), help="sittings and checkpoints"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument(
        "--start",
        type=Path,
        help="a folder with weights to go on from; its width and layers go before the recipe's",
    )
    chosen = vars(parser.parse_args())
    work = chosen.pop("work")
    out = chosen.pop("out")
    start = chosen.pop("start")
    train(VqaConfig(**chosen), work, out, start)


if __name__ == "__main__":
    main()
