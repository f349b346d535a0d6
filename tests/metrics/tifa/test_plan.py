"""TIFA-style: the paper's methane example, questions by rule, and what a judge that only checks the
prompt cannot see.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import LETTERS, Picture, Question, Report, Score, Verdict
from hallascope.data.requests import Answer, Ask, Failure, Generated, ReadPrompt, Reply, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.reading.prompt import NO_OBJECT, read_prompt
from hallascope.metrics.tifa import plan as tifa
from hallascope.primer import scenes
from tests.data.cases import cases
from tests.support.tifa_questions import ELEMENTS, METHANE, TEXT

PICTURE = Picture("ab" * 32, Path("methane.png"))
CASE = Case(prompt="A molecule of methane.", image=PICTURE, roles=frozenset({"writer"}))
BY_RULE = replace(CASE, roles=frozenset())
WRITTEN = Answer(json.dumps(ELEMENTS))
LOST = Failure("timeout", "The writer did not answer in 30 s.")


def evaluated(case: Case, *steps: list[Reply]) -> Report:
    return run(tifa.plan(case), steps)


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
    plan = tifa.plan(CASE)
    (request,) = next(plan)
    assert isinstance(request, Write)
    assert "A molecule of methane." in request.text
    assert request.template == template("tifa_questions").version
    asks = [ask for ask in plan.send([WRITTEN]) if isinstance(ask, Ask)]
    assert len(asks) == 4
    assert all(ask.images == (PICTURE,) and "of methane." not in ask.text for ask in asks)
    assert "A) atom\nB) molecule\nC) ion\nD) compound" in asks[1].text
    assert asks[1].template == template("tifa_ask").version
    assert next(tifa.plan(replace(CASE, prompt="ein roter Kreis"))), "in any language"


def test_states_and_scores_are_those_of_ihalla() -> None:
    replies: list[Reply] = [Answer("A"), Answer("D"), Answer("perhaps"), LOST]
    report = evaluated(CASE, [WRITTEN], replies)
    states = [verdict.state for verdict in report.verdicts]
    assert states == ["correct", "incorrect", "unreadable", "failed"]
    assert report.score == Score(0.5, 2, 2)
    assert report.published == {"score": 0.25, "strict": 0.0}


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
    with pytest.raises(TypeError, match="the configuration has another model"):
        evaluated(CASE, [Generated(b"")])


def test_a_prompt_without_elements_has_no_score_and_no_verdicts() -> None:
    report = evaluated(CASE, [Answer('{"elements": []}')])
    assert (report.verdicts, report.score) == ((), Score(None, 0, 0))


def test_a_prompt_that_names_nothing_is_left_out_and_says_so() -> None:
    report = evaluated(replace(BY_RULE, prompt="!?"))
    assert report.score == Score(None, 0, 1)
    assert report.verdicts[0].failure == NO_OBJECT


def test_only_what_can_be_read_is_worth_keeping() -> None:
    metric = metrics.get("tifa")
    (write,), ask = next(metric.plan(CASE)), next(metric.plan(BY_RULE))[0]
    assert metric.readable(write, Answer(TEXT))
    assert not metric.readable(write, Answer("no"))
    assert metric.readable(ask, Answer("B"))
    assert not metric.readable(ask, Answer("C"))
    assert (metric.needs_questions, metrics.get("ihalla").needs_questions) == (False, True)


# --- by rule


def questions_of(prompt: str) -> tuple[Question, ...]:
    found = tifa.questions(read_prompt(prompt))
    return () if isinstance(found, Verdict) else found


def asked(prompt: str) -> list[tuple[str, str]]:
    """Return every question with its right answer in words."""
    return [(question.text, question.choice(question.gold)) for question in questions_of(prompt)]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    cases("tifa_plan", "things_numbers_colors_and_places_are_asked_for", "metrics"),
)
def test_things_numbers_colors_and_places_are_asked_for(
    prompt: str, expected: list[list[str]]
) -> None:
    found = asked(prompt)
    assert set(map(tuple, expected)) <= set(found)
    assert bool(found) == bool(expected)


def test_questions_are_in_the_words_of_the_primer_world() -> None:
    prompt = "a red circle above a blue square"
    ours = scenes.parse(prompt).questions().questions
    by_primer = {question.text: question.choice(question.gold) for question in ours}
    by_rule = dict(asked(prompt))
    for text in (
        "What is at the top in the image?",
        "What is at the bottom in the image?",
        "What color is the circle in the image?",
    ):
        assert by_rule[text] == by_primer[text]
    assert asked("two tulips")[3][0] == scenes.parse("two tulips").questions().questions[0].text


@pytest.mark.parametrize("words", ["without a collar", "with no collar", "without any collar"])
def test_what_the_prompt_forbids_is_asked_once_and_no_is_right(words: str) -> None:
    found = asked(f"a dog {words} on a table")
    about = [(text, gold) for text, gold in found if "collar" in f"{text} {gold}".casefold()]
    assert about == [("Is there a collar in the image?", "No")]
    assert ("Is there a table in the image?", "Yes") in found


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

PARSED = replace(
    CASE, prompt="zwei rote Kreise", roles=frozenset({"parser"}), prompt_reader="model"
)
TRANSLATED = Answer(
    '{"language": "de", "translation": "two red circles", "objects":'
    ' [{"id": "1", "name": "circle", "count": "2", "attributes": ["red"]}]}'
)


def with_parser(case: Case, parsed: Reply) -> tuple[list[str], Report]:
    """Return what is asked about the reading of a parser, and the report."""
    plan = tifa.plan(case)
    (request,) = next(plan)
    assert isinstance(request, ReadPrompt)
    questions: list[str] = []
    replies = [parsed]
    try:
        while True:
            asks = plan.send(replies)
            questions += [ask.question for ask in asks if isinstance(ask, Ask)]
            replies = [Answer("A") for _ in asks]
    except StopIteration as end:
        return questions, end.value


def test_a_parser_reads_another_language_and_the_rules_ask_about_its_reading() -> None:
    questions, report = with_parser(PARSED, TRANSLATED)
    assert questions[0] == "Is there a circle in the image?"
    assert "How many circles are in the image? Two?" in questions
    assert "+rules+parser-" in report.version
    assert report.evidence is not None
    assert report.evidence.reading is not None
    assert report.evidence.reading.translation == "two red circles"


def test_a_parser_that_fails_leaves_the_questions_to_the_rules_and_says_so() -> None:
    failure = Failure("unavailable", "It is down.")
    questions, report = with_parser(replace(PARSED, prompt="two red circles"), failure)
    assert questions == [text for text, _ in asked("two red circles")]
    assert report.version.endswith("+rules")
    assert report.evidence is not None
    assert report.evidence.reading == read_prompt("two red circles")
    (note,) = report.evidence.notes
    assert note.endswith("It is down.")
    questions, report = with_parser(PARSED, failure)
    (verdict,) = report.verdicts
    assert (questions, verdict.state) == ([], "failed")
    assert (verdict.failure or "").endswith("so there is no score: It is down.")


def test_the_reading_of_a_person_goes_before_that_of_the_rules_and_the_report_says_so() -> None:
    hat = PromptReading(
        prompt="ein Hut",
        objects=(AskedObject(id="o1", name="hat"),),
        source="person",
        author="Ann",
    )
    case = replace(BY_RULE, prompt="ein Hut", reading=hat)
    report = evaluated(case, answers("AA"))
    assert report.verdicts[0].question.text == "Is there a hat in the image?"
    assert report.version == "+".join([*tifa.metric().version.split("+")[:2], "rules"])
    assert report.evidence is not None
    assert report.evidence.reading == hat
    unreadable = PromptReading(prompt="x", unreadable="a poem", source="person")
    report = evaluated(replace(case, reading=unreadable))
    assert (report.score.value, report.score.left_out) == (None, 1)
    assert report.verdicts[0].failure == "a poem"
