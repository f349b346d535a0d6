"""A refined prompt states what was wrong; a reply that holds no prompt, or several, is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import (
    NONE_OF_THE_ABOVE,
    Letter,
    Question,
    Report,
    Score,
    State,
    Verdict,
)
from hallascope.data.requests import Answer, Failure, Reply, Write
from hallascope.metrics.ihalla.prompt_repair import (
    MOST_CHARACTERS,
    RefinedPrompt,
    add_facts,
    ask_refined_prompt,
    parse_refined_prompt,
    wrong_verdicts,
)

PROMPT = "A molecule of water."


def verdict(text: str, state: State = "incorrect", answer: Letter | None = "B") -> Verdict:
    question = Question(
        text=text,
        choices=("Two", "Three", "Four", "Five", NONE_OF_THE_ABOVE),
        gold="A",
        coi="counting",
    )
    return Verdict(question=question, answer=answer, state=state, raw="")


HYDROGEN = verdict("How many hydrogen atoms are in the image?")
BONDS = verdict("How many bonds are in the image?", "abstained", "E")


def refined(reply: Reply) -> tuple[Write, RefinedPrompt]:
    plan = ask_refined_prompt(PROMPT, PROMPT, [HYDROGEN, BONDS])
    (request,) = next(plan)
    assert isinstance(request, Write)
    with pytest.raises(StopIteration) as done:
        plan.send([reply])
    return request, done.value.value


def test_only_answers_are_wrong_and_never_what_has_none() -> None:
    states: tuple[State, ...] = ("correct", "incorrect", "abstained", "unreadable", "failed")
    report = Report(
        metric="ihalla",
        version="1",
        prompt=PROMPT,
        image="0" * 64,
        scores={"score": Score(None, 0, 5)},
        verdicts=tuple(verdict(state, state) for state in states),
    )
    assert [each.state for each in wrong_verdicts(report)] == ["incorrect", "abstained"]


def test_the_rule_states_each_wrong_fact_once_and_keeps_those_of_earlier_rounds() -> None:
    first = add_facts(PROMPT, [HYDROGEN])
    assert first == "A molecule of water. Facts: How many hydrogen atoms are in the image? Two."
    second = add_facts(first, [HYDROGEN, BONDS])
    assert second == f"{first[:-1]}; How many bonds are in the image? Two."
    assert add_facts(second, [HYDROGEN]) == second
    assert add_facts(PROMPT, []) == PROMPT


def test_the_rule_makes_no_prompt_that_is_too_long() -> None:
    long = [verdict(f"{'x' * 300} {number}?") for number in range(9)]
    assert add_facts(PROMPT, long) == PROMPT


def test_the_writer_is_told_what_is_expected_and_what_the_judge_saw() -> None:
    request, answer = refined(Answer('{"prompt": "A molecule with two hydrogen atoms."}'))
    assert "How many hydrogen atoms are in the image? It should show: Two. It shows: Three." in (
        request.text
    )
    assert "It shows: None of the above." in request.text
    assert answer.text == "A molecule with two hydrogen atoms."
    assert list(answer.templates) == ["ihalla_repair"]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Answer(""), "holds no prompt"),
        (Answer('{"prompt": "a molecule of water."}'), "the same prompt again"),
        (Answer('{"prompt": "Two atoms"}', truncated=True), "holds no prompt"),
        (Failure("timeout", "The service did not answer."), "The service did not answer."),
    ],
)
def test_a_reply_without_another_prompt_is_a_problem(reply: Reply, problem: str) -> None:
    _, answer = refined(reply)
    assert answer.text == ""
    assert problem in answer.problem


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ('{"prompt": "Two atoms."}', "Two atoms."),
        ('```json\n{"prompt": "Two atoms."}\n```', "Two atoms."),
        ("**Refined prompt:** “Two atoms.”", "Two atoms."),
        ("<think>Three?</think>\nTwo atoms.", "Two atoms."),
        ("Prompt: Two atoms.\nPrompt: Three atoms.", ""),
        ("Two atoms.\n\nI hope that this helps.", ""),
        ('{"prompt": "Two"} {"prompt": "Three"}', ""),
        ('{"prompt": "Two ato', ""),
        ('{"prompt": ["Two"]}', ""),
        ("x" * (MOST_CHARACTERS + 1), ""),
    ],
)
def test_one_prompt_is_read_and_nothing_else(text: str, prompt: str) -> None:
    assert parse_refined_prompt(text) == prompt


@given(st.text(max_size=200))
def test_any_reply_is_read_or_refused(text: str) -> None:
    assert len(parse_refined_prompt(text)) <= MOST_CHARACTERS
