"""Identifies visitors, as far as a public app counts how much each may use."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gradio as gr

from hallascope.engine.deployment.hosting import public
from hallascope.engine.deployment.rate_limit import list_owner, visitor
from hallascope.engine.money.budget import SpendingPolicy

BROWSER_COOKIE = "hallascope_browser"  # a random number, which `components/runs/panel.js` makes


def add_visitor(allowed: SpendingPolicy, asker: gr.Request | None) -> SpendingPolicy:
    """Return the policy with the visitor for whom it is counted, and whose list has the run."""
    if not asker:
        return allowed
    return replace(allowed, visitor=visitor_id(asker), owner=run_owner(asker) if public() else "")


def run_owner(asker: gr.Request | None) -> str:
    """Return whose list of runs is meant on a public app, as a hash: of the login or the browser.

    "" where neither is known: an address may be that of many.
    """
    request = getattr(asker, "request", asker)
    if request is None:
        return ""
    browser = request.cookies.get(BROWSER_COOKIE, "")
    return list_owner(_login(request.scope.get("session")), browser)


def visitor_id(asker: gr.Request) -> str:
    """Return the visitor as a hash, by the login or the address; "" where neither is known.

    A component's server function gets the request itself, an event Gradio's wrapper of it (gradio
    6.31).
    """
    request = getattr(asker, "request", asker)
    if request is None:
        return ""
    peer = request.client.host if request.client else None
    return visitor(
        _login(request.scope.get("session")), peer, request.headers.get("x-forwarded-for", "")
    )


def _login(session: Any) -> str | None:
    """Return the name of the account on the Hub with which the visitor is logged in."""
    info = session.get("oauth_info") if isinstance(session, Mapping) else None
    user = info.get("userinfo") if isinstance(info, Mapping) else None
    name = user.get("preferred_username") if isinstance(user, Mapping) else None
    return name if isinstance(name, str) else None
