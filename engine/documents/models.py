"""Builds the document of a model: its specification, and whether it can run here."""

from typing import Any

from hallascope.engine.events import jsonable
from hallascope.engine.models.registry import ModelAvailability


def model_document(model: ModelAvailability) -> dict[str, Any]:
    """Return a model's specification with "available", and the "reason" where it is not."""
    return {**jsonable(model.spec), "available": model.reason is None, "reason": model.reason}
