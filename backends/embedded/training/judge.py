"""Trains the embedded judge, a small BLIP question answerer, from nothing but Primer drawings.

``python -m backends.embedded.training.judge`` draws the samples, trains with checkpoints (the same command
goes on where it was stopped) and writes a stock ``BlipForQuestionAnswering`` folder. Beside the answers it is
taught, patch by patch, which part it looks at and where parts have their centres: counting and placing are
learned far faster that way. Those heads are dropped in the end.
"""

import argparse
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertTokenizer, BlipConfig, BlipForQuestionAnswering, BlipImageProcessor, BlipProcessor

from backends.embedded.training import samples
from data.primer.drawing import PALETTE

OUT = Path(__file__).parents[1] / "judge"
QUESTION_TOKENS, ANSWER_TOKENS = 32, 14
CHECKPOINT_EVERY = 250  # steps
PAD, UNKNOWN, START, END, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"


@dataclass(frozen=True)
class Recipe:
    """All that decides the result."""

    size: int = 96
    patch: int = 8
    width: int = 192
    vision_layers: int = 6
    text_layers: int = 2
    samples: int = 52_000
    epochs: float = 2.4
    batch: int = 32
    rate: float = 1.5e-3
    seed: int = 0


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text.lower())


def make_tokenizer(texts: list[str], folder: Path) -> BertTokenizer:
    """A WordPiece tokenizer of all words in `texts`, with single characters for any other word."""
    found = sorted({w for text in texts for w in words(text)})
    characters = "abcdefghijklmnopqrstuvwxyz0123456789.,?!'()-/&:"
    vocabulary = list(dict.fromkeys([PAD, UNKNOWN, START, END, MASK, *found, *characters, *("##" + c for c in characters)]))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "vocab.txt"
    file.write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    return BertTokenizer.from_pretrained(str(folder), do_lower_case=True)


