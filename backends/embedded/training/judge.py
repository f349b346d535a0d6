"""Trains the embedded judge, a small question answerer, from nothing but Primer drawings.

``python -m hallascope.backends.embedded.training.judge`` draws the samples, trains with checkpoints
(the same command goes on where it was stopped) and writes the folder of a ``ConvBlip``; ``--start
FOLDER`` goes on from the weights of such a folder, or from the words of a BLIP of the same width.
Beside the answers the judge is taught what each cell of a picture shows and where parts have their
centers: counting and placing are learned far faster that way. The heads for cells are dropped in
the end; the centers stay, as the sums over a picture say how many of each part it shows. Pictures
are small at first and grow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from diffusers import AutoencoderKL
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertTokenizer, BlipImageProcessor, BlipProcessor

from hallascope.backends.embedded.conv_blip import CELL, STATE, ConvBlipForQuestionAnswering
from hallascope.backends.embedded.training import loop, vision
from hallascope.backends.embedded.training.dataset import background, judge_samples, samples, shards
from hallascope.backends.embedded.training.judge_model import load_start, make_model
from hallascope.backends.embedded.training.vqa_model import make_tokenizer
from hallascope.backends.embedded.training.vqa_training import (
    ANSWER_TOKENS,
    QUESTION_TOKENS,
    answer_loss,
    encode_questions,
    trim,
)
from hallascope.primer.drawing.parts import PALETTE

OUT = Path(__file__).parents[1] / "judge"
SCHEDULE = loop.TrainingSchedule(
    average=0.998, warmup=300, cooldown=0.5, checkpoint_every=250, log_every=20
)
# Shares of all steps up to which pictures have a share of their full side.
GROWTH = ((0.3, 2 / 3), (0.55, 5 / 6), (1.0, 1.0))
# Weights of the losses beside that of the answers.
CELLS = 0.4
CENTERS = 0.2
ASKED = 6  # questions of a picture in a step, chosen by chance
LOOKED_AT = 96  # cells of a picture in a step, chosen by chance
MARGIN = 0.1  # of a picture's side, on each of its sides at most
UNCHANGED = 0.4  # share of the pictures that get no margin
REDRAWN = 0.15  # share of the pictures that are bent and have the traces of an autoencoder
BENT = 0.02  # of a picture's side
DISTURBED = 0.4  # deviations of the noise in the latents of redrawn pictures, at most
LOOK_EVERY = 20  # steps between two looks for pictures that were drawn since
PICTURES_OF_SAMPLE = 1.5  # a sample is one picture or three
COARSE = 0.25  # share of the steps in which pictures lose their fine detail
DETAIL = (0.375, 0.67)  # of a picture's side, the px that are left then


@dataclass(frozen=True, kw_only=True)
class JudgeConfig:
    """Holds all that decides the result; `batch` is the number of pictures in a step."""

    size: int = 224
    width: int = 192
    text_layers: int = 2
    samples: int = 60_000
    workers: int = 2  # processes that draw
    begin: int = 0  # shards to begin with, while others are drawn; 0 for all
    steps: int = 12_000
    minutes: float = 0.0  # how long it takes, whatever the steps; 0 for as long as these take
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


class JudgeCorpus:
    """Holds pictures and the tokens of their texts in the memory of a device.

    There is room for `most` pictures; `add_new_shards` takes up what was drawn since.
    """

    def __init__(self, folder: Path, most: int, device: str) -> None:
        self.folder = folder
        self.device = device
        self.count = 0
        self._shards = 0
        first = judge_samples.read_judge_shard(shards.files(folder)[0])
        self.pixels, self.parts, self.centers = (
            torch.zeros(
                (most, *array.shape[1:]), dtype=torch.from_numpy(array).dtype, device=device
            )
            for array in (first.pixels, first.parts, first.centers)
        )
        shape = (most, judge_samples.QUESTIONS)
        self.questions = torch.zeros((*shape, QUESTION_TOKENS), dtype=torch.int16, device=device)
        self.answers = torch.zeros((*shape, ANSWER_TOKENS), dtype=torch.int16, device=device)

    def __len__(self) -> int:
        return self.count

    def texts(self) -> list[str]:
        """Return all questions and answers of the shards that are drawn by now."""
        shards_drawn = map(judge_samples.read_judge_shard, shards.files(self.folder))
        asked = (pairs for shard in shards_drawn for pairs in shard.asked)
        return sorted({text for pairs in asked for pair in pairs for text in pair})

    def add_new_shards(self, tokenizer: BertTokenizer) -> None:
        """Take up the shards that were drawn since the last call, while there is room."""
        files = shards.files(self.folder)
        for file in files[self._shards :]:
            shard = judge_samples.read_judge_shard(file)
            rows = slice(self.count, min(self.count + len(shard.pixels), len(self.pixels)))
            room = rows.stop - rows.start
            self.pixels[rows] = torch.from_numpy(shard.pixels[:room]).to(self.device)
            self.parts[rows] = torch.from_numpy(shard.parts[:room]).to(self.device)
            self.centers[rows] = torch.from_numpy(shard.centers[:room]).to(self.device)
            tokens = self._as_tokens(shard.asked[:room], tokenizer)
            self.questions[rows] = tokens[..., 0, :QUESTION_TOKENS].to(self.device)
            self.answers[rows] = tokens[..., 1, :ANSWER_TOKENS].to(self.device)
            self.count = rows.stop
        self._shards = len(files)

    def _as_tokens(
        self, asked: Sequence[Sequence[tuple[str, str]]], tokenizer: BertTokenizer
    ) -> Tensor:
        """Return questions and answers as tokens (N, QUESTIONS, 2, L), padding where none is."""
        longest = max(QUESTION_TOKENS, ANSWER_TOKENS)
        texts = sorted({text for pairs in asked for pair in pairs for text in pair})
        ids = tokenizer(texts, padding="max_length", max_length=longest, truncation=True)
        table = torch.tensor([[tokenizer.pad_token_id] * longest, *ids["input_ids"]])
        number = {text: i for i, text in enumerate(texts, start=1)}
        numbers = torch.zeros((len(asked), judge_samples.QUESTIONS, 2), dtype=torch.long)
        for row, pairs in enumerate(asked):
            of_picture = [[number[text] for text in pair] for pair in pairs]
            of_picture = of_picture[: judge_samples.QUESTIONS]
            numbers[row, : len(of_picture)] = torch.tensor(of_picture)
        return table[numbers].short()

    def batch(self, rows: Tensor) -> JudgeBatch:
        rows = rows.to(self.device)
        texts = (self.questions[rows].long(), self.answers[rows].long())
        return JudgeBatch(self.pixels[rows], self.parts[rows], self.centers[rows].long(), *texts)


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
        self.autoencoder: AutoencoderKL | None = None

    def size_at(self, progress: float) -> int:
        """Return how large pictures are at a share of the training in [0, 1], in px."""
        side = next(side for until, side in GROWTH if progress <= until)
        return round(self.config.size * side / STATE) * STATE

    def losses(
        self, batch: JudgeBatch, progress: float, generator: torch.Generator
    ) -> tuple[Tensor, JudgeLosses]:
        pictures, parts, centers = self.vary(batch, self.size_at(progress), generator)
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

        A margin around them makes what they show smaller; they are softer, noisier or brighter, and
        some are bent and have the traces of an autoencoder, as generators draw.
        """
        whole = batch.pixels.shape[1]
        pixels = batch.pixels.permute(0, 3, 1, 2).float() / 255
        if torch.rand((), generator=generator) < COARSE:
            low, high = (int(share * whole) for share in DETAIL)
            coarse = int(torch.randint(low, high, (), generator=generator))
            pixels = functional.interpolate(pixels, size=(coarse, coarse), mode="area")
        pixels = functional.interpolate(
            pixels, size=(size, size), mode="bilinear", align_corners=False, antialias=True
        )
        margins = draw_margins(len(pixels), generator)
        pixels = add_margins(pixels, margins, size, padding="border")
        redrawn = int(REDRAWN * len(pixels))
        if self.autoencoder is not None and redrawn:
            traced = redraw(self.autoencoder, bend(pixels[:redrawn], generator), generator)
            pixels = torch.cat([traced, pixels[redrawn:]])
        pixels = vision.augment((pixels - vision.MEAN) / vision.DEVIATION, generator)
        mean, deviation = (
            torch.tensor(values).view(1, 3, 1, 1)
            for values in (self.processor.image_mean, self.processor.image_std)
        )
        pixels = (pixels * vision.DEVIATION + vision.MEAN - mean) / deviation
        cells = size // CELL
        parts = add_margins(
            batch.parts[:, None].float(), margins, cells, mode="nearest", padding="zeros"
        )
        top, bottom, left, right = margins[..., None].unbind(1)
        y, x, number, color = batch.centers.unbind(-1)
        y = (((y + 0.5) / whole + top) / (1 + top + bottom) * cells).long()
        x = (((x + 0.5) / whole + left) / (1 + left + right) * cells).long()
        return pixels, parts[:, 0].long(), torch.stack([y, x, number, color], dim=-1)


