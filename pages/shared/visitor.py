"""Who asks, as far as a public app counts what one visitor may have done.

It keeps nothing and knows no limit.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gradio as gr

from hallascope.engine.deployment.rate_limit import visitor
from hallascope.engine.money.budget import SpendingPolicy


def add_visitor(allowed: SpendingPolicy, asker: gr.Request | None) -> SpendingPolicy:
    """The terms, with the visitor for whom it is counted."""
    return replace(allowed, visitor=visitor_id(asker)) if asker else allowed


def visitor_id(asker: gr.Request) -> str:
    """The visitor as a hash, by the login or the address; "" where neither is known.

    What a component asks the server comes with the request itself, what an event asks with Gradio's
    cover of it (gradio 6.31).
    """
    request = getattr(asker, "request", asker)
    if request is None:
        return ""
    peer = request.client.host if request.client else None
    return visitor(
        _login(request.scope.get("session")), peer, request.headers.get("x-forwarded-for", "")
    )


def _login(session: Any) -> str | None:
    """The name of the account on the Hub with which the visitor is logged in."""
    said = session.get("oauth_info") if isinstance(session, Mapping) else None
    found = said.get("userinfo") if isinstance(said, Mapping) else None
    name = found.get("preferred_username") if isinstance(found, Mapping) else None
    return name if isinstance(name, str) else None
