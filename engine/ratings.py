"""Keeps people's verdicts on stored pictures: what to rate, ratings, and tables out and in.

They are kept beside every score (`hallascope.engine.storage.people.ratings`) and change none.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope.data.concepts import FactualPrompt
from hallascope.data.files import human_verdicts as verdicts
from hallascope.data.files.human_verdicts import GRADES, PersonVerdict, VerdictKind
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, MARKS, LabelMark, clean_labeler_name
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.data.records import LETTERS, Letter, Picture, Question
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, Rating, RatingSubject
from hallascope.engine.storage.store import RunRecord

# the metric of a rating: beside answers, grades and checks of a judge are kept under these
GRADE = "grade"
CHECK = "check"
RUNS = 50  # the newest runs that are searched for pictures
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
    records = [services.store.run(run)] if run else services.runs(RUNS)
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


def answers(
    services: Services, items: Sequence[Rateable], rater: str, checking: bool = False
) -> list[list[LabelMark | None]]:
    """Return what the rater answered so far, a list of marks an item.

    `checking`: with a judge's answers in sight, which is kept apart.
    """
    kind = CHECK if checking else IHALLA
    values = _values_of(services, kind, rater)
    return [
        [
            answer_mark(question, values.get(_question_subject(item, question, rater, kind)))
            for question in item.questions
        ]
        for item in items
    ]


def grades(services: Services, items: Sequence[Rateable], rater: str) -> list[list[str | None]]:
    """Return the grades the rater gave so far, one an item, in a list of its own."""
    values = _values_of(services, GRADE, rater)
    return [[values.get(_grade_subject(item, rater))] for item in items]


def _values_of(services: Services, kind: str, rater: str) -> dict[RatingSubject, str]:
    ratings = services.store.ratings.all(kind, rater)
    return {rating.subject: rating.value for rating in ratings}


def keep_answers(
    services: Services, item: Rateable, marks: Sequence[object], rater: str, checking: bool = False
) -> None:
    """Keep the answers to a picture's questions, None where there is none yet.

    Raises BadRequest where one is no mark.
    """
    are_marks = all(mark is None or mark in MARKS for mark in marks)
    if len(marks) != len(item.questions) or not are_marks:
        raise BadRequest("These are no answers to the questions of this image: reload the page.")
    kind = CHECK if checking else IHALLA
    services.store.ratings.keep_values(
        {
            _question_subject(item, question, rater, kind): _mark_text(question, mark)
            for question, mark in zip(item.questions, marks, strict=True)
            if mark is not None
        }
    )


def remove_answers(services: Services, item: Rateable, rater: str) -> None:
    """Remove a rater's answers to a picture's questions, those with a judge's in sight excepted."""
    for question in item.questions:
        services.store.ratings.remove(_question_subject(item, question, rater, IHALLA))


def keep_grade(services: Services, item: Rateable, marks: Sequence[object], rater: str) -> None:
    """Keep a grade from 1 to 7, or that it cannot be told. Raises BadRequest where it is none."""
    if len(marks) != 1 or marks[0] not in (*GRADES, CANNOT_BE_TOLD):
        raise BadRequest("This is no grade from 1 to 7: reload the page.")
    services.store.ratings.keep_values({_grade_subject(item, rater): str(marks[0])})


def remove_mark(
    services: Services, item: Rateable, question: int, rater: str, kind: str = IHALLA
) -> None:
    """Take back what the rater said: the answer to a question, by its place from 0 on, or a grade.

    `kind` is IHALLA, CHECK or GRADE. Raises BadRequest where there is no such question.
    """
    if kind == GRADE:
        services.store.ratings.remove(_grade_subject(item, rater))
        return
    if not 0 <= question < len(item.questions):
        raise BadRequest(
            f"This image has {len(item.questions)} questions, and none at {question}: open the page"
            " anew."
        )
    services.store.ratings.remove(_question_subject(item, item.questions[question], rater, kind))


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


def _question_subject(item: Rateable, question: Question, rater: str, kind: str) -> RatingSubject:
    finding = f"{QUESTION}{question.text}"
    return RatingSubject(item.picture.sha256, kind, item.prompt, finding, rater)


def _grade_subject(item: Rateable, rater: str) -> RatingSubject:
    return RatingSubject(item.picture.sha256, GRADE, item.prompt, "", rater)


def _mark_text(question: Question, mark: object) -> str:
    """Return a mark in words, so that it stays what it is where the choices change their order."""
    return question.choices[LETTERS.index(mark)] if mark in LETTERS else CANNOT_BE_TOLD


def answer_mark(question: Question, text: str | None) -> LabelMark | None:
    """Return the mark of an answer in words, None without one or where the choice is gone."""
    if text == CANNOT_BE_TOLD:
        return CANNOT_BE_TOLD
    return LETTERS[question.choices.index(text)] if text in question.choices else None


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
    ratings = [Rating(_rating_subject(row), row.value, row.when) for row in rows]
    return services.store.ratings.keep_newer(ratings, _LEEWAY), complaints


def person_verdict(rating: Rating) -> PersonVerdict:
    """Return a rating as a row of the table."""
    subject = rating.subject
    kind: VerdictKind = "finding"
    about = subject.finding
    if subject.metric == GRADE:
        kind = "grade"
        about = ""
    elif subject.metric == IHALLA and subject.finding.startswith(QUESTION):
        kind = "question"
        about = subject.finding.removeprefix(QUESTION)
    return PersonVerdict(
        image=subject.image,
        prompt=subject.prompt,
        kind=kind,
        about=about,
        rater=subject.rater,
        value=rating.value,
        when=rating.created,
        metric=subject.metric if kind == "finding" else "",
    )


def _rating_subject(row: PersonVerdict) -> RatingSubject:
    match row.kind:
        case "grade":
            return RatingSubject(row.image, GRADE, row.prompt, "", row.rater)
        case "question":
            return RatingSubject(row.image, IHALLA, row.prompt, f"{QUESTION}{row.about}", row.rater)
        case "finding":
            return RatingSubject(row.image, row.metric, row.prompt, row.about, row.rater)
