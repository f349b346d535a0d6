"""Tests `hallascope doctor`."""

from typing import Any

from hallascope.data.models.specs import read_models


def test_doctor_says_something_of_every_model_and_the_store(command: Any) -> None:
    found = {finding["what"] for finding in command("doctor", "--json").json}
    assert found >= {"python", "gpu", "store", *read_models()}
    assert "store" in command("doctor").out
