"""Metrics beside people, question by question and by item, with dependencies between questions."""

import pytest
import scipy.stats

from hallascope.data.files.question_answers import AskedQuestion, ItemQuestion
from hallascope.metrics.human_agreement.question_answers import QuestionStudy, item_scores

ONE, TWO, THREE = (ItemQuestion("i", name) for name in "123")
CHAIN = {
    ONE: AskedQuestion("yes", ()),
    TWO: AskedQuestion("yes", ("1",)),
    THREE: AskedQuestion("red", ("2",)),
}


@pytest.mark.parametrize(
    "answers, score",
    [
        ({ONE: "yes", TWO: "yes", THREE: "red"}, 1),
        ({ONE: "yes", TWO: "yes", THREE: "blue"}, 2 / 3),
        ({ONE: "yes", TWO: "no", THREE: "red"}, 1 / 3),
        ({ONE: "no", TWO: "yes", THREE: "red"}, 0),
        ({TWO: "yes", THREE: "red"}, 1),
        ({ONE: "no", THREE: "red"}, 0),
    ],
)
def test_a_question_counts_as_no_where_one_that_it_depends_on_is_not_answered_as_expected(
    answers: dict[ItemQuestion, str], score: float
) -> None:
    assert item_scores(answers, CHAIN) == {"i": pytest.approx(score)}


def test_kappa_shares_and_items_are_those_of_the_majority_by_hand() -> None:
    asked = [ItemQuestion(item, name) for item in "abcde" for name in "12"]
    people = dict(zip(asked, ["yes"] * 6 + ["no"] * 4, strict=True))
    metric = dict(zip(asked, ["yes"] * 5 + ["no"] * 4 + ["yes"], strict=True))
    questions = {one: AskedQuestion("yes", ("1",) * (one.question == "2")) for one in asked}
    found = QuestionStudy({"vqa": metric}, {"ann": people, "bo": people}, questions)
    agreement = found.metrics()["vqa"]
    assert (agreement.n, agreement.accuracy.value) == (10, 0.8)
    # 0.6 * 0.6 + 0.4 * 0.4 by chance
    assert agreement.kappa.value == pytest.approx((0.8 - 0.52) / 0.48)
    assert agreement.sensitivity.value == pytest.approx(3 / 4)
    assert agreement.specificity.value == pytest.approx(5 / 6)
    assert (found.people().most_frequent, found.people().alpha) == (0.6, 1.0)
    items = found.items()
    assert items.people == {"a": 1, "b": 1, "c": 1, "d": 0, "e": 0}
    scores = [1, 1, 0.5, 0, 0]  # the yes of e hangs on a no
    spearman = scipy.stats.spearmanr(scores, [*items.people.values()]).statistic
    assert items.metrics()["vqa"].statistics["spearman"].value == pytest.approx(spearman)
    assert items.raters.level == "interval"


def test_a_question_without_an_answer_of_most_people_counts_in_nothing_else() -> None:
    people = {"ann": {ONE: "yes", TWO: "no"}, "bo": {ONE: "no", TWO: "no"}}
    found = QuestionStudy({"vqa": {ONE: "yes"}}, people, CHAIN)
    assert found.majority == {TWO: "no"}
    assert found.people().without_majority == 1
    agreement = found.metrics()["vqa"]
    assert (agreement.n, agreement.left_out, agreement.kappa.value) == (0, 1, None)
    assert agreement.accuracy.value is None
