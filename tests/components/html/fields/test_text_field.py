"""A field for one line of text stands in a row without a frame of its own."""

from hallascope.components.html.fields.text_field import line_field


def test_a_field_has_one_line_its_label_and_what_else_is_given() -> None:
    field = line_field("Scale", "e.g. 1..5", "scale", min_width=170)
    assert (field.lines, field.max_lines, field.container) == (1, 1, False)
    assert (field.label, field.placeholder, field.elem_id) == ("Scale", "e.g. 1..5", "scale")
    assert field.min_width == 170
