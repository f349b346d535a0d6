"""Keeps people's verdicts on stored pictures: what to rate, ratings, and tables out and in.

They are kept beside every score (`hallascope.engine.storage.people.ratings`) and change none.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope.data.concepts import FactualPrompt
from hallascope.data.files import human_verdicts as verdicts
from hallascope.data.files.human_verdicts import GRADES, PersonVerdict, VerdictKind
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, LabelMark, clean_labeler_name
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.data.records import LETTERS, Letter, Picture, Question
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import (
    CHECK,
    IHALLA,
    QUESTION,
    SEEN,
    Rating,
    RatingSubject,
)
from hallascope.engine.storage.store import RunRecord

GRADE = "grade"  # the metric of a grade
MAX_RUNS_SEARCHED = 50  # the newest runs that are searched for pictures
_LEEWAY = 1e-5  # seconds by which a time may differ after it was written and read


class Rateable(NamedTuple):
    """Holds a stored picture with the questions of its prompt.

    `factual` is the prompt with its concepts, where it was judged by them. `id` names the run and
    the place in it, and says neither prompt nor model.
    """

    id: str
    picture: Picture
    prompt: str
    model: str
    questions: tuple[Question, ...]
    factual: FactualPrompt | None = None


# --- what there is to rate ---


def _has_questions(item: Rateable) -> bool:
    return bool(item.questions)


def rateable_pictures(
    services: Services,
    run: str | None,
    rater: str,
    is_preferred: Callable[[Rateable], bool] = _has_questions,
) -> list[Rateable]:
    """Return the pictures of a run in the rater's own order, which mixes models and resumes.

    Where `run` is None, they are the pictures of the newest runs; of several runs with a picture
    the newest one that `is_preferred` counts. Raises UnknownRun.
    """
    records = [services.store.run(run)] if run else services.store.runs(MAX_RUNS_SEARCHED)
    items: dict[tuple[str, str], Rateable] = {}
    for record in records:
        for item in _pictures_of_run(services, record):
            known = items.setdefault((item.picture.sha256, item.prompt), item)
            # a newer run may have judged it by a metric that asks no questions
            if is_preferred(item) and not is_preferred(known):
                items[item.picture.sha256, item.prompt] = item

    def order(item: Rateable) -> str:
        return sha256(f"{rater} {item.picture.sha256} {item.prompt}".encode()).hexdigest()

    return sorted(items.values(), key=order)


def find_rateable(services: Services, name: str) -> Rateable:
    """Return the picture of that id.

    Raises UnknownRun, or BadRequest where the run has no such picture.
    """
    run = name.partition(":")[0]
    for item in _pictures_of_run(services, services.store.run(run)):
        if item.id == name:
            return item
    raise BadRequest("This image is no longer there: start again.")


def _pictures_of_run(services: Services, record: RunRecord) -> Iterator[Rateable]:
    for generated in services.store.generated_pictures(record.id):
        if generated.picture:
            yield Rateable(
                id=f"{record.id}:{generated.generation}",
                picture=generated.picture,
                prompt=record.request.prompt,
                model=generated.model,
                questions=record.questions,
                factual=record.request.factual,
            )


def clean_rater_name(name: str | None) -> str:
    """Return the name as it is kept. Raises BadRequest where there is none."""
    if not (name or "").strip():
        raise BadRequest(
            "No name is given: type your name first, so that your labels are saved under it."
        )
    return clean_labeler_name(name or "")


# --- answers and grades ---


class RatedQuestion(NamedTuple):
    """Holds a question to raters: the finding of its ratings, and what is kept by mark."""

    finding: str
    kept: Mapping[str, str]


class RatingKind(NamedTuple):
    """Names a kind of rating by its metric, and says what raters are asked about a picture.

    `refusal` says what marks that are none of their questions are not.
    """

    metric: str
    questions: Callable[[Rateable], Sequence[RatedQuestion]]
    refusal: str = "These are no answers to the questions of this image"

    def subjects(self, item: Rateable, rater: str) -> list[RatingSubject]:
        """Return what a rater speaks of, question by question."""
        return [
            RatingSubject(item.picture.sha256, self.metric, item.prompt, question.finding, rater)
            for question in self.questions(item)
        ]


def _answered_questions(item: Rateable) -> list[RatedQuestion]:
    """Return the judge's questions.

    Answers are kept in words, so that they stay what they are where choices change their order.
    """
    return [
        RatedQuestion(
            f"{QUESTION}{question.text}",
            {
                **dict(zip(LETTERS, question.choices, strict=False)),
                CANNOT_BE_TOLD: CANNOT_BE_TOLD,
            },
        )
        for question in item.questions
    ]


def rated_by_marks(finding: str, marks: Iterable[str]) -> RatedQuestion:
    """Return a question of which the mark is kept, also that it cannot be told."""
    return RatedQuestion(finding, {mark: mark for mark in (*marks, CANNOT_BE_TOLD)})


ANSWERS = RatingKind(IHALLA, _answered_questions)
CHECKS = RatingKind(CHECK, _answered_questions)  # with a judge's answers in sight
GRADED = RatingKind(
    GRADE, lambda item: [rated_by_marks("", GRADES)], "This is no grade from 1 to 7"
)


def read_marks(
    services: Services, items: Sequence[Rateable], rater: str, kind: RatingKind = ANSWERS
) -> list[list[str | None]]:
    """Return the marks that the rater gave so far, a list for each item."""
    ratings = services.store.ratings.all(kind.metric, rater)
    values = {rating.subject: rating.value for rating in ratings}
    return [
        [
            next((mark for mark, kept in question.kept.items() if kept == values.get(about)), None)
            for question, about in zip(
                kind.questions(item), kind.subjects(item, rater), strict=True
            )
        ]
        for item in items
    ]


def keep_marks(
    services: Services,
    item: Rateable,
    marks: Sequence[object],
    rater: str,
    kind: RatingKind = ANSWERS,
) -> None:
    """Keep the marks of a picture, one a question, None where there is none yet.

    Raises BadRequest where one is no mark of its question.
    """
    known = [list(question.kept) for question in kind.questions(item)]
    if len(marks) != len(known) or not all(
        mark is None or mark in own for mark, own in zip(marks, known, strict=True)
    ):
        raise BadRequest(f"{kind.refusal}: reload the page.")
    services.store.ratings.keep_values(
        {
            about: question.kept[str(mark)]
            for question, about, mark in zip(
                kind.questions(item), kind.subjects(item, rater), marks, strict=True
            )
            if mark is not None
        }
    )


def remove_mark(
    services: Services, item: Rateable, question: int, rater: str, kind: RatingKind = ANSWERS
) -> None:
    """Take back a mark by the place of its question, from 0 on. Raises BadRequest.

    Of a check no answer stays, but since when the judge's answers were in sight.
    """
    subjects = kind.subjects(item, rater)
    if not 0 <= question < len(subjects):
        raise BadRequest(
            f"This image has {len(subjects)} questions, and none at {question}: reload the page."
        )
    about = subjects[question]
    store = services.store.ratings
    checks = store.all(CHECK, rater, [about.image]) if kind.metric == CHECK else []
    seen = [replace(each, metric=SEEN, value=SEEN) for each in checks if each.subject == about]
    store.keep_all(seen)
    store.remove(about)


def judge_answers(services: Services, items: Sequence[Rateable]) -> dict[str, list[Letter | None]]:
    """Return by id the last judge's answers to a picture's questions, None without one."""
    by_picture = {(item.picture.sha256, item.prompt): item for item in items}
    letters = {}
    for evaluation in services.store.evaluations_of(item.picture.sha256 for item in items):
        item = by_picture.get((evaluation.image, evaluation.report.prompt))
        if item is None or evaluation.metric != IHALLA:
            continue
        by_question = {
            verdict.question.text: verdict.answer for verdict in evaluation.report.verdicts
        }
        if all(question.text in by_question for question in item.questions):
            letters[item.id] = [by_question[question.text] for question in item.questions]
    return letters


def answer_mark(question: Question, text: str | None) -> LabelMark | None:
    """Return the mark of an answer in words, None without one or where the choice is gone."""
    if text == CANNOT_BE_TOLD:
        return CANNOT_BE_TOLD
    return LETTERS[question.choices.index(text)] if text in question.choices else None


def answers_by_question(
    ratings: Iterable[Rating],
) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return for each question about an image and a prompt the words of each rater."""
    answers: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for rating in ratings:
        about = rating.subject
        if about.finding.startswith(QUESTION):
            question = about.finding.removeprefix(QUESTION)
            answers[about.image, about.prompt, question][about.rater] = rating.value
    return dict(answers)


