"""Asks people what T2I-FactualBench asks its judge, and gives their ratings as a table.

Concept factuality and composition factuality are rated from 0 to 4, task completeness is 0 or 1,
each as the judge is asked (paper, sections 4.2 to 4.4). Beside them people name the worst error, by
the four types of the paper (section 5.4).
"""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.csv_text import escape_formula
from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.engine.errors import BadRequest
from hallascope.engine.ratings import Rateable
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import RatingSubject

FORM = "factualbench-form"  # the metric that ratings by the form are kept under
CONCEPT = "concept"
TASK = "task"
COMPOSITION = "composition"
ERROR = "error"
RATED = (CONCEPT, TASK, COMPOSITION)  # the dimensions that have numbers
NO_ERROR = "no error"
ERROR_TYPES = {
    NO_ERROR: "no error",
    "concept error": "concept error: details are lost, or a similar concept is shown instead",
    "task failure": "task failure: the action, attribute or scene is not done",
    "realism error": "realism error: the whole is implausible, or parts are pasted together",
    "feature mixture error": "feature mixture error: features of several concepts are mixed",
}
COLUMNS = ("item", "model", "prompt", "dimension", "rater", "value")
_FACTUALITY = {
    "0": "0: it is not there, or nothing of it is right",
    "1": "1: little of it is right",
    "2": "2: about half of it is right",
    "3": "3: most of it is right",
    "4": "4: all of it is right: shape, color, texture and details",
}
_TASK = {"0": "0: no, or a concept is missing", "1": "1: yes"}
_COMPOSITION = {
    "0": "0: the concepts form no image at all",
    "1": "1: little of it is right",
    "2": "2: about half of it is right",
    "3": "3: most of it is right",
    "4": "4: seamless, complete, plausible, and as the prompt says",
}


@dataclass(frozen=True)
class FormQuestion:
    """Holds a question of the form; `choices` are their words by the mark that is kept."""

    finding: str
    text: str
    choices: dict[str, str]

    @property
    def dimension(self) -> str:
        """Return what is rated: "concept", "task", "composition" or "error"."""
        return self.finding.partition(":")[0]


@dataclass(frozen=True, kw_only=True)
class FormSummary:
    """Holds what people say of a model's images by the form.

    `concept` and `composition` are means from 0 to 4, `task` one from 0 to 1, None where nobody
    rated it; `errors` counts the errors that were named.
    """

    model: str
    images: int
    concept: float | None
    task: float | None
    composition: float | None
    errors: Counter[str]


def form_questions(factual: FactualPrompt) -> tuple[FormQuestion, ...]:
    """Return the questions about an image of a prompt, as its level has them (paper, 4.1)."""
    questions = [
        FormQuestion(
            f"{CONCEPT}: {concept.name}",
            f"How factual is the {concept.name}"
            f"{', held against its reference image' if concept.reference else ''}?",
            _FACTUALITY,
        )
        for concept in factual.concepts
    ]
    if factual.task_text:
        questions.append(FormQuestion(TASK, f"Is the task done? {factual.task_text}", _TASK))
    if factual.level == "MKCC":
        text = "How well do the concepts come together in one image?"
        questions.append(FormQuestion(COMPOSITION, text, _COMPOSITION))
    questions.append(FormQuestion(ERROR, "Which error is the worst?", ERROR_TYPES))
    return tuple(questions)


def form_answers(
    services: Services, items: Sequence[Rateable], rater: str
) -> list[list[str | None]]:
    """Return the marks that the rater gave so far, a list for each image."""
    ratings = services.store.ratings.all(FORM, rater)
    values = {rating.subject: rating.value for rating in ratings}
    return [
        [values.get(_subject(item, question, rater)) for question in _questions(item)]
        for item in items
    ]


def keep_form(services: Services, item: Rateable, marks: Sequence[object], rater: str) -> None:
    """Keep the marks of an image, None where there is none yet.

    Raises BadRequest where one is no mark of its question.
    """
    questions = _questions(item)
    if len(marks) != len(questions) or not all(map(_is_mark, questions, marks)):
        raise BadRequest("These are no answers to the questions of this image: reload the page.")
    services.store.ratings.keep_values(
        {
            _subject(item, question, rater): str(mark)
            for question, mark in zip(questions, marks, strict=True)
            if mark is not None
        }
    )


def remove_form_mark(services: Services, item: Rateable, question: int, rater: str) -> None:
    """Take back a mark by the place of its question, from 0 on. Raises BadRequest."""
    questions = _questions(item)
    if not 0 <= question < len(questions):
        raise BadRequest(
            f"This image has {len(questions)} questions, and none at {question}: reload the page."
        )
    services.store.ratings.remove(_subject(item, questions[question], rater))


def _questions(item: Rateable) -> tuple[FormQuestion, ...]:
    return form_questions(item.factual) if item.factual else ()


def _is_mark(question: FormQuestion, mark: object) -> bool:
    return mark is None or mark == CANNOT_BE_TOLD or mark in question.choices


def _subject(item: Rateable, question: FormQuestion, rater: str) -> RatingSubject:
    return RatingSubject(item.picture.sha256, FORM, item.prompt, question.finding, rater)


# --- all ratings ---


@dataclass(frozen=True)
class FormRating:
    """Holds a person's rating of one dimension of an image: the mean over its concepts.

    `value` is from 0 to 4, of "task" 0 or 1.
    """

    image: str
    model: str
    prompt: str
    dimension: str
    rater: str
    value: float


def form_ratings(services: Services) -> list[FormRating]:
    """Return all ratings that have a number; what cannot be told is left out."""
    values: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for rating in services.store.ratings.all(FORM):
        subject = rating.subject
        dimension = subject.finding.partition(":")[0]
        if dimension in RATED and rating.value in _FACTUALITY:
            key = subject.image, subject.prompt, dimension, subject.rater
            values[key].append(float(rating.value))
    models = {image: _model_of(services, image) for image, *_ in values}
    return [
        FormRating(image, models[image], prompt, dimension, rater, fmean(several))
        for (image, prompt, dimension, rater), several in values.items()
    ]


def form_table(services: Services) -> str:
    """Return the ratings as CSV, which `agreement` and `reproduce factualbench 4` read."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for rating in form_ratings(services):
        *texts, value = vars(rating).values()  # in the order of the columns
        writer.writerow([*map(escape_formula, texts), f"{value:g}"])
    return stream.getvalue()


def form_summaries(services: Services) -> list[FormSummary]:
    """Return what people say by the form, model by model."""
    by_model: dict[str, list[FormRating]] = defaultdict(list)
    for rating in form_ratings(services):
        by_model[rating.model].append(rating)
    errors: dict[str, Counter[str]] = defaultdict(Counter)
    for stored in services.store.ratings.all(FORM):
        if stored.subject.finding == ERROR and stored.value in ERROR_TYPES:
            errors[_model_of(services, stored.subject.image)][stored.value] += 1
    return [
        FormSummary(
            model=model,
            images=len({rating.image for rating in by_model[model]}),
            **{dimension: _mean(by_model[model], dimension) for dimension in RATED},
            errors=errors[model],
        )
        for model in sorted({*by_model, *errors})
    ]


def _mean(ratings: Sequence[FormRating], dimension: str) -> float | None:
    values = [rating.value for rating in ratings if rating.dimension == dimension]
    return fmean(values) if values else None


def _model_of(services: Services, image: str) -> str:
    """Return the model that made an image, "" where it is no longer stored."""
    pictures = services.store.generated_pictures_of_image(image)
    return pictures[0].model if pictures else ""
