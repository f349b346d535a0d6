"""The example tables that ship are those of their seed, and every row of them can be used."""

import pytest

from hallascope.engine.human_agreement.examples import EXAMPLES, FOLDER
from hallascope.engine.human_agreement.preferences import compare_preferences
from hallascope.engine.human_agreement.question_answers import study_answers
from hallascope.engine.human_agreement.ratings import AgreementOptions, read_tables
from tests.support.agreement_examples import example_tables

OPTIONS = AgreementOptions()


def test_the_files_are_what_the_seed_gives() -> None:
    files = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.csv")}
    assert files == example_tables()


def test_no_row_is_left_out() -> None:
    ratings, preferences, answers = (
        EXAMPLES["ratings"],
        EXAMPLES["preferences"],
        EXAMPLES["answers"],
    )
    assert ratings.scores
    assert preferences.scores
    assert not answers.scores
    assert not read_tables(ratings.scores, ratings.people, OPTIONS).left_out
    assert not compare_preferences(preferences.scores, preferences.people, OPTIONS).left_out
    assert not study_answers(answers.people, OPTIONS).left_out


def test_what_knows_nothing_of_the_images_is_told_from_what_follows_them() -> None:
    example = EXAMPLES["preferences"]
    assert example.scores
    found = compare_preferences(example.scores, example.people, OPTIONS)
    length, reward = (found.metrics[name].order_accuracy for name in ("length", "reward"))
    assert length.high is not None
    assert reward.low is not None
    assert length.high < reward.low
    assert found.people.shares["tie"].value
    assert found.people.shares["unreadable"].value == pytest.approx(0.03, abs=0.03)
