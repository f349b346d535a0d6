"""Sets judges beside people on the same stored pictures: how far they agree, and their scores."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hallascope.data.files.human_verdicts import GRADES
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, LabelMark
from hallascope.data.records import Letter, Question, Verdict
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.events import Evaluation
from hallascope.engine.judge_eval.labelled import LabeledAnswer, label_figures
from hallascope.engine.judge_eval.records import LabelFigures
from hallascope.engine.ratings import CHECK, GRADE, answer_mark
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, Rating


class RaterAnswer(NamedTuple):
    """Holds a rater's answer (`mark`) to a question about a picture, beside a judge's (`letter`).

    `letter` is None where nothing was readable.
    """

    image: str
    model: str
    rater: str
    judge: str
    question: Question
    mark: LabelMark
    letter: Letter | None


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


class QuestionKey(NamedTuple):
    """Names a question about a picture (its SHA-256) that was made for a prompt."""

    image: str
    prompt: str
    question: str


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
        checks = _words_by_rater(self._ratings, CHECK)
        # the last judge counts where several said something of a question
        verdicts = {about: verdict for _, about, verdict in self._verdicts()}
        for about, by_rater in checks.items():
            if about not in verdicts:
                continue
            verdict = verdicts[about]
            for rater, words in by_rater.items():
                overridden[rater] += answer_mark(verdict.question, words) not in (
                    verdict.answer,
                    None,
                )
        return overridden

    def _verdicts(self) -> Iterator[tuple[Evaluation, QuestionKey, Verdict]]:
        """Yield the verdicts of I-HallA's first trials, with what they are about.

        Those of a judge count once a picture and prompt, in whichever run.
        """
        counted = set()
        for evaluation in self._evaluations:
            trial = evaluation.image, evaluation.report.prompt, _judge_name(evaluation)
            if evaluation.metric != IHALLA or evaluation.trial or trial in counted:
                continue
            counted.add(trial)
            for verdict in evaluation.report.verdicts:
                question = verdict.question.text
                about = QuestionKey(evaluation.image, evaluation.report.prompt, question)
                yield evaluation, about, verdict

    @cached_property
    def rater_answers(self) -> list[RaterAnswer]:
        """Every answer of a person stands here beside the first one of every judge."""
        by_question = _words_by_rater(self._ratings, IHALLA)
        return [
            RaterAnswer(
                image=evaluation.image,
                model=evaluation.model,
                rater=rater,
                judge=_judge_name(evaluation),
                question=verdict.question,
                mark=rater_mark,
                letter=verdict.answer,
            )
            for evaluation, about, verdict in self._verdicts()
            for rater, words in by_question.get(about, {}).items()
            if (rater_mark := answer_mark(verdict.question, words)) is not None
        ]

    def judges(self) -> dict[str, LabelFigures]:
        """Return how far every judge and people say the same, over the answers of all raters.

        It is by the judge's name, over the questions that both answered, as in a trial on labels.
        """
        by_judge: dict[str, list[RaterAnswer]] = {a.judge: [] for a in self.rater_answers}
        for answer in self.rater_answers:
            if answer.mark != CANNOT_BE_TOLD:
                by_judge[answer.judge].append(answer)
        return {
            judge: label_figures(
                [
                    LabeledAnswer(a.image, a.question.coi, a.question.gold, a.mark, a.letter)
                    for a in answers
                ]
            )
            for judge, answers in sorted(by_judge.items())
        }

    def scores(self) -> tuple[list[SourcedScore], list[SourcedScore]]:
        """Return I-HallA's score of each picture by each rater and each judge.

        It is the share answered as a factual picture would lead to.
        """
        by_raters = _answer_scores(
            {
                (a.image, a.model, a.rater, a.question.text): a.mark == a.question.gold
                for a in self.rater_answers
                if a.mark != CANNOT_BE_TOLD
            }
        )
        by_judges = _answer_scores(
            {
                (a.image, a.model, a.judge, a.question.text): a.letter == a.question.gold
                for a in self.rater_answers
                if a.letter
            }
        )
        return by_raters, by_judges

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
            name: {image: sum(own) / len(own) for image, own in by_picture.items()}
            for name, by_picture in sorted(values.items())
        }


def _judge_name(evaluation: Evaluation) -> str:
    """Return the judge of an evaluation, with its wording where that is not ours.

    Asked in another wording a judge is another one, whose answers are never mixed with the first.
    """
    mark = wording_mark(evaluation.report.version)
    wording = f", wording {mark}" if mark.version else ""
    return f"{evaluation.judge or ''}{wording}"


def _words_by_rater(
    ratings: Sequence[Rating], kind: str
) -> Mapping[QuestionKey, Mapping[str, str]]:
    """Return for each question that was answered the words of each rater."""
    answers: dict[QuestionKey, dict[str, str]] = defaultdict(dict)
    for rating in ratings:
        about = rating.subject
        if about.metric == kind and about.finding.startswith(QUESTION):
            question = about.finding.removeprefix(QUESTION)
            answers[QuestionKey(about.image, about.prompt, question)][about.rater] = rating.value
    return answers


def _answer_scores(is_right: Mapping[tuple[str, str, str, str], bool]) -> list[SourcedScore]:
    """Return the share of right answers by picture, model and who answered."""
    by_source: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for (image, model, source, _), right in is_right.items():
        by_source[image, model, source].append(right)
    return [SourcedScore(*about, sum(own) / len(own)) for about, own in by_source.items()]
