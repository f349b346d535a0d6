"""A painter and a judge that cost a cent a picture and a cent an answer, and one whose price nobody
knows, for tests of the pages.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

REVISED = "A detailed <b>molecule</b> of methane."


def build(folder: Path, before_answer: Callable[[], object] = lambda: None, **options: Any) -> Any:
    """Return services on a folder of their own with paid/painter, paid/judge and unknown/judge.

    They stand beside the entries of the data. A judge calls `before_answer` before each answer.
    """
    from hallascope.backends.base import CallLimits
    from hallascope.backends.scripted import Scripted
    from hallascope.data.models.specs import ModelSpec, Price, read_models
    from hallascope.data.requests import Answer, Generated, Usage
    from hallascope.engine.services import Services
    from hallascope.engine.storage.store import Store
    from tests.support.images import png

    cent = Price("2026-01-01", picture=0.01, output=10_000.0)

    def answers(ask: Any) -> Any:
        before_answer()
        return Answer("A", usage=Usage(output_tokens=1))

    def draws(request: Any) -> Any:
        return Generated(
            png(f"{request.seed}"), notes={"revised_prompt": REVISED}, usage=Usage(pictures=1)
        )

    def spec(name: str, role: Any, price: Any = cent) -> ModelSpec:
        return ModelSpec(
            id=name,
            title=name,
            roles=(role,),
            backend="scripted",
            kind="api",
            price=price,
            settings={"max_tokens": 1},
        )

    models = [
        Scripted(spec("paid/painter", "generator"), draws, limits=CallLimits(1, 1), **options),
        Scripted(spec("paid/judge", "judge"), answers, limits=CallLimits(1, 1), **options),
        Scripted(spec("unknown/judge", "judge", None), answers, limits=CallLimits(1, 1), **options),
    ]
    return Services(Store(folder=folder), read_models(), {m.spec.id: m for m in models})
