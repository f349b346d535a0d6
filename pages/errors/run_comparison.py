"""Compares two runs, models or judges by slice: what is better, and what is worse."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, get_args

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    NO_PROGRESS,
    scripted_html,
    static_html,
)
from hallascope.components.html.markup import html_table, scroll_region, soft_line, table_row, tag
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.error_analysis.slices.change_report import (
    HEADS,
    METHOD,
    MOST_SLICES,
    change_cells,
    images_of,
    unpaired_text,
)
from hallascope.engine.error_analysis.slices.run_changes import (
    CHANGES,
    ComparedKind,
    ComparedSide,
    RunChanges,
    compare_errors,
)
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.leaderboard.queries import read_instruments
from hallascope.engine.services import Services
from hallascope.pages.errors import gallery
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.errors.selection_choice import run_names
from hallascope.pages.leaderboard.choice import instrument_text
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.run_pictures import short_name
from hallascope.pages.shared.server_functions import NOT_UNDERSTOOD, one_sentence

TITLE = "Compare"
KINDS: Mapping[str, ComparedKind] = {kind: kind for kind in get_args(ComparedKind)}
NOTHING = {
    "run": "Comparing needs two runs: generate images on the Evaluate tab, or run a sweep.",
    "model": "Comparing needs two models: generate images with another model.",
    "judge": "Comparing needs two judges: evaluate the images with another judge.",
}
HELP = Markup("""<p class="soft">The same image is paired with itself, others by prompt, model and
seed; images of two models by prompt and seed.</p>""")


class Comparison(NamedTuple):
    """Names the two runs, models or judges that are compared, by their ids."""

    kind: ComparedKind = "run"
    one: str = ""
    other: str = ""


@dataclass(frozen=True)
class ComparisonHandlers:
    """Answers the events of the part. What is compared stands in the address."""

    services: Services

    def open_part(self, asker: gr.Request, selection: ErrorSelection) -> tuple[Any, ...]:
        """Return the controls and what the address names to compare."""
        named = asker.query_params
        wanted = Comparison(
            KINDS.get(named.get("compare", ""), "run"),
            named.get("first", ""),
            named.get("second", ""),
        )
        options = self.options(wanted.kind, selection, asker)
        if wanted.one in options and wanted.other in options:
            shown = self.compare(asker, selection, *wanted)
            return *_controls(options, wanted), *shown
        return self.choose_kind(asker, selection, wanted.kind)

    def choose_kind(
        self, asker: gr.Request, selection: ErrorSelection, kind: ComparedKind
    ) -> tuple[Any, ...]:
        """Return the controls, the two newest or first chosen, and nothing compared."""
        options = self.options(kind, selection, asker)
        first = [*list(options)[:2], "", ""]
        line = status.result_message("" if len(options) > 1 else NOTHING[kind])
        return *_controls(options, Comparison(kind, first[1], first[0])), line, None, None

    def compare(
        self,
        asker: gr.Request,
        selection: ErrorSelection,
        kind: ComparedKind,
        one: str,
        other: str,
    ) -> tuple[Any, ...]:
        """Return what changed or one sentence, what is compared, and no images."""
        compared = Comparison(kind, one, other)
        try:
            shown = changes_html(self.changes(compared, selection, asker))
        except HallaScopeError as sentence:
            shown = status.error_message(sentence)
        return shown, compared, None

    def show_images(
        self,
        event: gr.EventData,
        selection: ErrorSelection,
        compared: Comparison,
        asker: gr.Request,
    ) -> dict[str, Any]:
        """Return what the gallery shows: the first and the second image of each pair in turn.

        Raises gr.Error with one sentence.
        """
        change = str(event.change)
        if change not in CHANGES[:2]:
            raise gr.Error(NOT_UNDERSTOOD)
        with one_sentence():
            changes = self.changes(compared, selection, asker)
        return {
            "title": f"Images that got {change}: {changes.one.name}, then {changes.other.name}",
            "evaluations": [
                evaluation
                for image in images_of(changes, change)
                for evaluation in dict.fromkeys(image.evaluations)
            ],
        }

    def changes(
        self, compared: Comparison, selection: ErrorSelection, asker: gr.Request
    ) -> RunChanges:
        """Return what changed. Raises a HallaScopeError with one sentence."""
        options = self.options(compared.kind, selection, asker)
        one, other = (
            ComparedSide(name, options.get(name, name), _side(compared.kind, name, selection))
            for name in (compared.one, compared.other)
        )
        return compare_errors(self.services.store, compared.kind, one, other)

    def options(
        self, kind: ComparedKind, selection: ErrorSelection, asker: gr.Request
    ) -> dict[str, str]:
        """Return what can be compared, in words by id."""
        store = self.services.store
        match kind:
            case "run":
                return run_names(self.services, asker)
            case "model":
                models = leaderboard_options(store, selection.metric).models
                return {model: short_name(model) for model in models}
            case "judge":
                judges = read_instruments(store, Query(selection.metric))
                return {judge.key: instrument_text(judge) for judge in judges}


def _side(kind: ComparedKind, name: str, selection: ErrorSelection) -> ErrorSelection:
    """Return the images of one side among those of a selection."""
    changes: dict[ComparedKind, dict[str, Any]] = {
        "run": {"runs": (name,)},
        "model": {"models": (name,)},
        "judge": {"instrument": name},
    }
    return replace(selection, filters=replace(selection.filters, **changes[kind]))


def _controls(options: Mapping[str, str], compared: Comparison) -> tuple[Any, ...]:
    """Return the controls; they can be used once they are filled."""
    choices = [(words, name) for name, words in options.items()]
    one, other = (
        gr.update(choices=choices, value=name or None) for name in (compared.one, compared.other)
    )
    return gr.update(value=compared.kind, interactive=True), one, other


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    handlers = ComparisonHandlers(services)
    static_html(HELP)
    with gr.Row(elem_classes=["choice-row"]):
        kind = gr.Radio(
            [(f"{name.capitalize()}s", name) for name in KINDS],
            value="run",
            label="Compare",
            interactive=False,
            elem_id="errors-compare-kind",
        )
        one, other = (
            gr.Dropdown([], label=label, interactive=True, elem_id=f"errors-compare-{name}")
            for name, label in (("one", "First"), ("other", "Second"))
        )
        go = gr.Button("Compare", variant="primary", scale=0, min_width=132, elem_id="errors-go")
    shown = scripted_html("errors/run_changes", Markup(), elem_id="errors-runs")
    compared = gr.State(None)
    images = gallery.build(services, "errors-runs-gallery")
    result = [shown, compared, images]
    outputs = [kind, one, other, *result]
    part.fill(handlers.open_part, outputs, **NO_PROGRESS)
    bar = part.bar.chosen
    shown.submit(handlers.open_part, bar, outputs, **NO_PROGRESS)
    kind.input(handlers.choose_kind, [bar, kind], outputs, **NO_PROGRESS)
    go.click(handlers.compare, [bar, kind, one, other], result, preprocess=False, **NO_PROGRESS)
    shown.select(handlers.show_images, [bar, compared], images, **CHOICE_EVENT)


def changes_html(changes: RunChanges) -> Markup:
    """Return what changed by slice as HTML, with buttons for the images that changed."""
    heads = (HEADS[0], changes.one.name, changes.other.name, *HEADS[3:])
    rows = []
    for each in (changes.whole, *changes.slices[:MOST_SLICES]):
        name, *cells = change_cells(each)
        rows.append(table_row(name, *cells))
    table = html_table(heads, rows)
    buttons = (
        tag("button", f"Show the {number:,} that got {change}", data_changed=change)
        for change in ("worse", "better")
        if (number := len(images_of(changes, change)))
    )
    return tag(
        "div",
        tag("p", changes.sentence, class_="run-changes-sentence", role="status"),
        tag("div", *buttons, class_="run-changes-tools"),
        scroll_region(table, "Changes by slice", "run-changes-table"),
        soft_line(unpaired_text(changes)),
        soft_line(METHOD),
        class_="run-changes",
        data_kind=changes.kind,
        data_one=changes.one.id,
        data_other=changes.other.id,
    )
