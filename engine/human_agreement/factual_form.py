"""Asks people what T2I-FactualBench asks its judge, and gives their ratings as a table.

Concept factuality and composition factuality are rated from 0 to 4, task completeness is 0 or 1,
each as the judge is asked (paper, sections 4.2 to 4.4). Beside them people name the worst error, by
the four types of the paper (section 5.4).
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache, partial

import pandas as pd

from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.csv_text import csv_text
from hallascope.engine.ratings import Rateable, RatedQuestion, RatingKind, rated_by_marks
from hallascope.engine.services import Services

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


def _rated_questions(item: Rateable) -> list[RatedQuestion]:
    questions = form_questions(item.factual) if item.factual else ()
    return [rated_by_marks(question.finding, question.choices) for question in questions]


FORM_RATINGS = RatingKind(FORM, _rated_questions)


# --- all ratings ---


def form_ratings(services: Services) -> pd.DataFrame:
    """Return a row for each person's rating of a dimension of an image (`item`, its SHA-256).

    Its `value` is the mean over the image's concepts, from 0 to 4, of "task" 0 or 1. What cannot be
    told is left out.
    """
    model_of = cache(partial(_model_of, services))
    rows = []
    for rating in services.store.ratings.all(FORM):
        about = rating.subject
        dimension = about.finding.partition(":")[0]
        if dimension in RATED and rating.value in _FACTUALITY:
            names = about.image, model_of(about.image), about.prompt, dimension, about.rater
            rows.append((*names, float(rating.value)))
    *names_of, value = COLUMNS
    frame = pd.DataFrame(rows, columns=[*names_of, value])
    return frame.groupby(names_of, sort=False, as_index=False)[[value]].mean()


def form_table(services: Services) -> str:
    """Return the ratings as CSV, which `agreement` and `reproduce factualbench 4` read."""
    frame = form_ratings(services)
    return csv_text(frame.assign(value=frame["value"].map("{:g}".format)))


def form_summaries(services: Services) -> list[FormSummary]:
    """Return what people say by the form, model by model."""
    ratings = form_ratings(services)
    errors: dict[str, Counter[str]] = defaultdict(Counter)
    for stored in services.store.ratings.all(FORM):
        if stored.subject.finding == ERROR and stored.value in ERROR_TYPES:
            errors[_model_of(services, stored.subject.image)][stored.value] += 1
    summaries = []
    for model in sorted({*ratings["model"], *errors}):
        own = ratings[ratings["model"] == model]
        means = own.groupby("dimension")["value"].mean()
        summaries.append(
            FormSummary(
                model=model,
                images=own["item"].nunique(),
                **{dimension: means.get(dimension) for dimension in RATED},
                errors=errors[model],
            )
        )
    return summaries


def _model_of(services: Services, image: str) -> str:
    """Return the model that made an image, "" where it is no longer stored."""
    pictures = services.store.generated_pictures_of_image(image)
    return pictures[0].model if pictures else ""
