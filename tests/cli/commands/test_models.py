"""Tests `hallascope models`, the list; its downloads are tested beside the downloader."""

from typing import Any

from hallascope.data.models.specs import read_models


def test_models_lists_every_model_with_the_reason_why_not(command: Any) -> None:
    listed = {model["id"]: model for model in command("models", "--json").json["models"]}
    assert set(read_models()) <= set(listed)
    assert listed["primer/exact"]["available"]
    assert all(model["available"] == (model["reason"] is None) for model in listed.values())
    assert "primer/careless" in command("models").out
