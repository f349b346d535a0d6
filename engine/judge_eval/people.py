"""Sets judges beside people on the same stored pictures: how far they agree, and their scores."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from hallascope.data.files.human_verdicts import GRADES
from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import Picture, Verdict
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.events import Evaluation
from hallascope.engine.judge_eval.answers import TrialAnswer, TrialQuestion, label_figures
from hallascope.engine.ratings import GRADE, answer_mark, answers_by_question
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import CHECK, IHALLA
from hallascope.engine.trials.records import LabelFigures
from hallascope.metrics.ihalla.plan import is_answered


class RaterAnswer(NamedTuple):
    """Holds a person's answer to a question about a model's picture, beside that of a judge."""

    model: str
    judge: str
    answer: TrialAnswer


class SourcedScore(NamedTuple):
    """Holds a score of one picture in [0, 1]: by a rater, or by a judge."""

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


_About = tuple[str, str, str]  # a picture (its SHA-256), a prompt and a question


class People:
    """Reads what people and judges said of the same pictures, as it stands in the store now."""

    def __init__(self, services: Services) -> None:
        self._ratings = [
            rating
            for rating in services.store.ratings.all()
            if rating.subject.metric in (IHALLA, GRADE, CHECK)
        ]
        self._evaluations = services.store.evaluations_of(
            {rating.subject.image for rating in self._ratings}
        )

    def counts(self) -> list[RaterActivity]:
        """Return every person, by name, with how much they said."""
        kinds: dict[str, Counter[str]] = defaultdict(Counter)
        for rating in self._ratings:
            kinds[rating.subject.rater][rating.subject.metric] += 1
        overridden = self._count_overridden()
        return [
            RaterActivity(rater, own[IHALLA], own[GRADE], own[CHECK], overridden[rater])
            for rater, own in sorted(kinds.items())
        ]

    def _count_overridden(self) -> Counter[str]:
        """Count by rater the verdicts of a judge that they checked and answer otherwise."""
        overridden = Counter[str]()
        checks = self._words_by_rater(CHECK)
        # the newest judge counts where several said something of a question
        verdicts: dict[_About, Verdict] = {}
        for _, about, verdict in self._verdicts():
            verdicts.setdefault(about, verdict)
        for about in checks.keys() & verdicts.keys():
            verdict = verdicts[about]
            for rater, words in checks[about].items():
                mark = answer_mark(verdict.question, words)
                overridden[rater] += mark not in (verdict.answer, None)
        return overridden

    def _words_by_rater(self, kind: str) -> Mapping[_About, Mapping[str, str]]:
        """Return for each question that was answered the words of each rater."""
        return answers_by_question(
            rating for rating in self._ratings if rating.subject.metric == kind
        )

    def _verdicts(self) -> Iterator[tuple[Evaluation, _About, Verdict]]:
        """Yield the verdicts of I-HallA's first trials, with what they are about, the newest first.

        Those of a judge count once a picture and prompt, in whichever run, where it answered.
        """
        counted = set()
        for evaluation in reversed(self._evaluations):
            image, prompt = evaluation.image, evaluation.report.prompt
            trial = image, prompt, _judge_name(evaluation)
            if evaluation.metric != IHALLA or evaluation.trial or trial in counted:
                continue
            if not any(map(is_answered, evaluation.report.verdicts)):
                continue
            counted.add(trial)
            for verdict in evaluation.report.verdicts:
                yield evaluation, (image, prompt, verdict.question.text), verdict

    @cached_property
    def rater_answers(self) -> list[RaterAnswer]:
        """Every answer of a person stands here beside the newest one of every judge."""
        by_question = self._words_by_rater(IHALLA)
        return [
            RaterAnswer(
                evaluation.model,
                _judge_name(evaluation),
                TrialAnswer(
                    TrialQuestion(
                        Picture(evaluation.image, Path()), verdict.question, mark, labeler=rater
                    ),
                    verdict.answer,
                ),
            )
            for evaluation, about, verdict in self._verdicts()
            for rater, words in by_question.get(about, {}).items()
            if (mark := answer_mark(verdict.question, words)) is not None
        ]

    def judges(self) -> dict[str, LabelFigures]:
        """Return how far every judge and people say the same, over the answers of all raters.

        It is by the judge's name, over the questions that both answered, as in a trial on labels.
        """
        by_judge: dict[str, list[TrialAnswer]] = defaultdict(list)
        for _, judge, answer in self.rater_answers:
            by_judge[judge] += [answer] if answer.asked.right != CANNOT_BE_TOLD else []
        return {judge: label_figures(answers) for judge, answers in sorted(by_judge.items())}

    def scores(self) -> tuple[list[SourcedScore], list[SourcedScore]]:
        """Return I-HallA's score of each picture by each rater and each judge.

        It is the share answered as a factual picture would lead to.
        """
        by_raters: dict[tuple[str, str, str], dict[str, bool]] = defaultdict(dict)
        by_judges: dict[tuple[str, str, str], dict[str, bool]] = defaultdict(dict)
        for model, judge, answer in self.rater_answers:
            asked, question = answer.asked, answer.asked.question.text
            if asked.right != CANNOT_BE_TOLD:
                own = by_raters[asked.image, model, asked.labeler]
                own[question] = not asked.fact_violated
            if answer.sees_expected is not None:
                by_judges[asked.image, model, judge][question] = answer.sees_expected
        raters, judges = (
            [SourcedScore(*about, fmean(own.values())) for about, own in scores.items()]
            for scores in (by_raters, by_judges)
        )
        return raters, judges

    def ratings(self, kind: str) -> dict[str, list[float]]:
        """Return by picture what each rater gave it: an "ihalla" score or a "grade".

        I-HallA's score is of their own answers, a grade is from 1 to 7.
        """
        by_picture: dict[str, list[float]] = defaultdict(list)
        if kind == IHALLA:
            for score in self.scores()[0]:
                by_picture[score.image].append(score.value)
        else:
            for rating in self._ratings:
                if rating.subject.metric == GRADE and rating.value in GRADES:
                    by_picture[rating.subject.image].append(float(rating.value))
        return dict(by_picture)

    def metrics(self) -> dict[str, dict[str, float]]:
        """Return each rated picture's score by metric, the mean over what was said of it.

        A metric is with its judge, where it asks one, and with its wording, where it is not ours.
        """
        values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for evaluation in self._evaluations:
            score = evaluation.report.score.value
            if score is not None:
                name = _judge_name(evaluation)
                judged_by = f", judged by {name}" if evaluation.judge else name
                values[f"{evaluation.metric}{judged_by}"][evaluation.image].append(score)
        return {
            name: {image: fmean(own) for image, own in by_picture.items()}
            for name, by_picture in sorted(values.items())
        }


def _judge_name(evaluation: Evaluation) -> str:
    """Return the judge of an evaluation, with its wording where that is not ours.

    Asked in another wording a judge is another one, whose answers are never mixed with the first.
    """
    mark = wording_mark(evaluation.report.version)
    wording = f", wording {mark}" if mark.version else ""
    return f"{evaluation.judge or ''}{wording}"
