"""Lays out the saved sets below the review: the list, files in and out, removal and restoring."""

import base64
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.questions.saved_sets import saved_list, set_list
from hallascope.data.nouns import count_noun
from hallascope.data.records import QuestionSet
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.engine.storage.questions_and_replies import normalize_prompt
from hallascope.pages.shared.server_functions import SentText, server_functions
from hallascope.pages.shared.visitor import as_visitor, services_of

RemovedSets = tuple[QuestionSet, ...]  # sets that were removed or replaced last, to bring back
HEAD = Markup('<h2 class="part">Saved questions</h2>')
_NAME = re.compile(r"[^\w-]+")


class SavedSetControls(NamedTuple):
    """Holds the components of the list; `earlier` has the sets that can be brought back."""

    list: gr.HTML
    upload: gr.UploadButton
    back: gr.Button
    line: gr.HTML
    earlier: gr.State


# --- what is done ---------------------------------------------------------------------------------


def of_prompts(services: Services, prompts: Sequence[str]) -> RemovedSets:
    """Return the saved sets of these prompts; capitals and spaces do not matter."""
    normalized = set(map(normalize_prompt, prompts))
    return tuple(
        each for each in services.sets.all() if normalize_prompt(each.prompt) in normalized
    )


def list_html(services: Services) -> Markup:
    """Return the list as HTML, or the sentence why there is none."""
    try:
        return set_list(services.sets.all())
    except HallaScopeError as sentence:
        return status.error_message(sentence)


def export_sets(services: Services, prompt: SentText = "", form: SentText = "") -> dict[str, Any]:
    """Return a file, xlsx or jsonl, of the sets of one prompt, or of all."""
    stem = file_name(prompt) if prompt else "questions"
    name = f"{stem}.{form if form in ('xlsx', 'jsonl') else 'jsonl'}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        services.sets.export(path, [prompt] if prompt else None)
        content = base64.b64encode(path.read_bytes()).decode()
    return {"name": name, "base64": content, "kind": "application/octet-stream"}


def file_name(prompt: str) -> str:
    """Return the prompt as the name of a file, in any alphabet."""
    return _NAME.sub("-", prompt).strip("-")[:60] or "questions"


def import_sets(services: Services, path: str | None) -> tuple[Any, Any]:
    """Save the sets of a file; return a status line and the sets they replaced.

    The line names what was wrong by file, sheet and row.
    """
    if not path:
        return gr.skip(), gr.skip()
    try:
        old = {each.prompt: each for each in services.sets.all()}
        loaded = services.sets.load(Path(path))
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.skip()
    new = {normalize_prompt(each.prompt): each for each in loaded.sets}
    replaced = tuple(
        each
        for each in old.values()
        if normalize_prompt(each.prompt) in new and each != new[normalize_prompt(each.prompt)]
    )
    number = len(loaded.sets)
    words = f"{count_noun(number, 'set')} saved from {Path(path).name}"
    if replaced:
        words += f", {len(replaced)} replaced earlier ones"
    complaints = [str(complaint) for complaint in loaded.complaints]
    return status.result_message(words, complaints), replaced or gr.skip()


def remove_set(services: Services, prompt: str) -> tuple[Any, Any]:
    """Remove a set; it can be brought back."""
    try:
        removed = of_prompts(services, [prompt])
        services.sets.remove(prompt)
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.skip()
    return status.result_message(f"The questions for “{prompt}” are removed."), removed


def restore_sets(services: Services, earlier: RemovedSets) -> tuple[Any, Any]:
    """Save the sets again that were removed or replaced last; return those that they replace."""
    try:
        replaced = of_prompts(services, [each.prompt for each in earlier])
        names = [services.sets.save(each).prompt for each in earlier]
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.skip()
    return (
        status.result_message(
            f"Restored: {', '.join(f'“{name}”' for name in names)}." if names else ""
        ),
        replaced,
    )


# --- the layout -----------------------------------------------------------------------------------


def build(services: Services) -> SavedSetControls:
    """Lay the part out and connect what concerns it alone."""
    static_html(HEAD, elem_classes=["q-part"])
    with gr.Row(elem_classes=["q-actions"]):
        upload = gr.UploadButton(
            "Import a file",
            file_types=[".xlsx", ".jsonl", ".json", ".csv", ".tsv"],
            type="filepath",
            scale=0,
            min_width=140,
            visible=not public(),
            elem_id="q-import",
        )
        back = gr.Button("Undo", scale=0, min_width=120, visible=False, elem_id="q-back")
        line = static_html(Markup(), elem_id="q-saved-line")
    sets = SavedSetControls(
        saved_list(server_functions(services, export_sets), "q-sets"),
        upload,
        back,
        line,
        gr.State(()),
    )
    _connect(services, sets)
    return sets


def _connect(services: Services, sets: SavedSetControls) -> None:
    def chosen(event: gr.EventData, asker: gr.Request) -> tuple[Any, Any]:
        if event.action == "remove":
            return remove_set(services_of(services, asker), event.prompt)
        return gr.skip(), gr.skip()

    outcome = [sets.line, sets.earlier]
    for done in (
        sets.upload.upload(as_visitor(services, import_sets), sets.upload, outcome, **NO_PROGRESS),
        sets.list.select(chosen, None, outcome, trigger_mode="multiple", **NO_PROGRESS),
        sets.back.click(as_visitor(services, restore_sets), sets.earlier, outcome, **NO_PROGRESS),
    ):
        connect_refresh(services, sets, done)


def connect_refresh(services: Services, sets: SavedSetControls, done: Any) -> None:
    """Refresh the list after an event that changes what is saved, and the way back, if any."""

    def look(earlier: RemovedSets, asker: gr.Request) -> tuple[str, gr.Button]:
        return list_html(services_of(services, asker)), gr.Button(visible=bool(earlier))

    done.then(look, sets.earlier, [sets.list, sets.back], **NO_PROGRESS)
