"""A specification groups its seeds, says what is done, and tells its faults with their lines."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.yaml_file import Fault
from hallascope.engine.run.validation import MAX_COUNT
from hallascope.engine.sweep.spec import BadSpec, ConsecutiveSeeds, PromptSource, Spec

SPEC = Spec(
    prompts=(PromptSource(kind="text", path="a cat"),),
    models=("primer/exact",),
    file=Path("mine.yaml"),
    lines={"models": 4, "models primer/exact": 5},
)


def test_seeds_are_asked_for_in_rows_of_neighbors_no_longer_than_a_request() -> None:
    for seeds, groups in (
        ((3,), [(3, 1)]),
        ((5, 6, 7), [(5, 3)]),
        ((9, 1, 2), [(1, 2), (9, 1)]),
        (tuple(range(MAX_COUNT + 1)), [(0, MAX_COUNT), (MAX_COUNT, 1)]),
    ):
        rows = tuple(ConsecutiveSeeds(*group) for group in groups)
        assert replace(SPEC, seeds=seeds).groups == rows


def test_the_same_sweep_is_the_same_wherever_its_file_stands() -> None:
    elsewhere = replace(SPEC, file=Path("other.yaml"), lines={})
    assert elsewhere == SPEC
    assert elsewhere.plain() == SPEC.plain()


def test_what_is_done_holds_neither_prompts_nor_money_nor_the_address_of_the_database() -> None:
    spec = replace(
        SPEC,
        roles={"writer": "m/w"},
        budget=5.0,
        budget_day=9.0,
        unpriced=True,
        store="postgresql://me:secret@host/db",
    )
    assert spec.plain() == {
        "title": "",
        "models": ("primer/exact",),
        "metrics": ("ihalla",),
        "judge": "primer/judge",
        "trials": 1,
        "seeds": (0,),
        "inject": (),
        "roles": {"writer": "m/w"},
    }


def test_a_name_has_the_line_where_it_stands_else_that_of_its_key_else_the_first() -> None:
    assert SPEC.line("models", "primer/exact") == 5
    assert SPEC.line("models", "primer/hasty") == 4
    assert SPEC.line("judge") == 1


def test_faults_are_one_error_in_the_order_of_their_lines() -> None:
    SPEC.complain([])
    with pytest.raises(BadSpec) as bad:
        SPEC.complain([Fault(7, "The second is wrong."), Fault(2, "The first is wrong.")])
    assert str(bad.value) == (
        "mine.yaml, line 2: The first is wrong.\nmine.yaml, line 7: The second is wrong."
    )
