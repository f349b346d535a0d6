"""Holds true answers to questions about images, and counts where a judge is wrong.

It is for people who look at results: no model is ever given a true answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hallascope.data.records import CoI, Letter, Question, Verdict

TruthSource = Literal["drawn", "reference", "label", "people"]
JudgeOutcome = Literal["right", "found", "missed", "false alarm"]


@dataclass(frozen=True)
class TrueAnswer:
    """Holds what an image really shows of one question.

    `letter` names the choice that is right, None where no choice is. `text` is the answer in words,
    also where only "None of the above" is right. `source` says how it is known: the simulated model
    drew it so, it is Primer's reference drawing, a labeled set says it, or people answered it.
    """

    letter: Letter | None
    text: str
    source: TruthSource

    @property
    def is_drawn(self) -> bool:
        """Return whether it follows from a drawing, not from what a person sees."""
        return self.source in ("drawn", "reference")


TrueAnswers = tuple[TrueAnswer | None, ...]


@dataclass(frozen=True)
class UnaskedError:
    """Holds a fact that an image violates and that no question of a report asks for.

    `question` is the one that would ask for it, `shown` what the image shows, `expected` what it
    should show, `coi` its composition of interest, and `parts` names the parts of the drawing that
    it is about.
    """

    question: str
    shown: str
    expected: str
    coi: CoI
    parts: tuple[str, ...]


def is_judge_wrong(verdict: Verdict, truth: TrueAnswer | None) -> bool | None:
    """Return whether the judge's answer is not the true one.

    None where the truth is not known, or the judge gave no answer that can be read.
    """
    if truth is None or verdict.answer is None:
        return None
    return verdict.answer != truth.letter


def is_violated(question: Question, truth: TrueAnswer | None) -> bool | None:
    """Return whether the image does not show the expected answer; None where that is not known."""
    return None if truth is None else truth.letter != question.gold


def judge_outcome(verdict: Verdict, truth: TrueAnswer | None) -> JudgeOutcome | None:
    """Return what the judge makes of a fact whose truth is known, as `fact_outcome` has it.

    None where the truth is not known, or the judge gave no answer that can be read.
    """
    violated = is_violated(verdict.question, truth)
    if violated is None or verdict.answer is None:
        return None
    return fact_outcome(violated, verdict.answer == verdict.question.gold)


def fact_outcome(violated: bool, accepted: bool) -> JudgeOutcome:
    """Return what a judge makes of a fact that an image violates, or not, and it accepts, or not.

    "right": it accepts a fact that holds. "found": it flags a violated fact, be it with the true
    answer or another. "missed": it accepts a violated fact. "false alarm": it flags a fact that
    holds.
    """
    if violated:
        return "missed" if accepted else "found"
    return "right" if accepted else "false alarm"


@dataclass(frozen=True)
class JudgeErrors:
    """Counts the `wrong` ones among the answers of a judge whose truth is `known`."""

    wrong: int = 0
    known: int = 0

    def __add__(self, other: "JudgeErrors") -> "JudgeErrors":
        return JudgeErrors(self.wrong + other.wrong, self.known + other.known)

    @property
    def sentence(self) -> str:
        """Return the counts as a sentence; "" where no truth is known."""
        if not self.known:
            return ""
        if self.known == 1:
            word = "wrong" if self.wrong else "right"
            return f"The judge is {word} on the one answer that can be checked."
        return f"The judge is wrong on {self.wrong} of {self.known} answers that can be checked."


def count_errors(verdicts: Sequence[Verdict], truths: Iterable[TrueAnswer | None]) -> JudgeErrors:
    """Count the errors among verdicts; `truths` are theirs, in the same order."""
    pairs = zip(verdicts, truths, strict=True)
    known = [wrong for pair in pairs if (wrong := is_judge_wrong(*pair)) is not None]
    return JudgeErrors(sum(known), len(known))
