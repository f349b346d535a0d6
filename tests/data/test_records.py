"""Categories belong to a half of the benchmark, and a question knows its choices by letter."""

from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Category, Question, Report, Score


def test_three_categories_are_of_science_and_six_of_history() -> None:
    fields = [category.field for category in Category]
    assert (fields.count("Science"), fields.count("History")) == (3, 6)
    assert Category.PHYSICS.field == "Science"


def test_a_choice_is_found_by_its_letter() -> None:
    choices = ("Red", "Blue", "Green", "White", NONE_OF_THE_ABOVE)
    question = Question(text="?", choices=choices, gold="B", coi="color")
    assert tuple(question.choice(letter) for letter in LETTERS) == choices


def test_the_main_score_of_a_report_is_the_one_called_score() -> None:
    scores = {"score": Score(0.5, 2, 0), "strict": Score(None, 0, 2)}
    report = Report(metric="m", version="1", prompt="p", image="i", scores=scores)
    assert report.score == Score(0.5, 2, 0)
