"""HaloQuest's released tables and replies to them are read with all their quirks, every fault
named.
"""

import itertools
from pathlib import Path

import pytest

from hallascope.data.benchmarks.haloquest import (
    HaloQuest,
    HaloQuestion,
    HaloRow,
    pictures,
    read_haloquest,
)
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.data.files.tables import BadTable
from hallascope.metrics.haloquest.rules import grade
from tests.data.cases import cases
from tests.support.halo_trials import HEADER

RELEASED = Path(__file__).parents[4] / "shared" / "benchmarks" / "haloquest-eval.csv"


GOOD = (
    "0,a.png,https://b.example/a.png,generated,false premises,What collar?,There is none; No"
    " collar,eval\n"
)


def read(folder: Path, text: str, name: str = "haloquest-eval.csv") -> HaloQuest:
    (folder / name).write_text(text, encoding="utf-8")
    return read_haloquest(folder / name)


def test_a_row_is_a_question_with_its_references_picture_and_types(tmp_path: Path) -> None:
    found = read(tmp_path, HEADER + GOOD)
    (row,) = found.rows
    assert (row.source, row.image, row.url, row.split) == (
        "haloquest-eval.csv:2",
        "a.png",
        "https://b.example/a.png",
        "eval",
    )
    assert row.question.references == ("There is none", "No collar")
    assert (row.question.hallucination, row.question.image_type) == ("false premises", "generated")
    assert found.complaints == ()


@pytest.mark.parametrize(
    "old, new, said",
    cases("haloquest", "a_row_that_cannot_be_read_whole_is_left_out_and_named"),
)
def test_a_row_that_cannot_be_read_whole_is_left_out_and_named(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    found = read(
        tmp_path, HEADER + GOOD.replace(old, new) + GOOD.replace("What collar?", "Which one?")
    )
    assert [row.question.text for row in found.rows] == ["Which one?"]
    (complaint,) = map(str, found.complaints)
    assert complaint.startswith(f"haloquest-eval.csv, {said}")
    assert complaint.endswith("; the row is left out")


def test_what_is_odd_but_readable_is_kept_and_named(tmp_path: Path) -> None:
    odd = (
        GOOD.replace("No collar", "There is none").replace("What collar?", "Two?"),
        GOOD.replace("b.example", "c.example").replace("What collar?", "Three?"),
        GOOD.replace("https://b.example/a.png", "ftp://b.example/a.png")
        .replace("What collar?", "Four?")
        .replace("a.png,ftp", "d.png,ftp"),
        GOOD,
    )
    found = read(tmp_path, HEADER + GOOD + "".join(odd))
    assert len(found.rows) == 4
    assert [(one.row, one.problem.split(";")[0][:36]) for one in found.notes] == [
        (3, "the reference 'There is none' appear"),
        (4, "the image 'a.png' has another addres"),
        (6, "the same question about the same ima"),
    ]
    assert [(one.row, one.problem.split(";")[0][:36]) for one in found.complaints] == [
        (5, "the url 'ftp://b.example/a.png' is n"),
    ]
    assert found.rows[3].url == ""


def test_of_a_question_asked_twice_the_references_of_both_rows_count(tmp_path: Path) -> None:
    again = GOOD.replace("No collar", "It wears nothing")
    found = read(tmp_path, HEADER + GOOD + again + again)
    (row,) = found.rows
    assert row.source == "haloquest-eval.csv:2"
    assert row.repeated == ("haloquest-eval.csv:3", "haloquest-eval.csv:4")
    first = ("There is none", "No collar")
    assert row.question.references == (*first, "It wears nothing")
    assert [note.row for note in found.notes] == [3, 4]
    assert found.complaints == ()


def test_where_nothing_of_haloquest_is_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match=r"put 'haloquest-eval\.csv' there"):
        read_haloquest(tmp_path)
    with pytest.raises(BadTable, match="no column 'image name'"):
        read(tmp_path, "a,b\n1,2\n")
    with pytest.raises(
        BadTable, match=r"no question of HaloQuest was read: haloquest-eval\.csv, row 2"
    ):
        read(tmp_path, HEADER + GOOD.replace("generated", "x"))
    with pytest.raises(BadTable, match="holds no row"):
        read(tmp_path, HEADER)


