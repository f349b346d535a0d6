"""Number fields give their bounds to the script, which says what is out of them."""

from hallascope.components.html.fields.number_field import number, whole_number


def test_the_bounds_of_a_field_are_classes_of_it() -> None:
    field = whole_number(3, "Seeds", 1, 16)
    assert field.elem_classes == ["bounded", "least-1", "most-16", "whole"]
    assert field.step == 1
    assert (field.minimum, field.maximum) == (None, None), "Gradio would raise before any handler"


def test_a_field_without_an_upper_end_has_no_class_for_it() -> None:
    assert number(0.5, "Cap", 0).elem_classes == ["bounded", "least-0"]
