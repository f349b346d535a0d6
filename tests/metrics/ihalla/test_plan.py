"""I-HallA: the paper's worked example, every state, both policies, and what the judge is asked."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.records import NONE_OF_THE_ABOVE, CoI, Letter, Picture, Question, Report, Score
from hallascope.data.requests import Answer, Ask, Failure, Reply
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan

PICTURE = Picture("ab" * 32, Path("methane.png"))


def question(text: str, choices: str, gold: Letter, coi: CoI) -> Question:
    return Question(
        text=text, choices=(*choices.split(", "), NONE_OF_THE_ABOVE), gold=gold, coi=coi
    )


# Paper, appendix F, figure 9.
METHANE = (
    question(
        "How are the hydrogen atoms positioned relative to the central carbon atom in the image?",
        "Opposite sides, Equidistant, Adjacent, Randomly",
        "B",
        "relation",
    ),
    question(
        "How many hydrogen atoms are connected to the central atom in the image?",
        "Two, Three, Four, Five",
        "C",
        "counting",
    ),
    question(
        "What is depicted at the center of the molecule in the image?",
        "Carbon atom, Hydrogen atom, Oxygen atom, Nitrogen atom",
        "A",
        "existence",
    ),
    question(
        "Which atoms are smaller in comparison to the central atom in the image?",
        "Carbon atoms, Hydrogen atoms, Oxygen atoms, Nitrogen atoms",
        "B",
        "size",
    ),
    question(
        "What is the general shape of the molecule depicted in the image?",
        "Linear, Tetrahedral, Planar, Octahedral",
        "B",
        "shape",
    ),
)
CASE = Case(prompt="A molecule of methane.", image=PICTURE, questions=METHANE)


def evaluated(*replies: Reply | str, case: Case = CASE) -> Report:
    return run(
        plan.metric().plan(case),
        [[Answer(reply) if isinstance(reply, str) else reply for reply in replies]],
    )


@pytest.mark.parametrize(
    "model, answers, value",
    [
        ("DallE-3", "BECED", 0.2),
        ("SD-XL", "EEEEE", 0.0),
        ("SD v2.0", "EEEEE", 0.0),
        ("none", "BCABB", 1.0),
    ],
)
def test_the_worked_example_of_appendix_f_gives_its_scores(
    model: str, answers: str, value: float
) -> None:
    report = evaluated(*answers)
    assert report.score == Score(value, 5, 0)
    assert report.scores["strict"] == Score(float(value == 1), 1, 0)
    assert report.published == {"score": value, "strict": float(value == 1)}


def test_each_reply_becomes_its_state() -> None:
    report = evaluated(
        "B) Equidistant",
        "D",
        "E",
        "I cannot tell.",
        Failure("timeout", "the judge did not answer in 30 s"),
    )
    assert [verdict.state for verdict in report.verdicts] == [
        "correct",
        "incorrect",
        "abstained",
        "unreadable",
        "failed",
    ]
    assert [verdict.answer for verdict in report.verdicts] == ["B", "D", "E", None, None]
    assert [verdict.raw for verdict in report.verdicts] == [
        "B) Equidistant",
        "D",
        "E",
        "I cannot tell.",
        "",
    ]
    assert report.verdicts[4].failure == "the judge did not answer in 30 s"


@pytest.mark.parametrize("root, right", [("A", 3), ("B", 0), ("no idea", 2)])
def test_a_question_is_wrong_where_one_it_depends_on_is(root: str, right: int) -> None:
    yes_no = Question(text="?", choices=("yes", "no"), gold="A", coi="others")
    asked = [yes_no, *(replace(yes_no, text=f"{n}?", parents=(n,)) for n in (1, 2))]
    states = [
        verdict.state
        for verdict in evaluated(
            root, "A", "A", case=replace(CASE, questions=tuple(asked))
        ).verdicts
    ]
    assert states.count("correct") == right
    assert states.count("incorrect") == (3 if root == "B" else 0)


def test_unanswered_questions_are_left_out_of_the_score_and_wrong_under_the_published_policy() -> (
    None
):
    lost = Failure("timeout", "no answer")
    report = evaluated("B", "C", lost, lost, "A")
    assert report.score == Score(2 / 3, 3, 2)
    assert report.scores["strict"] == Score(None, 0, 1)
    assert report.published == {"score": 0.4, "strict": 0.0}


def test_the_judge_sees_image_question_and_choices_but_not_the_prompt() -> None:
    asks = next(
        plan.metric().plan(Case(prompt="A molecule of methane.", image=PICTURE, questions=METHANE))
    )
    assert len(asks) == 5
    ask = asks[1]
    assert isinstance(ask, Ask)
    assert ask.images == (PICTURE,)
    assert (ask.question, ask.choices) == (METHANE[1].text, METHANE[1].choices)
    assert METHANE[1].text in ask.text
    assert "A) Two\nB) Three\nC) Four\nD) Five\nE) None of the above" in ask.text
    assert "If no choice fits what you see, choose E." in ask.text
    assert "methane" not in ask.text.lower()
    assert ask.template
    assert ask.template in plan.metric().version


def test_none_of_the_above_is_added_where_a_question_lacks_it() -> None:
    four = replace(METHANE[0], choices=METHANE[0].choices[:4])
    assert plan.add_none_of_the_above(four) == METHANE[0]
    assert plan.add_none_of_the_above(METHANE[0]) is METHANE[0]
    report = evaluated("E", case=Case(prompt="p", image=PICTURE, questions=(four,)))
    assert report.verdicts[0].state == "abstained"
    assert report.verdicts[0].question.choices[-1] == NONE_OF_THE_ABOVE


def test_five_other_choices_are_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="give at most four others"):
        plan.add_none_of_the_above(replace(METHANE[0], choices=("1", "2", "3", "4", "5")))


def test_the_probability_of_the_answer_is_kept_where_the_judge_gives_one_a_choice() -> None:
    report = evaluated(
        Answer("B", (0.1, 0.6, 0.1, 0.1, 0.1)), Answer("C", (0.5, 0.5)), "A", "B", "B"
    )
    assert [verdict.probability for verdict in report.verdicts] == [0.6, None, None, None, None]


def test_difficulty_follows_table_1_and_is_refused_outside_five_answers() -> None:
    levels = ["hard", "hard", "medium", "medium", "easy", "easy"]
    assert [plan.difficulty(right) for right in range(6)] == levels
    for right in (-1, 6):
        with pytest.raises(ValueError, match="from 0 to 5"):
            plan.difficulty(right)
