"""Trains the embedded judge, a small question answerer, from nothing but Primer drawings.

``python -m hallascope.backends.embedded.training.judge`` draws the samples, trains with checkpoints
(the same command goes on where it was stopped) and writes the folder of a ``ConvBlip``; ``--start
FOLDER`` goes on from the weights of such a folder, or from the words of a BLIP of the same width.
Beside the answers the judge is taught what each cell of a picture shows and where parts have their
centers: counting and placing are learned far faster that way. The heads for cells are dropped in
the end; the centers stay, as the sums over a picture say how many of each part it shows. Pictures
are small at first and grow.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertTokenizer, BlipImageProcessor, BlipProcessor

from hallascope.backends.embedded.conv_blip import CELL, STATE, ConvBlipForQuestionAnswering
from hallascope.backends.embedded.training import loop, vision
from hallascope.backends.embedded.training.dataset import judge_samples, samples, shards
from hallascope.backends.embedded.training.judge_model import load_start, make_model
from hallascope.backends.embedded.training.vqa_model import make_tokenizer
from hallascope.backends.embedded.training.vqa_training import (
    VqaCorpus,
    answer_loss,
    encode_questions,
    trim,
)
from hallascope.primer.drawing.parts import PALETTE

OUT = Path(__file__).parents[1] / "judge"
SCHEDULE = loop.TrainingSchedule(
    average=0.998, warmup=150, cooldown=0.5, checkpoint_every=250, log_every=25
)
# Shares of all steps up to which pictures have a share of their full side.
GROWTH = ((0.5, 2 / 3), (0.8, 5 / 6), (1.0, 1.0))
# Weights of the losses beside that of the answers.
CELLS = 0.4
CENTERS = 0.2
ASKED = 6  # questions of a picture in a step, chosen by chance
LOOKED_AT = 96  # cells of a picture in a step, chosen by chance
MARGIN = 0.1  # of a picture's side, on each of its sides at most
UNCHANGED = 0.4  # share of the steps in which pictures get no margin
COARSE = 0.25  # share of the steps in which pictures lose their fine detail
DETAIL = (0.375, 0.67)  # of a picture's side, the px that are left then


@dataclass(frozen=True, kw_only=True)
class JudgeConfig:
    """Holds all that decides the result; `batch` is the number of pictures in a step."""

    size: int = 192
    width: int = 192
    text_layers: int = 2
    samples: int = 60_000
    steps: int = 12_000
    batch: int = 64
    rate: float = 2e-3
    seed: int = 0


class JudgeHeads(nn.Module):
    """Predicts from the cells which parts they show, and the colors of those centered in them.

    This is learned beside the answers.
    """

    def __init__(self, features: int, parts: int) -> None:
        super().__init__()
        self.part = nn.Linear(features, parts)
        self.color = nn.Linear(features, len(PALETTE) + 1)

    def forward(
        self, cells: Tensor, labels: Tensor, centers: Tensor, generator: torch.Generator
    ) -> Tensor:
        """Return the loss on cells (B, F, H, W).

        The parts that they show are (B, H, W), the centers (B, C, 4) in cells.
        """
        batch, _, height, width = cells.shape
        flat = cells.flatten(2).transpose(1, 2)
        rows = torch.arange(batch)[:, None]
        chosen = torch.randint(height * width, (batch, LOOKED_AT), generator=generator)
        part = functional.cross_entropy(
            self.part(flat[rows, chosen]).flatten(0, 1).float(),
            labels.flatten(1)[rows, chosen].flatten(),
        )
        y, x, number, color = centers.unbind(-1)
        there = number > 0
        of_centers = flat[rows.expand_as(y)[there], (y * width + x)[there]]
        return part + 0.5 * functional.cross_entropy(self.color(of_centers).float(), color[there])


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


class JudgeBatch(NamedTuple):
    """Holds B pictures: bytes (B, H, W, 3), parts (B, h, w), centers (B, C, 4), and Q texts each.

    Questions (B, Q, L) and answers (B, Q, A) are token numbers.
    """

    pixels: Tensor
    parts: Tensor
    centers: Tensor
    questions: Tensor
    answers: Tensor


class JudgeCorpus(VqaCorpus[JudgeBatch]):
    """Holds all pictures in memory, the texts as numbers."""

    def __init__(self, folder: Path) -> None:
        files = shards.files(folder)
        asked: list[list[tuple[str, str]]] = []
        for file in files:
            asked += judge_samples.read_judge_shard(file).asked
        super().__init__(asked)
        self.asked = self.as_numbers(asked, judge_samples.QUESTIONS)
        first = judge_samples.read_judge_shard(files[0])
        arrays = (first.pixels, first.parts, first.centers)
        self.pixels, self.parts, self.centers = (
            torch.zeros((len(asked), *array.shape[1:]), dtype=torch.from_numpy(array).dtype)
            for array in arrays
        )
        start = 0
        for shard in judge_samples.read_judge_shards(folder):
            rows = slice(start, start + len(shard.pixels))
            self.pixels[rows] = torch.from_numpy(shard.pixels)
            self.parts[rows] = torch.from_numpy(shard.parts)
            self.centers[rows] = torch.from_numpy(shard.centers)
            start = rows.stop

    def __len__(self) -> int:
        return len(self.pixels)

    def batch(self, rows: Tensor, device: str) -> JudgeBatch:
        tensors = (self.pixels[rows], self.parts[rows], self.centers[rows].long())
        texts = self.tokens(self.asked[rows])
        return JudgeBatch(*(tensor.to(device) for tensor in (*tensors, *texts)))


class JudgeLosses(NamedTuple):
    """Holds the losses of the answers, of the cells, and of the centers."""

    answers: Tensor
    cells: Tensor
    centers: Tensor


class JudgeTrainer:
    """Computes the loss of a batch at a step."""

    def __init__(
        self, config: JudgeConfig, model: ConvBlipForQuestionAnswering, tokenizer: BertTokenizer
    ) -> None:
        self.config = config
        self.model = model
        self.tokenizer = tokenizer
        features = model.config.vision_config.hidden_size
        self.heads = JudgeHeads(features, len(samples.part_numbers()) + 1)
        self.processor = BlipImageProcessor(size={"height": config.size, "width": config.size})

    def size_at(self, step: int) -> int:
        """Return how large pictures are at a step, in px."""
        share = (step + 0.5) / self.config.steps
        side = next(side for until, side in GROWTH if share <= until)
        return round(self.config.size * side / STATE) * STATE

    def losses(
        self, batch: JudgeBatch, step: int, generator: torch.Generator
    ) -> tuple[Tensor, JudgeLosses]:
        size = self.size_at(step)
        pictures, parts, centers = self.vary(batch, size, generator)
        pad = self.tokenizer.pad_token_id
        chosen = choose_questions(batch.answers, pad, generator)
        questions = trim(batch.questions[chosen], pad)
        answers = trim(batch.answers[chosen], pad)
        with torch.autocast(pictures.device.type, torch.bfloat16):
            seen = self.model.vision_model.look(pictures)
            asked = encode_questions(self.model, seen.states, questions, pad)
            answered = answer_loss(
                self.model, asked, questions.flatten(0, 1), answers.flatten(0, 1), pad
            )
            of_cells = self.heads(seen.cells, parts, centers, generator)
        of_centers = center_loss(seen.log_centers, centers)
        loss = answered + CELLS * of_cells + CENTERS * of_centers
        return loss, JudgeLosses(answered, of_cells, of_centers)

    def vary(
        self, batch: JudgeBatch, size: int, generator: torch.Generator
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return pictures (B, 3, size, size) with parts and centers in cells, a little varied.

        A margin around them makes what they show smaller; they are softer, noisier or brighter, as
        generators draw.
        """
        whole = batch.pixels.shape[1]
        block = samples.BLOCK
        pixels = batch.pixels.permute(0, 3, 1, 2).float() / 255
        most = max(1, int(MARGIN * whole) // block)
        margins = torch.randint(0, most + 1, (4,), generator=generator) * block
        if torch.rand((), generator=generator) < UNCHANGED:
            margins = torch.zeros_like(margins)
        top, bottom, left, right = margins.tolist()
        pixels = functional.pad(pixels, (left, right, top, bottom), mode="replicate")
        if torch.rand((), generator=generator) < COARSE:
            low, high = (int(share * whole) for share in DETAIL)
            coarse = int(torch.randint(low, high, (), generator=generator))
            pixels = functional.interpolate(pixels, size=(coarse, coarse), mode="area")
        pixels = functional.interpolate(
            pixels, size=(size, size), mode="bilinear", align_corners=False, antialias=True
        )
        pixels = vision.augment((pixels - vision.MEAN) / vision.DEVIATION, generator)
        mean, deviation = (
            torch.tensor(values).view(1, 3, 1, 1)
            for values in (self.processor.image_mean, self.processor.image_std)
        )
        pixels = (pixels * vision.DEVIATION + vision.MEAN - mean) / deviation
        cells = size // CELL
        parts = functional.pad(
            batch.parts, (left // block, right // block, top // block, bottom // block)
        )
        parts = functional.interpolate(parts[:, None].float(), size=(cells, cells), mode="nearest")
        y, x, number, color = batch.centers.unbind(-1)
        y = (y + top) * cells // (whole + top + bottom)
        x = (x + left) * cells // (whole + left + right)
        return pixels, parts[:, 0].long(), torch.stack([y, x, number, color], dim=-1)


def choose_questions(
    answers: Tensor, pad: int, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the rows and columns of some questions of each picture, (B, 1) and (B, ASKED).

    Answers (B, Q, A); what is all padding is chosen last.
    """
    is_padding = (answers == pad).all(-1)
    order = torch.rand(is_padding.shape, generator=generator, device=answers.device)
    columns = order.masked_fill(is_padding, 2).argsort(1)[:, :ASKED]
    return torch.arange(len(answers))[:, None], columns


def is_inner(name: str, parameter: nn.Parameter) -> bool:
    """Return whether a parameter is a matrix inside a layer, or a kernel but for the first."""
    if parameter.ndim == 4:
        return parameter.shape[1] > 3
    return parameter.ndim == 2 and ".layer" in name and "embeddings" not in name


def train(config: JudgeConfig, work: Path, out: Path, start: Path | None = None) -> None:
    """Draw the samples, train (from the weights in `start`), write `out`.

    What is already in `work` is not done again.
    """
    torch.manual_seed(config.seed)
    device = loop.best_device()
    drawn = work / f"pictures-{config.size}"
    judge_samples.write(drawn, config.samples, config.size)
    corpus = JudgeCorpus(drawn)
    if start:
        model, tokenizer = load_start(start, config.size, corpus.texts)
    else:
        tokenizer = make_tokenizer(corpus.texts)
        model = make_model(
            tokenizer, size=config.size, width=config.width, text_layers=config.text_layers
        )
    corpus.tokenize(tokenizer)
    with torch.device(device):
        course = JudgeTrainer(config, model.to(device), tokenizer)
        optimizers = loop.make_optimizers(
            [model, course.heads], is_inner, rate=config.rate, inner_decay=0.03, decay=0.01
        )
        trainer = loop.Trainer(
            model,
            optimizers,
            SCHEDULE,
            steps=config.steps,
            pictures=config.batch,
            heads=course.heads,
        )

        def losses_at(step: int) -> tuple[Tensor, loop.Losses]:
            rows = loop.batch_rows(len(corpus), config.batch, step, config.seed)
            generator = loop.step_generator(config.seed, step, device)
            return course.losses(corpus.batch(rows, str(device)), step, generator)

        def save(done: int) -> None:
            averaged: Any = trainer.average.model
            loop.save_model(averaged, BlipProcessor(course.processor, tokenizer), out)

        print(f"{loop.describe_size(model)}, {len(corpus):,} pictures", flush=True)
        trainer.run(work / "checkpoint.pt", losses_at, save)


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        JudgeConfig(),
        {
            "work": (Path("runs/judge-training"), "samples and checkpoints"),
            "out": (OUT, "the finished folder"),
            "start": (None, "a folder with weights to go on from"),
        },
    )
    train(config, **folders)


if __name__ == "__main__":
    main()
