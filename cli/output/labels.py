"""Formats labeling plans, their reports, and scores that people's labels correct."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import interval, number, signed
from hallascope.data.nouns import count_noun
from hallascope.data.records import LETTERS
from hallascope.engine.events import jsonable
from hallascope.engine.labeling.plans import frame_sizes
from hallascope.engine.labeling.progress import LabelingProgress, LabelingReport
from hallascope.engine.labeling.queue import QueueItem
from hallascope.engine.leaderboard.label_correction import (
    CORRECTION_METHOD,
    CorrectedPair,
    LabelCorrection,
)
from hallascope.engine.storage.people.labeling import LabelingPlan
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS
from hallascope.metrics.statistics.response_statistics import Kappa

if TYPE_CHECKING:
    from hallascope.engine.export.plan_tables import PlanTables

NOT_CORRECTED = "Only I-HallA's score, by model or by composition of interest, can be corrected."
METHOD = f"Corrected by {INTERVAL_METHODS[CORRECTION_METHOD]}, by prompt."
BOUNDS = "if all ? were wrong, right"


# --- plans ---


def plan_lines(plan: LabelingPlan) -> str:
    """Return a plan's id, its frame and its strata."""
    table = printing.table(
        {"model": model, "prompts": prompts, "images": images}
        for model, (prompts, images) in frame_sizes(plan).items()
    )
    about = (
        f"{len(plan.images)} images judged by {plan.judge}, seed {plan.seed},"
        f" {count_noun(plan.raters_per_image, 'rater')} an image."
    )
    return printing.join_parts(f"plan {plan.id}", plan.title, table, about)


def plan_summary(plan: LabelingPlan) -> dict[str, Any]:
    """Return a plan as a document, with its strata in place of its images."""
    strata = {
        stratum: {"prompts": prompts, "images": images}
        for stratum, (prompts, images) in frame_sizes(plan).items()
    }
    return {**jsonable(plan), "images": len(plan.images), "strata": strata}


def queue_lines(item: QueueItem | None) -> str:
    """Return the image that is next with its questions, and why it is; not of which model it is."""
    if item is None:
        return "Nothing is left to label for this rater."
    questions = []
    for place, question in enumerate(item.rateable.questions, 1):
        choices = zip(LETTERS, question.choices, strict=False)
        lines = [f"{place}. {question.text}", *(f"   {letter}) {text}" for letter, text in choices)]
        questions.append("\n".join(lines))
    return printing.join_parts(
        f"Image {item.number}: {item.rateable.picture.path}",
        item.rateable.prompt,
        *questions,
        f"Why: {item.rater_reason}.",
    )


def queue_document(plan: LabelingPlan, item: QueueItem | None) -> dict[str, Any]:
    """Return the image that is next, without its expected answers."""
    following = item and {
        "item": item.rateable.id,
        "number": item.number,
        "image": item.rateable.picture.sha256,
        "path": item.rateable.picture.path,
        "prompt": item.rateable.prompt,
        "questions": [
            {"question": question.text, "choices": question.choices}
            for question in item.rateable.questions
        ],
        "reason": item.rater_reason,
    }
    return {"plan": plan.id, "next": following}


# --- reports ---


def progress_lines(progress: LabelingProgress) -> str:
    """Return a table of models with their corrected scores, and what more labels would give."""
    table = printing.table(
        {
            "model": row.model,
            "judge": row.score and row.score.judge,
            "corrected": row.score and row.score.value,
            "95 %": row.score and interval(row.score.low, row.score.high),
            BOUNDS: row.score and interval(row.score.lowest, row.score.highest),
            "labeled": f"{row.labeled} of {row.frame}",
            "skipped": row.skipped,
        }
        for row in progress.models
    )
    counts = (
        f"{progress.labeled} of {progress.frame} images labeled, {progress.finished} by as many"
        f" raters as planned, {progress.skipped} skipped."
    )
    sentences = "\n".join(model.sentence for model in progress.models)
    return printing.join_parts(f"plan {progress.plan}: {counts}", table, sentences)


