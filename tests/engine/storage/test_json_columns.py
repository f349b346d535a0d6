"""What a column holds comes back as it was written."""

import pytest

from hallascope.data.requests import Failure
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.storage import json_columns


def test_a_request_and_a_failure_come_back_as_they_were() -> None:
    request = EvaluateRequest(prompt="a cat", models=("m/one",))
    text = json_columns.REQUEST.dump_json(request)
    assert json_columns.REQUEST.validate_json(text) == request
    failure = Failure("timeout", "It took too long: try again.")
    assert json_columns.FAILURE.validate_json(json_columns.FAILURE.dump_json(failure)) == failure


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
