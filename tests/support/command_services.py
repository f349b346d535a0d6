"""Gives every command services of a test."""

import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import walk_packages

import pytest

from hallascope import cli
from hallascope.engine.services import Services


def use_services(monkeypatch: pytest.MonkeyPatch, create: Callable[[str | None], Services]) -> None:
    """Let all commands create their services by `create`, which takes the URL of a database."""
    for module in walk_packages(cli.__path__, "hallascope.cli."):
        if hasattr(import_module(module.name), "create_services"):
            monkeypatch.setattr(
                sys.modules[module.name], "create_services", lambda url=None: create(url)
            )
