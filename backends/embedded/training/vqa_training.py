"""Holds what all trainings of the question answerer share.

These are its texts as numbers, one pass for the questions of a picture, the loss and the course.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertTokenizer, BlipForQuestionAnswering, BlipImageProcessor, BlipProcessor

from hallascope.backends.embedded.training import loop, vision
from hallascope.backends.embedded.training.vqa_model import VqaConfig

QUESTION_TOKENS = 32
ANSWER_TOKENS = 18
QuestionAnswers = Sequence[tuple[str, str]]
"""Questions and their answers."""


# --- texts
# --------------------------------------------------------------------------------------------------


class Texts:
    """All questions and answers of a corpus, by number; number 0 is no text."""

    def __init__(self, asked: Iterable[QuestionAnswers]) -> None:
        self.texts = sorted({text for row in asked for two in row for text in two})
        self._number = {text: i for i, text in enumerate(self.texts, start=1)}

    def numbered(self, rows: Iterable[QuestionAnswers], length: int) -> Tensor:
        """Return the first `length` questions and answers of each row by number, (N, length, 2).

        Rows are filled up with none.
        """
        known = [[[self._number[text] for text in two] for two in row[:length]] for row in rows]
        return torch.tensor([row + [[0, 0]] * (length - len(row)) for row in known])

    def tokenize(self, tokenizer: BertTokenizer) -> None:
        longest = max(QUESTION_TOKENS, ANSWER_TOKENS)
        told = tokenizer(self.texts, padding="max_length", max_length=longest, truncation=True)[
            "input_ids"
        ]
        self._tokens = torch.tensor([[tokenizer.pad_token_id] * longest, *told], dtype=torch.int16)

    def tokens(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Return numbers (..., Q, 2) as tokens of questions (..., Q, L) and answers (..., Q, A).

        All is padding where nothing is asked.
        """
        both = self._tokens[numbers].long()
        return both[..., 0, :QUESTION_TOKENS], both[..., 1, :ANSWER_TOKENS]


# --- learning
# --------------------------------------------------------------------------------------------------


def packed(model: BlipForQuestionAnswering, patches: Tensor, questions: Tensor, pad: int) -> Tensor:
    """States of each question; the questions of a picture share one pass over it.

    patches (B, N, D), questions (B, Q, L) -> (B * Q, L, D).
    """
    images, count, length = questions.shape
    own = torch.kron(
        torch.eye(count), torch.ones(length, length)
    ).bool()  # each question sees its own words only
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


def answer_loss(
    model: BlipForQuestionAnswering, states: Tensor, questions: Tensor, answers: Tensor, pad: int
) -> Tensor:
    """Cross entropy of the answers' words; states (B, L, D), questions (B, L), answers (B, A).

    What is all padding counts nothing.
    """
    asked = (answers != pad).any(dim=-1)
    states = states[asked]
    questions = questions[asked]
    answers = answers[asked]
    scores = model.text_decoder(
        input_ids=answers,
        attention_mask=(answers != pad).long(),
        encoder_hidden_states=states,
        encoder_attention_mask=(questions != pad).long(),
    ).logits
    return functional.cross_entropy(
        scores[:, :-1].flatten(0, 1).float(), answers[:, 1:].flatten(), ignore_index=pad
    )