def make_model(recipe: Recipe, tokenizer: BertTokenizer) -> BlipForQuestionAnswering:
    shared = {"hidden_size": recipe.width, "intermediate_size": recipe.width * 4, "num_attention_heads": recipe.width // 32}
    text = {
        **shared,
        "vocab_size": len(tokenizer),
        "encoder_hidden_size": recipe.width,
        "num_hidden_layers": recipe.text_layers,
        "max_position_embeddings": 64,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
        "sep_token_id": tokenizer.sep_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "projection_dim": recipe.width,
    }
    vision = {
        **shared,
        "num_hidden_layers": recipe.vision_layers,
        "image_size": recipe.size,
        "patch_size": recipe.patch,
        "projection_dim": recipe.width,
    }
    return BlipForQuestionAnswering(BlipConfig(text_config=text, vision_config=vision, projection_dim=recipe.width))


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
    """Pixels (B, H, W, 3) as bytes, labels of each patch (B, N), questions (B, Q, L) and answers (B, Q, A) as token numbers."""

    pixels: Tensor
    parts: Tensor
    centres: Tensor
    colours: Tensor
    questions: Tensor
    answers: Tensor


class Corpus:
    """All samples in memory, the texts as token numbers."""

    def __init__(self, folder: Path, tokenizer_folder: Path) -> None:
        shards = list(samples.read_shards(folder))
        self.pixels = torch.from_numpy(np.concatenate([s[0] for s in shards]))
        self.parts, self.centres, self.colours = (
            torch.from_numpy(np.concatenate([s[i] for s in shards]).reshape(len(self.pixels), -1)) for i in (1, 2, 3)
        )
        pairs = [p for s in shards for p in s[4]]
        texts = sorted({text for row in pairs for pair in row for text in pair})
        self.tokenizer = make_tokenizer(texts, tokenizer_folder)
        number = {text: i for i, text in enumerate(texts)}
        longest = max(QUESTION_TOKENS, ANSWER_TOKENS)
        self.tokens = torch.tensor(
            self.tokenizer(texts, padding="max_length", max_length=longest, truncation=True)["input_ids"], dtype=torch.int16
        )
        self.pairs = torch.tensor([[(number[q], number[a]) for q, a in row] for row in _filled(pairs)], dtype=torch.int32)

    def __len__(self) -> int:
        return len(self.pixels)

    def batch(self, rows: Tensor, device: str) -> Batch:
        tokens = self.tokens[self.pairs[rows].long()].long()
        patches = (labels[rows].long() for labels in (self.parts, self.centres, self.colours))
        questions, answers = tokens[:, :, 0, :QUESTION_TOKENS], tokens[:, :, 1, :ANSWER_TOKENS]
        return Batch(*(tensor.to(device) for tensor in (self.pixels[rows], *patches, questions, answers)))


def _filled(pairs: Sequence[Sequence[tuple[str, str]]]) -> list[list[tuple[str, str]]]:
    """Every row with the same number of questions: short ones repeat their first."""
    return [[*row, *[row[0]] * (samples.QUESTIONS - len(row))] for row in pairs]


def packed(model: BlipForQuestionAnswering, pixels: Tensor, questions: Tensor, pad: int) -> tuple[Tensor, Tensor]:
    """States of each patch and of each question; the questions of a picture share one pass over it.

    pixels (B, 3, H, W), questions (B, Q, L) -> patches (B, 1 + N, D), questions (B * Q, L, D).
    """
    images, count, length = questions.shape
    patches = model.vision_model(pixel_values=pixels).last_hidden_state
    own = torch.kron(torch.eye(count), torch.ones(length, length)).bool()  # each question sees its own words only
    seen = own & (questions != pad).reshape(images, 1, 1, count * length)
    mask = torch.zeros(seen.shape).masked_fill(~seen, -1e4)
    places = torch.arange(length).repeat(count)[None].expand(images, -1)
    states = model.text_encoder(
        input_ids=questions.reshape(images, -1),
        attention_mask=mask,
        position_ids=places,
        encoder_hidden_states=patches,
        encoder_attention_mask=torch.ones(patches.shape[:2], dtype=torch.long),
    ).last_hidden_state
    return patches, states.reshape(images * count, length, -1)


def answer_loss(model: BlipForQuestionAnswering, states: Tensor, questions: Tensor, answers: Tensor, pad: int) -> Tensor:
    """Cross entropy of the answers' words; states (B, L, D), questions (B, L), answers (B, A)."""
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


def _pace(step: int, steps: int, warm: int = 300) -> float:
    """The share of the rate at a step: up in a straight line, then level, then down over the last 60 %."""
    return min((step + 1) / warm, 1.0, 0.01 + (steps - step) / (0.6 * steps))


def normalised(pixels: Tensor, processor: BlipImageProcessor) -> Tensor:
    """Bytes (B, H, W, 3) as the model's input (B, 3, H, W)."""
    mean, std = (torch.tensor(v).view(1, 3, 1, 1) for v in (processor.image_mean, processor.image_std))
    return (pixels.permute(0, 3, 1, 2).float() / 255 - mean) / std


class Learner:
    """Model, heads and optimizers with all that a restart needs."""

    def __init__(self, recipe: Recipe, tokenizer: BertTokenizer, steps: int) -> None:
        self.model = make_model(recipe, tokenizer)
        self.heads = Heads(recipe.width, len(samples.part_numbers()) + 1)
        self.tokenizer, self.pad = tokenizer, tokenizer.pad_token_id
        self.processor = BlipImageProcessor(size={"height": recipe.size, "width": recipe.size})
        self.optimizers = make_optimizers(self.model, self.heads, recipe.rate)
        self.schedules = [torch.optim.lr_scheduler.LambdaLR(o, partial(_pace, steps=steps)) for o in self.optimizers]

    def step(self, batch: Batch) -> tuple[float, float]:
        """Learn from one batch; returns the losses of the answers and of the patches."""
        questions, answers = (_trimmed(tokens, self.pad) for tokens in (batch.questions, batch.answers))
        with torch.autocast(batch.pixels.device.type, torch.bfloat16):
            patches, states = packed(self.model, normalised(batch.pixels, self.processor), questions, self.pad)
            asked = answer_loss(self.model, states, questions.flatten(0, 1), answers.flatten(0, 1), self.pad)
            beside = self.heads(patches[:, 1:], batch.parts, batch.centres, batch.colours)
        (asked + 0.4 * beside).backward()
        nn.utils.clip_grad_norm_([*self.model.parameters(), *self.heads.parameters()], 1.0)
        for optimizer, schedule in zip(self.optimizers, self.schedules, strict=True):
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
        return asked.item(), beside.item()

    def _stateful(self) -> dict[str, Any]:
        named = {"model": self.model, "heads": self.heads}
        return (
            named
            | {f"optimizer {i}": o for i, o in enumerate(self.optimizers)}
            | {f"schedule {i}": s for i, s in enumerate(self.schedules)}
        )

    def keep(self, file: Path, step: int) -> None:
        """Write a checkpoint whole or not at all."""
        half = file.with_suffix(".part")
        torch.save({name: it.state_dict() for name, it in self._stateful().items()} | {"step": step}, half)
        half.replace(file)

    def resume(self, file: Path) -> int:
        """The step to go on from: 0 where there is no checkpoint."""
        if not file.exists():
            return 0
        saved = torch.load(file, weights_only=True)
        for name, it in self._stateful().items():
            it.load_state_dict(saved[name])
        return int(saved["step"])

    def save(self, out: Path) -> None:
        """Write the stock folder that any BLIP loader reads, in 16 bits a weight; the heads are not part of it."""
        halves = {name: weights.half() if weights.is_floating_point() else weights for name, weights in self.model.state_dict().items()}
        self.model.save_pretrained(out, state_dict=halves)
        BlipProcessor(self.processor, self.tokenizer).save_pretrained(out)


def _trimmed(tokens: Tensor, pad: int) -> Tensor:
    """Tokens (..., L) without the columns that are padding everywhere."""
    return tokens[..., : int((tokens != pad).sum(-1).max())]


def train(recipe: Recipe, work: Path, out: Path) -> None:
    """Draw the samples, train, write `out`; what is already in `work` is not done again."""
    torch.manual_seed(recipe.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    shards = work / f"samples-{recipe.size}-{recipe.patch}"
    samples.write_shards(shards, recipe.samples, recipe.size, recipe.patch)
    corpus = Corpus(shards, out)
    steps = int(recipe.epochs * len(corpus) / recipe.batch)
    with torch.device(device):
        learner = Learner(recipe, corpus.tokenizer, steps)
        first = learner.resume(work / "checkpoint.pt")
        print(
            f"{len(corpus):,} samples, {sum(p.numel() for p in learner.model.parameters()):,} parameters, steps {first} to {steps}",
            flush=True,
        )
        began = time.monotonic()
        for step in range(first, steps):
            asked, beside = learner.step(corpus.batch(_rows(len(corpus), step, recipe), device))
            if step % 50 == 0:
                speed = (step - first + 1) * recipe.batch / (time.monotonic() - began)
                print(f"step {step} of {steps}: answers {asked:.3f}, patches {beside:.3f}, {speed:.0f} images/s", flush=True)
            if (step + 1) % CHECKPOINT_EVERY == 0 or step + 1 == steps:
                learner.keep(work / "checkpoint.pt", step + 1)
                learner.save(out)


def _rows(count: int, step: int, recipe: Recipe) -> Tensor:
    """The samples of one step: every epoch in an order of its own, the same after a restart."""
    per_epoch = count // recipe.batch
    epoch, at = divmod(step, per_epoch)
    order = np.random.default_rng((recipe.seed, epoch)).permutation(count)
    return torch.from_numpy(order[at * recipe.batch : (at + 1) * recipe.batch])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    defaults = Recipe()
    for name, value in vars(defaults).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    parser.add_argument("--work", type=Path, default=Path("runs/judge-training"), help="samples and checkpoints")
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = vars(parser.parse_args())
    work, out = chosen.pop("work"), chosen.pop("out")
    train(Recipe(**chosen), work, out)


if __name__ == "__main__":
    main()
