"""Tests by what a prompt is sorted on a leaderboard."""

from hallascope.data.records import QuestionSet
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


def test_a_prompt_of_two_concepts_is_of_the_domains_of_both() -> None:
    prompt = "a gentoo penguin beside a molecule of methane"
    request = EvaluateRequest(prompt=prompt, models=(), metrics=("ihalla",))
    facets = prompt_facets.for_request(request)
    if facets.domain:
        assert len(facets.domain.split(SEVERAL)) == len(set(facets.domain.split(SEVERAL)))
