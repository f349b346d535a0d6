"""The kind of a table of what people say is known by its columns, however they are written."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.examples import EXAMPLES
from hallascope.engine.human_agreement.table_kinds import (
    TABLE_KINDS,
    TableKind,
    other_kind,
    recognize_table,
)


@pytest.mark.parametrize(
    ("header", "kind", "columns"),
    [
        ("item,rater,value", "ratings", ()),
        ("item,value", "ratings", ()),
        ("item,rater,fidelity,beauty", "ratings", ()),
        ("item,question,answer", "answers", ("item", "question", "answer")),
        ("item,question,metric,answer", "answers", ("item", "question", "answer")),
        ("Item;Question;Rater;Answer;depends_on", "answers", ("Item", "Question", "Answer")),
        ("item_a,item_b,rater,choice", "preferences", ("item_a", "item_b")),
        ("Item A\tItem B\tChoice", "preferences", ("Item A", "Item B")),
        ("choice;item_b;item_a", "preferences", ("item_a", "item_b")),
    ],
)
def test_a_table_is_known_by_its_columns(
    tmp_path: Path, header: str, kind: TableKind, columns: tuple[str, ...]
) -> None:
    file = tmp_path / "people.csv"
    file.write_text(f"{header}\n", encoding="utf-8")
    assert recognize_table(file) == (kind, columns)


def test_the_examples_are_of_the_kind_that_they_show() -> None:
    assert set(EXAMPLES) == set(TABLE_KINDS)
    for kind, tables in EXAMPLES.items():
        assert recognize_table(tables.people).kind == kind


def test_another_kind_is_told_where_the_columns_show_one(tmp_path: Path) -> None:
    answers = EXAMPLES["answers"].people
    assert other_kind(answers, "ratings") == "answers"
    assert other_kind(answers, "answers") is None
    assert other_kind(EXAMPLES["ratings"].people, "answers") is None
    assert other_kind(tmp_path / "nowhere.csv", "answers") is None


@given(st.binary(max_size=200))
def test_any_file_has_a_kind_or_is_refused_in_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("tables") / "people.csv"
    file.write_bytes(content)
    problem = ""
    try:
        assert recognize_table(file).kind in TABLE_KINDS
    except BadRequest as error:
        problem = str(error)
    assert not problem or "people.csv" in problem
    assert "\n" not in problem
