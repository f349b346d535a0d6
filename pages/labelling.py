"""An app of its own to label pictures by hand: picture, questions, keys.

It shows neither prompt, gold nor what a judge says.

``python -m hallascope.pages.labelling FOLDER [--labeller NAME]``, which `hallascope label page`
starts.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr

from hallascope.components.html.gradio_html import AppBlocks, quiet, still
from hallascope.components.html.markup import text
from hallascope.components.people import labelling
from hallascope.components.theme import gradio_theme
from hallascope.data.files import label_folder
from hallascope.pages.server import http_guard

TITLE = "HallaScope labels"


def work(folder: Path, labeller: str) -> dict[str, Any]:
    """What the desk shows, with the labels of this person so far; those of others are not shown.

    Raises NotALabelFolder.
    """
    items, _ = label_folder.read_items(folder)
    return labelling.work(folder, items, label_folder.read_labels(folder, items, labeller)[0])


def saver(folder: Path, labeller: str) -> Callable[[dict[str, Any]], labelling.SaveResult]:
    """What keeps the answers to one picture, as the desk sends them. Raises NotALabelFolder."""
    asked = {item.id: len(item.questions) for item in label_folder.read_items(folder)[0]}

    def save(given: dict[str, Any]) -> labelling.SaveResult:
        try:
            fields = {"id": given.get("id"), "answers": given.get("answers"), "labeller": labeller}
            label_folder.add_labels(folder, [label_folder.label_of(fields, asked)])
        except ValueError as problem:
            return {"wrong": f"{problem}."}
        except OSError as error:
            return {
                "wrong": (
                    f"The file {label_folder.LABELS!r} cannot be written"
                    f" ({error.strerror or error})."
                )
            }
        return {}

    return save


def create_page(folder: Path, labeller: str) -> gr.Blocks:
    """The app for one folder and one person. Raises NotALabelFolder."""
    items, wrong = label_folder.read_items(folder)
    demo = AppBlocks(title=TITLE, analytics_enabled=False, fill_width=True)
    with demo:
        still(
            header(folder, labeller, len(items), [str(complaint) for complaint in wrong]),
            elem_id="label-header",
        )
        desk = labelling.labeling_panel(saver(folder, labeller), "desk")
        demo.load(partial(work, folder, labeller), None, desk, **quiet())
    return demo


def header(folder: Path, labeller: str, number: int, wrong: Sequence[str]) -> str:
    """The line above the desk, and below it what of the folder could not be read."""
    how = (
        "Keys 1 to 6 answer the marked question. Say what the picture shows, not what it should"
        " show."
    )
    said = "".join(f'<p class="status wrong" role="alert">{text(one)}</p>' for one in wrong)
    who = f"{number} pictures in {folder.name}, labelled by {labeller}"
    line = (
        f'<span class="wordmark">{text(TITLE)}</span><span class="soft">{text(who)}. {how}</span>'
    )
    return f'<header class="masthead labels">{line}</header>{said}'


def options(folder: Path) -> dict[str, Any]:
    """How the app is launched: the dashboard's look, and the one folder whose files are served."""
    return {
        **gradio_theme.launch_options(),
        "allowed_paths": [str((folder / label_folder.PICTURES).resolve())],
        "show_error": True,
        "run_history": False,
        "app_kwargs": {"middleware": http_guard.middleware(None)},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Start on 127.0.0.1 and print the address.

    GRADIO_SERVER_NAME and GRADIO_SERVER_PORT say otherwise.
    """
    parser = argparse.ArgumentParser(
        prog="python -m hallascope.pages.labelling",
        description="Label the pictures of a folder by hand.",
    )
    parser.add_argument("folder", type=Path, help="the folder that `hallascope label make` wrote")
    parser.add_argument("--labeller", default=label_folder.NOBODY, help="who labels")
    chosen = parser.parse_args(arguments)
    try:
        page = create_page(chosen.folder, label_folder.clean_labeler_name(chosen.labeller))
    except label_folder.NotALabelFolder as problem:
        sys.exit(f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
    page.launch(
        server_name=os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1"), **options(chosen.folder)
    )


if __name__ == "__main__":
    main()
