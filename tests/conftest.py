"""What tests of pages and of the running app share: services on the draughtsmen with a judge that follows a script."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from data.records import LETTERS
from data.requests import Answer, Ask, Failure

Judge = Callable[[Ask], Answer | Failure]
PROMPT = "a molecule of methane"


def says(ask: Ask) -> Answer:
    """A judge that answers every question right but the first, of which it says that nothing fits."""
    from data.primer import scenes

    for index, question in enumerate(scenes.parse(PROMPT).questions().questions):
        if question.text == ask.question and index:
            return Answer(f"{question.gold}) {question.choice(question.gold)}", tuple(0.8 if c == question.gold else 0.05 for c in LETTERS))
    return Answer("E")


@pytest.fixture
def make_services(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Services on a folder of their own; the judge is called primer/judge."""
    from backends.base import Limits
    from backends.scripted import Scripted
    from data.models import ModelSpec, read_models
    from engine.services import Services
    from engine.store import Store

    opened = []

    def make(judge: Judge = says, **options: Any) -> Services:
        spec = ModelSpec("primer/judge", "Scripted judge", ("judge",), "scripted", note="Follows a script.")
        store = Store(folder=tmp_path / "home")
        opened.append(store)
        return Services(store, read_models(), {spec.id: Scripted(spec, judge, limits=Limits(batch=1, concurrency=1), **options)})

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def services(make_services: Callable[..., Any]) -> Any:
    return make_services()


@pytest.fixture
def running() -> Callable[[Any], AbstractContextManager[str]]:
    """Runs the dashboard on services in this process and gives its address."""

    @contextmanager
    def run(services: Any) -> Iterator[str]:
        import app

        demo = app.create_app(services)
        _, address, _ = demo.launch(server_name="127.0.0.1", prevent_thread_lock=True, quiet=True, **app.options(services))
        try:
            yield address
        finally:
            demo.close()

    return run
