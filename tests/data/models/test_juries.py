"""A jury without an entry is named by its rule and its members, in one order."""

import pytest

from hallascope.data.models.juries import jury_name, named_jury


def test_the_name_is_the_same_in_whatever_order_members_are_given() -> None:
    name = jury_name(["openai/gpt-4o", "primer/judge", "primer/judge"])
    assert name == "jury/weighted/openai/gpt-4o+primer/judge"
    assert jury_name(["primer/judge", "openai/gpt-4o"]) == name
    spec = named_jury("jury/majority/primer/judge+openai/gpt-4o")
    assert spec is not None
    assert spec.id == jury_name(["openai/gpt-4o", "primer/judge"], "majority")
    assert spec.members == ("openai/gpt-4o", "primer/judge")
    assert spec.settings == {"vote": "majority"}
    assert spec.roles == ("judge",)


@pytest.mark.parametrize("name", ["primer/jury", "jury", "jury/majority", "jury/majority/", "a+b"])
def test_other_names_are_no_juries(name: str) -> None:
    assert named_jury(name) is None
