"""Makes the functions that scripts of the page call, with one sentence for an error."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr
from pydantic import ValidationError

from hallascope.components.learn.exercise import ServerFunction
from hallascope.data.teaching.lesson import BadLesson
from hallascope.engine.errors import HallaScopeError, sentence
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared.visitor import visitor_of

NOT_UNDERSTOOD = "The choice could not be read: reload the page and try again."
Result = TypeVar("Result")
Values = ParamSpec("Values")
Answer = Callable[[dict[str, Any], gr.Request], dict[str, Any]]
"""Called with what the script sent, and the visitor's request."""


def server_functions(named: Mapping[str, Answer]) -> tuple[ServerFunction, ...]:
    """Return the functions under the names by which the script calls them."""
    return tuple(_server_function(name, ask) for name, ask in named.items())


def _server_function(name: str, ask: Answer) -> ServerFunction:
    @catch_errors
    def answer(sent: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return ask(sent if isinstance(sent, dict) else {}, asker)

    answer.__name__ = name
    return answer


def sent_text(sent: Mapping[str, Any], name: str) -> str:
    """Return what the script sent under a name as text, "" where it sent nothing."""
    return str(sent.get(name) or "")


def catch_errors(ask: Callable[Values, dict[str, Any]]) -> Callable[Values, dict[str, Any]]:
    """Return the function with {"wrong": a sentence} as its result where there is none."""

    @wraps(ask)
    def answer(*args: Values.args, **kwargs: Values.kwargs) -> dict[str, Any]:
        try:
            return ask(*args, **kwargs)
        except ValidationError:
            return {"wrong": NOT_UNDERSTOOD}
        except HallaScopeError as error:
            return {"wrong": str(error)}
        except BadLesson as error:
            return {"wrong": sentence(error)}

    return answer


def charge_quota(
    services: Services, asker: gr.Request | None, number: int, ask: Callable[[], Result]
) -> Result:
    """Return the result, once so many pictures are counted for the visitor of a public app.

    Raises OverLimit.
    """
    visitor = visitor_of(services, asker)
    services.charge_quota(SpendingPolicy(visitor=visitor), lambda: number)
    return ask()
