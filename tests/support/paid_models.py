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
from tests.support.scripted_models import scripted, serve

ONE = CallLimits(1, 1)
REVISED = "A detailed <b>molecule</b> of methane."


def build(
    folder: Path, before_answer: Callable[[], object] = lambda: None, latency: float = 0.0
) -> Services:
    """Return services on a folder of their own with paid/painter, paid/judge and unknown/judge.

    They stand beside the entries of the data. A judge calls `before_answer` before each answer.
    """
    cent = Price("2026-01-01", picture=0.01, output=10_000.0)

    def answers(ask: Any) -> Any:
        before_answer()
        return Answer("A", usage=Usage(output_tokens=1))

    def draws(request: Any) -> Any:
        return Generated(
            png(f"{request.seed}"), notes={"revised_prompt": REVISED}, usage=Usage(pictures=1)
        )

    models = (("paid/painter", "generator", draws), ("paid/judge", "judge", answers))
    entry = {"kind": "api", "settings": {"max_tokens": 1}}
    return serve(
        Store(folder=folder),
        *(scripted(*model, ONE, latency, price=cent, **entry) for model in models),  # type: ignore[arg-type]
        scripted("unknown/judge", "judge", answers, ONE, latency, **entry),  # type: ignore[arg-type]
    )
