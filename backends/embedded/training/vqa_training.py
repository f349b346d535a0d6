"""Holds what all trainings of the question answerer share.

These are its texts as numbers, one pass for the questions of a picture, the loss and the course.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

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
Batch = TypeVar("Batch")


# --- texts ---


class VqaCorpus(ABC, Generic[Batch]):
    """Holds all questions and answers of a corpus by number; number 0 is no text."""

    def __init__(self, rows: Iterable[QuestionAnswers]) -> None:
        self.texts = sorted({text for row in rows for pair in row for text in pair})
        self._number = {text: i for i, text in enumerate(self.texts, start=1)}

    @abstractmethod
    def __len__(self) -> int:
        """Return how many samples there are."""

    @abstractmethod
    def batch(self, rows: Tensor, device: str) -> Batch:
        """Return the samples of these rows."""

    def as_numbers(self, rows: Iterable[QuestionAnswers], length: int) -> Tensor:
        """Return the first `length` questions and answers of each row by number, (N, length, 2).

        Rows are filled up with none.
        """
        numbers = [[[self._number[text] for text in pair] for pair in row[:length]] for row in rows]
        return torch.tensor([row + [[0, 0]] * (length - len(row)) for row in numbers])

    def tokenize(self, tokenizer: BertTokenizer) -> None:
        """Make the tokens of all texts, which `tokens` needs."""
        longest = max(QUESTION_TOKENS, ANSWER_TOKENS)
        ids = tokenizer(self.texts, padding="max_length", max_length=longest, truncation=True)[
            "input_ids"
        ]
        self._tokens = torch.tensor([[tokenizer.pad_token_id] * longest, *ids], dtype=torch.int16)

    def tokens(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Return numbers (..., Q, 2) as tokens of questions (..., Q, L) and answers (..., Q, A).

        All is padding where nothing is asked.
        """
        both = self._tokens[numbers].long()
        return both[..., 0, :QUESTION_TOKENS], both[..., 1, :ANSWER_TOKENS]


# --- losses ---


def encode_questions(
    model: BlipForQuestionAnswering, patches: Tensor, questions: Tensor, pad: int
) -> Tensor:
    """Return the states of each question; the questions of a picture share one pass over it.

    patches (B, N, D), questions (B, Q, L) -> (B * Q, L, D).
    """
    images, count, length = questions.shape
    # Each question attends to its own words only.
    own = torch.kron(torch.eye(count), torch.ones(length, length)).bool()
    attended = own & (questions != pad).reshape(images, 1, 1, count * length)
    mask = torch.zeros(attended.shape).masked_fill(~attended, -1e4)
    positions = torch.arange(length).repeat(count)[None].expand(images, -1)
    states: Tensor = model.text_encoder(
        input_ids=questions.reshape(images, -1),
        attention_mask=mask,
        position_ids=positions,
        encoder_hidden_states=patches,
        encoder_attention_mask=torch.ones(patches.shape[:2], dtype=torch.long),
    ).last_hidden_state
    return states.reshape(images * count, length, -1)


def answer_loss(
    model: BlipForQuestionAnswering, states: Tensor, questions: Tensor, answers: Tensor, pad: int
) -> Tensor:
    """Compute the cross entropy of the answers' words.

    States (B, L, D), questions (B, L), answers (B, A). What is all padding counts nothing.
    """
    is_asked = (answers != pad).any(dim=-1)
    answers = answers[is_asked]
    scores = model.text_decoder(
        input_ids=answers,
        attention_mask=(answers != pad).long(),
        encoder_hidden_states=states[is_asked],
        encoder_attention_mask=(questions[is_asked] != pad).long(),
    ).logits
    return functional.cross_entropy(
        scores[:, :-1].flatten(0, 1).float(), answers[:, 1:].flatten(), ignore_index=pad
    )


def is_inner_matrix(name: str, parameter: nn.Parameter) -> bool:
    """Return whether a parameter is a matrix inside a layer."""
    return parameter.ndim == 2 and ".layer" in name and "embeddings" not in name


# --- training ---


class VqaTrainer:
    """Trains a question answerer; `heads` are learned beside it and not saved."""

    def __init__(
        self,
        config: VqaConfig,
        model: BlipForQuestionAnswering,
        tokenizer: BertTokenizer,
        *,
        heads: nn.Module | None = None,
    ) -> None:
        self.config = config
        self.model = model
        self.tokenizer = tokenizer
        self.heads = heads
        # A picture and its reference: whoever loads the folder may show both.
        self.model.config.pictures = 2
        self.processor = BlipImageProcessor(size={"height": config.size, "width": config.size})

    def inputs(self, pixels: Tensor, generator: torch.Generator) -> Tensor:
        """Return bytes (B, H, W, 3) as the model's input (B, 3, H, W), randomly varied.

        They are a little softer, noisier or brighter, as generators draw.
        """
        mean, std = (
            torch.tensor(v).view(1, 3, 1, 1)
            for v in (self.processor.image_mean, self.processor.image_std)
        )
        varied = vision.augment(vision.as_input(pixels), generator)
        return (varied * vision.DEVIATION + vision.MEAN - mean) / std

    def answer_loss(self, patches: Tensor, questions: Tensor, answers: Tensor) -> Tensor:
        """Compute the loss of the answers.

        Patches (B, N, D), questions (B, Q, L), answers (B, Q, A).
        """
        pad = self.tokenizer.pad_token_id
        questions = trim(questions, pad)
        answers = trim(answers, pad)
        states = encode_questions(self.model, patches, questions, pad)
        return answer_loss(self.model, states, questions.flatten(0, 1), answers.flatten(0, 1), pad)

    def train(
        self,
        corpus: VqaCorpus[Batch],
        losses: Callable[[Batch, torch.Generator], tuple[Tensor, loop.Losses]],
        schedule: loop.TrainingSchedule,
        *,
        pictures: int,
        work: Path,
        out: Path,
    ) -> None:
        """Learn from a corpus, with `out` written at each checkpoint.

        `pictures` are those of one sample. What is already in `work` is not done again.
        """
        config = self.config
        device = str(loop.best_device())
        optimizers = loop.make_optimizers(
            [self.model] if self.heads is None else [self.model, self.heads],
            is_inner_matrix,
            rate=config.rate,
            inner_decay=0.05,
            decay=0.01,
            fused=None,
        )
        trainer = loop.Trainer(
            self.model,
            optimizers,
            schedule,
            steps=int(config.epochs * len(corpus) / config.batch),
            pictures=config.batch * pictures,
            heads=self.heads,
        )

        def losses_at(step: int) -> tuple[Tensor, loop.Losses]:
            rows = loop.batch_rows(len(corpus), config.batch, step, config.seed)
            batch = corpus.batch(rows, device)
            return losses(batch, loop.step_generator(config.seed, step, device))

        def save(done: int) -> None:
            averaged: Any = trainer.average.model
            loop.save_model(averaged, BlipProcessor(self.processor, self.tokenizer), out)

        print(loop.describe_size(self.model), flush=True)
        trainer.run(work / "checkpoint.pt", losses_at, save)


def trim(tokens: Tensor, pad: int) -> Tensor:
    """Return tokens (..., L) without the columns that are padding everywhere."""
    return tokens[..., : int((tokens != pad).sum(-1).max())]
