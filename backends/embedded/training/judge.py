"""Trains the embedded judge, a small BLIP question answerer, from nothing but Primer drawings.

``python -m backends.embedded.training.judge`` draws the sittings, trains with checkpoints (the same command goes on where
it was stopped) and writes a stock ``BlipForQuestionAnswering`` folder; ``--start FOLDER`` goes on from the weights of such
a folder. Beside the answers it is taught, patch by patch, which part it looks at and where parts have their centres:
counting and placing are learned far faster that way. Those heads are dropped in the end. Of a picture and its reference the
states of both are shown to the question at once, by which no weight is added.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertTokenizer, BlipForQuestionAnswering, BlipImageProcessor, BlipProcessor

from backends.embedded.training import samples, sight, sittings, steps
from backends.embedded.training.answerer import Recipe, make_model, make_tokenizer, started
from data.primer.drawing import PALETTE

OUT = Path(__file__).parents[1] / "judge"
QUESTION_TOKENS, ANSWER_TOKENS = 32, 18
CHECKPOINT_EVERY = 250  # steps
DECAY = 0.998  # of the averaged weights, which are those that are saved
PATCHES, COMPARED = 0.4, 0.5  # weights of the losses on patches and on pairs beside that on pictures


class Heads(nn.Module):
    """What is learned beside the answers, for each patch: its part, the part centred in it, that part's color."""

    def __init__(self, width: int, parts: int) -> None:
        super().__init__()
        self.part, self.centre, self.colour = (nn.Linear(width, n) for n in (parts, parts, len(PALETTE) + 1))

    def forward(self, patches: Tensor, parts: Tensor, centres: Tensor, colours: Tensor) -> Tensor:
        there = centres > 0
        part = functional.cross_entropy(self.part(patches).flatten(0, 1), parts.flatten())
        centre_scores = self.centre(patches)
        weights = torch.ones(centre_scores.shape[-1])
        weights[0] = 0.25
        centre = functional.cross_entropy(centre_scores.flatten(0, 1), centres.flatten(), weight=weights)
        colour = functional.cross_entropy(self.colour(patches[there]), colours[there])
        return part + centre + 0.5 * colour


class Batch(NamedTuple):
    """B sittings, K pictures each.

    Pixels (B, K, H, W, 3) as bytes, labels of each patch (B, K, N), questions (B, K, Q, L) and answers (B, K, Q, A) as
    token numbers, those of the pairs (B, C, L) and (B, C, A), and the picture (B,) that the reference is compared with.
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


class Corpus:
    """All sittings in memory, the texts as numbers; number 0 is no text."""

    def __init__(self, folder: Path, most: int) -> None:
        shards = list(sittings.read(folder))
        self.pixels, self.parts, self.centres, self.colours, self.first = (
            torch.from_numpy(np.concatenate([shard[i] for shard in shards])[:most]) for i in range(5)
        )
        asked = [row for shard in shards for row in shard.asked][:most]
        compared = [row for shard in shards for row in shard.compared][:most]
        self.texts = sorted({text for row in (*(rows for three in asked for rows in three), *compared) for pair in row for text in pair})
        number = {text: i for i, text in enumerate(self.texts, start=1)}
        self.asked = torch.tensor([[list(_numbered(row, number, sittings.QUESTIONS)) for row in three] for three in asked])
        self.compared = torch.tensor([list(_numbered(row, number, sittings.COMPARED)) for row in compared])

    def tokenize(self, tokenizer: BertTokenizer) -> None:
        longest = max(QUESTION_TOKENS, ANSWER_TOKENS)
        told = tokenizer(self.texts, padding="max_length", max_length=longest, truncation=True)["input_ids"]
        self.tokens = torch.tensor([[tokenizer.pad_token_id] * longest, *told], dtype=torch.int16)

    def __len__(self) -> int:
        return len(self.pixels)

    def batch(self, rows: Tensor, device: str) -> Batch:
        asked, compared = (self.tokens[numbers[rows]].long() for numbers in (self.asked, self.compared))
        labels = (each[rows].flatten(2).long() for each in (self.parts, self.centres, self.colours))
        texts = (asked[..., 0, :QUESTION_TOKENS], asked[..., 1, :ANSWER_TOKENS])
        of_pairs = (compared[..., 0, :QUESTION_TOKENS], compared[..., 1, :ANSWER_TOKENS])
        return Batch(*(each.to(device) for each in (self.pixels[rows], *labels, *texts, *of_pairs, self.first[rows].long())))


def _numbered(row: Sequence[tuple[str, str]], number: dict[str, int], length: int) -> Iterator[tuple[int, int]]:
    """Questions and answers by their numbers, filled up with none."""
    yield from ((number[question], number[answer]) for question, answer in row[:length])
    yield from [(0, 0)] * (length - len(row))


def packed(model: BlipForQuestionAnswering, patches: Tensor, questions: Tensor, pad: int) -> Tensor:
    """States of each question; the questions of a picture share one pass over it.

    patches (B, N, D), questions (B, Q, L) -> (B * Q, L, D).
    """
    images, count, length = questions.shape
    own = torch.kron(torch.eye(count), torch.ones(length, length)).bool()  # each question sees its own words only
    seen = own & (questions != pad).reshape(images, 1, 1, count * length)
    mask = torch.zeros(seen.shape).masked_fill(~seen, -1e4)
    places = torch.arange(length).repeat(count)[None].expand(images, -1)
    states: Tensor = model.text_encoder(
        input_ids=questions.reshape(images, -1),
        attention_mask=mask,
        position_ids=places,
        encoder_hidden_states=patches,
        encoder_attention_mask=torch.ones(patches.shape[:2], dtype=torch.long),
    ).last_hidden_state
    return states.reshape(images * count, length, -1)


def answer_loss(model: BlipForQuestionAnswering, states: Tensor, questions: Tensor, answers: Tensor, pad: int) -> Tensor:
    """Cross entropy of the answers' words; states (B, L, D), questions (B, L), answers (B, A). What is all padding counts nothing."""
    asked = (answers != pad).any(dim=-1)
    states, questions, answers = states[asked], questions[asked], answers[asked]
    scores = model.text_decoder(
        input_ids=answers,
        attention_mask=(answers != pad).long(),
        encoder_hidden_states=states,
        encoder_attention_mask=(questions != pad).long(),
    ).logits
    return functional.cross_entropy(scores[:, :-1].flatten(0, 1).float(), answers[:, 1:].flatten(), ignore_index=pad)


