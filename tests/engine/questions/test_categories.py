"""A prompt is assigned to a category by a writer, or by what Primer knows of its concept."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import Category
from hallascope.data.requests import Answer
from hallascope.engine.errors import BadRequest
from hallascope.engine.questions.categories import with_category
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.categories import CategoryAnswer
from hallascope.primer.scenes import parse

PROMPT = "a molecule of methane"
REPLY = '{"category": "Eastern Modern", "reason": "It says so."}'


@pytest.fixture
def services(tmp_path: Path) -> Any:
    writer = Scripted(
        ModelSpec(id="a/writer", title="Writer", roles=("writer",), backend="scripted"),
        lambda request: Answer(REPLY),
    )
    built = Services(Store(folder=tmp_path), read_models(), {"a/writer": writer})
    yield built
    built.store.close()


def test_without_a_writer_the_category_is_that_of_primers_concept(services: Any) -> None:
    answer = services.question_maker.categorize(PROMPT, None)
    assert answer.category == parse(PROMPT).groups[0].concept.category
    assert "Primer lists" in answer.reason
    with pytest.raises(BadRequest, match="name one with --writer"):
        services.question_maker.categorize("a hamburger on a plate", None)


def test_a_writer_assigns_any_prompt(services: Any) -> None:
    answer = services.question_maker.categorize("a hamburger on a plate", "a/writer")
    assert (answer.category, answer.reason) == (Category.EASTERN_MODERN, "It says so.")


def test_the_category_is_saved_with_the_questions_and_nothing_where_none_fits(
    services: Any,
) -> None:
    questions = replace(services.sets.for_prompt(PROMPT), category=None, field="Science")
    changed = with_category(questions, CategoryAnswer(category=Category.EASTERN_MODERN))
    assert (changed.category, changed.known_field) == (Category.EASTERN_MODERN, "History")
    with pytest.raises(BadRequest, match=r"None of the nine categories fits\. Nothing was saved"):
        with_category(questions, CategoryAnswer(reason="A cartoon."))
