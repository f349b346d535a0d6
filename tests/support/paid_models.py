"""A painter and a judge that cost a cent a picture and a cent an answer, and one whose price nobody
knows, for tests of the pages.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import Price
from hallascope.data.requests import Answer, Generated, Usage
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.images import png
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted, serve

REVISED = "A detailed <b>molecule</b> of methane."


def build(folder: Path, before_answer: Callable[[], object] = lambda: None) -> Services:
    """Return services on a folder of their own with these models beside the entries of the data."""
    return serve(Store(folder=folder), *models(before_answer))


def models(
    before_answer: Callable[[], object] = lambda: None, latency: float = 0.0
) -> list[Scripted]:
    """Return paid/painter, paid/judge and unknown/judge.

    A judge calls `before_answer` before each answer.
    """
    cent = Price("2026-01-01", picture=0.01, output=10_000.0)

    def answers(ask: Any) -> Any:
        before_answer()
        return Answer("A", usage=Usage(output_tokens=1))

    def draws(request: Any) -> Any:
        return Generated(
            png(f"{request.seed}"), notes={"revised_prompt": REVISED}, usage=Usage(pictures=1)
        )

    found: list[tuple[str, Any, Any, Price | None]] = [
        ("paid/painter", "generator", draws, cent),
        ("paid/judge", "judge", answers, cent),
        ("unknown/judge", "judge", answers, None),
    ]
    entry: dict[str, Any] = {"kind": "api", "settings": {"max_tokens": 1}}
    return [
        scripted(name, role, script, CallLimits(1, 1), latency, price=price, **entry)
        for name, role, script, price in found
    ]
