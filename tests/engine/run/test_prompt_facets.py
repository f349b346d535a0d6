"""Tests by what a prompt is sorted on a leaderboard."""

from dataclasses import replace

from hallascope.data.records import Category, Provenance, QuestionSet
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run import prompt_facets
from hallascope.engine.storage.scores import SEVERAL, Facets


def test_a_prompt_that_nobody_knows_has_no_facet() -> None:
    request = EvaluateRequest(prompt="a hamburger on a plate", models=(), metrics=("ihalla",))
    assert prompt_facets.for_request(request) == Facets()


def test_the_domain_of_the_questions_is_that_of_the_prompt() -> None:
    request = EvaluateRequest(prompt="a hamburger on a plate", models=(), metrics=("ihalla",))
    questions = QuestionSet(prompt=request.prompt, questions=(), source="made", domain="food")
    assert prompt_facets.for_request(request, questions).domain == "food"


def test_the_field_follows_from_the_category_or_is_that_of_the_questions() -> None:
    request = EvaluateRequest(prompt="a hamburger on a plate", models=(), metrics=("ihalla",))
    known = QuestionSet(prompt=request.prompt, questions=(), category=Category.EASTERN_MODERN)
    assert prompt_facets.for_request(request, known).field == "History"
    given = QuestionSet(prompt=request.prompt, questions=(), field="Science")
    assert prompt_facets.for_request(request, given).field == "Science"


def test_a_prompt_is_as_difficult_as_the_hardest_of_its_images_unless_its_file_says_it() -> None:
    request = EvaluateRequest(prompt="a hamburger on a plate", models=(), metrics=("ihalla",))
    made = Provenance(
        judge="j", writer="w", reasoning="", difficulty={"a": "easy", "b": "hard", "c": "medium"}
    )
    questions = QuestionSet(prompt=request.prompt, questions=(), provenance=made)
    assert prompt_facets.for_request(request, questions).difficulty == "hard"
    given = replace(questions, difficulty="easy")
    assert prompt_facets.for_request(request, given).difficulty == "easy"


def test_a_prompt_of_two_concepts_is_of_the_domains_of_both() -> None:
    prompt = "a gentoo penguin beside a molecule of methane"
    request = EvaluateRequest(prompt=prompt, models=(), metrics=("ihalla",))
    facets = prompt_facets.for_request(request)
    if facets.domain:
        assert len(facets.domain.split(SEVERAL)) == len(set(facets.domain.split(SEVERAL)))
