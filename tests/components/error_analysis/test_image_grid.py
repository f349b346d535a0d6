"""The grid offers its rows, its columns and what to compare with as named lists."""

import re

from hallascope.components.error_analysis.image_grid import image_grid


def test_every_control_has_a_name() -> None:
    body = str(image_grid((), "some-grid").props["body"])
    selects = re.findall(r"<label[^>]*><span>([^<]+)</span><select data-grid=\"([a-z]+)\"", body)
    assert selects == [
        ("Rows", "rows"),
        ("Columns", "columns"),
        ("Compare with", "baseline"),
    ]
    assert 'aria-label="Smaller images"' in body
    assert 'aria-describedby="some-grid-keys"' in body
