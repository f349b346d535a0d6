"""Compares several judges on the same questions: how far each two agree, and where they do not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from hallascope.engine.trials.records import JudgeAnswer, Trial
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa


@dataclass(frozen=True)
class JudgePair:
    """Holds how far two judges agree on the questions that both were asked."""

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
    """Yield Cohen's kappa of every two judges that share a question.

    It is over the words of their answers.
    """
    answers = {trial.judge: _by_question(trial) for trial in trials}
    for judge, other in combinations(answers, 2):
        shared = [question for question in answers[judge] if question in answers[other]]
        if shared:
            own = [answers[judge][question].said for question in shared]
            others = [answers[other][question].said for question in shared]
            yield JudgePair(judge, other, cohens_kappa(own, others))


def disagreements(trials: Sequence[Trial]) -> Iterator[JudgeDisagreement]:
    """Yield the questions that all judges were asked and not all answered alike.

    What one left unanswered is no disagreement by itself.
    """
    by_judge = {trial.judge: _by_question(trial) for trial in trials}
    if len(by_judge) < 2:
        return
    for question, answer in next(iter(by_judge.values())).items():
        if not all(question in answers for answers in by_judge.values()):
            continue
        words = {judge: answers[question].said for judge, answers in by_judge.items()}
        if len(set(words.values()) - {None}) > 1:
            yield JudgeDisagreement(*question, answer.right, words)


def _by_question(trial: Trial) -> dict[tuple[str, str], JudgeAnswer]:
    return {(answer.picture, answer.question): answer for answer in trial.answers}
