"""Turns a labeling plan into what its desk shows, and what a rater does there into labels.

The prompt, the expected answers and the judge's answers are in none of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from markupsafe import Markup

from hallascope.components.html.gradio_html import ServerFunction
from hallascope.components.html.markup import file_url
from hallascope.components.labels import agreement
from hallascope.components.labels.labeling import (
    labeling_work,
    question_fields,
    task_fields,
)
from hallascope.data.nouns import count_noun
from hallascope.engine import ratings
from hallascope.engine.labeling.plans import find_plan
from hallascope.engine.labeling.progress import (
    LabelingProgress,
    LabelingReport,
    ModelLabelingProgress,
    RaterReport,
)
from hallascope.engine.labeling.progress import plan_progress as read_progress
from hallascope.engine.labeling.queue import (
    QueueItem,
    keep,
    next_image,
    read_outlook,
    skip,
    undo,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan
from hallascope.metrics.statistics.response_statistics import Kappa
from hallascope.pages.shared.server_functions import SentText, server_functions

# --- the desk -------------------------------------------------------------------------------------


def start_queue(
    services: Services, plan_name: str, key: str, who: str | None, with_reasons: bool
) -> dict[str, Any]:
    """Return the work of a rater from where they left off.

    `key` is that of the link for raters, "" where who asks made the plan. `with_reasons`: whether
    they may read why an image comes next, which names models and what judges do. Raises BadRequest
    without such a plan or without a name.
    """
    services, plan, rater = _open_plan(services, plan_name, key, who)
    item = next_image(services, plan, rater)
    tasks = [_make_task(item, with_reasons)] if item else []
    open_answers = [[None] * len(task["questions"]) for task in tasks]
    identity = {"rater": rater, "plan": plan.id, "key": key}
    return labeling_work(tasks, open_answers, identity) | _look_ahead(services, plan, rater)


def queue_functions(services: Services, with_reasons: bool) -> list[ServerFunction]:
    """Return what the desk calls: `step`, and `forecast` where the rater may know the models.

    `step` keeps what a rater did with an image, and says what comes next.
    """

    def step(
        services: Services,
        who: dict[str, SentText],
        action: Literal["keep", "skip", "undo"],
        id: SentText = "",
        answers: Sequence[Any] = (),
    ) -> dict[str, Any]:
        names = (who.get(name, "") for name in ("plan", "key", "rater"))
        services, plan, rater = _open_plan(services, *names)
        match action:
            case "keep":
                keep(services, plan, id, answers, rater)
            case "skip":
                skip(services, plan, id, rater)
            case "undo":
                undo(services, plan, rater)
        item = next_image(services, plan, rater)
        shown = _make_task(item, with_reasons) if item else None
        return {"item": shown} | _look_ahead(services, plan, rater)

    return server_functions(services, step, *([forecast] if with_reasons else []))


def forecast(
    services: Services, plan: SentText = "", key: SentText = "", rater: SentText = ""
) -> dict[str, str]:
    """Return how sure the corrected scores are by now, in sentences that name the models."""
    _, opened, _ = _open_plan(services, plan, key, rater)
    progress = read_progress(services, find_plan(services, opened.id))
    return {"words": "\n".join(model.sentence for model in progress.models)}


def _open_plan(
    services: Services, name: str, key: str, who: str | None
) -> tuple[Services, LabelingPlan, str]:
    """Return services that may label the plan where the key opens it, the plan, and the rater.

    Raises BadRequest.
    """
    plan = services.store.labeling.plan(name)
    if services.visitor and services.signer.has_signed(key, "plan", plan.id):
        services = services.acting_for(replace(services.visitor, plans=frozenset({plan.id})))
    return services, plan, ratings.clean_rater_name(who)


def _make_task(item: QueueItem, with_reasons: bool) -> dict[str, Any]:
    """Return what the desk shows."""
    return task_fields(
        item.rateable.id,
        str(item.number),
        item.rateable.picture.path,
        (question_fields(question.text, question.choices) for question in item.rateable.questions),
        why=item.reason if with_reasons else "",
    )


def _look_ahead(services: Services, plan: LabelingPlan, rater: str) -> dict[str, Any]:
    """Return how many images a rater finished and has left, and those to load ahead."""
    outlook = read_outlook(services, plan, rater)
    return {
        "queue": {"done": outlook.finished, "left": outlook.left},
        "soon": [file_url(services.store.images.path(image).resolve()) for image in outlook.soon],
    }


# --- plans, progress and raters -------------------------------------------------------------------


def plan_choices(plans: Sequence[LabelingPlan]) -> list[tuple[str, str]]:
    """Return plans as choices, each with what it holds, and its id."""
    return [(f"{plan.title or plan.judge}: {_describe(plan)}", plan.id) for plan in plans]


def _describe(plan: LabelingPlan) -> str:
    raters = count_noun(plan.raters_per_image, "rater")
    return f"{count_noun(len(plan.images), 'image')}, {raters} an image"


def progress_table(progress: LabelingProgress) -> Markup:
    """Return by model how many prompts are labeled, and how sure its corrected score is."""
    heads = ("model", "labeled prompts", "skipped", "corrected score", "what more labels bring")
    rows = [_progress_row(model) for model in progress.models]
    note = (
        f"{progress.labeled} of {progress.frame} images are labeled, {progress.skipped} skipped."
        " Corrected scores have 95 % intervals."
    )
    return agreement.table("Progress", heads, rows, note)


def _progress_row(model: ModelLabelingProgress) -> tuple[str, ...]:
    score = agreement.UNKNOWN
    if model.score:
        score = agreement.estimate_text(model.score.value, model.score.low, model.score.high)
    return (
        model.model,
        f"{model.labeled} of {model.frame}",
        str(model.skipped),
        score,
        model.sentence.removeprefix(f"{model.model}: "),
    )


def rater_table(report: LabelingReport) -> Markup:
    """Return by rater what they did, and how far they agree with the others and the judge."""
    if not report.raters:
        return Markup()
    heads = (
        "rater",
        "labeled",
        "skipped",
        "seconds an image",
        "same answer as others",
        "kappa",
        "same answer as the judge",
        "kappa",
    )
    rows = [_rater_row(rater) for rater in report.raters]
    return agreement.table("Raters", heads, rows, _agreement_note(report))


def _rater_row(rater: RaterReport) -> tuple[str, ...]:
    return (
        rater.rater,
        str(rater.labeled),
        str(rater.skipped),
        agreement.UNKNOWN if rater.seconds is None else f"{rater.seconds:.1f}",
        *_agreement_cells(rater.others),
        *_agreement_cells(rater.judge),
    )


def _agreement_cells(kappa: Kappa) -> tuple[str, str]:
    share = agreement.UNKNOWN if kappa.agreement is None else f"{kappa.agreement:.0%}"
    return share, agreement.estimate_text(kappa.value)


def _agreement_note(report: LabelingReport) -> str:
    """Return the human ceiling, and the judge beside it."""
    judge = f"{report.judge_name} gives the raters’ answer to {_share_text(report.judge)}."
    if report.ceiling.agreement is None:
        return (
            f"No question has the answers of two raters yet, so there is no human ceiling. {judge}"
        )
    alpha = agreement.estimate_text(report.alpha)
    return (
        f"Human ceiling: two raters give the same answer to {_share_text(report.ceiling)};"
        f" Krippendorff’s alpha {alpha}. {judge}"
    )


def _share_text(kappa: Kappa) -> str:
    if kappa.agreement is None:
        return "no question yet"
    value = agreement.estimate_text(kappa.value)
    return f"{kappa.agreement:.0%} of the questions (kappa {value}, n = {kappa.n})"
