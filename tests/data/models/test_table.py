"""The table of models is put between its two marks, and nowhere else."""

import pytest

from hallascope.data.models.specs import read_models
from hallascope.data.models.table import MARKS, insert_table, table


def test_every_model_that_does_not_ship_has_one_row() -> None:
    models = read_models()
    rows = table(models).splitlines()[2:]
    named = [row.split("`")[1] for row in rows]
    shipped = {name for name, spec in models.items() if spec.kind in ("simulated", "trained")}
    assert sorted(named) == sorted(set(models) - shipped)


def test_the_table_takes_the_place_between_the_marks() -> None:
    text = f"before {MARKS[0]} old {MARKS[1]} after"
    assert insert_table(text, "new") == f"before {MARKS[0]}\n\nnew\n\n{MARKS[1]} after"


@pytest.mark.parametrize("text", ["", MARKS[0], MARKS[1], f"{MARKS[1]} {MARKS[0]}"])
def test_a_text_without_both_marks_in_order_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no place for the table"):
        insert_table(text, "new")