def test_pictures_are_found_by_name_whatever_their_case_and_as_in_the_address(
    tmp_path: Path,
) -> None:
    text = (
        HEADER
        + GOOD
        + GOOD.replace("a.png", "x 1.png").replace("/x 1.png", "/x+1.PNG")
        + GOOD.replace("a.png", "gone.png")
    )
    rows = read(tmp_path, text).rows
    (tmp_path / "deep").mkdir()
    for name in ("deep/A.PNG", "x+1.png"):
        (tmp_path / name).write_bytes(b"")
    found = pictures(tmp_path, rows)
    assert {name: path.name for name, path in found.items()} == {
        "a.png": "A.PNG",
        "x 1.png": "x+1.png",
    }


@pytest.mark.skipif(not RELEASED.exists(), reason="the released file is not here")
def test_the_released_evaluation_set_is_read_whole() -> None:
    found = read_haloquest(RELEASED)
    said = found.summary()
    assert (said["questions"], said["images"]) == (608, 375)
    assert said["by_image_type"] == {"generated": 391, "real": 217}
    assert said["by_hallucination_type"] == {
        "false premises": 304,
        "visual challenge": 183,
        "insufficient context": 121,
    }
    assert found.complaints == ()
    assert [one.row for one in found.notes] == [141, 142, 152, 153]
    # No question about one image appears twice, so that none is asked once for several rows.
    assert not any(row.repeated for row in found.rows)
    # The cell of this answer goes on in the next line of the file.
    answer = found.rows[283].question.references[0]
    assert answer == "There a four fingers visible in the photo"


QUESTION = HaloQuestion("What color is the hat?", ("There is no hat.",), "false premises", "real")


ROW = HaloRow("haloquest-eval.csv:2", "a.png", "", QUESTION, "eval")


def reply_file(folder: Path, text: str) -> Path:
    path = folder / "replies.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "value, right",
    [("1", True), ("Yes", True), ("0.0", False), ("incorrect", False), ("", None)],
)
def test_a_reply_comes_with_what_a_person_says_of_it(
    tmp_path: Path, value: str, right: bool | None
) -> None:
    text = f"item,reply,value\nhaloquest-eval.csv:2, Red. ,{value}\n"
    [reply], complaints = read_replies(reply_file(tmp_path, text), [ROW])
    assert (reply.row, reply.reply, reply.right) == (ROW, "Red.", right)
    assert complaints == []


@pytest.mark.parametrize(
    "line, problem",
    [
        ("haloquest-eval.csv:9,Red,1", "is no row of HaloQuest that was read"),
        ("haloquest-eval.csv:2,Red,maybe", "'value' is 'maybe': write 1 or 0"),
    ],
)
def test_a_reply_that_cannot_be_used_is_named_by_its_line(
    tmp_path: Path, line: str, problem: str
) -> None:
    replies, [complaint] = read_replies(reply_file(tmp_path, f"item,reply,value\n{line}\n"), [ROW])
    assert replies == []
    assert complaint.row == 2
    assert problem in complaint.problem


def test_a_reply_to_a_row_that_asks_again_is_right_by_the_references_of_either_row(
    tmp_path: Path,
) -> None:
    header = ",image_name,url,image type,hallucination type,question,groundtruth responses,split"
    row = "0,a.png,https://b.example/a.png,real,visual challenge,What is it?,{},eval"
    table = tmp_path / "haloquest-eval.csv"
    table.write_text("\n".join([header, row.format("A dog"), row.format("A wolf")]) + "\n")
    known = read_haloquest(table).rows
    for line, text in (("2", "It is a wolf."), ("3", "It is a wolf."), ("3", "It is a dog.")):
        replies = reply_file(tmp_path, f"item,reply\nhaloquest-eval.csv:{line},{text}\n")
        [reply], complaints = read_replies(replies, known)
        assert complaints == []
        assert grade(reply.row.question, reply.reply).agree
    both = "item,reply\nhaloquest-eval.csv:2,Dog\nhaloquest-eval.csv:3,Wolf\n"
    [reply], [complaint] = read_replies(reply_file(tmp_path, both), known)
    assert reply.reply == "Dog"
    assert "also as a row that asks it again" in complaint.problem


@pytest.mark.skipif(not RELEASED.exists(), reason="the released file is not here")
def test_every_reference_of_the_authors_is_right_and_few_of_other_questions_are() -> None:
    questions = [row.question for row in read_haloquest(RELEASED).rows]
    wrong = [
        (question.text, reference)
        for question in questions
        for reference in question.references
        if not grade(question, reference).agree
    ]
    assert wrong == []
    foreign = [
        grade(question, other.references[0]).agree
        for question, other in itertools.pairwise(questions[::7])
    ]
    assert sum(foreign) <= 0.06 * len(foreign)
