"""Turns trials and people's verdicts into what the tab of judges shows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, Protocol

from hallascope.data.lexicon import capitalize
from hallascope.engine.judge_eval.haloquest import BY_RULE
from hallascope.engine.judge_eval.ihalla import worst_first
from hallascope.engine.models.registry import ModelAvailability
from hallascope.engine.trials.accuracies import ShippedTrials
from hallascope.engine.trials.records import (
    Cost,
    DifficultyResult,
    HaloTrial,
    LabeledTrial,
    LabelerAgreement,
    LabelFigures,
    Reliability,
    Share,
    Trial,
)
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS, interval_text
from hallascope.metrics.statistics.response_statistics import Consistency, Kappa
from hallascope.pages.judges.judge_tables import Bars, JudgeTableCell, JudgeTableRow, number

ALWAYS_EXPECTED = "always the expected answer (baseline)"
PRIMER_HALO = "primer-halo"
RELEASED = "haloquest"
INTERVAL = (
    f"95 % interval by image ({INTERVAL_METHODS['clopper-pearson']}; bootstrap for"
    " trials made by version 0.1.0)"
)
COLUMNS: Mapping[str, str] = {
    "sensitivity": (
        "mistakes found: of all mistakes it was asked about, the share where it does not give the"
        f" expected answer; {INTERVAL}"
    ),
    "specificity": (
        "correct facts accepted: of all correct facts it was asked about, the share "
        f"where it gives the expected answer; the rest are false alarms; {INTERVAL}"
    ),
    "balanced accuracy": (
        "mean of sensitivity and specificity; 0.5 for a judge that always gives the "
        f"expected answer; 95 % interval by image ({INTERVAL_METHODS['recovered-variances']})"
    ),
    "baseline": (
        "what always giving the expected answer would get right; a judge at or below it is useless;"
        f" {INTERVAL}"
    ),
    "right answers": f"share of right answers to the same questions; {INTERVAL}",
    "kappa": (
        "Cohen’s kappa of mistakes found and mistakes made: 0 for a judge that always"
        " gives the expected answer, 1 for one that is never wrong; 95 % interval by image"
        f" ({INTERVAL_METHODS['linearized']})"
    ),
    "answered": "share of replies that name one choice; other columns count only these",
    "HaloQuest": (
        "right free replies to questions that tempt it to invent: on HaloQuest where "
        "tested, else on Primer’s questions"
    ),
    "people": "questions where its answer is that of people, of those both answered",
    "1,000 answers": "cost of a thousand answers",
    "seconds": "seconds per answer",
}
Halos = Mapping[tuple[str, str], HaloTrial]


class TrialsByJudge(NamedTuple):
    """Holds trials by judge, HaloQuest's by judge and benchmark, and notes on shipped ones.

    `labels` are trials on labeled images.
    """

    primer: Mapping[str, Trial]
    halo: Halos
    notes: Mapping[str, str] = MappingProxyType({})
    labels: Mapping[str, LabeledTrial] = MappingProxyType({})


def merge_trials(
    primer: Mapping[str, Trial],
    halo: Halos,
    shipped: ShippedTrials | None,
    labels: Mapping[str, LabeledTrial] = MappingProxyType({}),
) -> TrialsByJudge:
    """Return a person's own trials, and the shipped ones where there are none."""
    if shipped is None:
        return TrialsByJudge(primer, halo, labels=labels)
    halo_key = (shipped.judge, shipped.halo.benchmark)
    used = []
    if shipped.judge not in primer:
        used.append("Primer")
    if halo_key not in halo:
        used.append("HaloQuest")
    notes = {}
    if used:
        notes[shipped.judge] = (
            f"Shipped trial ({' and '.join(used)}): HallaScope {shipped.hallascope},"
            f" {shipped.day}, {shipped.primer.pictures} drawings. Your own trial replaces it."
        )
    return TrialsByJudge(
        {shipped.judge: shipped.primer, **primer},
        {halo_key: shipped.halo, **halo},
        notes,
        {shipped.judge: shipped.labels, **labels},
    )


