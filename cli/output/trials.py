"""Formats trials of judges: documents for programs, tables and sentences for people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import interval, number, problem_lines, spread
from hallascope.data.files.tables import Complaint
from hallascope.engine.events import jsonable
from hallascope.engine.judge_eval.haloquest import BY_RULE, HaloResult, OverlapSummary
from hallascope.engine.judge_eval.haloquest import as_json as halo_document
from hallascope.engine.judge_eval.ihalla import worst_first
from hallascope.engine.money.spending import money
from hallascope.engine.trials.records import (
    DifficultyResult,
    JudgeDisagreement,
    LabeledTrial,
    LabelerAgreement,
    LabelFigures,
    Reliability,
    Share,
    Trial,
    disagreements,
    pairs,
)
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.statistics.response_statistics import Kappa

LISTED = 20  # disagreements that are printed for people
WORST = 10  # facts that are printed for people
VIOLATED_IMAGES = "violated images: all questions about images with wrong facts"
ALWAYS_EXPECTED = "always the expected answer (baseline)"
BALANCED = "balanced accuracy"
NONE_RIGHT = '"None of the above" is right: answered so'
KAPPA = "Cohen's kappa, flagged against violated"
LABEL_KAPPA = "Cohen's kappa, expected answer seen or not"


# --- for programs ---


def trial_document(trials: Sequence[Trial]) -> dict[str, Any]:
    """Return one trial by the names of its fields; several under `judges`, with every pair."""
    documents: list[dict[str, Any]] = []
    for trial in trials:
        fields = with_values(replace(trial, answers=()))
        del fields["answers"]
        if trial.cost:
            fields["cost"] |= {
                "seconds_each": trial.cost.seconds_each,
                "thousand": trial.cost.thousand,
            }
        documents.append(fields)
    if len(trials) == 1:
        return documents[0]
    return {
        "judges": documents,
        "pairs": list(map(jsonable, pairs(trials))),
        "disagreements": list(map(jsonable, disagreements(trials))),
    }


def labeled_document(trial: LabeledTrial) -> dict[str, Any]:
    """Return a trial on labels by the names of its fields; a share counts `same` of `n`."""
    document = {name: with_values(value) for name, value in vars(trial).items()}
    return dict(_rename_counts(document))


def _rename_counts(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    names = {"right": "same", "asked": "n"} if {"right", "asked"} <= document.keys() else {}
    return {names.get(name, name): _rename_counts(value) for name, value in document.items()}


def with_values(thing: object) -> Any:
    """Return a trial by the names of its fields, every share with its value."""
    match thing:
        case Share() | LabelerAgreement():
            return {"value": thing.value, **jsonable(thing)}
        case LabelFigures():
            return with_values(vars(thing))
        case Reliability():
            return with_values({**vars(thing), "false_alarms": thing.false_alarms})
        case Trial() | DifficultyResult():
            return with_values(vars(thing))
        case Mapping():
            return {str(name): with_values(value) for name, value in thing.items()}
        case _:
            return jsonable(thing)


def overlap_document(summary: OverlapSummary) -> dict[str, Any]:
    """Return a score's mean and its correlations with people as JSON-able values."""
    return {
        "title": summary.spec.title,
        "mean": summary.mean,
        "n": summary.n,
        "rated": summary.rated,
        **{
            name: (estimate := getattr(summary, name)) and estimate._asdict()
            for name in ("pearson", "spearman", "kendall")
        },
    }


def haloquest_document(trial: HaloResult, overlaps: Iterable[OverlapSummary]) -> dict[str, Any]:
    """Return a trial on HaloQuest's questions, with the words shared with the references."""
    return {
        **halo_document(trial),
        "text_overlap": {each.spec.name: overlap_document(each) for each in overlaps},
    }


# --- trials where the truth is known ---


