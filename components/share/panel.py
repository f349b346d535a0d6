"""Makes the row of buttons above the evidence: share an image, export results, cite the methods.

`share.js` opens the dialogs, and asks the server for what stands in them.
"""

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from hallascope.components.html.gradio_html import live
from hallascope.components.html.markup import tag, to_json
from hallascope.data.records import COIS

ShareFunction = Callable[[dict[str, Any], gr.Request], dict[str, Any]]
"""Gets what the script sent; gives what the dialog shows, or {wrong: a sentence}."""

ACTIONS = {"share": "Share", "export": "Export", "cite": "Cite"}
FORMATS = {
    "csv": "CSV table of verdicts",
    "jsonl": "JSON lines, everything",
    "latex": "LaTeX tables (booktabs)",
    "fiftyone": "FiftyOne data set (ZIP)",
}
OUTCOMES = {
    "": "All verdicts",
    "missed": "Missed by the judge",
    "false alarm": "False alarms",
    "found": "Found by the judge",
    "incorrect": "Judged incorrect",
    "correct": "Judged correct",
}


def share_panel(functions: Sequence[ShareFunction], evidence: str, elem_id: str) -> gr.HTML:
    """Return the row of buttons. `evidence` is the id of the viewer whose image it shares.

    The script calls the functions `share_card`, `export_choices`, `export_selection` and
    `cite_run` by these names.
    """
    buttons = (
        tag("button", words, type="button", class_="share-button", data_share=name)
        for name, words in ACTIONS.items()
    )
    row = tag(
        "div",
        *buttons,
        class_="share-row",
        role="group",
        aria_label="Share, export and cite",
        data_evidence=evidence,
        data_formats=to_json(FORMATS),
        data_outcomes=to_json(OUTCOMES),
        data_cois=to_json(COIS),
    )
    message = tag("p", class_="share-wrong", role="alert")
    place = tag("div", class_="share-dialog-place")
    return live(
        "share/share",
        row + message + place,
        server_functions=list(functions),
        elem_id=elem_id,
        elem_classes=["share-panel"],
    )
