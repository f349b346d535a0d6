"""Metrics beside people, question by question and by item, with dependencies between questions."""

from itertools import pairwise

import numpy as np
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
    ("answers", "score"),
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


def test_a_long_chain_of_dependencies_is_followed() -> None:
    names = [ItemQuestion("i", str(number)) for number in range(1_500)]
    questions = {names[0]: AskedQuestion("yes", ())}
    questions |= {
        asked: AskedQuestion("yes", (before.question,)) for before, asked in pairwise(names)
    }
    answers = dict.fromkeys(names, "yes")
    assert item_scores(answers, questions) == {"i": 1.0}
    assert item_scores({**answers, names[0]: "no"}, questions) == {"i": 0.0}


def study(errors: float, items: int = 40, seed: int = 1) -> QuestionStudy:
    """Return three raters and a metric that err in a share of their answers."""
    chance = np.random.default_rng(seed)
    asked = [ItemQuestion(f"i{item}", name) for item in range(items) for name in "123"]
    truth = {one: "yes" if chance.random() < 0.7 else "no" for one in asked}

    def answer(share: float) -> dict[ItemQuestion, str]:
        turned = {"yes": "no", "no": "yes"}
        return {
            one: turned[text] if chance.random() < share else text for one, text in truth.items()
        }

    people = {name: answer(0.05) for name in ("ann", "bo", "cy")}
    questions = {one: AskedQuestion("yes", () if one.question == "1" else ("1",)) for one in asked}
    return QuestionStudy({"vqa": answer(errors)}, people, questions)


def test_question_by_question_kappa_and_shares_are_those_of_the_majority() -> None:
    found = study(0.2)
    agreement = found.metrics()["vqa"]
    own = [found._metrics["vqa"][asked] for asked in found.majority]
    others = list(found.majority.values())
    equal = np.mean([a == b for a, b in zip(own, others, strict=True)])
    by_chance = sum(own.count(text) * others.count(text) for text in ("yes", "no")) / 120**2
    kappa = (equal - by_chance) / (1 - by_chance)
    assert agreement.n == 120
    assert agreement.accuracy.value == pytest.approx(equal)
    assert agreement.kappa.value == pytest.approx(kappa)
    assert agreement.kappa.low is not None
    assert agreement.kappa.high is not None
    assert agreement.kappa.low < kappa < agreement.kappa.high
    wrong = [a == "no" for a, b in zip(own, others, strict=True) if b == "no"]
    assert agreement.sensitivity.value == pytest.approx(np.mean(wrong))
    people = found.people()
    assert people.most_frequent == pytest.approx(max(map(others.count, ("yes", "no"))) / 120)
    assert people.alpha == pytest.approx(0.75, abs=0.1)


def test_items_are_compared_by_their_scores_with_dependencies() -> None:
    found = study(0.1)
    items = found.items()
    assert len(items.people) == 40
    expected = np.mean(
        [item_scores(answers, found._questions)["i0"] for answers in found._people.values()]
    )
    assert items.people["i0"] == pytest.approx(expected)
    scores = item_scores(found._metrics["vqa"], found._questions)
    spearman = scipy.stats.spearmanr(
        [scores[item] for item in items.people], [*items.people.values()]
    )
    assert items.metrics()["vqa"].statistics["spearman"].value == pytest.approx(spearman.statistic)
    assert items.raters.level == "interval"


def test_a_question_without_an_answer_of_most_people_counts_in_nothing_else() -> None:
    people = {"ann": {ONE: "yes", TWO: "no"}, "bo": {ONE: "no", TWO: "no"}}
    found = QuestionStudy({"vqa": {ONE: "yes"}}, people, CHAIN)
    assert found.majority == {TWO: "no"}
    assert found.people().without_majority == 1
    agreement = found.metrics()["vqa"]
    assert (agreement.n, agreement.left_out, agreement.kappa.value) == (0, 1, None)
    assert agreement.accuracy.value is None