# --- as a table ---


def export_table(services: Services) -> str:
    """Return all ratings as CSV."""
    return verdicts.table(person_verdict(rating) for rating in services.store.ratings.all())


def import_table(services: Services, path: Path) -> tuple[int, list[Complaint]]:
    """Keep the verdicts of a table that are newer than the stored ones.

    Return how many, and what was wrong. Raises BadRequest.
    """
    with refuse(BadTable):
        rows, complaints = verdicts.read_verdicts(path)
    ratings = [
        Rating(**vars(_rating_subject(row)), value=row.value, created=row.when) for row in rows
    ]
    return services.store.ratings.keep_newer(ratings, _LEEWAY), complaints


def person_verdict(rating: Rating) -> PersonVerdict:
    """Return a rating as a row of the table."""
    kind: VerdictKind = "finding"
    about = rating.finding
    if rating.metric == GRADE:
        kind = "grade"
        about = ""
    elif rating.metric == IHALLA and rating.finding.startswith(QUESTION):
        kind = "question"
        about = rating.finding.removeprefix(QUESTION)
    return PersonVerdict(
        image=rating.image,
        prompt=rating.prompt,
        kind=kind,
        about=about,
        rater=rating.rater,
        value=rating.value,
        when=rating.created,
        metric=rating.metric if kind == "finding" else "",
    )


def _rating_subject(row: PersonVerdict) -> RatingSubject:
    match row.kind:
        case "grade":
            return RatingSubject(row.image, GRADE, row.prompt, "", row.rater)
        case "question":
            return RatingSubject(row.image, IHALLA, row.prompt, f"{QUESTION}{row.about}", row.rater)
        case "finding":
            return RatingSubject(row.image, row.metric, row.prompt, row.about, row.rater)
