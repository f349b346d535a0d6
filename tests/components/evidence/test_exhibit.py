"""Keys and states: what an element leads to first, and which state is shown where several lie on
one place.
"""

from hallascope.components.evidence import exhibit


def test_a_key_names_its_thing_as_the_address_does() -> None:
    assert exhibit.key("finding", 2) == "finding=3"


def test_the_worst_state_is_shown() -> None:
    assert exhibit.worst(["correct", "incorrect", "left-out"]) == "incorrect"
    assert exhibit.worst(["correct", "left-out"]) == "left-out"
    assert exhibit.worst([None]) is None
    assert exhibit.worst([]) is None


def test_a_click_leads_to_what_is_wrong_first() -> None:
    kinds = {
        "finding=1": exhibit.kind("correct"),
        "finding=2": exhibit.kind("failed"),
        "finding=3": exhibit.kind("abstained"),
    }
    assert exhibit.wrong_first(list(kinds), kinds) == ("finding=3", "finding=1", "finding=2")
