"""Puts the dashboard together and starts it; what the pages do stands in the pages."""

import os
import socket
from importlib import import_module
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr

from components.live import App, quiet, still
from components.theme import launch_options
from engine.hosting import KEPT, SWEEP, begin, preloaded, public, sessions, waiting
from engine.services import Services, create_services
from engine.visitors import UploadQuota, upload_limits
from pages import PAGES, api, http_guard, notice, terms, tools
from pages.place import Current, Place

TITLE = "HallaScope"
PORT = 7860
UNHURRIED: dict[str, Any] = {"_frontend": False}  # else Gradio 6.31 ends the app where its first page takes over three seconds
HEADER = f"""<header class="masthead"><h1 class="wordmark">{TITLE}</h1>
<button type="button" class="look" data-look aria-pressed="false" aria-label="Dark look"><svg viewBox="0 0 16 16" aria-hidden="true">
<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.4"/>
<path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor"/>
</svg></button></header>"""
FOOTER = """<footer class="colophon"><p>A score is the share of the answered questions that the judge answers as a factual picture
would lead it to; it says what it counted, what it left out and who judged, and it is no better than that judge.
<a href="?tab=teach&amp;part=how">How it works, on one picture</a></p></footer>"""


def create_app(services: Services) -> gr.Blocks:
    """The dashboard on these services; nothing is loaded before it is asked for."""
    kept = (SWEEP, KEPT) if public() else None
    demo = App(title=TITLE, analytics_enabled=False, fill_width=True, delete_cache=kept)
    with demo:
        api.build(services, demo)  # first, so that nothing else takes the names
        still(HEADER, elem_id="header")
        allowed = terms.build(services, demo)
        current = gr.State(Current())
        with gr.Tabs(elem_id="tabs") as tabs:
            for name in PAGES:
                page = import_module(name)
                with gr.Tab(page.TITLE, id=name.rpartition(".")[2]) as tab:
                    page.build(services, Place(demo, tab, current, allowed))
        notice.build(services)
        still(FOOTER, elem_id="footer")
        demo.load(_tab, None, tabs, **quiet())
    api.alone(demo)
    tools.offer(demo)
    return demo.queue(max_size=waiting())


def _tab(asker: gr.Request) -> Any:
    """The tab that the address names, else the first."""
    known = [name.rpartition(".")[2] for name in PAGES]
    wanted = asker.query_params.get("tab")
    return gr.Tabs(selected=wanted) if wanted in known else gr.skip()


def options(services: Services) -> dict[str, Any]:
    """How the app is launched, wherever it is launched from: the look, and the one folder whose files are served."""
    guarded = tools.options()
    guarded["app_kwargs"] |= {"middleware": http_guard.middleware(UploadQuota(upload_limits()) if public() else None)}
    return {
        **launch_options(),
        "allowed_paths": [str(services.store.folder / "images")],
        "show_error": not public(),  # our own sentences are shown all the same; those of other errors may name what is of this machine
        "max_file_size": "25mb",
        "run_history": False,
        "state_session_capacity": sessions(),
        **guarded,
    }


def free_port(first: int, tries: int = 100) -> int:
    """The port, or the next that is free. Raises OSError where none of them is."""
    for port in range(first, first + tries):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise OSError(f"No port from {first} to {first + tries - 1} is free: set GRADIO_SERVER_PORT to another.")


def main() -> None:
    """Start on 127.0.0.1 and print the address; GRADIO_SERVER_NAME and GRADIO_SERVER_PORT say otherwise."""
    begin()
    services = create_services()
    for name in preloaded():
        services.roster.backend(name)
    port = free_port(int(os.environ.get("GRADIO_SERVER_PORT", PORT)))
    host = os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1")
    create_app(services).launch(server_name=host, server_port=port, **UNHURRIED, **options(services))


if __name__ == "__main__":
    main()
