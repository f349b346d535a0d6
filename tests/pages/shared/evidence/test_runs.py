"""One line-up or two evaluate a run; what that costs is estimated for each."""

from typing import Any

import pytest

from hallascope.engine.errors import HallaScopeError
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.shared.evidence import runs
from tests.support.fake_vision import drawn
from tests.support.fig_evidence import FIRST, look


def test_two_line_ups_stand_beneath_each_other_in_the_table_and_side_by_side_in_the_viewer(
    services: Any,
) -> None:
    said, table, looked = look(services, drawn(services), {"captioner": "eyes/grey"})[-1]
    assert len(looked.runs) == 2
    assert said.count("Second configuration") == 1
    assert table.count('class="head-cell"') == 4
    assert table.index("first configuration") < table.index("second configuration")
    one, other = runs.exhibits(services, looked, None, "fig")
    assert one.name == "eyes/painter, first configuration"
    assert ("captioner", "primer/judge") in _facts(one.numbers)
    assert ("captioner", "eyes/grey") in _facts(other.numbers)
    assert one.key == other.key
    assert one.run != other.run


def _facts(html: str) -> list[tuple[str, str]]:
    import re

    return re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td></tr>', html)


def test_a_model_that_cannot_look_gives_its_sentence(services: Any) -> None:
    with pytest.raises(HallaScopeError, match="did you mean"):
        look(services, drawn(services), {"captioner": "primer/jugde"})


def test_what_looking_costs_is_said_for_the_line_up_that_costs_it(services: Any) -> None:
    run = str(drawn(services).run)
    said = runs.estimate_html(
        services, run, [FIRST, FIRST | {"captioner": "eyes/paid"}], SpendingPolicy(), "fig"
    )
    assert "Second configuration: Estimated cost: about" in said
    assert "eyes/paid" in said
    assert "First configuration" not in said


def test_looking_by_models_that_cost_nothing_has_no_estimate_and_what_cannot_be_done_neither(
    services: Any,
) -> None:
    run = str(drawn(services).run)
    assert runs.estimate_html(services, run, [FIRST], SpendingPolicy(), "fig") == ""
    assert (
        runs.estimate_html(
            services, run, [FIRST | {"captioner": "nobody"}], SpendingPolicy(), "fig"
        )
        == ""
    )
