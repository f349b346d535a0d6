"""Makes the panel of runs: a button, and the dialog that it opens, which `panel.js` fills."""

import gradio as gr

from hallascope.components.html.gradio_html import ServerFunction, scripted_html
from hallascope.components.html.markup import tag

TITLE = "Runs"


def runs_panel(functions: list[ServerFunction], elem_id: str) -> gr.HTML:
    """Return the panel, which fires `select` with {run} where a person opens a run.

    In the browser `functions` are called `list_runs`, `rename`, `pin`, `plan_deletion` and
    `delete`.
    """
    title_id = f"{elem_id}-title"
    button = tag("button", TITLE, class_="runs-open", aria_haspopup="dialog")
    search = tag(
        "input",
        type="search",
        class_="runs-search",
        placeholder="Search names, prompts, models and judges",
        aria_label="Search runs",
    )
    compare = tag("button", "Compare two runs", class_="runs-compare", disabled=True)
    close = tag("button", "Close", class_="runs-close")
    dialog = tag(
        "dialog",
        tag("div", tag("h2", TITLE, id=title_id), close, class_="runs-head"),
        tag("div", search, compare, class_="runs-tools"),
        tag("p", class_="runs-status", role="status"),
        tag("div", class_="runs-body", tabindex="-1"),
        class_="runs-dialog",
        aria_labelledby=title_id,
    )
    return scripted_html(
        "runs/panel",
        tag("div", button, tag("template", dialog), class_="runs-panel"),
        server_functions=functions,
        elem_id=elem_id,
    )
