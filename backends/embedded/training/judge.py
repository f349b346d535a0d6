"""Trains the embedded judge, a small BLIP question answerer, from nothing but Primer drawings.

``python -m hallascope.backends.embedded.training.judge`` draws the samples, trains with checkpoints
(the same command goes on where it was stopped) and writes a stock ``BlipForQuestionAnswering``
folder; ``--start FOLDER`` goes on from the weights of such a folder. Beside the answers it is
taught, patch by patch, which part it looks at and where parts have their centers: counting and
placing are learned far faster that way. Those heads are dropped in the end. Of a picture and its
reference the states of both are shown to the question at once, which adds no weight.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from hallascope.backends.embedded.training import loop
from hallascope.backends.embedded.training.dataset import judge_samples, samples
from hallascope.backends.embedded.training.vqa_model import (
    VqaConfig,
    load_model,
    make_model,
    make_tokenizer,
)
from hallascope.backends.embedded.training.vqa_training import VqaCorpus, VqaTrainer
from hallascope.primer.drawing.parts import PALETTE

OUT = Path(__file__).parents[1] / "judge"
SCHEDULE = loop.TrainingSchedule(
    average=0.998, warmup=300, cooldown=0.6, checkpoint_every=250, log_every=50
)
# Weights of the losses on patches and on pairs beside that on pictures.
PATCHES = 0.4
COMPARED = 0.5


class JudgeHeads(nn.Module):
    """Predicts for each patch its part, the part centered in it, and that part's color.

    This is learned beside the answers.
    """

    def __init__(self, width: int, parts: int) -> None:
        super().__init__()
        self.part = nn.Linear(width, parts)
        self.center = nn.Linear(width, parts)
        self.color = nn.Linear(width, len(PALETTE) + 1)

    def forward(self, patches: Tensor, parts: Tensor, centers: Tensor, colors: Tensor) -> Tensor:
        part = functional.cross_entropy(self.part(patches).flatten(0, 1), parts.flatten())
        scores = self.center(patches)
        weights = torch.ones(scores.shape[-1])
        weights[0] = 0.25
        center = functional.cross_entropy(scores.flatten(0, 1), centers.flatten(), weight=weights)
        centered = centers > 0
        color = functional.cross_entropy(self.color(patches[centered]), colors[centered])
        return part + center + 0.5 * color


class JudgeBatch(NamedTuple):
    """Holds B samples of K pictures each.

    Pixels (B, K, H, W, 3) as bytes, labels of each patch (B, K, N), questions (B, K, Q, L) and
    answers (B, K, Q, A) as token numbers, those of the pairs (B, C, L) and (B, C, A), and the
    picture (B,) that the reference is compared with.
    """

    pixels: Tensor
    parts: Tensor
    centers: Tensor
    colors: Tensor
    questions: Tensor
    answers: Tensor
    pair_questions: Tensor
    pair_answers: Tensor
    first: Tensor


class JudgeCorpus(VqaCorpus[JudgeBatch]):
    """Holds all samples in memory, the texts as numbers."""

    def __init__(self, folder: Path, most: int) -> None:
        shards = list(judge_samples.read_judge_shards(folder))
        self.pixels, self.parts, self.centers, self.colors, self.first = (
            torch.from_numpy(np.concatenate([shard[i] for shard in shards])[:most])
            for i in range(5)
        )
        asked = [row for shard in shards for row in shard.asked][:most]
        compared = [row for shard in shards for row in shard.compared][:most]
        super().__init__([*(row for pictures in asked for row in pictures), *compared])
        self.asked = torch.stack(
            [self.as_numbers(pictures, judge_samples.QUESTIONS) for pictures in asked]
        )
        self.compared = self.as_numbers(compared, judge_samples.COMPARED)

    def __len__(self) -> int:
        return len(self.pixels)

    def batch(self, rows: Tensor, device: str) -> JudgeBatch:
        arrays = (self.parts, self.centers, self.colors)
        labels = (labels[rows].flatten(2).long() for labels in arrays)
        texts = (*self.tokens(self.asked[rows]), *self.tokens(self.compared[rows]))
        tensors = (self.pixels[rows], *labels, *texts, self.first[rows].long())
        return JudgeBatch(*(tensor.to(device) for tensor in tensors))


class JudgeLosses(NamedTuple):
    """Holds the losses of the answers on pictures and on pairs, and of the patches."""

    answers: Tensor
    pairs: Tensor
    patches: Tensor


def losses(
    trainer: VqaTrainer, heads: JudgeHeads, batch: JudgeBatch, generator: torch.Generator
) -> tuple[Tensor, JudgeLosses]:
    """Compute the loss of one batch, and what it is made of."""
    pictures = trainer.inputs(batch.pixels.flatten(0, 1), generator)
    with torch.autocast(pictures.device.type, torch.bfloat16):
        patches = trainer.model.vision_model(pixel_values=pictures).last_hidden_state
        answers = trainer.answer_loss(
            patches, batch.questions.flatten(0, 1), batch.answers.flatten(0, 1)
        )
        pairs = trainer.answer_loss(
            join_pairs(patches, batch.first), batch.pair_questions, batch.pair_answers
        )
        labels = (labels.flatten(0, 1) for labels in (batch.parts, batch.centers, batch.colors))
        patch_loss = heads(patches[:, 1:], *labels)
    loss = answers + COMPARED * pairs + PATCHES * patch_loss
    return loss, JudgeLosses(answers, pairs, patch_loss)


def join_pairs(patches: Tensor, first: Tensor) -> Tensor:
    """Return the states of the compared picture and of its reference, one after the other.

    patches (B * K, N, D), first (B,) -> (B, 2 * N, D).
    """
    own = patches.reshape(-1, judge_samples.PICTURES, *patches.shape[1:])
    return torch.cat([own[torch.arange(len(own), device=first.device), first], own[:, 1]], dim=1)


def train(config: VqaConfig, work: Path, out: Path, start: Path | None = None) -> None:
    """Draw the samples, train (from the weights in `start`), write `out`.

    What is already in `work` is not done again.
    """
    torch.manual_seed(config.seed)
    device = loop.best_device()
    drawn = work / f"sittings-{config.size}-{config.patch}"
    judge_samples.write(drawn, config.samples, config.size, config.patch)
    corpus = JudgeCorpus(drawn, config.samples)
    if start:
        model, tokenizer = load_model(start, config, corpus.texts)
    else:
        tokenizer = make_tokenizer(corpus.texts)
        model = make_model(config, tokenizer)
    corpus.tokenize(tokenizer)
    with torch.device(device):
        heads = JudgeHeads(model.config.vision_config.hidden_size, len(samples.part_numbers()) + 1)
        trainer = VqaTrainer(config, model.to(device), tokenizer, heads=heads)
        trainer.train(
            corpus,
            lambda batch, generator: losses(trainer, heads, batch, generator),
            SCHEDULE,
            pictures=judge_samples.PICTURES,
            work=work,
            out=out,
        )


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        VqaConfig(),
        {
            "work": (Path("runs/judge-training"), "samples and checkpoints"),
            "out": (OUT, "the finished folder"),
            "start": (
                None,
                "a folder with weights to go on from; its width and layers go before the config's",
            ),
        },
    )
    train(config, **folders)


if __name__ == "__main__":
    main()
