"""Measures how well prompts are read and names matched, against gold readings and gold names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from hallascope.data.files.readings.gold_names import GoldNamePair
from hallascope.data.prompt_reading import GoldReading, PromptReading
from hallascope.data.requests import Failure
from hallascope.metrics.reading.comparison import (
    ELEMENT_KINDS,
    ElementKind,
    ReadingComparison,
    compare_reading,
)
from hallascope.metrics.reading.confidence import System, is_sure, of_system
from hallascope.metrics.statistics.intervals import Interval, mean_interval

Reader = Callable[[str], PromptReading]
NameJudge = Callable[[str, str], bool]


class PromptShare(NamedTuple):
    """Holds `part` of `whole`, with the 95 % interval by prompt or pair; None under two of them."""

    part: int
    whole: int
    interval: Interval | None

    @property
    def value(self) -> float | None:
        """Return the share in [0, 1]; None of nothing."""
        return self.part / self.whole if self.whole else None


class CurvePoint(NamedTuple):
    """Holds a share of the prompts, the surest ones, and how many of them are read right.

    `confidence` is the least among them; `coverage` and it are in [0, 1].
    """

    coverage: float
    confidence: float
    right: PromptShare


class ElementScores(NamedTuple):
    """Holds how much of what was read is right, and how much of what is asked for was read."""

    precision: PromptShare
    recall: PromptShare


@dataclass(frozen=True)
class ParserEvaluation:
    """Holds how well a reader of prompts did on gold readings.

    `recognized`: of the prompts that the reader cannot be asked to read, those for which it says
    so, and no others' readings are withheld. They are in no other figure.
    """

    comparisons: tuple[ReadingComparison, ...]
    recognized: PromptShare
    withheld: tuple[str, ...]

    def elements(self) -> Mapping[ElementKind, ElementScores]:
        """Return precision and recall of every kind of element."""
        scores = {}
        for kind in ELEMENT_KINDS:
            counts = [comparison.counts[kind] for comparison in self.comparisons]
            scores[kind] = ElementScores(
                precision=prompt_share([(count.both, count.read) for count in counts]),
                recall=prompt_share([(count.both, count.gold) for count in counts]),
            )
        return scores

    def right(self, system: System, natural: bool = False) -> PromptShare:
        """Return the share of prompts in which all elements of a system are read right.

        `natural`: only of prompts that people wrote as sentences.
        """
        return prompt_share(
            [
                (comparison.right(system), 1)
                for comparison in self.comparisons
                if comparison.gold.natural or not natural
            ]
        )

    def right_by_stratum(self, system: System) -> Mapping[str, PromptShare]:
        """Return the same for the prompts of each file."""
        return {stratum: self.of_stratum(stratum).right(system) for stratum in self.strata}

    def of_stratum(self, stratum: str) -> "ParserEvaluation":
        """Return the evaluation of the prompts of one file."""
        comparisons = (each for each in self.comparisons if each.gold.stratum == stratum)
        return replace(self, comparisons=tuple(comparisons))

    @property
    def strata(self) -> list[str]:
        """The names of the files, sorted."""
        return sorted({comparison.gold.stratum for comparison in self.comparisons})

    def scored(self, system: System) -> PromptShare:
        """Return the share of prompts whose readings a system scores without a person."""
        return prompt_share(
            [(is_sure(comparison.reading, system), 1) for comparison in self.comparisons]
        )

    def right_where(self, system: System, *, scored: bool) -> PromptShare:
        """Return the share read right of the prompts that a system scores, or of the others."""
        return prompt_share(
            [
                (comparison.right(system), 1)
                for comparison in self.comparisons
                if is_sure(comparison.reading, system) is scored
            ]
        )

    def curve(self, system: System) -> tuple[CurvePoint, ...]:
        """Return how many are read right of those that the rules are surest of, by tenths."""
        ranked = sorted(
            self.comparisons,
            key=lambda comparison: -of_system(comparison.reading, system),
        )
        points = []
        for tenth in range(1, 11):
            kept = ranked[: round(len(ranked) * tenth / 10)]
            if kept:
                confidence = of_system(kept[-1].reading, system)
                right = prompt_share([(comparison.right(system), 1) for comparison in kept])
                points.append(CurvePoint(len(kept) / len(ranked), confidence, right))
        return tuple(points)


def evaluate_reader(
    gold: Sequence[GoldReading], reader: Reader, languages: frozenset[str] = frozenset({"en"})
) -> ParserEvaluation:
    """Compare what a reader reads with gold readings.

    `languages`: those that it is made for; prompts in others, and prompts that nobody can read, it
    must recognize as unreadable.
    """
    comparisons: list[ReadingComparison] = []
    recognized: list[tuple[bool, int]] = []
    withheld: list[str] = []
    for expected in gold:
        reading = reader(expected.prompt)
        if expected.unreadable or expected.language not in languages:
            recognized.append((bool(reading.unreadable), 1))
            continue
        if reading.unreadable:
            withheld.append(expected.prompt)
        comparisons.append(compare_reading(expected, reading))
    return ParserEvaluation(tuple(comparisons), prompt_share(recognized), tuple(withheld))


def evaluate_parser(
    gold: Sequence[GoldReading], parsed: Mapping[str, PromptReading | Failure]
) -> ParserEvaluation:
    """Compare what a model reads with gold readings.

    `parsed`: by prompt, its reading or why there is none. A prompt in another language must be
    recognized by a model that does not read it, and be read by any other.
    """
    readings = {
        prompt: PromptReading(prompt=prompt, unreadable=result.message, source="model")
        if isinstance(result, Failure)
        else result
        for prompt, result in parsed.items()
    }
    read_languages = {
        expected.language for expected in gold if readings[expected.prompt].translation
    }
    return evaluate_reader(gold, readings.__getitem__, frozenset({"en"} | read_languages))


@dataclass(frozen=True)
class NameEvaluation:
    """Holds how well a rule did on gold names: the share judged as people do, and the mistakes."""

    share: PromptShare
    mistakes: tuple[GoldNamePair, ...]


def evaluate_names(gold: Sequence[GoldNamePair], judge: NameJudge) -> NameEvaluation:
    """Compare what a rule says of two names, expected and observed, with what a person says."""
    mistakes = tuple(pair for pair in gold if judge(pair.expected, pair.observed) is not pair.same)
    return NameEvaluation(prompt_share([(pair not in mistakes, 1) for pair in gold]), mistakes)


def prompt_share(parts: Sequence[tuple[int, int]]) -> PromptShare:
    """Return the share of all parts in all wholes; one pair is of one prompt or name."""
    counted = [(part, whole) for part, whole in parts if whole]
    interval = mean_interval([part for part, _ in counted], [whole for _, whole in counted])
    return PromptShare(
        sum(part for part, _ in counted), sum(whole for _, whole in counted), interval
    )
