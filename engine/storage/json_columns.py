"""Converts between the JSON columns of the tables and the records that they hold."""

from typing import Any

from pydantic import TypeAdapter

from hallascope.data.models.specs import KNOWLEDGE, Knowledge
from hallascope.data.records import Question, Report
from hallascope.data.requests import Failure, Role, Setting
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.storage.scores import INJECTED

REQUEST = TypeAdapter(EvaluateRequest)
QUESTIONS = TypeAdapter(tuple[Question, ...])
REPORT = TypeAdapter(Report)
FAILURE = TypeAdapter(Failure)
SETTINGS = TypeAdapter(dict[str, Setting])
TRUTH = TypeAdapter(dict[str, Any])
LINEUP = TypeAdapter(dict[Role, str])


def injected_knowledge(settings: str) -> Knowledge | None:
    """Return the knowledge that a picture's model was given beside the prompt, None without any."""
    value = SETTINGS.validate_json(settings).get(INJECTED)
    return next((knowledge for knowledge in KNOWLEDGE if knowledge == value), None)
