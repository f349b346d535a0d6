"""Puts the dashboard together and starts it; the pages do the work."""

import gc
import os
import sys
from functools import partial
from importlib import import_module
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

# what is imported, laid out and loaded stays: to search it for garbage takes a sixth of the start
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

from hallascope.components.html.definitions import definitions
from hallascope.components.html.gradio_html import quiet, still
from hallascope.components.html.link_tags import ICON
from hallascope.components.html.markup import to_json
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
from hallascope.engine.models.background_load import load_in_background
from hallascope.engine.process_exit import leave
from hallascope.engine.services import Services, create_services
from hallascope.engine.teaching.live.registry import LiveClasses
from hallascope.pages import PAGES
from hallascope.pages.api import endpoints, mcp
from hallascope.pages.error_analysis import page as error_analysis
from hallascope.pages.explore import metric_choice
from hallascope.pages.explore.page import FIRST_MODELS
from hallascope.pages.people import rater
from hallascope.pages.server import http_guard, link_preview
from hallascope.pages.server.app_blocks import AppBlocks, lay_out
from hallascope.pages.server.response_cache import ResponseCache
from hallascope.pages.server.share_links import ShareCards, ShareLinks
from hallascope.pages.server.stored_images import StoredImages
from hallascope.pages.server.visitor_cookie import VisitorCookie
from hallascope.pages.shared import public_notice, spending
from hallascope.pages.shared.context import CurrentRun, PageContext, change_open_tab
from hallascope.pages.sharing.addresses import CardSigner
from hallascope.pages.teach import page as teach
from hallascope.pages.teach.live.routes import ClassPages

TITLE = "HallaScope"
# else Gradio 6.31 ends the app where its first page takes over three seconds
UNHURRIED: dict[str, Any] = {"_frontend": False}
# Seconds for which a thread keeps Python's lock while others wait for it. With the 5 ms of Python,
# a judge, which waits for the lock after each step, is slow while another model is imported.
SWITCH_INTERVAL = 0.0005
HEADER = Markup("""<header class="masthead" data-tabs="{tabs}"><h1 class="wordmark">HallaScope</h1>
<button type="button" class="look" data-look aria-pressed="false"
aria-label="Dark look"><svg viewBox="0 0 16 16" aria-hidden="true">
<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.4"/>
<path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor"/>
</svg></button></header>""")


def create_app(services: Services) -> gr.Blocks:
    """Return the dashboard on these services; models are loaded when they are first used."""
    intervals = (UPLOAD_CHECK_INTERVAL, UPLOAD_LIFETIME) if public() else None
    with lay_out(
        title=TITLE, analytics_enabled=False, fill_width=True, delete_cache=intervals
    ) as demo:
        with demo:
            _fill(services, demo)
        rater.build(services, demo)
        endpoints.alone(demo)
        demo.queue(max_size=queue_limit())
    mcp.offer(demo)
    return demo


def _fill(services: Services, demo: AppBlocks) -> None:
    endpoints.build(services, demo)  # first, so that nothing else takes the names
    still(HEADER.format(tabs=to_json(tabs_by_title())), elem_id="header")
    inputs = spending.build(services, demo)
    current = gr.State(CurrentRun())
    opened = gr.State(next(iter(PAGES)))
    changed = {name: gr.State(0) for name in PAGES}
    with gr.Tabs(elem_id="tabs"):
        for name, module in PAGES.items():
            page = import_module(module)
            with gr.Tab(page.TITLE, id=name) as tab:
                page.build(services, PageContext(demo, tab, current, changed[name], inputs))
            tab.select(partial(str, name), None, opened, queue=False, **quiet())
    # through the queue: without it, Gradio does not tell the page which State has changed
    current.change(
        partial(change_open_tab, tuple(changed)),
        opened,
        list(changed.values()),
        **quiet(),
    )
    spending.connect(services, inputs)
    public_notice.build(services)
    still(definitions(metric_choice.sentences()), elem_id="footer")
    demo.unload(demo.forget_closed_sessions)


def tabs_by_title() -> dict[str, dict[str, Any]]:
    """Return how the address names every tab, and every part of one, by its title.

    `first`: the address need not name it.
    """
    first = next(iter(PAGES))
    tabs = {
        import_module(module).TITLE: {"tab": name, "part": None, "first": name == first}
        for name, module in PAGES.items()
    }
    parts = {
        title: {"tab": page.NAME, "part": part, "first": part == next(iter(page.PARTS))}
        for page in (teach, error_analysis)
        for part, title in page.PARTS.items()
    }
    return tabs | parts


def options(services: Services) -> dict[str, Any]:
    """Return how the app is launched: with its theme, and what stands before Gradio."""
    believe_proxies()
    server = mcp.options()
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
    server["app_kwargs"] |= {"middleware": (*guard, *ours)}
    return {
        **launch_options(),
        "favicon_path": str(ICON),
        # our own sentences are shown all the same; other errors may name what is on this machine
        "show_error": not public(),
        "max_file_size": file_limit(),
        "run_history": False,
        "state_session_capacity": session_limit(),
        **server,
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
        **UNHURRIED,
        **launch,
    )
    sys.setswitchinterval(SWITCH_INTERVAL)
    load_in_background(services.registry, FIRST_MODELS, then=_collect_garbage)
    demo.block_thread()
    leave(0)


def _collect_garbage() -> None:
    """Search for garbage from now on, but not among what is there already."""
    gc.freeze()
    gc.enable()


if __name__ == "__main__":
    main()
