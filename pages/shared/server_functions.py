"""Makes the functions that scripts of the page call, with one sentence for an error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Annotated, Any, ParamSpec

import gradio as gr
from pydantic import BeforeValidator, ValidationError, validate_call

from hallascope.components.html.gradio_html import ServerFunction
from hallascope.data.teaching.lesson import BadLesson
from hallascope.engine.errors import HallaScopeError, sentence
from hallascope.engine.services import Services
from hallascope.pages.shared.visitor import services_of

NOT_UNDERSTOOD = "The choice could not be read: reload the page and try again."
Values = ParamSpec("Values")
SentText = Annotated[str, BeforeValidator(lambda sent: str(sent or ""))]
"""What a script sent as text, "" where it sent nothing."""


def server_functions(
    services: Services, *handlers: Callable[..., dict[str, Any]]
) -> list[ServerFunction]:
    """Return handlers as functions that a script calls by their names.

    A handler gets the services as who asks may use them, then by name what the script sent, checked
    by the types of its parameters; what it has no parameter for is ignored.
    """
    return [_server_function(services, handle) for handle in handlers]


def _server_function(services: Services, handle: Callable[..., dict[str, Any]]) -> ServerFunction:
    names = [*signature(handle).parameters][1:]
    checked = validate_call(config={"arbitrary_types_allowed": True})(handle)

    @_catch_errors
    def answer(sent: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        values = sent if isinstance(sent, dict) else {}
        known = {name: values[name] for name in names if name in values}
        return checked(services_of(services, asker), **known)

    answer.__name__ = handle.__name__
    return answer


def _catch_errors(ask: Callable[Values, dict[str, Any]]) -> Callable[Values, dict[str, Any]]:
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


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn an error of HallaScope into a `gr.Error` of one sentence."""
    try:
        yield
    except HallaScopeError as error:
        raise gr.Error(str(error), print_exception=False) from None
