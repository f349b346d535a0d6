"""Measures how well replies to multiple-choice questions are read, against gold replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.stats import MonteCarloMethod, fisher_exact

from hallascope.data.files.readings.gold_replies import GoldReply
from hallascope.data.records import LETTERS, Letter
from hallascope.engine.judge_eval.parsers.parser_eval import PromptShare, prompt_share

# (reply, choices, question): the letter that is read
LetterReader = Callable[[str, Sequence[str], str], Letter | None]


@dataclass(frozen=True)
class ReplyReading:
    """Holds a gold reply with the letter that was read, None where it was unreadable."""

    gold: GoldReply
    letter: Letter | None

    @property
    def is_right(self) -> bool:
        """Whether the letter is the expected one, or none is expected and none was read."""
        return self.letter == self.gold.expected

    @property
    def is_misread(self) -> bool:
        """Whether a letter was read that the reply does not name."""
        return self.letter is not None and not self.is_right


class AnswerShares(NamedTuple):
    """Holds the share read right of the replies that name each answer.

    `p_value`: of Fisher's exact test that it is the same for all, in [0, 1].
    """

    shares: Mapping[str, PromptShare]
    p_value: float


@dataclass(frozen=True)
class ReplyEvaluation:
    """Holds how gold replies were read."""

    readings: tuple[ReplyReading, ...]

    @property
    def right(self) -> PromptShare:
        """Return the share of the replies that are read right."""
        return prompt_share([(reading.is_right, 1) for reading in self.readings])

    @property
    def misread(self) -> tuple[ReplyReading, ...]:
        """Return the replies that are read as another letter than they name, or as one for none."""
        return tuple(reading for reading in self.readings if reading.is_misread)

    @property
    def unread(self) -> tuple[ReplyReading, ...]:
        """Return the replies that name a letter and were not read."""
        return tuple(
            reading for reading in self.readings if not reading.is_right and not reading.is_misread
        )

    def by_answer(self) -> tuple[AnswerShares, ...]:
        """Return the shares by expected answer: of questions of yes and no, and of all others."""
        groups: tuple[dict[str, list[tuple[int, int]]], ...] = ({}, {})
        for reading in self.readings:
            letter = reading.gold.expected
            if letter is None:
                continue
            choice = reading.gold.choices[LETTERS.index(letter)]
            is_other = choice not in ("Yes", "No")
            group = groups[is_other].setdefault(letter if is_other else choice, [])
            group.append((reading.is_right, 1))
        return tuple(_answer_shares(group) for group in groups)


def _answer_shares(groups: Mapping[str, Sequence[tuple[int, int]]]) -> AnswerShares:
    shares = {answer: prompt_share(groups[answer]) for answer in sorted(groups)}
    table = np.array([(share.part, share.whole - share.part) for share in shares.values()])
    if len(shares) < 2 or not table.any(axis=0).all():
        return AnswerShares(shares, 1.0)
    # of more than two answers by 9,999 random tables, always the same ones
    method = None if len(shares) == 2 else MonteCarloMethod(rng=0)
    return AnswerShares(shares, float(fisher_exact(table, method=method).pvalue))


def evaluate_replies(gold: Sequence[GoldReply], reader: LetterReader) -> ReplyEvaluation:
    """Compare the letters that a reader reads in replies with those that people expect."""
    return ReplyEvaluation(
        tuple(
            ReplyReading(expected, reader(expected.reply, expected.choices, expected.question))
            for expected in gold
        )
    )
