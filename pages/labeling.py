"""Serves an app to label pictures by hand, without prompt, gold or a judge's answer.

``python -m hallascope.pages.labeling FOLDER [--labeler NAME]``, which `hallascope label page`
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
from markupsafe import Markup

from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.html.markup import join, tag
from hallascope.components.labels import labeling
from hallascope.components.theme import gradio_theme
from hallascope.data.files import label_folder
from hallascope.data.files.tables import BadTable
from hallascope.data.lexicon import capitalize
from hallascope.pages.server import http_guard
from hallascope.pages.server.scripts import script_routes

TITLE = "HallaScope labels"


def work(folder: Path, labeler: str) -> dict[str, Any]:
    """Return what the panel shows, with this person's labels so far; those of others are not shown.

    Raises BadTable.
    """
    items, _ = label_folder.read_items(folder)
    by_labeler, _ = label_folder.read_labels(folder, items)
    return labeling.folder_work(folder, items, by_labeler.get(labeler, {}))


def saver(folder: Path, labeler: str) -> Callable[[dict[str, Any]], labeling.SaveResult]:
    """Return the function that keeps the answers to one picture. Raises BadTable."""
    counts = {item.id: len(item.questions) for item in label_folder.read_items(folder)[0]}

    def save(answers: dict[str, Any]) -> labeling.SaveResult:
        try:
            fields = {
                "id": answers.get("id"),
                "answers": answers.get("answers"),
                "labeller": labeler,  # the name in files of labels
            }
            label_folder.add_labels(folder, [label_folder.label_of(fields, counts)])
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


def create_page(folder: Path, labeler: str) -> gr.Blocks:
    """Return the app for one folder and one person. Raises BadTable."""
    items, wrong = label_folder.read_items(folder)
    demo = gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True)
    with demo:
        static_html(
            header(folder, labeler, len(items), [str(complaint) for complaint in wrong]),
            elem_id="label-header",
        )
        desk = labeling.labeling_panel(saver(folder, labeler), "desk")
        demo.load(partial(work, folder, labeler), None, desk, **NO_PROGRESS)
    return demo


def header(folder: Path, labeler: str, number: int, wrong: Sequence[str]) -> Markup:
    """Return the line above the panel, and below it what of the folder could not be read."""
    help = (
        "Keys 1 to 6 answer the marked question. Say what the image shows, not what it should show."
    )
    who = f"{number} images in {folder.name}, labeled by {labeler}"
    return join(
        tag(
            "header",
            tag("span", TITLE, class_="wordmark"),
            tag("span", f"{who}. {help}", class_="soft"),
            class_="masthead labels",
        ),
        *(tag("p", complaint, class_="status wrong", role="alert") for complaint in wrong),
    )


def options(folder: Path) -> dict[str, Any]:
    """Return how the app is launched: the theme of the dashboard, and the one folder it serves."""
    return {
        **gradio_theme.launch_options(),
        "allowed_paths": [str((folder / label_folder.PICTURES).resolve())],
        "show_error": True,
        "run_history": False,
        "app_kwargs": {"middleware": http_guard.middleware(None), "routes": script_routes()},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Start on 127.0.0.1, or as GRADIO_SERVER_NAME says, and print the address."""
    parser = argparse.ArgumentParser(
        prog="python -m hallascope.pages.labeling",
        description="Label the images of a folder by hand.",
    )
    parser.add_argument("folder", type=Path, help="the folder that `hallascope label make` wrote")
    parser.add_argument("--labeler", default=label_folder.NOBODY, help="who labels")
    chosen = parser.parse_args(arguments)
    try:
        page = create_page(chosen.folder, label_folder.clean_labeler_name(chosen.labeler))
    except BadTable as problem:
        sys.exit(f"{capitalize(str(problem))}.")
    page.launch(
        server_name=os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1"), **options(chosen.folder)
    )


if __name__ == "__main__":
    main()
