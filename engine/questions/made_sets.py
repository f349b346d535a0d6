"""Puts a set of made questions together with how it came to be."""

from datetime import UTC, datetime

from hallascope.data.records import Provenance, QuestionSet
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning


def today() -> str:
    """Return the day as an ISO date, in UTC."""
    return datetime.now(UTC).date().isoformat()


def make_set(
    *,
    prompt: str,
    reasoned: MergedReasoning,
    generated: GeneratedQuestions,
    writer: str,
    judge: str = "",
    day: str = "",
) -> QuestionSet:
    """Return the questions that a writer made of reasoning, with models, templates and day.

    `judge`: the model that looked at the images, "" without images; `day` is an ISO date, today
    where it is "".
    """
    return QuestionSet(
        prompt=prompt,
        questions=generated.questions,
        source="made",
        provenance=Provenance(
            judge=judge,
            writer=writer,
            reasoning=reasoned.text,
            templates={**reasoned.templates, **generated.templates},
            difficulty=reasoned.difficulty,
            made=day or today(),
        ),
    )
