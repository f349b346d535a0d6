"""A table reads the same in every supported form, and each fault of it has its line."""

import csv
import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.data.files.preferences import PreferenceTable, read_preferences
from hallascope.data.files.question_answers import (
    AnswerTable,
    AskedQuestion,
    ItemQuestion,
    read_answers,
)
from hallascope.data.files.ratings import Table, read_ratings, read_scores
from hallascope.data.files.tables import BadTable, Complaint, TableRow, read_rows

Reader = Callable[[Path], Table | PreferenceTable | AnswerTable]
VALUES = {("=a;b", "ann"): 1.5, ("=a;b", "bo,"): -2.0, ('"c" é', "ann"): 0.25}
LONG: list[list[object]] = [
    ["item", "rater", "value"],
    *([item, by, value] for (item, by), value in VALUES.items()),
]
WIDE: list[list[object]] = [["item", "ann", "bo,"], ["=a;b", 1.5, -2.0], ['"c" é', 0.25, ""]]


def write_text(rows: list[list[object]], separator: str, end: str, comma: bool) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=separator, lineterminator=end)
    for row in rows:
        writer.writerow(
            [str(one).replace(".", ",") if comma and isinstance(one, float) else one for one in row]
        )
    return buffer.getvalue()


@pytest.mark.parametrize("rows", [LONG, WIDE])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    "end, comma, encoding, packed",
    [
        ("\n", False, "utf-8", False),
        ("\r\n", True, "utf-8-sig", True),
        ("\r", False, "utf-16", False),
    ],
)
def test_a_table_of_text_reads_the_same_in_every_form(
    tmp_path: Path,
    rows: list[list[object]],
    separator: str,
    end: str,
    comma: bool,
    encoding: str,
    packed: bool,
) -> None:
    content = write_text(rows, separator, end, comma).encode(encoding)
    (tmp_path / "r.csv").write_bytes(gzip.compress(content) if packed else content)
    found = read_ratings(tmp_path / "r.csv")
    assert found.complaints == ()
    assert {(number.item, number.by): number.value for number in found.numbers} == VALUES


@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(st.integers(0, 60), st.booleans(), st.binary(max_size=8))
@pytest.mark.parametrize("read", [read_ratings, read_scores, read_preferences, read_answers])
def test_a_damaged_table_is_read_in_part_or_refused_in_a_sentence(
    tmp_path: Path, read: Reader, place: int, cut: bool, noise: bytes
) -> None:
    content = write_text(LONG, ",", "\n", False).encode()
    path = tmp_path / "r.csv"
    path.write_bytes(content[:place] + noise + (b"" if cut else content[place:]))
    try:
        said = [one.problem for one in read(path).complaints]
    except BadTable as error:
        said = [str(error)] if "r.csv" in str(error) else [""]
    assert all(one and "\n" not in one for one in said)


def read_text(
    path: Path, content: str | bytes, columns: tuple[str, ...] = ("item", "value")
) -> tuple[list[TableRow], list[str]]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    complaints: list[Complaint] = []
    return read_rows(path, columns, complaints), [str(one) for one in complaints]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "t.csv"


@pytest.mark.parametrize(
    "content, said",
    [
        (
            "item,value\na\nb,2\n",
            "t.csv, row 2: has 1 cells where the header names 2; the row is left out",
        ),
        (
            "item,value\na,1,x\nb,2\n",
            "t.csv, row 2: has 3 cells where the header names 2; the row is left out",
        ),
        ('item,value\n"a"x,1\nb,2\n', "t.csv, row 2: is quoted wrongly"),
    ],
)
def test_a_row_that_does_not_fit_is_left_out_and_named_and_the_next_is_read(
    table: Path, content: str, said: str
) -> None:
    found, wrong = read_text(table, content)
    assert [row.cells["item"] for row in found] == ["b"]
    assert len(wrong) == 1
    assert wrong[0].startswith(said)