def report_lines(report: LabelingReport) -> str:
    """Return a table of raters, and how far they agree with each other and with the judge."""
    if not report.raters:
        return f"No image of the plan {report.plan} has been labeled or skipped yet."
    table = printing.table(
        {
            "rater": row.rater,
            "labeled": row.labeled,
            "skipped": row.skipped,
            "seconds an image": row.seconds and f"{row.seconds:.1f}",
            "same as others": row.others.agreement,
            "kappa with others": row.others.value,
            "same as the judge": row.judge.agreement,
            "kappa with the judge": row.judge.value,
        }
        for row in report.raters
    )
    return printing.join_parts(
        table,
        f"Each rater against the others (the human ceiling): {_agreement(report.ceiling)}.\n"
        f"{report.judge_name} against each rater: {_agreement(report.judge)}.\n"
        f"Krippendorff's alpha (nominal): {number(report.alpha)}.",
    )


def _agreement(kappa: Kappa) -> str:
    if not kappa.n:
        return "no question has answers of two"
    return (
        f"same {number(kappa.agreement)}, kappa {number(kappa.value)} over {kappa.n} pairs of"
        " answers"
    )


# --- corrected scores ---


def correction_lines(correction: LabelCorrection) -> str:
    """Return corrected scores and differences as tables, with what they rest on."""
    if correction.labels is None:
        return NOT_CORRECTED
    table = printing.table(
        {
            "model": row.model,
            "group": row.group,
            "judge": row.score.judge,
            "corrected": row.score.value,
            "95 %": interval(row.score.low, row.score.high),
            BOUNDS: interval(row.score.lowest, row.score.highest),
            "labeled": f"{row.labeled} of {row.score.judged}",
        }
        for row in correction.rows
        if row.score
    )
    parts = [
        table,
        table and METHOD,
        *(row.sentence for row in correction.rows),
        *_pair_lines(correction),
        correction.labels.sentence,
        printing.problem_lines(correction.labels.complaints),
        table and correction.sampling,
    ]
    return "\n".join(filter(None, parts))


def _pair_lines(correction: LabelCorrection) -> list[str]:
    """Return the corrected differences; nothing where there are none."""
    if correction.left_out_pairs:
        return [f"{correction.left_out_pairs:,} pairs of models are too many: choose fewer models."]
    table = printing.table(
        {
            "difference": f"{pair.one} minus {pair.other}",
            "group": pair.group,
            "judge": signed(pair.difference.judge),
            "corrected": signed(pair.difference.value),
            "95 %": f"{signed(pair.difference.low)} to {signed(pair.difference.high)}",
            "labeled for both": f"{pair.difference.labeled} of {pair.difference.judged}",
        }
        for pair in correction.pairs
        if pair.difference
    )
    if not table:
        return []
    note = "Corrected differences with their own intervals, not corrected for the number of pairs."
    missing = [_missing_labels(pair) for pair in correction.pairs if not pair.difference]
    return [f"\n{table}", note, *missing]


def _missing_labels(pair: CorrectedPair) -> str:
    prompts = "prompt" if pair.needed == 1 else "prompts"
    where = f", {pair.group}" if pair.group else ""
    return (
        f"{pair.one} and {pair.other}{where}: label {pair.needed} more {prompts} for both to"
        " correct their difference."
    )


# --- export ---


def count_labels(tables: "PlanTables") -> dict[str, int]:
    """Return how many images, raters, labeled and skipped images the tables of a plan hold."""
    done = tables.labels.drop_duplicates(["rater", "item"])
    return {
        "images": len(tables.frame),
        "raters": done["rater"].nunique(),
        "labeled": int((done["state"] == "labeled").sum()),
        "skipped": int((done["state"] == "skipped").sum()),
    }


def export_lines(written: Mapping[str, Any]) -> str:
    """Return what was written of a plan, and whether raters have names in it."""
    line = (
        f"{written['out']}: the plan {written['plan']} with"
        f" {count_noun(written['images'], 'image')}, {count_noun(written['labeled'], 'label')} and"
        f" {written['skipped']} skipped by {count_noun(written['raters'], 'rater')}"
    )
    if written["raters"] and not written["named"]:
        line += "\nRaters are rater 1 and so on: --with-names writes their names."
    return line
