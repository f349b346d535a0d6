"""Each retry and each fault is one line of the log, which names run, model, fault and attempt."""

import logging
from typing import Any

import pytest

from hallascope.backends.base import Denied, Transient
from hallascope.data.requests import Failure
from hallascope.engine.money.budget import Budget
from hallascope.engine.storage.store import Store
from tests.support.driver_runs import plan_of, run_plans

SAID = "The service says: sk-secret and a prompt."


def test_retries_and_faults_name_run_model_fault_and_attempt(
    judge: Any, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "hallascope")
    script = ["A", Transient(SAID, "rate_limited"), Denied(SAID), "A", Failure("refused", SAID)]
    budget = Budget("run-1", (1.0, 1.0), store.ledger)
    run_plans(judge(script), {"p": plan_of("a", "b", "c")}, budget=budget)
    start = "run=run-1 model=scripted/judge"
    # below the level that a terminal shows by itself
    assert {record.levelno for record in caplog.records} == {logging.INFO}
    assert [record.getMessage() for record in caplog.records] == [
        f"{start} fault=rate_limited attempt=1 wait=0.0",
        f"{start} fault=denied attempt=2 wait=0.0",
        f"{start} fault=refused attempt=1",
    ]
