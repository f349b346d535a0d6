"""Formats labeling plans, what is next in them, and their reports."""

from collections.abc import Mapping, Sequence
from typing import Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.data.records import LETTERS
from hallascope.engine.events import jsonable
from hallascope.engine.export.plan_tables import PlanTables
from hallascope.engine.labeling.plans import LabelingPlan, frame_sizes
from hallascope.engine.labeling.progress import LabelingProgress, ModelLabelingProgress
from hallascope.engine.labeling.queue import QueueItem
from hallascope.engine.labeling.report import LabelingReport, RaterReport
from hallascope.metrics.statistics.response_statistics import Kappa


def plan_lines(plan: LabelingPlan) -> str:
    """Return a plan's id, its frame and its strata."""
    sizes = frame_sizes(plan)
    table = printing.table(
        (
            TextColumn("model", lambda row: row[0]),
            TextColumn("prompts", lambda row: str(row[1][0])),
            TextColumn("images", lambda row: str(row[1][1])),
        ),
        list(sizes.items()),
    )
    title = [plan.title] if plan.title else []
    raters = "rater" if plan.raters_per_image == 1 else "raters"
    about = (
        f"{len(plan.images)} images judged by {plan.judge}, seed {plan.seed},"
        f" {plan.raters_per_image} {raters} an image."
    )
    label = f"Label it: hallascope label queue {plan.id} --rater NAME"
    return "\n\n".join([f"plan {plan.id}", *title, table, about, label])


def plan_summary(plan: LabelingPlan) -> dict[str, Any]:
    """Return a plan as a document, with its strata in place of its images."""
    fields: dict[str, Any] = jsonable(plan)
    return fields | {
        "images": len(plan.images),
        "strata": {
            stratum: {"prompts": prompts, "images": images}
            for stratum, (prompts, images) in frame_sizes(plan).items()
        },
    }


def plans_table(plans: Sequence[LabelingPlan]) -> str:
    """Return a line for each plan."""
    return printing.table(
        (
            TextColumn("plan", lambda plan: plan.id),
            TextColumn("judge", lambda plan: plan.judge),
            TextColumn("images", lambda plan: str(len(plan.images))),
            TextColumn("raters an image", lambda plan: str(plan.raters_per_image)),
            TextColumn("title", lambda plan: plan.title or "-"),
        ),
        plans,
    )


# --- the queue ---


def queue_lines(item: QueueItem | None) -> str:
    """Return the image that is next with its questions, and why it is; not of which model it is."""
    if item is None:
        return "Nothing is left to label for this rater."
    blocks = [f"Image {item.number}: {item.rateable.picture.path}", item.rateable.prompt]
    for number, question in enumerate(item.rateable.questions, 1):
        choices = [
            f"   {letter}) {choice}"
            for letter, choice in zip(LETTERS, question.choices, strict=False)
        ]
        blocks.append("\n".join([f"{number}. {question.text}", *choices]))
    blocks.append(f"Why: {item.rater_reason}.")
    return "\n\n".join(blocks)


def queue_document(plan: LabelingPlan, item: QueueItem | None) -> dict[str, Any]:
    """Return the image that is next, without its expected answers."""
    if item is None:
        return {"plan": plan.id, "next": None}
    return {
        "plan": plan.id,
        "next": {
            "item": item.rateable.id,
            "number": item.number,
            "image": item.rateable.picture.sha256,
            "path": str(item.rateable.picture.path),
            "prompt": item.rateable.prompt,
            "questions": [
                {"question": question.text, "choices": list(question.choices)}
                for question in item.rateable.questions
            ],
            "reason": item.rater_reason,
        },
    }


# --- reports ---


def progress_lines(progress: LabelingProgress) -> str:
    """Return a table of models with their corrected scores, and what more labels would give."""
    table = printing.table(
        (
            TextColumn("model", lambda row: row.model),
            TextColumn("judge", lambda row: printing.number(row.score and row.score.judge)),
            TextColumn("corrected", lambda row: printing.number(row.score and row.score.value)),
            TextColumn("95 %", _interval),
            TextColumn(
                "if all untold were wrong, right",
                _bounds,
            ),
            TextColumn("labeled", lambda row: f"{row.labeled} of {row.frame}"),
            TextColumn("skipped", lambda row: str(row.skipped)),
        ),
        progress.models,
    )
    counts = (
        f"{progress.labeled} of {progress.frame} images labeled, {progress.finished} by as many"
        f" raters as planned, {progress.skipped} skipped."
    )
    sentences = "\n".join(model.sentence for model in progress.models)
    return "\n\n".join([f"plan {progress.plan}: {counts}", table, sentences])


def _bounds(row: ModelLabelingProgress) -> str:
    return printing.interval(row.score.lowest, row.score.highest) if row.score else "-"


def _interval(row: ModelLabelingProgress) -> str:
    return printing.interval(row.score.low, row.score.high) if row.score else "-"


def report_lines(report: LabelingReport) -> str:
    """Return a table of raters, and how far they agree with each other and with the judge."""
    if not report.raters:
        return f"No image of the plan {report.plan} has been labeled or skipped yet."
    table = printing.table(
        (
            TextColumn("rater", lambda row: row.rater),
            TextColumn("labeled", lambda row: str(row.labeled)),
            TextColumn("skipped", lambda row: str(row.skipped)),
            TextColumn("seconds an image", _seconds),
            TextColumn("same as others", lambda row: printing.number(row.others.agreement)),
            TextColumn("kappa", lambda row: printing.number(row.others.value)),
            TextColumn("same as the judge", lambda row: printing.number(row.judge.agreement)),
            TextColumn("kappa", lambda row: printing.number(row.judge.value)),
        ),
        report.raters,
    )
    overall = [
        f"Each rater against the others (the human ceiling): {_agreement(report.ceiling)}.",
        f"{report.judge_name} against each rater: {_agreement(report.judge)}.",
        f"Krippendorff's alpha (nominal): {printing.number(report.alpha)}.",
    ]
    return "\n\n".join([table, "\n".join(overall)])


def _seconds(row: RaterReport) -> str:
    return "-" if row.seconds is None else f"{row.seconds:.1f}"


def _agreement(kappa: Kappa) -> str:
    if not kappa.n:
        return "no question has two answers"
    return (
        f"same {printing.number(kappa.agreement)}, kappa {printing.number(kappa.value)} over"
        f" {kappa.n} pairs of answers"
    )


# --- export ---


def count_labels(tables: PlanTables) -> dict[str, int]:
    """Return how many images, raters, labeled and skipped images the tables of a plan hold."""
    done = tables.labels.drop_duplicates(["rater", "item"])
    return {
        "images": len(tables.frame),
        "raters": done["rater"].nunique(),
        "labeled": int((done["state"] == "labeled").sum()),
        "skipped": int((done["state"] == "skipped").sum()),
    }


def export_lines(written: Mapping[str, Any]) -> str:
    """Return what an exported plan holds, and whether raters are named in it."""
    line = (
        f"{written['out']}: the plan {written['plan']} with {_count(written['images'], 'image')},"
        f" {_count(written['labeled'], 'label')} and {written['skipped']} skipped by"
        f" {_count(written['raters'], 'rater')}"
    )
    if written["raters"] and not written["named"]:
        line += "\nRaters stand in it as rater 1 and so on: --with-names gives their names."
    return line


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
