"""Reasonings, categories, refined prompts: read strictly, or a problem in a sentence."""

from dataclasses import replace

import pytest

from hallascope.data.records import (
    NONE_OF_THE_ABOVE,
    Category,
    Letter,
    Question,
    Report,
    State,
    Verdict,
)
from hallascope.data.requests import Answer, Failure, Reply, Write
from hallascope.metrics.ihalla.categories import (
    AssignedCategory,
    ask_category,
    parse_category,
    readable,
)
from hallascope.metrics.ihalla.prompt_repair import (
    MOST_CHARACTERS,
    add_facts,
    ask_refined_prompt,
    parse_refined_prompt,
    wrong_verdicts,
)
from hallascope.metrics.ihalla.reasoning import (
    parse_reasoning,
)
from hallascope.metrics.ihalla.review_hints import concerns, concerns_of_all
from hallascope.metrics.written import Written
from tests.metrics.ihalla.test_agents import RIGHT, WRONG

# The form of reply the paper asks for (appendix J), with the reasoning of its table 5.
TABLE_5 = """- Response: Normal
- Reasoning: The image accurately represents the structure of a methane molecule.
- **Visual Evidence**: The illustration shows one central carbon atom with four hydrogen atoms
surrounding it in a tetrahedral configuration.
- **Contextual Evidence**: Methane is the simplest alkane."""


def test_the_reply_form_of_the_paper_is_read() -> None:
    reasoning = parse_reasoning(RIGHT, Answer(TABLE_5))
    assert (reasoning.state, reasoning.response) == ("correct", "Normal")
    assert (
        reasoning.general == "The image accurately represents the structure of a methane molecule."
    )
    assert reasoning.visual.endswith(
        "four hydrogen atoms\nsurrounding it in a tetrahedral configuration."
    )
    assert reasoning.contextual == "Methane is the simplest alkane."
    assert reasoning.raw == TABLE_5


@pytest.mark.parametrize(
    "text",
    [
        '{"response": "Weird", "visual_evidence": "v", "contextual_evidence": "c"}',
        '```json\n{"Response": "weird.", "Visual Evidence": "v", "Contextual Evidence": "c"}\n```',
        'I see.\n{"response": "Weird", "reasoning": {"visual_evidence": "v", "contextual": "c"}}',
        "Response: Weird\nVisual Evidence: v\nContextual Evidence: c",
        "**Response:** <Weird>\n**Visual Evidence:** v\n**Contextual Evidence:** c",
        "### Response: **Weird**\n\n- Visual evidence: v\n\n- Contextual evidence: c",
        "- Response: The image is weird.\n- **Visual Evidence**: v\n- **Contextual Evidence**: c",
        (
            "<think>Response: Normal?</think>\nResponse: Weird\nVisual Evidence: v\nContextual"
            " Evidence: c"
        ),
        "Response: Hallucinated\nVisual Evidence: v\nContextual Evidence: c",
    ],
)
def test_every_form_of_a_reply_is_read(text: str) -> None:
    reasoning = parse_reasoning(WRONG, Answer(text))
    assert (reasoning.state, reasoning.response, reasoning.visual, reasoning.contextual) == (
        "correct",
        "Weird",
        "v",
        "c",
    )
    assert reasoning.is_usable


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot tell.",
        "Response: Normal or Weird",
        "Response: not normal",
        "Response: Abnormal",
        "Response: Normal\nResponse: Weird",
        '{"response": "Normal", "Response": "Weird"}',
        '{"response": "Normal"} {"response": "Weird"}',
        '{"response": true}',
        '{"response": "Normal", "visual_evi',
    ],
)
def test_a_reply_that_says_neither_or_both_is_unreadable(text: str) -> None:
    assert parse_reasoning(RIGHT, Answer(text)).state == "unreadable"


def categorized(reply: Reply) -> tuple[Write, Written[AssignedCategory]]:
    plan = ask_category("a molecule of water")
    (request,) = next(plan)
    assert isinstance(request, Write)
    with pytest.raises(StopIteration) as done:
        plan.send([reply])
    return request, done.value.value


@pytest.mark.parametrize(
    "text, category, reason",
    [
        ('{"category": "Physics", "reason": "Atoms."}', Category.PHYSICS, "Atoms."),
        ("Category: Eastern/Ancient\nReason: A vase.", Category.EASTERN_ANCIENT, "A vase."),
        ("**Category:** earth science.", Category.EARTH_SCIENCE, ""),
        ("<think>Physics?</think>Biology", Category.BIOLOGY, ""),
        (
            '```json\n{"category": "Western & African Modern", "reason": "A war."}\n```',
            Category.WESTERN_AFRICAN_MODERN,
            "A war.",
        ),
        ('{"category": "none", "reason": "A cartoon."}', None, "A cartoon."),
        ("None of these.", None, ""),
    ],
)
def test_one_category_or_none_is_read(text: str, category: Category | None, reason: str) -> None:
    assert parse_category(text) == (category, reason)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Chemistry",
        "Physics or Biology",
        "It is probably Physics, as it shows atoms.",
        '{"category": "Physics"} {"category": "Biology"}',
        '{"category": "Physics", "category": "Biology"}',
        '{"category": ["Physics"]}',
        '{"category": "Phy',
        "Category: Physics\nCategory: Biology",
        "Eastern",
    ],
)
def test_what_names_no_category_or_two_is_not_read(text: str) -> None:
    assert parse_category(text) is None
    assert not readable(Write("", ""), Answer(text))


