"""Says which category of I-HallA Primer gives a prompt, and puts a category on its questions."""

from dataclasses import replace

from hallascope.data.records import QuestionSet
from hallascope.engine.errors import BadRequest
from hallascope.metrics.ihalla.categories import CategoryAnswer
from hallascope.primer import scenes


def category_in_primer(prompt: str) -> CategoryAnswer:
    """Return the category of the concept of the Primer world that a prompt names first.

    Raises BadRequest where Primer does not know the prompt.
    """
    try:
        scene = scenes.parse(prompt)
    except scenes.CannotDraw as error:
        raise BadRequest(
            f"Primer does not know {prompt!r}, so a writer must say its category: name one with"
            " --writer."
        ) from error
    concept = scene.groups[0].concept
    return CategoryAnswer(
        category=concept.category,
        reason=f"Primer lists {concept.name} under {concept.category.value}.",
    )


def with_category(questions: QuestionSet, answer: CategoryAnswer) -> QuestionSet:
    """Return the questions with a category. Raises BadRequest where the answer has none."""
    if answer.category is None:
        reason = answer.problem or "None of the nine categories fits."
        raise BadRequest(f"{reason} Nothing was saved.")
    return replace(questions, category=answer.category, field=None)
