"""A criterion is read as 0 or 1, yes or no, with its reason; what contradicts itself is not."""

import pytest

from hallascope.metrics.factualbench.criteria import (
    CriterionReply,
    common_reply,
    common_value,
    criterion_from_fields,
    criterion_from_words,
    fold_name,
    read_met,
    texts_by_label,
)

MET, NOT_MET, UNREAD = CriterionReply(True, "a"), CriterionReply(False, "b"), CriterionReply()


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        (1, CriterionReply(True)),
        (False, CriterionReply(False)),
        (2, CriterionReply()),
        (0.5, CriterionReply()),
        (None, CriterionReply()),
        ("Yes, it is striped.", CriterionReply(True, "it is striped.")),
        ("not met: too long", CriterionReply(False, "too long")),
        ({"met": 1, "reason": "striped\nall over"}, CriterionReply(True, "striped all over")),
        ({"score": "0", "comment": "plain"}, CriterionReply(False, "plain")),
        ({"met": {"met": 1}, "reason": "nested"}, CriterionReply(None, "nested")),
        ({"reason": "no verdict"}, CriterionReply(None, "no verdict")),
    ],
)
def test_a_value_is_read_as_number_words_or_an_object_with_its_reason(
    value: object, reply: CriterionReply
) -> None:
    assert read_met(value) == reply


@pytest.mark.parametrize(
    "text", ["0/1", "maybe", "1 out of 4", "1-2", "10", "no difference to the reference"]
)
def test_a_criterion_that_is_neither_0_nor_1_is_read_only_where_it_is_plain(text: str) -> None:
    assert criterion_from_words(text).met is (False if text == "0/1" else None)


def test_words_without_a_verdict_are_kept_as_the_reason() -> None:
    assert criterion_from_words("hard\nto say") == CriterionReply(None, "hard to say")


def test_several_replies_agree_or_say_nothing() -> None:
    assert common_reply([UNREAD, MET, MET]) == MET
    assert common_reply([MET, NOT_MET]) == UNREAD
    assert common_reply([CriterionReply(None, "a"), UNREAD]) == CriterionReply(None, "a")
    assert common_reply([]) == UNREAD


def test_values_are_common_where_none_is_missing_and_none_differs() -> None:
    assert common_value([3, 3]) == 3
    assert common_value([3, 2]) is None
    assert common_value([3, None]) is None
    assert common_value([]) is None


def test_a_criterion_under_two_names_is_read_where_both_say_the_same() -> None:
    fields: dict[str, object] = {"shape": 1, "shape accuracy": "yes", "color": 0}
    assert criterion_from_fields(fields, ("shape", "shape accuracy")).met is True
    assert criterion_from_fields(fields, ("shape", "color")).met is None
    assert criterion_from_fields(fields, ("texture",)).met is None


def test_names_are_compared_without_underscores_and_capitals() -> None:
    assert fold_name(" Beagle_Dog ") == "beagle dog"


def test_a_text_is_split_at_labels_that_open_a_line_or_have_two_words() -> None:
    names = {"rating": ("total rating", "rating"), "shape": ("shape accuracy", "shape")}
    text = "1. **Total Rating:** 3 Shape Accuracy: 1, the rating: not a label\nShape: 0"
    assert texts_by_label(text, names) == {
        "rating": ["3"],
        "shape": ["1, the rating: not a label", "0"],
    }
    assert texts_by_label("nothing here", names) == {"rating": [], "shape": []}


def test_many_marks_before_a_label_take_no_more_than_their_number() -> None:
    """With backtracking this text would take minutes."""
    assert texts_by_label("-*>" * 20_000 + "\n" * 20_000, {"rating": ("rating",)}) == {"rating": []}
