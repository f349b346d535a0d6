"""Pictures of two models with answers of a judge, for tests of People."""

import pytest

from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services

PROMPT = "a molecule of methane"
MODELS = ("primer/exact", "primer/careless")


@pytest.fixture
def judged(services: Services) -> Services:
    list(services.evaluate(EvaluateRequest(prompt=PROMPT, models=MODELS)))
    return services
