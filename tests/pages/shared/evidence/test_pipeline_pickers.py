"""Two line-ups are chosen role by role, the second from the first."""

from collections.abc import Mapping
from typing import Any

from hallascope.components.models.pickers import Option
from hallascope.data.requests import Role
from hallascope.pages import fig
from hallascope.pages.shared.evidence import pipeline_pickers
from hallascope.pages.shared.evidence.pipeline_pickers import NOBODY, SAME, PickerValues
from tests.support.fig_evidence import FIRST


def values(first: Mapping[Role, Any], second: Mapping[Role, Any]) -> list[Any]:
    """As the controls hold them: chips, and words beside them."""
    return [part for side in (first, second) for role in FIRST for part in ([side[role]], "")]


def test_the_second_line_up_is_the_first_where_nothing_else_is_chosen() -> None:
    first = FIRST | {"writer": NOBODY, "reader": NOBODY, "parser": NOBODY}
    (only,) = pipeline_pickers.chosen_lineups(
        PickerValues.from_values(values(first, dict.fromkeys(FIRST, SAME)), list(FIRST))
    )
    assert only == FIRST


def test_a_second_line_up_differs_in_what_is_chosen_and_in_nothing_else() -> None:
    first = FIRST | {"writer": "openai/gpt-4o", "reader": NOBODY, "parser": NOBODY}
    one, other = pipeline_pickers.chosen_lineups(
        PickerValues.from_values(
            values(
                first, dict.fromkeys(FIRST, SAME) | {"writer": NOBODY, "captioner": "eyes/grey"}
            ),
            list(FIRST),
        )
    )
    assert one["writer"] == "openai/gpt-4o"
    assert other == {**one, "writer": None, "captioner": "eyes/grey"}


def test_a_model_that_is_named_in_words_goes_before_the_chip() -> None:
    said = values(
        FIRST | {"writer": NOBODY, "reader": NOBODY, "parser": NOBODY}, dict.fromkeys(FIRST, SAME)
    )
    said[5] = " openai/gpt-4o "
    assert PickerValues.from_values(said, list(FIRST)).first["captioner"] == "openai/gpt-4o"


def test_every_role_has_its_own_name_so_that_no_two_choices_are_one() -> None:
    labels = [
        wanted.label
        for wanted in (
            *pipeline_pickers.first_pickers(fig.ROLES),
            *pipeline_pickers.second_pickers(fig.ROLES),
        )
    ]
    assert len(set(labels)) == len(labels) == 12
    assert all(
        isinstance(option, Option)
        for wanted in pipeline_pickers.second_pickers(fig.ROLES)
        for option in wanted.before
    )
