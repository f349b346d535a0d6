"""Makes the functions that scripts of the Learn tab call, with one sentence for an error."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import gradio as gr

from hallascope.components.learn.exercise import ServerFunction
from hallascope.data.teaching.lesson import BadLesson
from hallascope.engine.errors import HallaScopeError, sentence
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared.visitor import visitor_of

Result = TypeVar("Result")
Answer = Callable[[dict[str, Any], gr.Request], dict[str, Any]]
"""Called with what the script sent, and the visitor's request."""


def server_functions(named: Mapping[str, Answer]) -> tuple[ServerFunction, ...]:
    """Return the functions under the names by which the script calls them."""
    return tuple(_server_function(name, ask) for name, ask in named.items())


def _server_function(name: str, ask: Answer) -> ServerFunction:
    def answer(sent: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_error(lambda: ask(sent if isinstance(sent, dict) else {}, asker))

    answer.__name__ = name
    return answer


def sent_text(sent: Mapping[str, Any], name: str) -> str:
    """Return what the script sent under a name as text, "" where it sent nothing."""
    return str(sent.get(name) or "")


def result_or_error(ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the result, or one sentence why there is none."""
    try:
        return ask()
    except HallaScopeError as error:
        return {"wrong": str(error)}
    except BadLesson as error:
        return {"wrong": sentence(error)}


def charge_quota(
    services: Services, asker: gr.Request | None, number: int, ask: Callable[[], Result]
) -> Result:
    """Return the result, once so many pictures are counted for the visitor of a public app.

    Raises OverLimit.
    """
    visitor = visitor_of(services, asker)
    services.charge_quota(SpendingPolicy(visitor=visitor), lambda: number)
    return ask()