def draw_margins(count: int, generator: torch.Generator) -> Tensor:
    """Return margins as shares of a side: top, bottom, left and right of each picture, (N, 4)."""
    margins = torch.rand((count, 4), generator=generator) * MARGIN
    unchanged = torch.rand((count, 1), generator=generator) < UNCHANGED
    return margins.masked_fill(unchanged, 0.0)


def add_margins(
    maps: Tensor, margins: Tensor, side: int, *, padding: str, mode: str = "bilinear"
) -> Tensor:
    """Return maps (B, C, H, W) with their margins (B, 4) around them, (B, C, side, side)."""
    top, bottom, left, right = margins.unbind(1)
    places = (torch.arange(side) + 0.5) / side
    y = places * (1 + top + bottom)[:, None] - top[:, None]
    x = places * (1 + left + right)[:, None] - left[:, None]
    grid = torch.stack(
        [x[:, None].expand(-1, side, -1), y[:, :, None].expand(-1, -1, side)], dim=-1
    )
    return functional.grid_sample(
        maps, 2 * grid - 1, mode=mode, padding_mode=padding, align_corners=False
    )


def bend(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Return pictures (B, 3, H, W) with each place moved by up to about BENT of the side."""
    count, _, height, width = pictures.shape
    moves = torch.randn((count, 2, 8, 8), generator=generator) * (2 * BENT / 3)
    moves = moves * torch.rand((count, 1, 1, 1), generator=generator)
    moves = functional.interpolate(moves, size=(height, width), mode="bicubic")
    still = torch.eye(2, 3).expand(count, -1, -1)
    grid = functional.affine_grid(still, list(pictures.shape), align_corners=False)
    return functional.grid_sample(
        pictures, grid + moves.permute(0, 2, 3, 1), padding_mode="border", align_corners=False
    )


@torch.no_grad()
def redraw(autoencoder: Any, pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Return pictures (B, 3, H, W) in [0, 1] as an autoencoder gives them back, a little disturbed.

    What generators draw comes out of such a decoder.
    """
    size = autoencoder.config.sample_size
    small = functional.interpolate(
        pictures, size=(size, size), mode="bilinear", align_corners=False, antialias=True
    )
    with torch.autocast(pictures.device.type, torch.bfloat16):
        latents = autoencoder.encode(2 * small - 1).latent_dist.mean
        share = DISTURBED * torch.rand((len(pictures), 1, 1, 1), generator=generator)
        noise = torch.randn(latents.shape, generator=generator)
        decoded = autoencoder.decode(
            latents + share * noise / autoencoder.config.scaling_factor
        ).sample
    back = functional.interpolate(
        decoded.float(), size=pictures.shape[-2:], mode="bilinear", align_corners=False
    )
    return ((back + 1) / 2).clamp(0, 1)


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


def train(
    config: JudgeConfig,
    work: Path,
    out: Path,
    start: Path | None = None,
    vae: Path | None = None,
) -> None:
    """Draw the samples, train (from the weights in `start`), write `out`.

    Some pictures get the traces of the autoencoder in `vae`. What is already in `work` is not done
    again.
    """
    samples.part_numbers()  # once, before other processes need them
    drawn = work / f"pictures-{config.size}"
    draw = partial(judge_samples.write, drawn, config.samples, config.size, workers=config.workers)
    with background.drawing(draw, drawn, config.begin):
        learn(config, drawn, work, out, start, vae)


def learn(
    config: JudgeConfig,
    drawn: Path,
    work: Path,
    out: Path,
    start: Path | None,
    vae: Path | None,
) -> None:
    """Train on the shards of a folder, also on those that come while it lasts."""
    torch.manual_seed(config.seed)
    device = loop.best_device()
    corpus = JudgeCorpus(drawn, int(PICTURES_OF_SAMPLE * config.samples) + 1, device)
    if start:
        model, tokenizer = load_start(start, config.size, corpus.texts())
    else:
        tokenizer = make_tokenizer(corpus.texts())
        model = make_model(
            tokenizer, size=config.size, width=config.width, text_layers=config.text_layers
        )
    corpus.add_new_shards(tokenizer)
    with torch.device(device):
        course = JudgeTrainer(config, model.to(device), tokenizer)
        if vae:
            course.autoencoder = AutoencoderKL.from_pretrained(vae).to(device).eval()
        optimizers = loop.make_optimizers(
            [model, course.heads], is_inner, rate=config.rate, inner_decay=0.03, decay=0.01
        )
        trainer = loop.Trainer(
            model,
            optimizers,
            SCHEDULE,
            steps=config.steps,
            minutes=config.minutes,
            pictures=config.batch,
            heads=course.heads,
        )

        def losses_at(step: int) -> tuple[Tensor, loop.Losses]:
            if step % LOOK_EVERY == 0:
                corpus.add_new_shards(tokenizer)
            rows = loop.batch_rows(len(corpus), config.batch, step, config.seed)
            generator = loop.step_generator(config.seed, step, device)
            return course.losses(corpus.batch(rows), trainer.progress, generator)

        def save(done: int) -> None:
            averaged: Any = trainer.average.model
            loop.save_model(averaged, BlipProcessor(course.processor, tokenizer), out)
            print(f"step {done}: saved, {len(corpus):,} images", flush=True)

        print(f"{loop.describe_size(model)}, {len(corpus):,} images", flush=True)
        trainer.run(work / "checkpoint.pt", losses_at, save)


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        JudgeConfig(),
        {
            "work": (Path("runs/judge-training"), "samples and checkpoints"),
            "out": (OUT, "the finished folder"),
            "start": (None, "a folder with weights to go on from"),
            "vae": (None, "an autoencoder whose traces some images get"),
        },
    )
    train(config, **folders)


if __name__ == "__main__":
    main()
