"""Several judges on the same questions: how far each two agree, and where they do not.

It knows their answers only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from hallascope.engine.judge_eval.ihalla import JudgeAnswer, Trial
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa


class PictureQuestion(NamedTuple):
    """One question on one picture, by its SHA-256."""

    picture: str
    question: str


@dataclass(frozen=True)
class JudgePair:
    """Two judges on the questions that both were asked."""

    one: str
    other: str
    kappa: Kappa


@dataclass(frozen=True)
class JudgeDisagreement:
    """Holds a question on which judges differ: the right answer, and what each judge said.

    None: nothing readable.
    """

    picture: str
    question: str
    right: str
    said: Mapping[str, str | None]


def pairs(trials: Sequence[Trial]) -> Iterator[JudgePair]:
    """Cohen's kappa of every two judges that share a question, over the words of their answers."""
    answers = {trial.judge: _by_question(trial) for trial in trials}
    for one, other in combinations(answers, 2):
        shared = [asked for asked in answers[one] if asked in answers[other]]
        if shared:
            labels = ([answers[judge][asked].said for asked in shared] for judge in (one, other))
            yield JudgePair(one, other, cohens_kappa(*labels))


def disagreements(trials: Sequence[Trial]) -> Iterator[JudgeDisagreement]:
    """The questions that all judges were asked and not all answered alike.

    What one left unanswered is no disagreement by itself.
    """
    answers = {trial.judge: _by_question(trial) for trial in trials}
    if len(answers) < 2:
        return
    for asked, told in next(iter(answers.values())).items():
        if all(asked in found for found in answers.values()):
            said = {judge: found[asked].said for judge, found in answers.items()}
            if len({words for words in said.values() if words is not None}) > 1:
                yield JudgeDisagreement(asked.picture, asked.question, told.right, said)


def _by_question(trial: Trial) -> dict[PictureQuestion, JudgeAnswer]:
    return {PictureQuestion(told.picture, told.question): told for told in trial.answers}
