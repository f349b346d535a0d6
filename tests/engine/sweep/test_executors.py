"""Executors are found by name; one that is unknown or not installed is one sentence."""

import threading
from typing import Any

import pytest

from hallascope.backends.base import Unavailable
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.sweep import executors
from hallascope.engine.sweep.executors import ExecutorContext, executor, model_registry
from hallascope.engine.sweep.local_executor import LocalExecutor


@pytest.fixture
def context(begin: Any) -> ExecutorContext:
    world = begin()
    registry = world.services.registry
    policy = SpendingPolicy()
    return ExecutorContext(
        store=world.store,
        bind=registry.binder(policy.keys),
        spec=registry.spec,
        budget=world.services.budget("sweep", policy),
        stop=threading.Event(),
    )


def test_this_machine_executes_with_its_own_models(begin: Any, context: ExecutorContext) -> None:
    registry = begin().services.registry
    assert isinstance(executor("local", context), LocalExecutor)
    assert model_registry("local", registry) is registry


def test_an_unknown_executor_is_refused_with_those_there_are(
    begin: Any, context: ExecutorContext
) -> None:
    message = "^There is no engine 'slurm': choose of local, ray.$"
    with pytest.raises(BadRequest, match=message):
        executor("slurm", context)
    with pytest.raises(BadRequest, match=message):
        model_registry("slurm", begin().services.registry)


def test_what_an_executor_needs_is_named_where_it_is_not_installed(
    context: ExecutorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "EXECUTORS", {"ray": "not_installed.executor:Executor"})
    with pytest.raises(Unavailable, match=r"needs not_installed: .*hallascope\[cluster\]"):
        executor("ray", context)