def trial_text(trials: Sequence[Trial]) -> str:
    """Return each trial as a table and sentences, then a comparison of every two judges."""
    parts = list(map(_trial_text, trials))
    beside = printing.table(
        {
            "judges": f"{pair.one} and {pair.other}",
            "Cohen's kappa": pair.kappa.value,
            "same answer": pair.kappa.agreement,
            "questions": pair.kappa.n,
        }
        for pair in pairs(trials)
    )
    if beside:
        parts += [beside, _disagreement_lines(list(disagreements(trials)))]
    return printing.join_parts(*parts)


def _trial_text(trial: Trial) -> str:
    own = trial.reliability
    is_measured = bool(own.sensitivity.asked or own.specificity.asked)
    figures: dict[str, Any] = {"overall": trial.overall}
    if own.baseline.asked:
        figures[ALWAYS_EXPECTED] = own.baseline
    figures |= {f"{kind} images": share for kind, share in trial.by_kind.items()}
    if is_measured:
        figures["wrong facts flagged (sensitivity)"] = own.sensitivity
        figures["correct facts accepted (specificity)"] = own.specificity
        figures["false alarms (1 - specificity)"] = own.false_alarms
        if own.kappa.n:
            figures |= {BALANCED: own.balanced_accuracy, KAPPA: own.kappa}
    figures["wrong facts answered exactly right"] = trial.violated_facts
    for kind, share in trial.all_right.items():
        figures[f"{kind} images with all answers right"] = share
    if trial.none_right.asked:
        figures[NONE_RIGHT] = trial.none_right
    table = _figure_table(figures, "right", "of", n=own.kappa.n)
    tables = [f"{table}\n{VIOLATED_IMAGES}", *_reliability_tables(trial, is_measured)]
    summary = f"{trial.judge}: {trial.pictures} images, {trial.unanswered} questions unanswered"
    return "\n".join([printing.join_parts(*tables), summary, *_conduct_lines(trial)])


def _figure_table(figures: Mapping[Any, Any], value: str, count: str, n: int = 0) -> str:
    """Return figures with their intervals and counts; `n` counts those that have no count."""
    return printing.table(
        {
            "slice": name,
            value: figure.value,
            "95 % interval": interval(figure.low, figure.high),
            count: _count(figure, n),
        }
        for name, figure in figures.items()
    )


def _count(figure: Any, n: int) -> int:
    return figure.asked if isinstance(figure, Share) else n


def _reliability_tables(trial: Trial, is_measured: bool) -> Iterator[str]:
    """Yield tables by composition of interest, by concept, and of the worst facts.

    Where sensitivity and specificity were not measured, one sentence says so.
    """
    if not is_measured:
        yield "wrong facts flagged and correct facts accepted: not measured"
    by_coi = []
    for coi in dict.fromkeys([*trial.by_coi, *trial.reliability_by_coi]):
        accuracy = trial.by_coi.get(coi, Share(0, 0))
        own = trial.reliability_by_coi.get(coi, Reliability())
        row = {
            "slice": coi,
            "accuracy": accuracy.value,
            "95 % interval": interval(accuracy.low, accuracy.high),
            "of": accuracy.asked,
            **(_flagged(own) if is_measured else {}),
        }
        if trial.reliability.baseline.asked:
            row |= {
                "balanced": own.balanced_accuracy.value,
                "kappa": own.kappa.value,
                "baseline": own.baseline.value,
            }
        by_coi.append(row)
    facts = {
        "by composition of interest": by_coi,
        "by concept, on images of its own": _worst_rows(trial.by_concept),
        "the facts that are flagged least": _worst_rows(trial.by_fact)[:WORST],
    }
    for title, rows in facts.items():
        if rows:
            yield f"{title}:\n{printing.table(rows)}"


def _worst_rows(by_slice: Mapping[str, Reliability]) -> list[dict[str, object]]:
    return [{"slice": name, **_flagged(own)} for name, own in worst_first(by_slice)]


