"""Services with a scripted writer, and questions that it makes, for tests of Questions."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.questions import state
from hallascope.pages.questions.state import QuestionRequest, ReasoningDraftState
from tests.support import question_writers

PROMPT, WRITER, JUDGE = question_writers.PROMPT, "scripted/writer", "primer/judge"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = question_writers.build(tmp_path / "home")
    yield found
    found.store.close()


def drafted(
    services: Any,
    held: object = None,
    known: ReasoningDraftState | None = None,
    prompt: str = PROMPT,
) -> list[state.QuestionDraftView]:
    request = QuestionRequest(prompt, WRITER)
    return list(
        state.draft_views(
            services=services,
            request=request,
            terms=SpendingPolicy(),
            reasoning=question_writers.REASONING,
            held=held,
            known=known or ReasoningDraftState(),
            stop=threading.Event(),
        )
    )
