"""Builds Judges: what is known of each judge, and trials of judges."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.deviations import deviation_tables
from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    NO_PROGRESS,
    scripted_html,
    static_html,
)
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.judge_eval.people import People
from hallascope.engine.leaderboard.options import stored_values
from hallascope.engine.models.registry import NO_KEYS
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.services import Services
from hallascope.engine.trials.accuracies import load_shipped_trials
from hallascope.engine.trials.store import TrialStore
from hallascope.pages.judges import judge_tables, trial, view
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence.metric_models import JUDGE, wording_picker
from hallascope.pages.shared.model_picker import PickerSpec, picker, prefer_wanted
from hallascope.pages.shared.numbers import whole_number
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop

TITLE = "Judges"
HELP = Markup("""<div class="lead"><p>A <strong>judge</strong> (an AI) gives every score. See how
often it is right: on drawings with known facts, on trick questions (HaloQuest), and compared with
people. Questions without an answer do not count.</p></div>""")
TRY = Markup('<h2 class="part">Test a judge</h2>')
JUDGES = PickerSpec(
    role="judge", label="Judge", several=True, prefer=prefer_wanted, models=(JUDGE,)
)
BENCHMARKS = (
    ("Primer: I-HallA’s questions about Primer images", "primer"),
    ("HaloQuest: free questions about Primer drawings, graded by rule", "primer-halo"),
)

NUMBERS = (  # element id, label, value
    ("trial-pictures", "Images", 12),
    ("trial-trials", "Trials", 1),
    ("trial-orders", "Choice permutations", 2),
    ("trial-seed", "Seed", 0),
)


# --- what is shown --------------------------------------------------------------------------------


def known_trials(services: Services) -> view.TrialsByJudge:
    """Return the trials of this store, with those that ship until there are one's own.

    Raises HallaScopeError.
    """
    trials = TrialStore(services.store.folder)
    shipped = load_shipped_trials(lambda judge: services.registry.bind(judge).revision)
    return view.merge_trials(trials.primer(), trials.haloquest(), shipped, trials.labels())


def table(services: Services, keys: ApiKeys = NO_KEYS) -> Markup:
    """Return the table of judges, or the sentence why there is none.

    `keys`: those of the session, with which more judges can be tried.
    """
    try:
        rows = view.rows(
            services.registry.models("judge", keys),
            known_trials(services),
            People(services).judges(),
            stored_values(services.store)["judge"],
            partial(trial.offer_text, services, keys=keys),
        )
    except HallaScopeError as sentence:
        return status.error_message(sentence)
    return judge_tables.table(rows, view.COLUMNS)


def agreement_table(services: Services) -> Markup:
    """Return the agreement of every two judges that were tried on the same questions."""
    return judge_tables.agreement_table(list(TrialStore(services.store.folder).primer().values()))


def detail(services: Services, judge: str, keys: ApiKeys = NO_KEYS) -> Markup:
    """Return all that is known of one judge; `keys`: those of the session."""
    try:
        trials = known_trials(services)
        people = People(services).judges().get(judge)
        models = services.registry.models("judge", keys)
        model = next((each for each in models if each.spec.id == judge), None)
    except HallaScopeError as sentence:
        return status.error_message(sentence)
    row = replace(
        view.row(judge, model, trials, people), offer=trial.offer_text(services, judge, keys)
    )
    haloquest = [halo for (name, _), halo in trials.halo.items() if name == judge]
    groups = view.groups(trials.primer.get(judge), haloquest, people, trials.labels.get(judge))
    return judge_tables.detail(row, list(groups))


def tables(services: Services, keys: ApiKeys = NO_KEYS) -> tuple[str, str]:
    """Return the table of judges and that of their agreement."""
    return table(services, keys), agreement_table(services)


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    static_html(HELP + deviation_tables("haloquest"))
    table_html = scripted_html("judges/judges", Markup(), elem_id="judges-table")
    detail_html = static_html(Markup(), elem_id="judge-detail")
    pairs = static_html(Markup(), elem_id="judges-beside")
    static_html(TRY)
    settings = _controls(services, place)
    with gr.Row(elem_classes=["q-actions"]):
        go, stop = start_and_stop("Run test", "judges-go", "judges-stop")
        line = static_html(status.result_message(trial.WELCOME), elem_id="judges-status")
    static_html(
        judge_tables.published_table(),
        elem_id="judges-published",
    )
    wanted = gr.State((0, ""))

    def want(wanted: tuple[int, str], event: gr.EventData) -> tuple[int, str]:
        # the number makes every click a change, also a second one on the same judge
        return wanted[0] + 1, str(event.judge)

    def show(asker: gr.Request, event: gr.EventData) -> str:
        return detail(services, str(event.judge), place.spending.keys(asker))

    def show_again(asker: gr.Request, wanted: tuple[int, str]) -> str:
        return detail(services, wanted[1], place.spending.keys(asker))

    def show_tables(asker: gr.Request) -> tuple[str, str]:
        return tables(services, place.spending.keys(asker))

    def run(begun: StartedRun, *values: Any) -> Iterator[str]:
        return trial.moments(begun, trial.JudgeTrialSettings(*values))

    def try_wanted(begun: StartedRun, wanted: tuple[int, str]) -> Iterator[str]:
        return trial.moments(begun, trial.quick_settings(wanted[1]))

    buttons = RunButtons([go], stop, place.spending)
    how: Any = {"outputs": [line], "at_once": 2, "called": "trying"}
    outputs = [table_html, pairs]
    ended = buttons.begin(listeners=[go.click], work=run, inputs=settings, **how)
    ended.then(show_tables, None, outputs, **NO_PROGRESS)
    table_html.submit(want, wanted, wanted, **CHOICE_EVENT)
    tried = buttons.begin(listeners=[wanted.change], work=try_wanted, inputs=[wanted], **how)
    tried.then(show_tables, None, outputs, **NO_PROGRESS).then(
        show_again, wanted, detail_html, **NO_PROGRESS
    )
    place.shown.change(show_tables, None, outputs, concurrency_limit=8, **NO_PROGRESS)
    table_html.select(show, None, detail_html, **CHOICE_EVENT)


def _controls(services: Services, place: PageContext) -> list[Any]:
    """Lay out what a person sets before a trial: the fields of `JudgeTrialSettings`, in order."""
    models = picker(services, place.spending, JUDGES, "trial-judge")
    benchmark = gr.Radio(BENCHMARKS, value="primer", label="Questions", elem_id="trial-benchmark")
    with gr.Accordion("Settings", open=False, elem_id="trial-settings"):
        with gr.Row(elem_classes=["numbers-row"]):
            numbers = [
                whole_number(value, label, elem_id=elem_id) for elem_id, label, value in NUMBERS
            ]
            weird = gr.Checkbox(
                False,
                label="Normal-vs-weird test (5x)",
                container=False,
                elem_id="trial-difficulty",
            )
        wording = wording_picker(services, "trial-wording")
    return [models, benchmark, *numbers, weird, wording]
