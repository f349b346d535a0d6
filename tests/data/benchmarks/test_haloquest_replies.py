"""Replies that were given elsewhere are read beside the questions they belong to."""

from pathlib import Path

import pytest

from hallascope.data.benchmarks.haloquest import HaloQuestion, HaloRow, read_haloquest
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.metrics.haloquest.rules import grade

QUESTION = HaloQuestion("What color is the hat?", ("There is no hat.",), "false premises", "real")
ROW = HaloRow("haloquest-eval.csv:2", "a.png", "", QUESTION, "eval")


def _file(folder: Path, text: str) -> Path:
    path = folder / "replies.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("value", "right"),
    [("1", True), ("Yes", True), ("0.0", False), ("incorrect", False), ("", None)],
)
def test_a_reply_comes_with_what_a_person_says_of_it(
    tmp_path: Path, value: str, right: bool | None
) -> None:
    text = f"item,reply,value\nhaloquest-eval.csv:2, Red. ,{value}\n"
    [reply], complaints = read_replies(_file(tmp_path, text), [ROW])
    assert (reply.row, reply.reply, reply.right) == (ROW, "Red.", right)
    assert complaints == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("haloquest-eval.csv:9,Red,1", "is no row of HaloQuest that was read"),
        ("haloquest-eval.csv:2,Red,maybe", "the value 'maybe' is neither 1 nor 0"),
    ],
)
def test_a_reply_that_cannot_be_used_is_named_by_its_line(
    tmp_path: Path, line: str, problem: str
) -> None:
    replies, [complaint] = read_replies(_file(tmp_path, f"item,reply,value\n{line}\n"), [ROW])
    assert replies == []
    assert complaint.row == 2
    assert problem in complaint.problem


def test_the_second_reply_to_a_row_is_left_out(tmp_path: Path) -> None:
    text = "item,reply\nhaloquest-eval.csv:2,Red\nhaloquest-eval.csv:2,Blue\n"
    [reply], [complaint] = read_replies(_file(tmp_path, text), [ROW])
    assert reply.reply == "Red"
    assert "stands there twice" in complaint.problem


def test_a_reply_to_a_row_that_asks_again_is_right_by_the_references_of_either_row(
    tmp_path: Path,
) -> None:
    header = ",image_name,url,image type,hallucination type,question,groundtruth responses,split"
    row = "0,a.png,https://b.example/a.png,real,visual challenge,What is it?,{},eval"
    table = tmp_path / "haloquest-eval.csv"
    table.write_text("\n".join([header, row.format("A dog"), row.format("A wolf")]) + "\n")
    known = read_haloquest(table).rows
    for line, text in (("2", "It is a wolf."), ("3", "It is a wolf."), ("3", "It is a dog.")):
        replies = _file(tmp_path, f"item,reply\nhaloquest-eval.csv:{line},{text}\n")
        [reply], complaints = read_replies(replies, known)
        assert complaints == []
        assert grade(reply.row.question, reply.reply).agree
    both = "item,reply\nhaloquest-eval.csv:2,Dog\nhaloquest-eval.csv:3,Wolf\n"
    [reply], [complaint] = read_replies(_file(tmp_path, both), known)
    assert reply.reply == "Dog"
    assert "also as a row that asks it again" in complaint.problem


def test_several_models_may_reply_to_a_row(tmp_path: Path) -> None:
    text = "item,reply,value,model\n" + "".join(
        f"haloquest-eval.csv:2,Red.,1,{model}\n" for model in ("one", "two", "one")
    )
    replies, [complaint] = read_replies(_file(tmp_path, text), [ROW])
    assert [reply.model for reply in replies] == ["one", "two"]
    assert "stands there twice" in complaint.problem