def _flagged(own: Reliability) -> dict[str, object]:
    """Return what a judge flags and accepts, each with its interval and its count."""
    return {
        "sensitivity": own.sensitivity.value,
        "its 95 %": interval(own.sensitivity.low, own.sensitivity.high),
        "of wrong": own.sensitivity.asked,
        "specificity": own.specificity.value,
        "its 95 % interval": interval(own.specificity.low, own.specificity.high),
        "of right": own.specificity.asked,
    }


def _conduct_lines(trial: Trial) -> Iterator[str]:
    """Yield how the judge answered and what its answers cost."""
    yield (
        f"answered: {number(trial.answered.value)} of {trial.answered.asked} questions; “none of"
        f" the above”: {number(trial.abstained.value)} of its answers"
    )
    consistencies = {
        "repeated trials": trial.repeated,
        "another order of the choices": trial.reordered,
    }
    for what, consistency in consistencies.items():
        if consistency:
            yield (
                f"Same answer in {what}: {number(consistency.value)} over"
                f" {consistency.questions} questions"
            )
    if trial.none_right_unanswered:
        yield (
            "asked without the true choice and left unanswered:"
            f" {trial.none_right_unanswered} questions"
        )
    if trial.positions.spread is not None:
        yield (
            "position bias (spread of the recall over the places of the right choice):"
            f" {number(trial.positions.spread)}"
        )
    if trial.calibration.error is not None:
        yield (
            f"expected calibration error: {number(trial.calibration.error)} over"
            f" {trial.calibration.n} answers"
        )
    if trial.difficulty:
        yield _difficulty_line(trial.difficulty)
    if trial.cost:
        thousand = money(trial.cost.thousand) if trial.cost.thousand else "nothing"
        each = trial.cost.seconds_each or 0.0
        yield (
            f"{trial.cost.answers} live answers: {each:.2f} s each, {thousand} for a thousand; the"
            f" five questions of an image take {5 * each:.2f} s on average"
        )


def _difficulty_line(difficulty: DifficultyResult) -> str:
    levels = ", ".join(f"{count} {level}" for level, count in difficulty.pictures.items())
    sides = ", ".join(
        f"{number(share.value)} of {share.asked} on {side} images"
        for side, share in difficulty.by_side.items()
    )
    return (
        f"normal or weird, five times: right {sides}; {levels}, {difficulty.left_out} images"
        " without five readable replies"
    )


def _disagreement_lines(found: Sequence[JudgeDisagreement]) -> str:
    rows = [f"{len(found)} questions with different answers"]
    for each in found[:LISTED]:
        answers = ", ".join(f"{judge}: {said or 'no answer'}" for judge, said in each.said.items())
        rows.append(f"{each.question} ({each.picture[:8]}; right: {each.right}) {answers}")
    if len(found) > LISTED:
        rows.append(f"and {len(found) - LISTED} more (--json names all)")
    return "\n".join(rows)


# --- trials on labels ---


def labeled_text(outcome: LabeledTrial) -> str:
    """Return the figures of a trial on labels as tables, with what was left out."""
    by = ", ".join(f"{name} ({count})" for name, count in outcome.labellers.items())
    figures: dict[str, Any] = {
        "overall": outcome.overall,
        ALWAYS_EXPECTED: outcome.baseline,
        "sensitivity: of what the labeler calls wrong": outcome.sensitivity,
        "specificity: of what the labeler calls right": outcome.specificity,
        BALANCED: outcome.balanced_accuracy,
        LABEL_KAPPA: outcome.kappa,
        **dict(outcome.by_coi.items()),
    }
    parts = [
        _figure_table(figures, "same", "answers", n=outcome.kappa.n),
        "sensitivity by composition of interest:",
        _figure_table(outcome.sensitivity_by_coi, "same", "answers"),
        "specificity by composition of interest:",
        _figure_table(outcome.specificity_by_coi, "same", "answers"),
    ]
    if len(outcome.by_labeler) > 1:
        labelers = printing.table(
            {
                "labeled by": name,
                "same": own.overall.value,
                "95 % interval": interval(own.overall.low, own.overall.high),
                "answers": own.overall.asked,
                "baseline": own.baseline.value,
                "sensitivity": own.sensitivity.value,
                "specificity": own.specificity.value,
                "balanced": own.balanced_accuracy.value,
                "kappa": own.kappa.value,
            }
            for name, own in outcome.by_labeler.items()
        )
        parts += ["beside each labeler:", labelers]
    if outcome.labeler_agreement:
        parts += agreement_lines(outcome.labeler_agreement)
    parts += [
        f"{outcome.judge} on {outcome.pictures} images labeled by {by}; left out:"
        f" {outcome.cannot_be_told} cannot be told, {outcome.not_labelled} not labeled,"
        f" {outcome.unanswered} unanswered",
        problem_lines(outcome.complaints),
    ]
    return "\n".join(filter(None, parts))


