"""Measures how well replies to multiple-choice questions are read, against gold replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hallascope.data.files.readings.gold_replies import GoldReply
from hallascope.data.records import Letter
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

    def right_by_habit(self) -> Mapping[str, PromptShare]:
        """Return the share read right of each kind of reply, in the order of the first of each."""
        shares = {}
        for habit in dict.fromkeys(reading.gold.habit for reading in self.readings):
            shares[habit] = prompt_share(
                [(reading.is_right, 1) for reading in self.readings if reading.gold.habit == habit]
            )
        return shares


def evaluate_replies(gold: Sequence[GoldReply], reader: LetterReader) -> ReplyEvaluation:
    """Compare the letters that a reader reads in replies with those that people expect."""
    return ReplyEvaluation(
        tuple(
            ReplyReading(expected, reader(expected.reply, expected.choices, expected.question))
            for expected in gold
        )
    )
