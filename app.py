"""Puts the dashboard together and starts it; the pages do the work."""

import gc
import os
import sys
from importlib import import_module
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

# What is imported and laid out stays: to search it for garbage takes a quarter of the start.
if __name__ == "__main__":
    gc.disable()

from hallascope.engine.deployment import startup

# before Gradio is imported, which reads some of the same settings and has no sentence for them
if __name__ == "__main__":
    with startup.one_sentence():
        startup.check()

import gradio as gr
from markupsafe import Markup
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from hallascope.components.html.definitions import definitions
from hallascope.components.html.gradio_html import static_html
from hallascope.components.html.link_tags import ICON
from hallascope.components.html.markup import to_json
from hallascope.components.theme import look
from hallascope.components.theme.gradio_theme import launch_options
from hallascope.engine.access.visitors import believe_proxies
from hallascope.engine.deployment.hosting import (
    UPLOAD_CHECK_INTERVAL,
    UPLOAD_LIFETIME,
    file_limit,
    preloaded_models,
    prepare_zero_gpu,
    public,
    queue_limit,
    session_limit,
)
from hallascope.engine.process_exit import leave
from hallascope.engine.services import Services, create_services
from hallascope.engine.teaching.live_class import LiveClasses
from hallascope.pages import PAGES
from hallascope.pages.api import endpoints, mcp
from hallascope.pages.evaluate import metric_choice
from hallascope.pages.labels import rater
from hallascope.pages.learn.live.routes import ClassPages
from hallascope.pages.server import http_guard, link_preview
from hallascope.pages.server.response_cache import ResponseCache
from hallascope.pages.server.scripts import script_routes
from hallascope.pages.server.share_links import ShareCards, ShareLinks
from hallascope.pages.server.stored_images import StoredImages
from hallascope.pages.server.visitor_cookie import VisitorCookie
from hallascope.pages.shared import public_notice, spending
from hallascope.pages.shared.context import CurrentRun, OpenPage, PageContext
from hallascope.pages.sharing.addresses import CardSigner

TITLE = "HallaScope"
# Gradio asks so at its start, and ends the app where an answer takes over three seconds.
IS_THERE = Route("/", lambda _: Response(), methods=["HEAD"])
HEADER = Markup("""<header class="masthead" data-tabs="{tabs}">
<a class="skip-link" href="#tabs">Skip to the open tab</a><h1 class="wordmark">HallaScope</h1>
{look}</header>""")


def create_app(services: Services) -> gr.Blocks:
    """Return the dashboard on these services; models are loaded when they are first used."""
    intervals = (UPLOAD_CHECK_INTERVAL, UPLOAD_LIFETIME) if public() else None
    demo = gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True, delete_cache=intervals)
    with demo:
        _fill(services, demo)
    rater.build(services, demo)
    for event in demo.fns.values():
        if str(event.api_name).startswith("_"):  # Gradio's check of a login
            event.api_visibility = "private"
    if limit := queue_limit():
        demo.queue(max_size=limit)
    return demo


def _fill(services: Services, demo: gr.Blocks) -> None:
    endpoints.build(services)  # first, so that nothing else takes the names
    static_html(HEADER.format(tabs=to_json(tabs_by_title()), look=look.BUTTON), elem_id="header")
    inputs = spending.build(services, demo)
    current = gr.State(CurrentRun())
    pages = OpenPage(next(iter(PAGES)))
    titles = {import_module(module).TITLE: name for name, module in PAGES.items()}
    with gr.Tabs(elem_id="tabs") as tabs:
        for title, name in titles.items():
            with gr.Tab(title, id=name) as tab:
                context = PageContext(demo, tab, current, pages.add(name), inputs, pages)
                import_module(PAGES[name]).build(services, context)
    pages.connect(tabs, titles, current)
    spending.connect(services, inputs)
    public_notice.build(services)
    static_html(definitions(metric_choice.sentences()), elem_id="footer")


def tabs_by_title() -> dict[str, dict[str, Any]]:
    """Return how the address names every tab, and every part of one, by its title.

    `first`: the address need not name it.
    """
    places: dict[str, dict[str, Any]] = {}
    for number, (tab, module) in enumerate(PAGES.items()):
        page = import_module(module)
        places[page.TITLE] = {"tab": tab, "part": None, "first": number == 0}
        for place, (part, title) in enumerate(getattr(page, "PARTS", {}).items()):
            places[title] = {"tab": tab, "part": part, "first": place == 0}
    return places


def options(services: Services) -> dict[str, Any]:
    """Return how the app is launched: with its theme, and what stands before Gradio."""
    believe_proxies()
    tools = mcp.ToolServer(services)
    guard = http_guard.middleware(services)
    links = ShareLinks(services, CardSigner(services.signer))
    ours = (
        Middleware(VisitorCookie, signer=services.signer),
        Middleware(ResponseCache),
        Middleware(link_preview.LinkPreview, links=links),
        Middleware(ShareCards, links=links),
        Middleware(StoredImages, services=services),
        Middleware(ClassPages, classes=LiveClasses()),
    )
    return {
        **launch_options(),
        "favicon_path": str(ICON),
        # our own sentences are shown all the same; other errors may name what is on this machine
        "show_error": not public(),
        "max_file_size": file_limit(),
        "run_history": False,
        "state_session_capacity": session_limit(),
        "app_kwargs": {
            "middleware": (*guard, *ours),
            "routes": [IS_THERE, *script_routes(), tools.route],
            "lifespan": tools.lifespan,
        },
    }


def main() -> None:
    """Start on 127.0.0.1, or as GRADIO_SERVER_NAME and GRADIO_SERVER_PORT say.

    A wrong setting ends the process with one sentence and exit code 2.
    """
    with startup.one_sentence():
        prepare_zero_gpu()
        services = create_services()
        for name in preloaded_models():
            services.registry.backend(name)
        port = startup.free_port(startup.port(), startup.host())
        demo = create_app(services)
        launch = options(services)
        if warning := startup.warning():
            print(warning, file=sys.stderr)
    demo.launch(
        server_name=startup.host(),
        server_port=port,
        prevent_thread_lock=True,
        **launch,
    )
    sys.stdout.flush()  # the address, where the output is a file or a pipe
    gc.freeze()
    gc.enable()
    demo.block_thread()
    leave(0)


if __name__ == "__main__":
    main()
