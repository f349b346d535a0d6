"""What tests of Judges share: a judge that follows a script, and a short trial of it."""

import threading
from typing import Any

import pytest

from hallascope.data.requests import Answer
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.judges import trial
from hallascope.pages.judges.trial import JudgeTrialSettings

JUDGE = "primer/judge"


def always_a(ask: Any) -> Answer:
    return Answer(
        "A" if ask.choices else "It cannot be told.",
        (0.6, 0.1, 0.1, 0.1, 0.1) if ask.choices else None,
    )


@pytest.fixture
def services(make_services: Any) -> Services:
    return make_services(always_a)  # type: ignore[no-any-return]


def tried(services: Services, **said: Any) -> list[str]:
    settings = JudgeTrialSettings(judges=(JUDGE,), pictures=2, **said)
    return list(trial.moments(services, settings, SpendingPolicy(), threading.Event()))
