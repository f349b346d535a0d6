"""Provides the page's scripts as text: bundles of the ES modules beside the components.

`make scripts` makes the bundles; the modules are the source.
"""

from pathlib import Path

BUNDLES = Path(__file__).parents[1] / "js" / "bundles"


def bundle(name: str) -> str:
    """Return a bundle by its name.

    `page` is for the dashboard, `pupil` and `projector` for a class, `site` and `lesson` for pages
    without a server.
    """
    return (BUNDLES / f"{name}.js").read_text("utf-8")


def start(name: str) -> str:
    """Return the script that starts a module of the page where Gradio draws its component.

    `name` is one of those in `components/js/page.js`, such as "evidence/viewer".
    """
    return f'hallascope["{name}"]({{ element, props, server, trigger, watch }});'
