"""A reviewer is told where a question names its subject or gives its answer away."""

from dataclasses import replace

from hallascope.data.records import NONE_OF_THE_ABOVE, Question
from hallascope.metrics.ihalla.review_hints import concerns, concerns_of_all

PROMPT = "A molecule of methane."
CHOICES = ("Two", "Three", "Four", "Five", NONE_OF_THE_ABOVE)
ATOMS = Question(
    text="How many outer atoms are in the image?", choices=CHOICES, gold="C", coi="counting"
)


def test_a_question_or_choice_that_names_the_subject_is_a_concern_and_a_general_word_is_none() -> (
    None
):
    named = replace(ATOMS, text="How many atoms does methane have in the image?")
    assert concerns(PROMPT, named) == (
        "Names the subject (methane): write “the image” or a general word instead.",
    )
    assert concerns("two red Tulips", replace(ATOMS, choices=("A tulip", *CHOICES[1:])))[
        0
    ].startswith("Names the subject (tulip)")
    # Paper, appendix F: the questions on methane speak of "the molecule".
    assert (
        concerns(
            PROMPT,
            replace(ATOMS, text="What is depicted at the center of the molecule in the image?"),
        )
        == ()
    )


def test_none_of_the_above_as_gold_and_one_letter_everywhere_are_concerns() -> None:
    assert concerns(PROMPT, replace(ATOMS, gold="E"))[0].startswith(
        "The right answer is “None of the above”"
    )
    assert concerns_of_all([ATOMS] * 5) == (
        "The right answer is C everywhere: a judge that always says C would be right.",
    )
    assert (
        concerns_of_all([ATOMS, replace(ATOMS, gold="A"), ATOMS]) == concerns_of_all([ATOMS]) == ()
    )
