"""TIFA-style: the paper's methane example, questions by rule, and what a judge that only checks the
prompt cannot see.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hallascope.data.records import LETTERS, Picture, Question, Report, Score, Verdict
from hallascope.data.requests import Answer, Ask, Failure, Generated, Reply, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.reading.prompt import NO_OBJECT, read_prompt
from hallascope.metrics.tifa import plan as tifa
from hallascope.primer import scenes
from tests.data.cases import cases
from tests.support.tifa_questions import ELEMENTS, METHANE

PICTURE = Picture("ab" * 32, Path("methane.png"))
CASE = Case(prompt="A molecule of methane.", image=PICTURE, roles=frozenset({"writer"}))
BY_RULE = replace(CASE, roles=frozenset())
WRITTEN = Answer(json.dumps(ELEMENTS))
LOST = Failure("timeout", "The writer did not answer in 30 s.")


def evaluated(case: Case, *steps: list[Reply]) -> Report:
    return run(tifa.metric().plan(case), steps)


def answers(letters: str) -> list[Reply]:
    return [Answer(letter) for letter in letters]


# --- with a writer


def test_the_methane_example_has_two_elements_with_two_questions_each() -> None:
    report = evaluated(CASE, [WRITTEN], answers("ABAC"))
    assert tuple(verdict.question for verdict in report.verdicts) == METHANE
    assert (report.metric, report.score) == ("tifa", Score(1.0, 4, 0))
    assert report.scores["strict"] == Score(1.0, 1, 0)
    assert report.published == {"score": 1.0, "strict": 1.0}
    assert report.version != evaluated(BY_RULE, answers("AA")).version


def test_the_writer_is_given_the_prompt_and_the_judge_is_not() -> None:
    plan = tifa.metric().plan(CASE)
    (request,) = next(plan)
    assert isinstance(request, Write)
    assert "A molecule of methane." in request.text
    assert request.template == template("tifa_questions").version
    asks = [ask for ask in plan.send([WRITTEN]) if isinstance(ask, Ask)]
    assert len(asks) == 4
    assert all(ask.images == (PICTURE,) and "of methane." not in ask.text for ask in asks)
    assert "A) atom\nB) molecule\nC) ion\nD) compound" in asks[1].text
    assert asks[1].template == template("tifa_ask").version
    assert next(tifa.metric().plan(replace(CASE, prompt="ein roter Kreis"))), "in any language"


@pytest.mark.parametrize("reply", ["I cannot tell.", "It cannot be told."])
def test_a_judge_that_cannot_tell_is_left_out_and_wrong_under_the_papers_rule(reply: str) -> None:
    """Hu et al. count every answer but the right one as wrong; both rules stand in the report."""
    report = evaluated(CASE, [WRITTEN], [*answers("ABA"), Answer(reply)])
    assert report.verdicts[-1].state == "unreadable"
    assert report.score == Score(1.0, 3, 1)
    assert report.published == {"score": 0.75, "strict": 0.0}


def test_a_writer_that_gives_nothing_is_one_verdict_without_an_answer() -> None:
    report = evaluated(CASE, [LOST])
    (verdict,) = report.verdicts
    assert verdict.state == "failed"
    assert LOST.message in (verdict.failure or "")
    assert report.score == Score(None, 0, 1)
    (unread,) = evaluated(CASE, [Answer("I will not.")]).verdicts
    assert (unread.state, unread.raw) == ("unreadable", "I will not.")
    assert "choose another writer" in (unread.failure or "")
    (cut_off,) = evaluated(CASE, [replace(WRITTEN, truncated=True)]).verdicts
    assert cut_off.state == "unreadable"
    assert "`max_tokens` in the writer's settings" in (cut_off.failure or "")
    with pytest.raises(TypeError, match="the configuration has another model"):
        evaluated(CASE, [Generated(b"")])


def test_a_prompt_that_names_nothing_is_left_out_and_says_so() -> None:
    report = evaluated(replace(BY_RULE, prompt="!?"))
    assert report.score == Score(None, 0, 1)
    assert report.verdicts[0].failure == NO_OBJECT


# --- by rule


def questions_of(prompt: str) -> tuple[Question, ...]:
    found = tifa.questions(read_prompt(prompt))
    return () if isinstance(found, Verdict) else found


def asked(prompt: str) -> list[tuple[str, str]]:
    """Return every question with its right answer in words."""
    return [(question.text, question.choice(question.gold)) for question in questions_of(prompt)]


@pytest.mark.parametrize(
    "prompt, expected",
    cases("tifa_plan", "things_numbers_colors_and_places_are_asked_for", "metrics"),
)
def test_things_numbers_colors_and_places_are_asked_for(
    prompt: str, expected: list[list[str]]
) -> None:
    found = asked(prompt)
    assert set(map(tuple, expected)) <= set(found)
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    "prompt, kinds",
    [
        ("an oak on a hill", {"Tree"}),
        ("a puppy and a seagull", {"Dog", "Bird"}),
        ("a sparrow near a mug", {"Bird", "Cup"}),
    ],
)
def test_no_wrong_choice_names_what_a_thing_is(prompt: str, kinds: set[str]) -> None:
    choices = {choice for question in questions_of(prompt) for choice in question.choices}
    assert not choices & kinds


@pytest.mark.parametrize("prompt", ["a dog next to a strange object", "two objects"])
def test_a_name_that_fits_anything_is_asked_with_four_choices(prompt: str) -> None:
    shown = [one for one in questions_of(prompt) if one.text == "What is shown in the image?"]
    assert {len(set(question.choices)) for question in shown} == {4}


@pytest.mark.parametrize("words", ["without a collar", "with no collar", "without any collar"])
def test_what_the_prompt_forbids_is_asked_once_and_no_is_right(words: str) -> None:
    found = asked(f"a dog {words} on a table")
    about = [(text, gold) for text, gold in found if "collar" in f"{text} {gold}".casefold()]
    assert about == [("Is there a collar in the image?", "No")]
    assert ("Is there a table in the image?", "Yes") in found


def test_a_judge_that_sees_wrong_facts_gives_tifa_a_full_score_and_ihalla_none() -> None:
    """The claim of appendix D: questions from the prompt alone are answered as well by a
    hallucinated picture.
    """
    prompt = "a molecule of methane"
    facts = scenes.parse(prompt).questions().questions
    case = replace(BY_RULE, prompt=prompt)
    wrong = run(ihalla.plan(replace(case, questions=facts)), [answers("EEEEE")])
    beside = evaluated(case, [Answer(question.gold) for question in questions_of(prompt)])
    assert (wrong.score.value, beside.score.value) == (0.0, 1.0)


# --- about the reading of a parser or a person


WORDS = """
    a an the two 3 red dogs ladybug flag of France on above to left next , . and chasing Magna Carta
    mice
"""


prompts = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join)


@given(st.text(max_size=80) | prompts)
@example("dog " * 500)
@example("a DOG above a dog")
@example("a dog and a cat and " * 100)
def test_questions_by_rule_stand_are_the_same_again_and_none_is_asked_twice(prompt: str) -> None:
    found = questions_of(prompt)
    assert questions_of(prompt) == found
    assert len(set(found)) == len(found)
    for question in found:
        assert 2 <= len(question.choices) <= 4
        assert len({choice.casefold() for choice in question.choices}) == len(question.choices)
        assert question.gold in LETTERS[: len(question.choices)]
        assert question.coi in ("existence", "counting", "color", "relation")