def make_optimizers(model: nn.Module, heads: nn.Module, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the layers, AdamW for all the rest."""
    inner = [p for name, p in model.named_parameters() if p.ndim == 2 and ".layer" in name and "embeddings" not in name]
    chosen = {id(p) for p in inner}
    rest = [p for p in (*model.parameters(), *heads.parameters()) if id(p) not in chosen]
    return [
        torch.optim.Muon(inner, lr=rate, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate, weight_decay=0.01, betas=(0.9, 0.98)),
    ]


def normalised(pixels: Tensor, processor: BlipImageProcessor, chance: torch.Generator | None = None) -> Tensor:
    """Bytes (B, H, W, 3) as the model's input (B, 3, H, W); by chance a little softer, noisier, brighter, as generators draw."""
    mean, std = (torch.tensor(v).view(1, 3, 1, 1) for v in (processor.image_mean, processor.image_std))
    seen = sight.as_input(pixels)
    if chance is not None:
        seen = sight.varied(seen, chance)
    return (seen * sight.DEVIATION + sight.MEAN - mean) / std


class Learner:
    """Model, heads and optimizers with all that a restart needs."""

    def __init__(self, recipe: Recipe, model: BlipForQuestionAnswering, tokenizer: BertTokenizer, steps_planned: int) -> None:
        self.recipe, self.model, self.tokenizer, self.pad = recipe, model, tokenizer, tokenizer.pad_token_id
        self.model.config.pictures = 2  # a picture and its reference: whoever loads the folder may show both
        self.heads = Heads(model.config.vision_config.hidden_size, len(samples.part_numbers()) + 1)
        self.processor = BlipImageProcessor(size={"height": recipe.size, "width": recipe.size})
        self.optimizers = make_optimizers(self.model, self.heads, recipe.rate)
        self.average = steps.Average(self.model, DECAY)
        self.pace = partial(steps.pace, steps=steps_planned, warm=300, falling=0.6)

    def step(self, batch: Batch, step: int) -> tuple[float, float, float]:
        """Learn from one batch; returns the losses of the answers on pictures and on pairs, and of the patches."""
        device = batch.pixels.device
        pictures = normalised(batch.pixels.flatten(0, 1), self.processor, steps.chance(self.recipe.seed, step, device))
        with torch.autocast(device.type, torch.bfloat16):
            patches = self.model.vision_model(pixel_values=pictures).last_hidden_state
            asked = self._asked(patches, batch.questions.flatten(0, 1), batch.answers.flatten(0, 1))
            compared = self._asked(_pairs(patches, batch.first), batch.pair_questions, batch.pair_answers)
            beside = self.heads(patches[:, 1:], *(labels.flatten(0, 1) for labels in (batch.parts, batch.centres, batch.colours)))
        steps.learn(asked + COMPARED * compared + PATCHES * beside, (self.model, self.heads), self.optimizers, self.pace(step))
        self.average.update(self.model, step)
        return asked.item(), compared.item(), beside.item()

    def _asked(self, patches: Tensor, questions: Tensor, answers: Tensor) -> Tensor:
        questions, answers = _trimmed(questions, self.pad), _trimmed(answers, self.pad)
        states = packed(self.model, patches, questions, self.pad)
        return answer_loss(self.model, states, questions.flatten(0, 1), answers.flatten(0, 1), self.pad)

    def stateful(self) -> dict[str, Any]:
        named = {"model": self.model, "heads": self.heads, "average": self.average.model}
        return named | {f"optimizer {i}": optimizer for i, optimizer in enumerate(self.optimizers)}

    def save(self, out: Path) -> None:
        """Write the stock folder that any BLIP loader reads, in 16 bits a weight; the heads are not part of it."""
        averaged: Any = self.average.model
        averaged.save_pretrained(out, state_dict=sight.in_halves(averaged))
        BlipProcessor(self.processor, self.tokenizer).save_pretrained(out)
        steps.write_hashes(out)


def _pairs(patches: Tensor, first: Tensor) -> Tensor:
    """The states of the picture that is compared and those of its reference, one after the other.

    patches (B * K, N, D), first (B,) -> (B, 2 * N, D).
    """
    own = patches.reshape(-1, sittings.PICTURES, *patches.shape[1:])
    return torch.cat([own[torch.arange(len(own), device=first.device), first], own[:, 1]], dim=1)


def _trimmed(tokens: Tensor, pad: int) -> Tensor:
    """Tokens (..., L) without the columns that are padding everywhere."""
    return tokens[..., : int((tokens != pad).sum(-1).max())]


def train(recipe: Recipe, work: Path, out: Path, start: Path | None = None) -> None:
    """Draw the sittings, train (from the weights in `start`), write `out`; what is already in `work` is not done again."""
    torch.manual_seed(recipe.seed)
    device = steps.device()
    drawn = work / f"sittings-{recipe.size}-{recipe.patch}"
    sittings.write(drawn, recipe.samples, recipe.size, recipe.patch)
    corpus = Corpus(drawn, recipe.samples)
    planned = int(recipe.epochs * len(corpus) / recipe.batch)
    model, tokenizer = started(start, recipe, corpus.texts) if start else _fresh(recipe, corpus.texts)
    corpus.tokenize(tokenizer)
    with torch.device(device):
        learner = Learner(recipe, model.to(device), tokenizer, planned)
        first = steps.resume(work / "checkpoint.pt", learner.stateful())
        weights = sum(p.numel() for p in learner.model.parameters())
        print(f"{len(corpus):,} sittings, {weights:,} parameters, steps {first} to {planned}", flush=True)
        began = time.monotonic()
        for step in range(first, planned):
            asked, compared, beside = learner.step(corpus.batch(_rows(len(corpus), step, recipe), device), step)
            if step % 50 == 0:
                speed = (step - first + 1) * recipe.batch * sittings.PICTURES / (time.monotonic() - began)
                losses = f"answers {asked:.3f}, pairs {compared:.3f}, patches {beside:.3f}"
                print(f"step {step} of {planned}: {losses}, {speed:.0f} pictures/s", flush=True)
            if (step + 1) % CHECKPOINT_EVERY == 0 or step + 1 == planned:
                steps.keep(work / "checkpoint.pt", learner.stateful(), step + 1)
                learner.save(out)


def _fresh(recipe: Recipe, texts: Sequence[str]) -> tuple[BlipForQuestionAnswering, BertTokenizer]:
    tokenizer = make_tokenizer(texts)
    return make_model(recipe, tokenizer), tokenizer


def _rows(count: int, step: int, recipe: Recipe) -> Tensor:
    """The sittings of one step."""
    return steps.rows(count, recipe.batch, step, recipe.seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    defaults = Recipe()
    for name, value in vars(defaults).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    parser.add_argument("--work", type=Path, default=Path("runs/judge-training"), help="sittings and checkpoints")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--start", type=Path, help="a folder with weights to go on from; its width and layers go before the recipe's")
    chosen = vars(parser.parse_args())
    work, out, start = chosen.pop("work"), chosen.pop("out"), chosen.pop("start")
    train(Recipe(**chosen), work, out, start)


if __name__ == "__main__":
    main()
