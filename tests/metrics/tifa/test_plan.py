"""TIFA-style: the paper's methane example, questions by rule, and what a judge that only checks the
prompt cannot see.
"""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.data.records import LETTERS, Picture, Report, Score
from hallascope.data.requests import Answer, Ask, Failure, Generated, ReadPrompt, Reply, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.parsing.words import language
from hallascope.metrics.tifa import plan as tifa
from hallascope.metrics.tifa.elements import elements
from hallascope.primer import scenes
from tests.support.tifa_questions import ELEMENTS, METHANE, TEXT

PICTURE = Picture("ab" * 32, Path("methane.png"))
CASE = Case(prompt="A molecule of methane.", image=PICTURE, roles=frozenset({"writer"}))
LOST = Failure("timeout", "The writer did not answer in 30 s.")


def evaluated(case: Case, *steps: list[Reply]) -> Report:
    return run(tifa.plan(case), steps)


def answers(letters: str) -> list[Reply]:
    return [Answer(letter) for letter in letters]


# --- with a writer


def test_the_methane_example_has_two_elements_with_two_questions_each() -> None:
    report = evaluated(CASE, [Answer(json.dumps(ELEMENTS))], answers("ABAC"))
    assert tuple(verdict.question for verdict in report.verdicts) == METHANE
    assert (report.metric, report.score) == ("tifa", Score(1.0, 4, 0))
    assert report.scores["strict"] == Score(1.0, 1, 0)
    assert report.published == {"score": 1.0, "strict": 1.0}


def test_the_writer_is_given_the_prompt_and_the_judge_is_not() -> None:
    plan = tifa.plan(CASE)
    (request,) = next(plan)
    assert isinstance(request, Write)
    assert "A molecule of methane." in request.text
    assert request.template == template("tifa_questions").version
    asks = plan.send([Answer(json.dumps(ELEMENTS))])
    assert all(
        isinstance(ask, Ask) and ask.images == (PICTURE,) and "of methane." not in ask.text
        for ask in asks
    )
    assert isinstance(asks[1], Ask)
    assert "A) atom\nB) molecule\nC) ion\nD) compound" in asks[1].text
    assert asks[1].template == template("tifa_ask").version


def test_states_and_scores_are_those_of_ihalla() -> None:
    report = evaluated(
        CASE, [Answer(json.dumps(ELEMENTS))], [Answer("A"), Answer("D"), Answer("perhaps"), LOST]
    )
    assert [verdict.state for verdict in report.verdicts] == [
        "correct",
        "incorrect",
        "unreadable",
        "failed",
    ]
    assert report.score == Score(0.5, 2, 2)
    assert report.published == {"score": 0.25, "strict": 0.0}


@pytest.mark.parametrize("reply", ["I cannot tell.", "I cannot tell", "It cannot be told."])
def test_a_judge_that_cannot_tell_is_left_out_and_wrong_under_the_papers_rule(reply: str) -> None:
    """Hu et al. count every answer but the right one as wrong; both rules stand in the report."""
    report = evaluated(
        CASE,
        [Answer(json.dumps(ELEMENTS))],
        [Answer("A"), Answer("B"), Answer("A"), Answer(reply)],
    )
    assert [verdict.state for verdict in report.verdicts][-1] == "unreadable"
    assert report.score == Score(1.0, 3, 1)
    assert report.published == {"score": 0.75, "strict": 0.0}


def test_a_writer_that_gives_nothing_is_one_verdict_without_an_answer() -> None:
    report = evaluated(CASE, [LOST])
    (verdict,) = report.verdicts
    assert (verdict.state, verdict.failure) == (
        "failed",
        "The writer gave no questions: The writer did not answer in 30 s.",
    )
    assert report.score == Score(None, 0, 1)
    unread = evaluated(CASE, [Answer("I will not.")])
    assert [(verdict.state, verdict.raw) for verdict in unread.verdicts] == [
        ("unreadable", "I will not.")
    ]
    assert verdict.question.choice(verdict.question.gold)
    with pytest.raises(TypeError, match="the configuration has another model"):
        evaluated(CASE, [Generated(b"")])