def test_a_reply_that_cannot_be_used_is_a_problem_and_no_category() -> None:
    _, unreadable = categorized(Answer("Chemistry"))
    assert unreadable.value is None
    assert "names no category: ask again" in unreadable.problem
    _, failed = categorized(Failure("timeout", "The service did not answer."))
    assert (failed.value, failed.problem) == (None, "The service did not answer.")


PROMPT = "A molecule of water."


def asked_verdict(text: str, state: State = "incorrect", answer: Letter | None = "B") -> Verdict:
    question = Question(
        text=text,
        choices=("Two", "Three", "Four", "Five", NONE_OF_THE_ABOVE),
        gold="A",
        coi="counting",
    )
    return Verdict(question=question, answer=answer, state=state, raw="")


HYDROGEN = asked_verdict("How many hydrogen atoms are in the image?")
BONDS = asked_verdict("How many bonds are in the image?", "abstained", "E")


def refined(reply: Reply) -> tuple[Write, Written[str]]:
    plan = ask_refined_prompt(PROMPT, PROMPT, [HYDROGEN, BONDS])
    (request,) = next(plan)
    assert isinstance(request, Write)
    with pytest.raises(StopIteration) as done:
        plan.send([reply])
    return request, done.value.value


def test_the_rule_states_each_wrong_fact_once_and_keeps_those_of_earlier_rounds() -> None:
    first = add_facts(PROMPT, [HYDROGEN])
    assert first == "A molecule of water. Facts: How many hydrogen atoms are in the image? Two."
    second = add_facts(first, [HYDROGEN, BONDS])
    assert second == f"{first[:-1]}; How many bonds are in the image? Two."
    assert add_facts(second, [HYDROGEN]) == second
    assert add_facts(PROMPT, []) == PROMPT


def test_a_right_answer_to_a_question_of_a_wrong_parent_is_not_wrong() -> None:
    verdicts = (HYDROGEN, asked_verdict("Are they white?", answer="A"), BONDS)
    report = Report(
        metric="ihalla", version="1", prompt=PROMPT, image="", scores={}, verdicts=verdicts
    )
    assert wrong_verdicts(report) == (HYDROGEN, BONDS)


def test_the_writer_is_told_what_is_expected_and_what_the_judge_saw() -> None:
    request, answer = refined(Answer('{"prompt": "A molecule with two hydrogen atoms."}'))
    assert "How many hydrogen atoms are in the image? It should show: Two. It shows: Three." in (
        request.text
    )
    assert "It should show: Two. It shows: nothing that fits." in request.text
    assert answer.value == "A molecule with two hydrogen atoms."


@pytest.mark.parametrize(
    "reply, problem",
    [
        (Answer(""), "holds no prompt"),
        (Answer('{"prompt": "a molecule of water."}'), "the same prompt again"),
        (Answer('{"prompt": "Two atoms"}', truncated=True), "holds no prompt"),
        (Failure("timeout", "The service did not answer."), "The service did not answer."),
    ],
)
def test_a_reply_without_another_prompt_is_a_problem(reply: Reply, problem: str) -> None:
    _, answer = refined(reply)
    assert answer.value is None
    assert problem in answer.problem


@pytest.mark.parametrize(
    "text, prompt",
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


METHANE = "A molecule of methane."
FIVE = ("Two", "Three", "Four", "Five", NONE_OF_THE_ABOVE)
ATOMS = Question(
    text="How many outer atoms are in the image?", choices=FIVE, gold="C", coi="counting"
)


def test_a_question_or_choice_that_names_the_subject_is_a_concern_and_a_general_word_is_none() -> (
    None
):
    named = replace(ATOMS, text="How many atoms does methane have in the image?")
    assert concerns(METHANE, named) == (
        "Names the subject (methane): write “the image” or a general word instead.",
    )
    assert concerns("two red Tulips", replace(ATOMS, choices=("A tulip", *FIVE[1:])))[0].startswith(
        "Names the subject (tulip)"
    )
    # Paper, appendix F: the questions on methane speak of "the molecule".
    assert (
        concerns(
            METHANE,
            replace(ATOMS, text="What is depicted at the center of the molecule in the image?"),
        )
        == ()
    )


def test_none_of_the_above_as_gold_and_one_letter_everywhere_are_concerns() -> None:
    assert concerns(METHANE, replace(ATOMS, gold="E"))[0].startswith(
        "The right answer is “None of the above”"
    )
    assert concerns_of_all([ATOMS] * 5) == (
        "The right answer is C everywhere: a judge that always says C would be right.",
    )
    assert (
        concerns_of_all([ATOMS, replace(ATOMS, gold="A"), ATOMS]) == concerns_of_all([ATOMS]) == ()
    )
