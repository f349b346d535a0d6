"""How a judge's reply is read: every decorated form of a letter, and nothing where it names none or
several.
"""

import json

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from hallascope.data.files.readings.gold_replies import GoldReply, gold_replies
from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Letter
from hallascope.metrics.replies.letters import gives_answer, read_letter

CHOICES = ("Red", "Blue", "Four atoms", "A red bird", NONE_OF_THE_ABOVE)
FORMS = (
    "{letter}",
    "{letter}.",
    "{letter})",
    "({letter})",
    "({letter}).",
    "**{letter}**",
    "**{letter})**",
    "`{letter}`",
    '"{letter}"',
    " {letter}\n",
    "{letter}) {choice}",
    "({letter}) {choice}",
    "{letter}. {choice}",
    "{letter}: {choice}",
    "{letter} {choice}",
    "{letter}){choice}.",
    "**{letter}) {choice}**",
    "Answer: {letter}",
    "answer: {letter}",
    "ANSWER: ({letter})",
    "Answer: {letter}) {choice}",
    "Answer: **{letter}**",
    "**Answer:** {letter}",
    "Answer:\n{letter}",
    "The answer is {letter}.",
    "The correct answer is ({letter}).",
    "Option {letter}",
    "{letter}\nThat is what I see.",
    "{letter}. That is what I see.",
    "{letter} because I see it.",
    "I look at the middle of the picture.\nAnswer: {letter}",
    '{{"answer": "{letter}"}}',
    '{{"answer": "{letter}) {choice}", "seen": "two birds"}}',
    '{{"Answer": "{choice}"}}',
    '```json\n{{"answer": "{letter}"}}\n```',
    'Here it is:\n```json\n{{\n  "answer": "{letter}"\n}}\n```',
    "```\n{letter}\n```",
    "{choice}",
    "{choice}.",
    "  {choice} ",
    "Answer: {choice}",
)
SHORT = (
    "{letter}",
    "{letter}.",
    "({letter})",
    "**{letter}**",
    "{letter}) {choice}",
    "Answer: {letter}",
    '{{"answer": "{letter}"}}',
    "'{letter}'",
)
WORD_SIGNS = "fghijklmnopqrstuvwxyz .,:\n!()'"
TRAILS = (
    "Explanation: {other} is wrong.",
    "Option {other} does not match what is shown.",
    "It is not {other}, as nothing of that can be seen.",
    "Reason: ({other}) can be ruled out.",
)
TURNS = (
    "Wait, it is {other}.",
    "The answer is {other}.",
    "{other} is correct, too.",
    "But {other} may also be right.",
    "Final answer: {other}",
    "Hmm, or {other}.",
    "No, {other}.",
)
JOINS = (" ", ", ", " or ", " and ", "/", "\n", "; ", " & ", "\n\n", " - ")

letters = st.sampled_from(LETTERS)


def written(form: str, letter: Letter) -> str:
    return form.format(letter=letter, choice=CHOICES[LETTERS.index(letter)])


@given(letters, st.sampled_from(FORMS))
def test_every_decorated_form_of_every_letter_is_read(letter: Letter, form: str) -> None:
    assert read_letter(written(form, letter), CHOICES) == letter


@pytest.mark.parametrize("form", ["{}", "({})", "{})", "{}.", "Answer: {}", "**{}**"])
@pytest.mark.parametrize("letter", LETTERS)
def test_a_small_letter_that_stands_alone_is_read(form: str, letter: Letter) -> None:
    assert read_letter(form.format(letter.lower()), CHOICES) == letter


@given(letters, letters, st.sampled_from(SHORT), st.sampled_from(SHORT), st.sampled_from(JOINS))
def test_two_different_letters_are_unreadable(
    one: Letter, other: Letter, form: str, second: str, join: str
) -> None:
    assume(one != other)
    assert read_letter(written(form, one) + join + written(second, other), CHOICES) is None


@given(letters, st.sampled_from(SHORT), st.sampled_from(("\n", " ")))
def test_the_same_letter_twice_after_a_colon_is_one_letter(
    letter: Letter, form: str, join: str
) -> None:
    assert read_letter(f"{letter}){join}Answer: {letter}", CHOICES) == letter


@given(st.text(), st.lists(st.text(), max_size=6))
@example("{" * 100_000, ["Red"])
@example('{"answer":' * 20_000, ["Red"])
@example('{"answer": ' + "9" * 5_000 + "}", ["Red"])
@example("\ud800", ["\ud800"])
def test_no_text_raises_and_only_letters_of_the_choices_are_read(
    text: str, choices: list[str]
) -> None:
    letter = read_letter(text, choices)
    assert letter is None or letter in LETTERS[: len(choices)]


@given(st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=1, max_size=12))
def test_a_sentence_that_begins_with_the_article_is_not_choice_a(words: list[str]) -> None:
    assume("answer" not in words and words[0] not in ("or", "and", "because", "since", "as"))
    assert read_letter(f"A {' '.join(words)}.", CHOICES) is None


@given(letters, st.lists(st.text(max_size=12), min_size=5, max_size=5))
def test_a_lone_letter_is_read_whatever_the_choices_say(letter: Letter, choices: list[str]) -> None:
    assert read_letter(letter, choices) == letter


@given(st.text())
def test_emphasis_and_surrounding_space_change_nothing(text: str) -> None:
    assume(not set(text) & set("*`_") and text.strip() == text)
    assert read_letter(f" **{text}**\n", CHOICES) == read_letter(text, CHOICES)


