"""What a local judge is taken to have said, from how likely each choice is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.transformers import choice_ranking
from hallascope.data.records import CANNOT_TELL, NONE_OF_THE_ABOVE, Picture
from hallascope.data.requests import Answer, Ask
from hallascope.metrics.replies.letters import read_letter

CHOICES = ("Red", "Blue", NONE_OF_THE_ABOVE)


def ask(text: str, choices: tuple[str, ...] = CHOICES) -> Ask:
    return Ask(
        images=(Picture("ab", None),),  # type: ignore[arg-type]
        text=text,
        question="?",
        choices=choices,
    )


LETTERED = ask("Question: ?\nA) Red\nB) Blue\nC) None of the above\nAnswer:")
IN_WORDS = ask(
    "Is it red? Choices: Yes, No. Where it cannot be seen, reply: I cannot tell", ("Yes", "No")
)


UNSURE = Answer(CANNOT_TELL, protocol="ranked")


def test_a_letter_comes_with_its_words_and_probabilities_that_sum_to_one() -> None:
    said = choice_ranking.answer(LETTERED, 1, (0.01, 0.03, 0.0))
    assert said == Answer("B) Blue", (0.25, 0.75, 0.0), protocol="ranked")
    assert read_letter(said.text, CHOICES) == "B"


def test_who_cannot_tell_has_chosen_nothing() -> None:
    assert choice_ranking.answer(IN_WORDS, 2, (0.1, 0.1, 0.8)) == UNSURE
    assert choice_ranking.answer(IN_WORDS, 0, (0.6, 0.2, 0.2)).probabilities == pytest.approx(
        (0.75, 0.25)
    )


def test_unranked_none_of_the_above_has_a_tenth_of_what_the_others_leave_over() -> None:
    assert (
        choice_ranking.choose(CHOICES, {"Red": 0.01, "Blue": 0.02}).text == "C) None of the above"
    )
    said = choice_ranking.choose(CHOICES, {"Red": 0.1, "Blue": 0.2})
    assert said == Answer("B) Blue", said.probabilities, protocol="ranked")
    assert said.probabilities == pytest.approx((0.1 / 0.37, 0.2 / 0.37, 0.07 / 0.37))
    assert choice_ranking.likeliest(CHOICES, (0.1, 0.2, 0.05)).text == "B) Blue"


def test_a_judge_that_would_rather_say_that_it_cannot_tell_is_not_held_to_a_choice() -> None:
    unsure = {"Yes": 0.2, "No": 0.1, CANNOT_TELL: 0.6}
    assert choice_ranking.choose(("Yes", "No"), unsure) == UNSURE
    assert read_letter(CANNOT_TELL, ("Yes", "No")) is None
    assert choice_ranking.choose(("Yes", "No"), {**unsure, "Yes": 0.7}).text == "Yes"
    offered = choice_ranking.choose(("Yes", CANNOT_TELL), {"Yes": 0.2, CANNOT_TELL: 0.6})
    assert offered.text == CANNOT_TELL
    assert offered.probabilities == pytest.approx((0.25, 0.75))


@given(st.lists(st.floats(1e-30, 1), min_size=2, max_size=5))
def test_the_likeliest_choice_is_answered_and_its_probability_is_the_highest(
    chances: list[float],
) -> None:
    choices = tuple("abcde"[: len(chances)])
    said = choice_ranking.likeliest(choices, chances)
    assert said.probabilities is not None
    assert sum(said.probabilities) == pytest.approx(1)
    assert said.probabilities[choices.index(said.text)] == max(said.probabilities)
