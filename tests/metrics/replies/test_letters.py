"""How a judge's reply is read: every decorated form of a letter, and nothing where it names none or
several.
"""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bench.gold import GoldReply, gold_replies
from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Letter
from hallascope.metrics.replies.letters import gives_answer, read_letter, unread_reason

TABLE = yaml.safe_load((Path(__file__).parent / "letters.yaml").read_text("utf-8"))
CHOICES = ("Red", "Blue", "Four atoms", "A red bird", NONE_OF_THE_ABOVE)
LEADS = ("Answer: {}", "{}", "**{}**", "The answer is {}.", "\\boxed{{{}}}")
letters = st.sampled_from(LETTERS)
short_forms = st.sampled_from(TABLE["short_forms"])


def written(form: str, letter: Letter) -> str:
    return form.format(letter=letter, choice=CHOICES[LETTERS.index(letter)])


def test_replies_are_read_as_the_table_says() -> None:
    """Most of these were written to mislead a reader of letters."""
    wrong = [
        f"{reply!r}: {letter}, not {expected}"
        for case in TABLE["questions"]
        for reply, expected in case["replies"].items()
        if (letter := read_letter(reply, case["choices"], case["question"])) != expected
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("letter", LETTERS)
def test_every_decorated_form_of_every_letter_is_read(letter: Letter) -> None:
    wrong = [
        form for form in TABLE["forms"] if read_letter(written(form, letter), CHOICES) != letter
    ]
    wrong += [
        form
        for form in ("{}", "({})", "{})", "{}.", "Answer: {}", "**{}**")
        if read_letter(form.format(letter.lower()), CHOICES) != letter
    ]
    assert wrong == []
    for join in ("\n", " "):
        assert read_letter(f"{letter}){join}Answer: {letter}", CHOICES) == letter


@given(letters, letters, short_forms, short_forms, st.sampled_from(TABLE["joins"]))
def test_two_different_letters_are_unreadable(
    one: Letter, other: Letter, form: str, second: str, join: str
) -> None:
    assume(one != other)
    assert read_letter(written(form, one) + join + written(second, other), CHOICES) is None


@pytest.mark.parametrize(
    "words",
    [
        ", I can see a lantern.|, I cannot see a lantern.",
        ", there is.|, there isn't.",
        "; it hangs there.|; only a candle.",
        ". It is on the wall.|. Nothing of the kind is shown.",
        ", although it is hard to see.",
        ", but it is not lit.|, but a candle is there.",
        "!",
        ", definitely.|, definitely not.",
        "\n\nExplanation: I looked everywhere.",
        ", I can help with that!",
        ", I cannot tell.",
        ", I can't see images.",
        ", wait.",
        " or",
    ],
)
def test_a_leading_yes_and_a_leading_no_are_read_alike(words: str) -> None:
    after_yes, _, after_no = words.partition("|")
    replies = f"Yes{after_yes}", f"No{after_no or after_yes}"
    yes, no = (read_letter(reply, ("Yes", "No"), "Is there a lantern?") for reply in replies)
    assert (yes, no) in (("A", "B"), (None, None))


@pytest.mark.parametrize(
    "text, truncated, remedy",
    [
        ("I'm sorry, I can't help with identifying people.", False, "--judge"),
        ("As an AI, I won't assist.", False, "refused"),
        ("B or", True, "max_tokens"),
        ("<think>So many legs", False, "max_tokens"),
        ("What a lovely picture.", False, "names no single choice"),
    ],
)
def test_why_nothing_is_read_is_told_with_the_way_out(
    text: str, truncated: bool, remedy: str
) -> None:
    assert remedy in unread_reason(text, truncated=truncated)


@pytest.mark.parametrize("letter", LETTERS)
def test_reasons_against_the_others_change_nothing_and_a_turn_is_unreadable(letter: Letter) -> None:
    other = next(each for each in LETTERS if each != letter)
    for lead in LEADS:
        for rest, expected in (("rule_out_others", letter), ("turn_to_another", None)):
            for words in TABLE[rest]:
                reply = f"{lead.format(letter)}\n\n{words.format(other=other)}"
                assert read_letter(reply, CHOICES) == expected, reply


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


WORD_SIGNS = st.text("fghijklmnopqrstuvwxyz .,:\n!()'", max_size=40)


GOLD = gold_replies("development")


@given(st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=1, max_size=12))
def test_a_sentence_that_begins_with_the_article_is_not_choice_a(words: list[str]) -> None:
    assume("answer" not in words and words[0] not in ("or", "and", "because", "since", "as"))
    assert read_letter(f"A {' '.join(words)}.", CHOICES) is None


@given(letters, st.lists(st.text(max_size=12), min_size=5, max_size=5))
def test_a_lone_letter_is_read_whatever_the_choices_say(letter: Letter, choices: list[str]) -> None:
    assert read_letter(letter, choices) == letter


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


@given(
    st.sampled_from([reply for reply in GOLD if reply.letter]),
    WORD_SIGNS,
    WORD_SIGNS,
    st.sampled_from(("\n", "\n\n", ". ", " ")),
)
def test_words_around_a_reply_never_change_its_letter_into_another(
    gold: GoldReply, before: str, after: str, join: str
) -> None:
    reply = before + join + gold.reply + join + after
    assert read_letter(reply, gold.choices, gold.question) in (gold.letter, None)


@given(letters, letters)
def test_fields_of_an_object_that_disagree_are_unreadable(one: Letter, other: Letter) -> None:
    reply = json.dumps({"answer": one, "final_answer": other})
    assert read_letter(reply, CHOICES) == (one if one == other else None)


@given(st.sampled_from([reply for reply in GOLD if not reply.letter]), WORD_SIGNS)
def test_words_after_a_thought_that_ends_are_all_that_is_read(
    gold: GoldReply, thought: str
) -> None:
    assume("think" not in gold.reply.casefold() and gold.reply.strip())
    reply = f"<think>{thought} The answer is B.</think>{gold.reply}"
    assert read_letter(reply, gold.choices, gold.question) is None
