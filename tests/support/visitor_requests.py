"""Requests of visitors of a public app, as Gradio hands them to a page."""

from typing import Any

import gradio as gr
from starlette.requests import Request

from hallascope.engine.access.visitors import COOKIE
from hallascope.engine.services import Services

HOME, PROXY = "91.198.174.192", "10.16.3.80"


def browser_request(services: Services, **options: Any) -> gr.Request:
    """A request of a new browser that has the cookie of a public app."""
    return visitor_request(cookie=f"{COOKIE}={services.signer.new_cookie()}", **options)


def visitor_request(peer: str | None = PROXY, session: Any = None, **headers: str) -> gr.Request:
    """A request of a visitor over the proxy of a Space, or directly from `peer`."""
    fields = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "headers": fields,
        "client": (peer, 1) if peer else None,
        **({"session": session} if session else {}),
    }
    return gr.Request(Request(scope))