def test_a_prompt_without_elements_has_no_score_and_no_verdicts() -> None:
    for report in (
        evaluated(CASE, [Answer('{"elements": []}')]),
        evaluated(Case(prompt="!?", image=PICTURE), []),
    ):
        assert report.verdicts == ()
        assert report.score == Score(None, 0, 0)


def test_reports_by_writer_and_by_rule_have_versions_of_their_own() -> None:
    by_writer = evaluated(CASE, [Answer(json.dumps(ELEMENTS))], answers("ABAC"))
    by_rule = evaluated(Case(prompt=CASE.prompt, image=PICTURE), answers("AA"))
    assert by_writer.version != by_rule.version


def test_only_what_can_be_read_is_worth_keeping() -> None:
    metric = metrics.get("tifa")
    write, ask = (
        next(metric.plan(CASE))[0],
        next(metric.plan(Case(prompt="a dog", image=PICTURE)))[0],
    )
    assert metric.readable(write, Answer(TEXT))
    assert not metric.readable(write, Answer("no"))
    assert metric.readable(ask, Answer("B"))
    assert not metric.readable(ask, Answer("C"))
    assert (metric.needs_questions, metrics.get("ihalla").needs_questions) == (False, True)


# --- by rule


def asked(prompt: str) -> list[tuple[str, str]]:
    """Every question with its right answer in words."""
    return [(question.text, question.choice(question.gold)) for question in tifa.questions(prompt)]


def test_a_thing_is_asked_for_with_yes_and_by_its_name() -> None:
    assert asked("A molecule of methane.") == [
        ("Is there a molecule of methane in the image?", "Yes"),
        ("What is shown in the image?", "Methane"),
    ]
    assert asked("the structure of DNA") == [
        ("Is the structure in the image?", "Yes"),
        ("What is shown in the image?", "Structure"),
        ("Is there DNA in the image?", "Yes"),
        ("What is shown in the image?", "DNA"),
    ]


def test_a_relation_without_sides_is_asked_for_as_a_place() -> None:
    assert ("Where are the cats in the image?", "On the wooden table") in asked(
        "two white cats on a wooden table"
    )


def test_numbers_are_asked_for_in_the_words_of_the_primer_world() -> None:
    assert asked("two tulips")[2:] == [
        ("How many tulips are in the image? Two?", "Yes"),
        ("How many tulips are in the image?", "Two"),
    ]
    assert asked("two tulips")[3][0] == scenes.parse("two tulips").questions().questions[0].text
    assert ("How many cats are in the image?", "Three") in asked("3 white cats")


def test_colors_and_sides_are_asked_for_in_the_words_of_the_primer_world() -> None:
    prompt = "a red circle above a blue square"
    ours = {
        question.text: question.choice(question.gold)
        for question in scenes.parse(prompt).questions().questions
    }
    by_rule = dict(asked(prompt))
    for text in (
        "What is at the top in the image?",
        "What is at the bottom in the image?",
        "What color is the circle in the image?",
    ):
        assert by_rule[text] == ours[text]
    assert by_rule["What color is the square in the image?"] == "Blue"


@pytest.mark.parametrize("prompt", ["", " ", "!?", "red", "on the", "and and"])
def test_a_prompt_that_names_nothing_has_no_questions(prompt: str) -> None:
    assert tifa.questions(prompt) == ()


WORDS = (
    "a an the two 3 red dogs ladybug flag of France on above to left next , . and chasing Magna"
    " Carta mice"
)
prompts = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join)


@given(st.text(max_size=80) | prompts)
@example("dog " * 500)
@example("a DOG above a dog")
@example("a dog and a cat and " * 100)
def test_questions_by_rule_stand_are_the_same_again_and_none_is_asked_twice(prompt: str) -> None:
    found = tifa.questions(prompt)
    assert tifa.questions(prompt) == found
    assert len(set(found)) == len(found)
    for question in found:
        assert 2 <= len(question.choices) <= 4
        assert len({choice.casefold() for choice in question.choices}) == len(question.choices)
        assert question.gold in LETTERS[: len(question.choices)]
        assert question.coi in ("existence", "counting", "color", "relation")


def test_every_prompt_of_the_primer_world_has_questions_about_all_it_names() -> None:
    chance = random.Random(0)
    for _ in range(200):
        prompt = scenes.sample_prompt(chance)
        named = {group.concept.name for group in scenes.parse(prompt).groups}
        assert named <= {thing.singular for thing in elements(prompt).things}, prompt


