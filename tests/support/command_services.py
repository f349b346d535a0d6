"""Gives every command services of a test."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

from hallascope import cli
from hallascope.engine.services import Services


@cache
def _modules() -> list[ModuleType]:
    """Return the modules in which commands may create their services and stores."""
    names = [module.name for module in walk_packages(cli.__path__, "hallascope.cli.")]
    return [*map(import_module, names), import_module("hallascope.engine.services")]


def use_services(monkeypatch: pytest.MonkeyPatch, create: Callable[[str | None], Services]) -> None:
    """Let all commands have services and a store by `create`, which takes the URL of a database."""

    def services(url: str | None = None) -> Services:
        return create(url)

    def store(url: str | None = None) -> Any:
        return create(url).store

    for module in _modules():
        if hasattr(module, "create_services"):
            monkeypatch.setattr(module, "create_services", services)
        if hasattr(module, "Store") and module.__name__.startswith("hallascope.cli."):
            monkeypatch.setattr(module, "Store", store)
