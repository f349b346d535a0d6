"""Sorts a prompt on a leaderboard: its category, field, difficulty, domain, level and task.

They come from its questions and its concepts.
"""

from hallascope.data.records import QuestionSet
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run import concept_resolution
from hallascope.engine.storage.scores import SEVERAL, Facets


def for_request(request: EvaluateRequest, questions: QuestionSet | None = None) -> Facets:
    """Return the facets of a prompt, as far as its questions, a benchmark or Primer know them.

    A prompt of several concepts is of all their domains.
    """
    factual = request.factual or concept_resolution.in_primer(request.prompt)
    category = questions.category.value if questions and questions.category else ""
    domains = SEVERAL.join(factual.domains) if factual else ""
    own = questions.domain if questions else None
    return Facets(
        category,
        domains or own or "",
        factual.level if factual else "",
        factual.task if factual else "",
        (questions.known_field or "") if questions else "",
        (questions.known_difficulty or "") if questions else "",
    )