def rows(
    models: Sequence[ModelAvailability],
    trials: TrialsByJudge,
    people: Mapping[str, LabelFigures],
    used: Sequence[str],
    offer: Callable[[str], str],
) -> list[JudgeTableRow]:
    """Return every judge that is listed, was tried or was used, those with results first.

    `used` have judged images that are stored here; of the others the used ones come first. `offer`
    says what a trial of a judge would take, "" where it cannot be tried here.
    """
    listed = {model.spec.id: model for model in models if not model.spec.family}
    tried = (*trials.primer, *trials.labels, *(judge for judge, _ in trials.halo), *people)
    names = [*listed, *(judge for judge in (*tried, *used) if judge and judge not in listed)]
    judge_rows = [
        row(judge, listed.get(judge), trials, people.get(judge)) for judge in dict.fromkeys(names)
    ]
    judge_rows = [
        replace(
            judge_row,
            used=judge_row.judge in used,
            offer="" if judge_row.judge in trials.primer else offer(judge_row.judge),
        )
        for judge_row in judge_rows
    ]
    return sorted(judge_rows, key=lambda each: (not each.has_results, not each.used))


def row(
    judge: str,
    model: ModelAvailability | None,
    trials: TrialsByJudge,
    people: LabelFigures | None,
) -> JudgeTableRow:
    """Return the row of one judge; `model` is None where it is not listed."""
    cells: dict[str, JudgeTableCell] = {}
    halos = trials.halo
    if labels := trials.labels.get(judge):
        cells |= _of_labels(labels)
    if trial := trials.primer.get(judge):
        cells |= _of_trial(trial)
    if (halo := halos.get((judge, RELEASED)) or halos.get((judge, PRIMER_HALO))) is not None:
        cells["HaloQuest"] = mean(
            halo.answered.overall, "released" if halo.benchmark == RELEASED else "Primer’s"
        )
    if people:
        cells["people"] = share(people.overall)
    title, reason, note = (
        (model.spec.title, model.reason, model.spec.note) if model else ("", None, "")
    )
    if judge in trials.notes:
        title = f"{title} · shipped trial"
        note = " ".join(filter(None, (trials.notes[judge], note)))
    return JudgeTableRow(judge, title, cells, reason, note)


def _of_labels(labels: LabeledTrial) -> dict[str, JudgeTableCell]:
    where = "labeled images"
    return {
        "sensitivity": share(labels.sensitivity, where),
        "specificity": share(labels.specificity, where),
        "baseline": share(labels.baseline, where),
        "balanced accuracy": _cell(labels.balanced_accuracy, labels.kappa.n, where),
        "kappa": kappa(labels.kappa, where),
    }


def _of_trial(trial: Trial) -> dict[str, JudgeTableCell]:
    return {
        "sensitivity": share(trial.reliability.sensitivity),
        "specificity": share(trial.reliability.specificity),
        "balanced accuracy": _cell(trial.reliability.balanced_accuracy, trial.reliability.kappa.n),
        "baseline": share(trial.reliability.baseline),
        "right answers": share(trial.overall),
        "kappa": kappa(trial.reliability.kappa),
        "answered": share(trial.answered),
        **cost(trial.cost),
    }


# --- cells ----------------------------------------------------------------------------------------


