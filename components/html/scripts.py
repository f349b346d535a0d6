"""Provides the page's scripts as text: bundles of the ES modules beside the components.

`make scripts` makes the bundles; the modules are the source.
"""

import base64
from hashlib import sha256
from pathlib import Path

BUNDLES = Path(__file__).parents[1] / "js" / "bundles"


def bundle(name: str) -> str:
    """Return a bundle by its name.

    `page` is for the dashboard, `pupil` and `projector` for a class, `site` and `lesson` for pages
    without a server.
    """
    return (BUNDLES / f"{name}.js").read_text("utf-8")


def policy_hash(script: str) -> str:
    """Return the source by which a Content-Security-Policy lets a script of the page run."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"


def start(name: str) -> str:
    """Return the script that starts a module of the page where Gradio draws its component.

    `name` is one of those in `components/js/page.js`, such as "evidence/viewer".
    """
    return f'hallascope["{name}"]({{ element, props, server, trigger, watch }});'