def agreement_lines(people: LabelerAgreement) -> Iterator[str]:
    """Yield how far labelers agree: what a judge can be held to at most."""
    pairs_of = "" if people.n == people.questions else f" in {people.n} pairs of answers"
    yield (
        f"{' and '.join(people.labelers)} agree (ceiling): the same answer {spread(people)} on"
        f" {people.questions} questions that two of them could tell{pairs_of}; {LABEL_KAPPA}"
        f" {spread(people.kappa)}, Krippendorff's alpha {number(people.alpha)}"
    )
    yield (
        f"of the questions that two labelers marked, {people.told_by_one} could be told by one and"
        f" not by another, and {people.told_by_none} by no one"
    )


# --- trials on HaloQuest's questions ---


def haloquest_text(
    trial: HaloResult,
    overlaps: Sequence[OverlapSummary],
    complaints: Sequence[Complaint],
    notes: Sequence[Complaint],
) -> str:
    """Return the shares of right replies by slice, and the words shared with the references."""
    answered, published = trial.answered, trial.published
    rows = [
        _halo_row("overall", answered.overall, published.overall),
        *(
            _halo_row(name, mean, published.by_image_type[name])
            for name, mean in answered.by_image_type.items()
        ),
        *(
            _halo_row(name, mean, published.by_hallucination_type[name])
            for name, mean in answered.by_hallucination_type.items()
        ),
    ]
    by = f"by {trial.grader}"
    if trial.grader == BY_RULE:
        by = "by rule, as no grader was named"
    people = f"; with people: {_people_text(trial.people)}" if trial.people else ""
    shared = printing.table(
        {
            "words shared with the references": each.spec.title,
            "mean": each.mean,
            "replies": each.n,
            **(_correlations(each) if trial.people else {}),
        }
        for each in overlaps
    )
    parts = [
        printing.table(rows),
        f"{trial.judge or 'replies from a table'}, graded {by}{people}",
        shared,
        *(f"{source}: {why}" for source, why in trial.reasons.items()),
        problem_lines(notes, "note: "),
        problem_lines(complaints),
    ]
    return "\n".join(filter(None, parts))


def _halo_row(name: str, answered: Mean, published: Mean) -> dict[str, object]:
    return {
        "slice": name,
        "right": answered.value,
        "95 % interval": interval(answered.low, answered.high),
        "questions": answered.n,
        "left out": answered.left_out,
        "left out as wrong": published.value,
    }


def _correlations(summary: OverlapSummary) -> dict[str, object]:
    return {
        "Pearson's r with people": spread(summary.pearson),
        "Spearman's rho": spread(summary.spearman),
        "Kendall's tau-b": spread(summary.kendall),
        "rated": summary.rated,
    }


def _people_text(kappa: Kappa) -> str:
    if kappa.agreement is None:
        return "no reply graded by both"
    return (
        f"the same verdict on {kappa.agreement:.3f} of {kappa.n} replies, Cohen's kappa"
        f" {number(kappa.value)}"
    )