# --- what it cannot see


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("dog", "dogs"),
        ("box", "boxes"),
        ("berry", "berries"),
        ("person", "people"),
        ("toy", "toys"),
        ("glass", "glasses"),
        ("house", "houses"),
    ],
)
def test_singular_and_plural_follow_the_rules(one: str, many: str) -> None:
    assert language.plural(one) == many
    assert language.singular(many) == one
    assert language.singular(one) == one


def test_a_judge_that_sees_wrong_facts_gives_tifa_a_full_score_and_ihalla_none() -> None:
    """The claim of appendix D: questions from the prompt alone are answered as well by a
    hallucinated picture.
    """
    prompt = "a molecule of methane"
    asked_of_facts = scenes.parse(prompt).questions().questions
    wrong = run(
        ihalla.plan(Case(prompt=prompt, image=PICTURE, questions=asked_of_facts)),
        [answers("EEEEE")],
    )
    beside = evaluated(
        Case(prompt=prompt, image=PICTURE),
        [Answer(question.gold) for question in tifa.questions(prompt)],
    )
    assert (wrong.score.value, beside.score.value) == (0.0, 1.0)


@pytest.mark.parametrize(
    "prompt", ["a dog without a collar", "a dog with no collar", "a dog without any collar"]
)
def test_what_the_prompt_forbids_is_asked_once_and_no_is_right(prompt: str) -> None:
    about = [question for question in tifa.questions(prompt) if "collar" in question.text]
    assert [(question.text, question.choice(question.gold)) for question in about] == [
        ("Is there a collar in the image?", "No")
    ]
    assert not any(
        "collar" in question.choice(question.gold).casefold() for question in tifa.questions(prompt)
    )


def test_all_things_behind_without_are_forbidden_and_what_stands_elsewhere_is_asked_for() -> None:
    asked = {
        question.text: question.choice(question.gold)
        for question in tifa.questions("a dog or a cat without a hat or a scarf on a table")
    }
    there = {text: gold for text, gold in asked.items() if text.startswith("Is there")}
    assert [gold for text, gold in there.items() if "hat" in text or "scarf" in text] == [
        "No",
        "No",
    ]
    assert [
        gold for text, gold in there.items() if "dog" in text or " cat " in text or "table" in text
    ] == ["Yes"] * 3


PARSED = replace(CASE, prompt="zwei rote Kreise", roles=frozenset({"parser"}))
TRANSLATED = Answer(
    '{"language": "de", "translation": "two red circles", "objects":'
    ' [{"id": "1", "name": "circle", "count": "2", "attributes": ["red"]}]}'
)


def test_a_parser_reads_another_language_and_the_rules_ask_about_its_reading() -> None:
    plan = tifa.plan(PARSED)
    assert [type(request) for request in next(plan)] == [ReadPrompt]
    questions = plan.send([TRANSLATED])
    asked = [request.question for request in questions if isinstance(request, Ask)]
    assert asked[0] == "Is there a circle in the image?"
    assert "How many circles are in the image? Two?" in asked
    with pytest.raises(StopIteration) as end:
        plan.send([Answer("A") for _ in questions])
    report = end.value.value
    assert "+rules+parser-" in report.version
    assert report.evidence.reading.translation == "two red circles"


def test_a_parser_that_fails_leaves_the_questions_to_the_rules_and_says_so() -> None:
    failure = Failure("unavailable", "It is down.")
    english = replace(PARSED, prompt="two red circles")
    plan = tifa.plan(english)
    next(plan)
    questions = plan.send([failure])
    alone = tifa.plan(replace(english, roles=frozenset()))
    assert questions == next(alone)
    with pytest.raises(StopIteration) as end:
        plan.send([Answer("A") for _ in questions])
    report = end.value.value
    assert report.version.endswith("+rules")
    assert report.evidence.reading is None
    assert report.evidence.notes == (
        "The parser gave no reading, so the rules read the prompt: It is down.",
    )
    plan = tifa.plan(PARSED)
    next(plan)
    with pytest.raises(StopIteration) as end:
        plan.send([failure])
    (verdict,) = end.value.value.verdicts
    assert verdict.state == "failed"
    assert "so there is no score: It is down." in verdict.failure
