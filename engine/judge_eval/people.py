"""Judges beside people on the same stored pictures: how far they agree, and the scores of each.

It asks nobody and keeps nothing.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hallascope.data.files.human_verdicts import GRADES
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, LabelMark
from hallascope.data.records import Letter, Question
from hallascope.engine.events import Evaluation
from hallascope.engine.judge_eval.labelled import LabelAgreement, LabeledAnswer, agreement
from hallascope.engine.ratings import CHECK, GRADE, IHALLA, QUESTION, mark
from hallascope.engine.services import Services
from hallascope.engine.storage.ratings import Rating
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa


class RaterAnswer(NamedTuple):
    """A rater's answer to a question about a picture, beside a judge's.

    None: nothing readable.
    """

    image: str
    model: str
    rater: str
    judge: str
    question: Question
    mark: LabelMark
    letter: Letter | None


@dataclass(frozen=True)
class JudgeRaterAgreement:
    """Holds how often a judge and people say the same, and Cohen's kappa over all raters.

    It is over the questions that both answered.
    """

    judge: str
    same: LabelAgreement
    kappa: Kappa


class SourcedScore(NamedTuple):
    """A score of one picture in [0, 1]: by a rater, or by a judge."""

    image: str
    model: str
    by: str
    value: float


@dataclass(frozen=True)
class RaterActivity:
    """Holds what one person said: answers, grades, and checked and overridden verdicts.

    The verdicts are those of a judge.
    """

    rater: str
    questions: int
    grades: int
    checked: int
    overridden: int


class People:
    """What people and judges said of the same pictures, as it stands in the store now."""

    def __init__(self, services: Services) -> None:
        self._ratings = [
            one
            for one in services.store.ratings.all()
            if one.about.metric in (IHALLA, GRADE, CHECK)
        ]
        self._said = services.store.evaluations_of({one.about.image for one in self._ratings})

    def counts(self) -> list[RaterActivity]:
        """Every person, by name, with how much they said."""
        verdicts = {
            (said.image, said.report.prompt, verdict.question.text): verdict
            for said in _first(self._said)
            for verdict in said.report.verdicts
        }
        overridden: dict[str, int] = defaultdict(int)
        for about, by in _answers_by_picture(self._ratings, CHECK).items():
            for who, words in by.items():
                verdict = verdicts.get(about)
                overridden[who] += verdict is not None and mark(verdict.question, words) not in (
                    verdict.answer,
                    None,
                )
        by_person: dict[str, list[str]] = defaultdict(list)
        for one in self._ratings:
            by_person[one.about.rater].append(one.about.metric)
        return [
            RaterActivity(
                who, said.count(IHALLA), said.count(GRADE), said.count(CHECK), overridden[who]
            )
            for who, said in sorted(by_person.items())
        ]

    @cached_property
    def rater_answers(self) -> list[RaterAnswer]:
        """Every answer of a person beside the first one of every judge."""
        by_picture = _answers_by_picture(self._ratings, IHALLA)
        return [
            RaterAnswer(
                image=said.image,
                model=said.model,
                rater=who,
                judge=said.judge or "",
                question=verdict.question,
                mark=told,
                letter=verdict.answer,
            )
            for said in _first(self._said)
            for verdict in said.report.verdicts
            for who, words in by_picture.get(
                (said.image, said.report.prompt, verdict.question.text), {}
            ).items()
            if (told := mark(verdict.question, words)) is not None
        ]

    def judges(self) -> dict[str, JudgeRaterAgreement]:
        """Every judge of pictures that people answered questions about, by name."""
        found = {}
        for judge in sorted({one.judge for one in self.rater_answers}):
            rows = [
                one
                for one in self.rater_answers
                if one.judge == judge and one.mark != CANNOT_BE_TOLD
            ]
            told = [
                LabeledAnswer(one.image, one.question.coi, one.question.gold, one.mark, one.letter)
                for one in rows
            ]
            found[judge] = JudgeRaterAgreement(
                judge,
                agreement(told),
                cohens_kappa([one.mark for one in rows], [one.letter for one in rows]),
            )
        return found

    def scores(self) -> tuple[list[SourcedScore], list[SourcedScore]]:
        """Return I-HallA's score of each picture by each rater and each judge.

        It is the share answered as a factual picture would lead to.
        """
        people = _answer_scores(
            {
                (h.image, h.model, h.rater, h.question.text): h.mark == h.question.gold
                for h in self.rater_answers
                if h.mark != "?"
            }
        )
        judged = _answer_scores(
            {
                (h.image, h.model, h.judge, h.question.text): h.letter == h.question.gold
                for h in self.rater_answers
                if h.letter
            }
        )
        return people, judged

    def ratings(self, kind: str) -> dict[str, list[float]]:
        """Return by picture what each rater gave it: an "ihalla" score or a "grade".

        I-HallA's score is of their own answers, a grade is from 1 to 7.
        """
        found: dict[str, list[float]] = defaultdict(list)
        if kind == IHALLA:
            for one in self.scores()[0]:
                found[one.image].append(one.value)
        else:
            for rating in self._ratings:
                if rating.about.metric == GRADE and rating.value in GRADES:
                    found[rating.about.image].append(float(rating.value))
        return dict(found)

    def metrics(self) -> dict[str, dict[str, float]]:
        """Return each rated picture's score by metric, the mean over what was said of it.

        A metric is with its judge, where it asks one.
        """
        values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for said in self._said:
            if said.report.score.value is not None:
                name = f"{said.metric}, judged by {said.judge}" if said.judge else said.metric
                values[name][said.image].append(said.report.score.value)
        return {
            name: {image: sum(some) / len(some) for image, some in by.items()}
            for name, by in sorted(values.items())
        }


def _answers_by_picture(
    ratings: Sequence[Rating], kind: str
) -> Mapping[tuple[str, str, str], dict[str, str]]:
    """By picture, prompt and question: by rater, the words."""
    found: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for one in ratings:
        if one.about.metric == kind and one.about.finding.startswith(QUESTION):
            question = one.about.finding.removeprefix(QUESTION)
            found[one.about.image, one.about.prompt, question][one.about.rater] = one.value
    return found


def _first(said: Sequence[Evaluation]) -> Iterator[Evaluation]:
    """The first trial of each judge by I-HallA, once a picture and prompt, whatever the runs."""
    met = set()
    for one in said:
        about = one.image, one.report.prompt, one.judge
        if one.metric == IHALLA and one.trial == 0 and about not in met:
            met.add(about)
            yield one


def _answer_scores(right: Mapping[tuple[str, str, str, str], bool]) -> list[SourcedScore]:
    by: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for (image, model, who, _), is_right in right.items():
        by[image, model, who].append(is_right)
    return [SourcedScore(*about, sum(some) / len(some)) for about, some in by.items()]
