"""What a column holds comes back as it was written."""

import pytest

from hallascope.engine.storage import json_columns


@pytest.mark.parametrize(
    ("settings", "knowledge"),
    [
        ("{}", None),
        ('{"injected": "text"}', "text"),
        ('{"injected": "visual", "size": 16}', "visual"),
        ('{"injected": "of another version"}', None),
    ],
)
def test_knowledge_is_read_from_the_settings_of_a_picture(
    settings: str, knowledge: str | None
) -> None:
    assert json_columns.injected_knowledge(settings) == knowledge
