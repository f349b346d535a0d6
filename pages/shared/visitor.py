"""Finds out who asks a public app: by the login, else by the cookie that the app has signed."""

from collections.abc import Callable, Mapping
from typing import Any

import gradio as gr

from hallascope.engine.access.visitors import COOKIE, Visitor
from hallascope.engine.deployment.hosting import public
from hallascope.engine.services import Services


def visitor_of(services: Services, asker: gr.Request | None) -> Visitor | None:
    """Return who asks; None on one's own machine, where everybody is the operator.

    A component's server function gets the request itself, an event Gradio's wrapper of it (gradio
    6.31).
    """
    if not public():
        return None
    request = getattr(asker, "request", asker)
    if request is None:
        return Visitor()
    address = request.client.host if request.client else None
    login = _login(request.scope.get("session"))
    return services.signer.visitor(login, request.cookies.get(COOKIE, ""), address)


def services_of(services: Services, asker: gr.Request | None) -> Services:
    """Return the services as who asks may use them."""
    return services.acting_for(visitor_of(services, asker))


def as_visitor(services: Services, handle: Callable[..., Any]) -> Callable[..., Any]:
    """Return a handler that is called with the services as who asks may, then the values."""

    def call(asker: gr.Request, *values: Any) -> Any:
        return handle(services_of(services, asker), *values)

    call.__name__ = handle.__name__
    return call


def _login(session: Any) -> str | None:
    """Return the name of the account on the Hub with which the visitor is logged in."""
    info = session.get("oauth_info") if isinstance(session, Mapping) else None
    user = info.get("userinfo") if isinstance(info, Mapping) else None
    name = user.get("preferred_username") if isinstance(user, Mapping) else None
    return name if isinstance(name, str) else None