@pytest.mark.parametrize(
    "content, said",
    [
        ("", "no column 'item', its columns are none"),
        ("item,score\n", "no column 'value', its columns are 'item', 'score': put their names"),
        ("item,valeu\n", "no column 'value', its columns are 'item', 'valeu': rename 'valeu'"),
        ("item,value,item\n", "the column 'item' twice"),
        (b"item,value\n\xff,1\n", "no UTF-8 text"),
    ],
)
def test_what_is_no_such_table_is_refused_as_a_whole(
    table: Path, content: str | bytes, said: str
) -> None:
    with pytest.raises(BadTable, match=said):
        read_text(table, content)


@pytest.mark.parametrize("content", ["7", "null", "true", '"a"', "[1]"])
def test_json_of_no_objects_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "t.json").write_text(content)
    with pytest.raises(BadTable, match="write it as one of these"):
        read_rows(tmp_path / "t.json", ("item",), [])


def preferences(folder: Path, text: str, missing: tuple[str, ...] = ()) -> PreferenceTable:
    (folder / "p.csv").write_text(text, encoding="utf-8")
    return read_preferences(folder / "p.csv", missing)


def test_choices_are_read_whatever_their_case_with_and_without_raters(tmp_path: Path) -> None:
    found = preferences(
        tmp_path,
        "item_a,item_b,rater,choice,group\nx,y,ann,A,p\nx,z,ann,item_b,p\ny,z,bo, Tie ,q\n"
        "x,y,bo,unreadable,p\nx,z,bo,NA,p\n",
        missing=("NA",),
    )
    assert found.complaints == ()
    assert [(one.item_a, one.item_b, one.rater, one.choice) for one in found.preferences] == [
        ("x", "y", "ann", "a"),
        ("x", "z", "ann", "b"),
        ("y", "z", "bo", "tie"),
        ("x", "y", "bo", "unreadable"),
    ]
    alone = preferences(tmp_path, "item a,item b,choice\nx,y,a\nx,y,a\n")
    assert [one.rater for one in alone.preferences] == ["", ""]


HEADER = "item,question,rater,metric,answer,depends_on,expected\n"


def answers(folder: Path, text: str, missing: tuple[str, ...] = ()) -> AnswerTable:
    (folder / "a.csv").write_text(text, encoding="utf-8")
    return read_answers(folder / "a.csv", missing)


def test_answers_of_people_and_metrics_are_kept_apart_with_what_questions_depend_on(
    tmp_path: Path,
) -> None:
    found = answers(
        tmp_path,
        HEADER
        + "i,1,ann,,Yes.,0,\ni,2,ann,,no,1,no\ni,3,ann,,NA,,\n"
        + 'i,1,,vqa,yes,,\ni,2,,vqa,red,1,\ni,3,,vqa,yes,"1, 2",\n',
        missing=("NA",),
    )
    assert found.complaints == ()
    one, two, three = (ItemQuestion("i", name) for name in "123")
    assert found.by_name(metrics=False) == {"ann": {one: "yes", two: "no"}}
    assert found.by_name(metrics=True) == {"vqa": {one: "yes", two: "red", three: "yes"}}
    assert found.questions == {
        one: AskedQuestion("yes", ()),
        two: AskedQuestion("no", ("1",)),
        three: AskedQuestion("yes", ("1", "2")),
    }


@pytest.mark.parametrize(
    "text, problem",
    [
        ("item,question,answer\ni,1,yes\n", "neither a column 'rater' nor a column 'metric'"),
        (HEADER, "holds no row"),
        (HEADER + "i,1,ann,,yes,2,\n", "row 2: the question '1' depends on '2', which is not ask"),
        (HEADER + "i,1,ann,,yes,1,\n", "row 2: the question '1' about 'i' depends on itself"),
        (
            HEADER + "i,1,ann,,yes,,\ni,2,ann,,yes,3,\ni,3,ann,,yes,2,\n",
            "row 3: the question '2' about 'i' depends on itself",
        ),
    ],
)
def test_a_table_that_cannot_be_scored_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadTable, match=problem):
        answers(tmp_path, text)