@given(
    st.dictionaries(
        st.text(), st.recursive(st.none() | st.booleans() | st.text(), st.lists, max_leaves=4)
    ),
    letters,
)
@example({"": "\\("}, "B")
@example({"$": "\\$"}, "B")
@example({"Final Answer": None}, "B")
@example({"a\\": "[x"}, "B")
def test_json_is_read_by_its_answer_alone(other: dict[str, object], letter: Letter) -> None:
    assume(not any(gives_answer(key) for key, value in other.items() if value is not None))
    assume(not any(mark in json.dumps(other, ensure_ascii=False) for mark in "*`_"))
    assert read_letter(json.dumps({**other, "answer": letter}), CHOICES) == letter


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "?",
        "I cannot tell.",
        "As far as I can see, a bird.",
        "A red ball is shown.",
        "Answer: A bird is shown",
        "The answer is a",
        "The answer is a tree.",
        "The answer is not B.",
        "Option B is wrong.",
        "BAD",
        "AB",
        "A B",
        "D-shaped",
        "E. coli is seen.",
        "It is red or blue.",
        "red blue",
        "'B' or 'C'",
        "A) Red\nB) Blue\nC) Four atoms",
        '{"answer": "B, C"}',
        '{"answer": "B", "answer": "C"}',
        '{"answer": 2}',
        '{"reply": "two"}',
        "[]",
    ],
)
def test_a_reply_without_one_clear_letter_is_unreadable(text: str) -> None:
    assert read_letter(text, CHOICES) is None


def test_a_letter_with_the_words_of_another_choice_is_unreadable() -> None:
    assert read_letter("B) Red", CHOICES) is None


def test_the_text_of_two_choices_alike_is_unreadable_but_its_letter_is_read() -> None:
    assert read_letter("red", ("Red", "red", "Blue")) is None
    assert read_letter("B) red", ("Red", "red", "Blue")) == "B"


def test_a_choice_that_begins_with_the_article_is_read_by_its_full_text() -> None:
    assert read_letter("A red bird", CHOICES) == "D"


def test_a_lone_letter_goes_before_a_choice_of_that_text() -> None:
    assert read_letter("C", ("C", "H", "O", "N", NONE_OF_THE_ABOVE)) == "C"


def test_letters_inside_the_text_of_the_chosen_choice_do_not_count() -> None:
    assert read_letter("B) Vitamin C", ("Vitamin A", "Vitamin C", "Vitamin D")) == "B"


def test_a_letter_beyond_the_choices_is_unreadable() -> None:
    assert read_letter("E", ("Red", "Blue", "Green", "Black")) is None


def test_other_spellings_of_signs_are_read() -> None:
    assert read_letter("Ｂ", CHOICES) == "B"
    assert read_letter("‘B’", CHOICES) == "B"
    assert read_letter("B – Blue", CHOICES) == "B"
    assert read_letter("CO2", ("CO₂", "H₂O")) == "A"


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("<think>Perhaps A, perhaps C.</think>\n\nB", "B"),
        ("It may be A, or C.</think> B) Blue", "B"),
        ('<thinking>A?</thinking><think>C?</think>{"answer": "B"}', "B"),
        ("<think>It must be B", None),
        ("<think></think>", None),
    ],
)
def test_what_a_model_thinks_aloud_is_no_part_of_its_reply(reply: str, letter: str | None) -> None:
    assert read_letter(reply, ("Red", "Blue", "Green")) == letter


@given(
    st.sampled_from([reply for reply in gold_replies("development") if reply.expected]),
    st.text(WORD_SIGNS, max_size=40),
    st.text(WORD_SIGNS, max_size=40),
    st.sampled_from((" ", "\n", "\n\n", ". ")),
)
def test_words_around_a_reply_never_change_its_letter_into_another(
    gold: GoldReply, before: str, after: str, join: str
) -> None:
    reply = before + join + gold.reply + join + after
    assert read_letter(reply, gold.choices, gold.question) in (gold.expected, None)


@given(
    st.sampled_from([reply for reply in gold_replies("development") if not reply.expected]),
    st.text(WORD_SIGNS, max_size=40),
)
def test_words_after_a_thought_that_ends_are_all_that_is_read(
    gold: GoldReply, thought: str
) -> None:
    assume("think" not in gold.reply.casefold() and gold.reply.strip())
    reply = f"<think>{thought} The answer is B.</think>{gold.reply}"
    assert read_letter(reply, gold.choices, gold.question) is None


@given(letters, st.sampled_from(TRAILS))
def test_reasons_that_rule_out_the_others_change_nothing(letter: Letter, trail: str) -> None:
    other = next(each for each in LETTERS if each != letter)
    for lead in ("Answer: {}", "{}", "**{}**", "The answer is {}.", "\\boxed{{{}}}"):
        reply = f"{lead.format(letter)}\n\n{trail.format(other=other)}"
        assert read_letter(reply, CHOICES) == letter


@given(letters, st.sampled_from(TURNS))
def test_a_reply_that_turns_to_another_letter_is_unreadable(letter: Letter, turn: str) -> None:
    other = next(each for each in LETTERS if each != letter)
    for lead in ("Answer: {}", "{}", "**{}**", "The answer is {}.", "\\boxed{{{}}}"):
        reply = f"{lead.format(letter)}\n\n{turn.format(other=other)}"
        assert read_letter(reply, CHOICES) is None


@given(letters, letters)
def test_fields_of_an_object_that_disagree_are_unreadable(one: Letter, other: Letter) -> None:
    reply = json.dumps({"answer": one, "final_answer": other})
    assert read_letter(reply, CHOICES) == (one if one == other else None)
