"""A verb that is left out is that of the clause before."""

from tests.support.parsed_texts import actions


def test_a_verb_that_is_left_out_is_that_of_the_one_before() -> None:
    text = "Three men play: one has a cello, another a trumpet, and the third a horn."
    with_what = [(words, thing) for _, words, thing, _ in actions(text) if words == "with"]
    assert with_what == [("with", "cello"), ("with", "trumpet"), ("with", "horn")]


def test_things_in_a_row_leave_no_verb_out() -> None:
    assert len(actions("A man holds a hat, a cane and a bag.")) == 3
