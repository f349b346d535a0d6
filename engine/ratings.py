"""Keeps people's verdicts on stored pictures: what to rate, ratings, and tables out and in.

It shows them to nobody.

They are kept beside every score (`hallascope.engine.storage.ratings`) and change none.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope.data.files import human_verdicts as verdicts
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.human_verdicts import GRADES, PersonVerdict
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, MARKS, LabelMark, clean_labeler_name
from hallascope.data.files.sheets import Complaint
from hallascope.data.records import LETTERS, Letter, Picture, Question
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.services import Services
from hallascope.engine.storage.ratings import Rating, RatingSubject
from hallascope.engine.storage.store import RunRecord

IHALLA, GRADE, CHECK = (
    "ihalla",
    "grade",
    "check",
)  # under which metric of a rating answers, grades, and checks of a judge are kept
QUESTION = "question: "
_INSTANT = 1e-5  # seconds by which a time may differ after it was written and read
RUNS = 50  # so many of the newest runs are looked through for pictures


class Rateable(NamedTuple):
    """A stored picture with the questions of its prompt.

    `id` names the run and the place in it, and says neither prompt nor model.
    """

    id: str
    picture: Picture
    prompt: str
    model: str
    questions: tuple[Question, ...]


# --- what there is to rate
# --------------------------------------------------------------------------------------------------


def rateable(services: Services, run: str | None, rater: str) -> list[Rateable]:
    """Return the pictures of a run in the rater's own order, which mixes models and resumes.

    Run None: the pictures of the newest runs.

    Raises UnknownRun.
    """
    records = [services.store.run(run)] if run else services.runs(RUNS)
    found: dict[tuple[str, str], Rateable] = {}
    for record in records:
        for one in _rateable_pictures(services, record):
            known = found.setdefault((one.picture.sha256, one.prompt), one)
            if (
                one.questions and not known.questions
            ):  # a newer run may have looked at it by a metric that asks none
                found[one.picture.sha256, one.prompt] = one
    return sorted(
        found.values(),
        key=lambda one: sha256(f"{rater} {one.picture.sha256} {one.prompt}".encode()).hexdigest(),
    )


def named_by(services: Services, name: str) -> Rateable:
    """The picture of that id.

    Raises UnknownRun, or BadRequest where the run has no such picture.
    """
    run = name.partition(":")[0]
    found = next(
        (one for one in _rateable_pictures(services, services.store.run(run)) if one.id == name),
        None,
    )
    if found is None:
        raise BadRequest("This picture is no longer there: start anew.")
    return found


def _rateable_pictures(services: Services, record: RunRecord) -> Iterator[Rateable]:
    for shot in services.store.shots(record.id):
        if shot.picture:
            name = f"{record.id}:{shot.generation}"
            yield Rateable(name, shot.picture, record.request.prompt, shot.model, record.questions)


def rater_named(said: str | None) -> str:
    """The name as it is kept. Raises BadRequest where there is none."""
    if not (said or "").strip():
        raise BadRequest(
            "Nobody is named: type your name first, so that what you say is kept as yours."
        )
    return clean_labeler_name(said or "")


# --- what a rater says
# --------------------------------------------------------------------------------------------------


def answers(
    services: Services, items: Sequence[Rateable], who: str, checking: bool = False
) -> list[list[LabelMark | None]]:
    """What the rater answered so far, a list of marks an item.

    `checking`: with a judge's answers in sight, which is kept apart.
    """
    kind = CHECK if checking else IHALLA
    said = {rating.about: rating.value for rating in services.store.ratings.all(kind, who)}
    return [
        [
            mark(question, said.get(_of_question(item, question, who, kind)))
            for question in item.questions
        ]
        for item in items
    ]


def grades(services: Services, items: Sequence[Rateable], who: str) -> list[list[str | None]]:
    """The grades the rater gave so far, one an item, in a list of its own."""
    said = {rating.about: rating.value for rating in services.store.ratings.all(GRADE, who)}
    return [[said.get(_of_grade(item, who))] for item in items]


def answer(
    services: Services, item: Rateable, marks: Sequence[object], who: str, checking: bool = False
) -> None:
    """Keep the answers to a picture's questions, None where there is none yet.

    Raises BadRequest where one is no mark.
    """
    if len(marks) != len(item.questions) or not all(
        mark is None or mark in MARKS for mark in marks
    ):
        raise BadRequest(
            "These are no answers to the questions of this picture: open the page anew."
        )
    kind = CHECK if checking else IHALLA
    pairs = zip(item.questions, marks, strict=True)
    said = {
        _of_question(item, question, who, kind): _words(question, mark)
        for question, mark in pairs
        if mark in MARKS
    }
    services.store.ratings.say(said)


def grade(services: Services, item: Rateable, marks: Sequence[object], who: str) -> None:
    """Keep a grade from 1 to 7, or that it cannot be told. Raises BadRequest where it is none."""
    if len(marks) != 1 or marks[0] not in (*GRADES, CANNOT_BE_TOLD):
        raise BadRequest("This is no grade from 1 to 7: open the page anew.")
    services.store.ratings.say({_of_grade(item, who): str(marks[0])})


def judge_answers(services: Services, items: Sequence[Rateable]) -> dict[str, list[Letter | None]]:
    """Return by id the last asked judge's answers to a picture's questions, None without one."""
    asked = {(item.picture.sha256, item.prompt): item for item in items}
    found = {}
    for said in services.store.evaluations_of(item.picture.sha256 for item in items):
        item = asked.get((said.image, said.report.prompt))
        verdicts = {verdict.question.text: verdict.answer for verdict in said.report.verdicts}
        if (
            item
            and said.metric == IHALLA
            and all(question.text in verdicts for question in item.questions)
        ):
            found[item.id] = [verdicts[question.text] for question in item.questions]
    return found


def _of_question(item: Rateable, question: Question, who: str, kind: str) -> RatingSubject:
    return RatingSubject(item.picture.sha256, kind, item.prompt, f"{QUESTION}{question.text}", who)


def _of_grade(item: Rateable, who: str) -> RatingSubject:
    return RatingSubject(item.picture.sha256, GRADE, item.prompt, "", who)


def _words(question: Question, mark: object) -> str:
    """Words, so that the answer stays what it is where the choices are put in another order."""
    return question.choices[LETTERS.index(mark)] if mark in LETTERS else CANNOT_BE_TOLD


def mark(question: Question, said: str | None) -> LabelMark | None:
    """The mark of what was said; None where nothing was, or what is no choice any more."""
    if said == CANNOT_BE_TOLD:
        return CANNOT_BE_TOLD
    return LETTERS[question.choices.index(said)] if said in question.choices else None


# --- as a table
# --------------------------------------------------------------------------------------------------


def export(services: Services) -> str:
    """All that people said, as CSV."""
    return verdicts.table(map(plain, services.store.ratings.all()))


def take_in(services: Services, path: Path) -> tuple[int, list[Complaint]]:
    """Keep the verdicts of a table that are newer than what is there.

    Gives how many, and what was wrong. Raises BadRequest.
    """
    try:
        found, complaints = verdicts.read_verdicts(path)
    except BadTable as error:
        raise BadRequest(sentence(error)) from error
    return (
        services.store.ratings.take(
            (Rating(_rating_subject(one), one.value, one.when) for one in found), _INSTANT
        ),
        complaints,
    )


def plain(rating: Rating) -> PersonVerdict:
    """A rating as a row of the table."""
    about = rating.about
    if about.metric == GRADE:
        return PersonVerdict(
            image=about.image,
            prompt=about.prompt,
            kind="grade",
            about="",
            rater=about.rater,
            value=rating.value,
            when=rating.created,
        )
    if about.metric == IHALLA and about.finding.startswith(QUESTION):
        question = about.finding.removeprefix(QUESTION)
        return PersonVerdict(
            image=about.image,
            prompt=about.prompt,
            kind="question",
            about=question,
            rater=about.rater,
            value=rating.value,
            when=rating.created,
        )
    return PersonVerdict(
        image=about.image,
        prompt=about.prompt,
        kind="finding",
        about=about.finding,
        rater=about.rater,
        value=rating.value,
        when=rating.created,
        metric=about.metric,
    )


def _rating_subject(one: PersonVerdict) -> RatingSubject:
    match one.kind:
        case "grade":
            return RatingSubject(one.image, GRADE, one.prompt, "", one.rater)
        case "question":
            return RatingSubject(one.image, IHALLA, one.prompt, f"{QUESTION}{one.about}", one.rater)
        case "finding":
            return RatingSubject(one.image, one.metric, one.prompt, one.about, one.rater)
