"""The rounds say how the judge did, and what ships is complete and small."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.evidence import State
from hallascope.data.teaching.odd_one_out import (
    FILE,
    FOLDER,
    BadRounds,
    OddOneOutRound,
    RoundAnswer,
    RoundFact,
    RoundImage,
    judge_score,
    judge_word,
    outline_path,
    read_rounds,
    write_rounds,
)


def image(*states: State, truth: tuple[str, ...] = ("Four", "White", "Round")) -> RoundImage:
    correct = states.count("correct")
    answers = tuple(RoundAnswer(text="any", state=state) for state in states)
    return RoundImage(
        file="a.webp", seed=1, truth=truth, answers=answers, correct=correct, answered=len(states)
    )


def make_round(*images: RoundImage) -> OddOneOutRound:
    """A round whose first image is the odd one; its third fact is not asked."""
    expected = ("Four", "White", "Round")
    facts = tuple(
        RoundFact(question=f"{i}?", expected=text, asked=i < 2) for i, text in enumerate(expected)
    )
    return OddOneOutRound(
        prompt="a thing",
        name="a thing",
        odd=0,
        question="0?",
        shown="Five",
        expected="Four",
        why="",
        source="",
        outline="",
        facts=facts,
        images=images,
    )


def test_each_error_of_the_judge_has_its_word() -> None:
    wrong = ("Five", "White", "Square")
    found = image("incorrect", "incorrect", truth=wrong)
    missed = image("correct", "correct", truth=wrong)
    played = make_round(found, missed)
    assert [judge_word(played, found, fact) for fact in range(3)] == [
        "found",
        "false alarm",
        "not asked",
    ]
    assert [judge_word(played, missed, fact) for fact in range(3)] == ["missed", None, "not asked"]
    refused = image("abstained", "unreadable", truth=wrong)
    assert judge_word(played, refused, 0) == "found"
    assert judge_word(played, refused, 1) is None


def test_a_tie_is_no_hit_of_the_judge() -> None:
    right, wrong = image("correct", "correct"), image("incorrect", "correct")
    assert make_round(wrong, right, right).judge_choice == 0
    assert make_round(right, right, right).judge_choice is None
    assert make_round(wrong, right, wrong).judge_choice is None
    rounds = [make_round(wrong, right), make_round(right, wrong), make_round(right, right)]
    assert [each.judge_is_right for each in rounds] == [True, False, False]
    assert judge_score(rounds) == 1


def test_an_image_without_an_answer_has_no_score_and_is_not_the_lowest() -> None:
    silent = replace(image("unreadable"), answered=0)
    assert silent.score is None
    assert make_round(image("incorrect", "correct"), silent).judge_choice == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6))
def test_an_outline_keeps_every_point(points: list[tuple[float, float]]) -> None:
    numbers = [float(part) for part in outline_path([tuple(points)])[1:-1].split()]
    assert numbers == pytest.approx([100 * side for point in points for side in point], abs=0.051)


# --- what ships


def test_twelve_rounds_ship_with_all_their_images_and_stay_small() -> None:
    rounds = read_rounds()
    assert [len(each.images) for each in rounds.rounds] == [4] * 12
    assert len(rounds.example.images) == 1
    listed = {each.file for own in (rounds.example, *rounds.rounds) for each in own.images}
    assert {f"images/{path.name}" for path in (FOLDER / "images").iterdir()} == listed
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 350_000


def test_each_round_has_one_wrong_image_and_its_outline() -> None:
    rounds = read_rounds()
    for each in (rounds.example, *rounds.rounds):
        wrong = [
            number
            for number, shown in enumerate(each.images)
            if any(each.is_wrong(shown, fact) for fact in range(len(each.facts)))
        ]
        assert wrong == [each.odd], each.name
        assert each.outline, each.name


def test_the_rounds_show_that_the_judge_errs_and_differ_from_each_other() -> None:
    rounds = read_rounds().rounds
    assert 6 <= judge_score(rounds) <= 10
    words = {
        judge_word(each, each.images[each.odd], fact)
        for each in rounds
        for fact in range(len(each.facts))
    }
    assert {"found", "missed", "not asked"} <= words
    assert len({each.prompt for each in rounds}) == 12
    assert len({each.odd for each in rounds}) == 4


def test_a_file_of_another_version_is_one_sentence_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(BadRounds, match="hallascope teach odd-one-out"):
        read_rounds(tmp_path)
    (tmp_path / FILE).write_text('{"rounds": []}')
    with pytest.raises(BadRounds, match="of another version"):
        read_rounds(tmp_path)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rounds = read_rounds()
    write_rounds(rounds, tmp_path)
    assert read_rounds(tmp_path) == rounds