class _Measured(Protocol):
    """Is a value with its 95 % interval; None where it was not measured."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def share(result: Share | None, where: str = "") -> JudgeTableCell:
    return _cell(result, result.asked, where) if result else JudgeTableCell()


def mean(result: Mean, where: str = "") -> JudgeTableCell:
    return _cell(result, result.n, where)


def kappa(result: Kappa, where: str = "") -> JudgeTableCell:
    """Return the cell of a kappa, which may be below 0 and has no bar."""
    return _cell(result, result.n, where)._replace(share=None)


def _cell(result: _Measured, n: int, where: str = "") -> JudgeTableCell:
    """Return the cell of a share in [0, 1] over `n` answers, with its bar."""
    if result.value is None:
        return JudgeTableCell()
    about = f"of {n:,}"
    if result.low is not None and result.high is not None:
        about = f"{interval_text(result.low, result.high, 2)}, {about}"
    if where:
        about = f"{about} ({where})"
    return JudgeTableCell(f"{result.value:.3f}", about, result.value)


def consistent(result: Consistency | None) -> JudgeTableCell:
    if result is None or result.value is None:
        return JudgeTableCell()
    value = result.value
    return JudgeTableCell(f"{value:.3f}", f"of {result.questions:,} questions", value)


def cost(result: Cost | None) -> dict[str, JudgeTableCell]:
    if result is None or result.seconds_each is None or result.thousand is None:
        return {}
    return {
        "1,000 answers": JudgeTableCell(
            f"{result.thousand:.2f} USD" if result.thousand else "free"
        ),
        "seconds": JudgeTableCell(f"{result.seconds_each:.2f}", f"{result.answers:,} live answers"),
    }


# --- one judge ------------------------------------------------------------------------------------


def groups(
    trial: Trial | None,
    halos: Sequence[HaloTrial],
    people: LabelFigures | None,
    labels: LabeledTrial | None = None,
) -> Iterator[Bars]:
    """Yield all that is known of one judge, group by group."""
    if trial:
        yield Bars(
            "By composition of interest",
            tuple((coi, share(result)) for coi, result in trial.by_coi.items()),
            _trial_summary(trial),
        )
        yield from _beside_baseline(trial)
        yield from _reliability(trial)
        yield _more_of_trial(trial)
        yield Bars(
            "By the place of the right choice",
            tuple(_places(trial)),
            "Recall at each place. Equal bars: no position bias.",
        )
        if bins := trial.calibration.bins:
            note = "Share of right answers among those with this probability."
            yield Bars(
                "Calibration",
                tuple(
                    (
                        f"{b.low:.1f} to {b.high:.1f}",
                        JudgeTableCell(f"{b.right:.2f}", f"of {b.n:,}", b.right),
                    )
                    for b in bins
                ),
                note,
            )
        if trial.difficulty:
            yield _difficulty(trial.difficulty)
    if labels:
        yield from _on_labels(labels)
    for halo in halos:
        yield _halo(halo)
    if people:
        yield Bars("With people", _label_rows(people), "Over the answers of all raters.")


def _more_of_trial(trial: Trial) -> Bars:
    rows = [
        ("right on images without a mistake", share(trial.by_kind.get("factual"))),
        ("right on images with a mistake", share(trial.by_kind.get("violated"))),
        ("right about the mistake itself", share(trial.violated_facts)),
        ("“none of the above” where a choice fits", share(trial.abstained)),
        ("same answer twice", consistent(trial.repeated)),
        ("same answer in another order", consistent(trial.reordered)),
        ("position bias", number(trial.positions.spread, "0 (none) to 0.5")),
        ("calibration error", number(trial.calibration.error, "0 is best")),
    ]
    note = "A judge that answers from memory is low in “right about the mistake itself”."
    return Bars("More about its answers", tuple(rows), note)


def _beside_baseline(trial: Trial) -> Iterator[Bars]:
    """Yield what the judge reaches beside the baseline; nothing of a trial that lacks it."""
    own = trial.reliability
    if not own.baseline.asked:
        return
    rows = [
        ("right answers", share(trial.overall)),
        (ALWAYS_EXPECTED, share(own.baseline)),
        ("balanced accuracy", _cell(own.balanced_accuracy, own.kappa.n)),
        ("Cohen’s kappa", kappa(own.kappa)),
    ]
    note = "A judge at or below the baseline is useless."
    if trial.none_right.asked:
        rows.append(("“None of the above” is right", share(trial.none_right)))
        note += " Last row: the right choice was removed, so “None of the above” is right."
    yield Bars("Compared with always giving the expected answer", tuple(rows), note)


def _label_rows(figures: LabelFigures) -> tuple[tuple[str, JudgeTableCell], ...]:
    return (
        ("same answer", share(figures.overall)),
        (ALWAYS_EXPECTED, share(figures.baseline)),
        ("sensitivity", share(figures.sensitivity)),
        ("specificity", share(figures.specificity)),
        ("balanced accuracy", _cell(figures.balanced_accuracy, figures.kappa.n)),
        ("Cohen’s kappa", kappa(figures.kappa)),
    )


def _reliability(trial: Trial) -> Iterator[Bars]:
    """Yield what the judge flags and accepts, over all, by CoI and by concept."""
    if not trial.reliability.sensitivity.asked:
        note = "Not measured in this trial: test the judge again below."
        yield Bars("Mistakes found (sensitivity)", (), note)
        return
    rows: dict[str, Reliability] = {"overall": trial.reliability}
    rows |= {str(coi): own for coi, own in trial.reliability_by_coi.items()}
    yield Bars(
        "Mistakes found (sensitivity)",
        tuple((name, share(own.sensitivity)) for name, own in rows.items()),
        "Of the mistakes it was asked about, the share that it noticed.",
    )
    yield Bars(
        "Correct facts accepted (specificity)",
        tuple((name, share(own.specificity)) for name, own in rows.items()),
        "Of the correct facts, the share that it accepted. The rest are false alarms.",
    )
    yield Bars(
        "Images with all answers right",
        tuple((name, share(own)) for name, own in trial.all_right.items()),
        "Share of images. Those with an unanswered question are left out.",
    )
    if trial.by_concept:
        yield Bars(
            "Mistakes found, by concept",
            tuple((name, share(own.sensitivity)) for name, own in worst_first(trial.by_concept)),
            "One row for each concept, the worst first.",
        )
        yield Bars(
            "Correct facts accepted, by concept",
            tuple((name, share(own.specificity)) for name, own in worst_first(trial.by_concept)),
            "Same images, same order.",
        )


def _on_labels(trial: LabeledTrial) -> Iterator[Bars]:
    """Yield what the judge flags and accepts on labeled images, over all and by CoI."""
    where = f"On {trial.pictures:,} images labeled by {' and '.join(trial.labellers)}"
    yield Bars(
        "Beside labels",
        _label_rows(trial),
        f"{where}. A judge that says the same no more often than the baseline tells nothing.",
    )
    if len(trial.by_labeler) > 1:
        for name, figures in trial.by_labeler.items():
            yield Bars(f"Beside labels by {name}", _label_rows(figures), f"{where}.")
    if trial.labeler_agreement:
        yield _ceiling(trial.labeler_agreement)
    yield Bars(
        "Mistakes that labelers see found (sensitivity)",
        (
            ("overall", share(trial.sensitivity)),
            *((coi, share(own)) for coi, own in trial.sensitivity_by_coi.items()),
        ),
        f"{where}: of the questions where the labeler does not see the expected answer, those where"
        " the judge does not see it either.",
    )
    yield Bars(
        "Correct facts that labelers see accepted (specificity)",
        (
            ("overall", share(trial.specificity)),
            *((coi, share(own)) for coi, own in trial.specificity_by_coi.items()),
        ),
        f"{where}: of the questions where the labeler sees the expected answer, those where the"
        " judge does.",
    )


def _ceiling(people: LabelerAgreement) -> Bars:
    """Return how far labelers agree among themselves: what a judge can be held to at most."""
    alpha = JudgeTableCell() if people.alpha is None else JudgeTableCell(f"{people.alpha:.3f}")
    same = _cell(people, people.n)
    return Bars(
        "Labelers compared with each other (upper limit)",
        (
            ("same answer", same),
            ("Cohen’s kappa", kappa(people.kappa)),
            ("Krippendorff’s alpha", alpha),
        ),
        f"{', '.join(people.labelers)}: on {people.questions:,} questions that two of them or more"
        " could tell. Kappa and alpha are of whether the expected answer is seen.",
    )


def _trial_summary(trial: Trial) -> str:
    left_out = f", {trial.unanswered} left out" if trial.unanswered else ""
    return (
        f"{trial.pictures:,} Primer images, {trial.overall.asked:,} questions answered{left_out};"
        f" seed {trial.seed}."
    )


def _places(trial: Trial) -> Iterator[tuple[str, JudgeTableCell]]:
    for letter, recall, chosen in zip(
        "ABCDE", trial.positions.recall, trial.positions.chosen, strict=False
    ):
        yield (
            letter,
            JudgeTableCell(
                "–" if recall is None else f"{recall:.2f}", f"chosen {chosen:,} times", recall
            ),
        )


def _difficulty(result: DifficultyResult) -> Bars:
    total = sum(result.pictures.values()) or 1
    levels = tuple(
        (str(level), JudgeTableCell(str(n), "images", n / total))
        for level, n in result.pictures.items()
    )
    sides = tuple(
        (f"identified correctly, {side}", share(share_of_side))
        for side, share_of_side in result.by_side.items()
    )
    left_out = (
        f" {result.left_out} images have not five readable replies." if result.left_out else ""
    )
    return Bars(
        "Normal-vs-weird test (5x)",
        (*sides, *levels),
        f"As I-HallA grades how difficult an image is.{left_out}",
    )


def _halo(halo: HaloTrial) -> Bars:
    lines = [("overall", mean(halo.answered.overall))]
    lines += [
        (str(name), mean(result)) for name, result in halo.answered.by_hallucination_type.items()
    ]
    lines += [
        (f"{name} images", mean(result)) for name, result in halo.answered.by_image_type.items()
    ]
    by = "graded by rule" if halo.grader == BY_RULE else f"graded by {halo.grader}"
    left_out = f", {halo.left_out} of {halo.questions} left out" if halo.left_out else ""
    where = (
        "the released questions" if halo.benchmark == RELEASED else "questions on Primer drawings"
    )
    return Bars("HaloQuest", tuple(lines), f"{capitalize(where)}, {by}{left_out}.")