def make_optimizers(
    model: nn.Module, heads: nn.Module | None, rate: float
) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the layers, AdamW for all the rest."""
    inner = [
        p
        for name, p in model.named_parameters()
        if p.ndim == 2 and ".layer" in name and "embeddings" not in name
    ]
    chosen = {id(p) for p in inner}
    rest = [
        p
        for p in (*model.parameters(), *(heads.parameters() if heads else ()))
        if id(p) not in chosen
    ]
    return [
        torch.optim.Muon(inner, lr=rate, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate, weight_decay=0.01, betas=(0.9, 0.98)),
    ]


def normalised(
    pixels: Tensor, processor: BlipImageProcessor, chance: torch.Generator | None = None
) -> Tensor:
    """Bytes (B, H, W, 3) as the model's input (B, 3, H, W).

    By chance a little softer, noisier, brighter, as generators draw.
    """
    mean, std = (
        torch.tensor(v).view(1, 3, 1, 1) for v in (processor.image_mean, processor.image_std)
    )
    seen = vision.as_input(pixels)
    if chance is not None:
        seen = vision.varied(seen, chance)
    return (seen * vision.DEVIATION + vision.MEAN - mean) / std


@dataclass(frozen=True)
class VqaSchedule:
    """Holds the course of a training: the decay of the averaged weights, and counts in steps.

    The averaged weights are those that are saved.
    """

    decay: float
    warm: int
    checkpoint_every: int
    say_every: int


class VqaLearner:
    """Model, optimizers and averaged weights with all that a restart needs.

    `heads` are learned beside and not saved.
    """

    def __init__(
        self,
        recipe: VqaConfig,
        model: BlipForQuestionAnswering,
        tokenizer: BertTokenizer,
        manner: VqaSchedule,
        planned: int,
        *,
        heads: nn.Module | None = None,
    ) -> None:
        self.recipe = recipe
        self.model = model
        self.tokenizer = tokenizer
        self.manner = manner
        self.planned = planned
        self.heads = heads
        self.model.config.pictures = (
            2  # a picture and its reference: whoever loads the folder may show both
        )
        self.processor = BlipImageProcessor(size={"height": recipe.size, "width": recipe.size})
        self.optimizers = make_optimizers(model, heads, recipe.rate)
        self.average = loop.Average(model, manner.decay)
        self.pace = partial(loop.pace, steps=planned, warm=manner.warm, falling=0.6)

    def answers(self, patches: Tensor, questions: Tensor, answers: Tensor) -> Tensor:
        """The loss of the answers; patches (B, N, D), questions (B, Q, L), answers (B, Q, A)."""
        pad = self.tokenizer.pad_token_id
        questions = _trimmed(questions, pad)
        answers = _trimmed(answers, pad)
        states = packed(self.model, patches, questions, pad)
        return answer_loss(self.model, states, questions.flatten(0, 1), answers.flatten(0, 1), pad)

    def learn(self, loss: Tensor, step: int) -> None:
        models = (self.model, self.heads) if self.heads else (self.model,)
        loop.learn(loss, models, self.optimizers, self.pace(step))
        self.average.update(self.model, step)

    def course(self, checkpoint: Path, out: Path, at: Callable[[int], Any], pictures: int) -> None:
        """`steps.course` to the last step, with `out` written at each checkpoint."""
        print(loop.weights(self.model), flush=True)
        every = self.manner.checkpoint_every
        said = self.manner.say_every
        named = self._stateful()
        loop.course(
            checkpoint,
            named,
            self.planned,
            at,
            lambda _: self.save(out),
            pictures=pictures,
            keep_every=every,
            say_every=said,
        )

    def _stateful(self) -> dict[str, Any]:
        named = {"model": self.model, "average": self.average.model} | (
            {"heads": self.heads} if self.heads else {}
        )
        return named | {f"optimizer {i}": optimizer for i, optimizer in enumerate(self.optimizers)}

    def save(self, out: Path) -> None:
        """Write the stock folder that any BLIP loader reads, in 16 bits a weight.

        The heads are not part of it.
        """
        averaged: Any = self.average.model
        averaged.save_pretrained(out, state_dict=vision.in_halves(averaged))
        BlipProcessor(self.processor, self.tokenizer).save_pretrained(out)
        loop.write_hashes(out)


def _trimmed(tokens: Tensor, pad: int) -> Tensor:
    """Tokens (..., L) without the columns that are padding everywhere."""
    return tokens[..., : int((tokens != pad).sum(-1).max())]
