"""Runs and prints `judge-trial` on HaloQuest's questions, released ones or Primer's.

Exit codes as in `hallascope.cli.main`.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, progress, say
from hallascope.data.benchmarks.haloquest import HaloRow, read_haloquest
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.sheets import Complaint
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    BY_RULE,
    HaloTrial,
    HaloTrialItem,
    as_json,
    haloquest_items,
    items_with_replies,
    primer_items,
    sample_rows,
    try_halo,
)
from hallascope.engine.judge_eval.store import TrialStore, summarize_halo
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.metrics.aggregate import Mean

PRIMER = "primer-halo"
BENCHMARKS = ("haloquest", PRIMER)


@dataclass(frozen=True, kw_only=True)
class HaloTrialOptions:
    """Holds what a person asked for.

    `table` is HaloQuest's file or folder, `pictures` the folder of its pictures.

    `replies`: a table of replies to be graded, in place of asking a judge. `sample`: so many
    questions only, 0 for all.
    """

    benchmark: str
    judge: str
    grader: str | None
    table: Path | None
    pictures: Path | None
    download: bool
    replies: Path | None
    sample: int
    seed: int
    terms: SpendingPolicy


def halo_trial(services: Services, wanted: HaloTrialOptions, in_json: bool) -> int:
    """Count how often a judge replies rightly to a question that tempts it to invent."""
    complaints: list[Complaint] = []
    judge = None if wanted.replies else wanted.judge
    named: list[tuple[str | None, Role]] = [(judge, "judge"), (wanted.grader, "writer")]
    for name, role in named:  # before anything is read or drawn, which takes its time
        if name:
            services.registry.require(name, role, wanted.terms.keys)
    with tempfile.TemporaryDirectory() as folder:
        items = _items(services, wanted, Path(folder), complaints)
        tell = partial(progress, what="questions")
        trial = try_halo(
            services=services,
            items=items,
            judge=judge,
            grader=wanted.grader,
            benchmark=wanted.benchmark,
            terms=wanted.terms,
            on_progress=tell,
        )
    if judge:
        TrialStore(services.store.folder).keep(summarize_halo(trial))
    say(
        printing.document({**as_json(trial), "complaints": complaints})
        if in_json
        else _lines(trial, complaints)
    )
    return FAILURES if trial.left_out or complaints else DONE


def _items(
    services: Services, wanted: HaloTrialOptions, folder: Path, complaints: list[Complaint]
) -> list[HaloTrialItem]:
    """Raises BadRequest where what was named cannot be read."""
    if wanted.benchmark == PRIMER:
        return list(primer_items(wanted.sample or 300, wanted.seed, folder))
    if wanted.table is None:
        raise BadRequest("HaloQuest's questions are not here: name its file or folder with --path.")
    if wanted.pictures and not wanted.pictures.is_dir():
        raise BadRequest(
            f"There is no folder {str(wanted.pictures)!r}: name one that holds pictures with"
            " --pictures."
        )
    try:
        found = read_haloquest(wanted.table)
        complaints += found.complaints
        rows = sample_rows(found, wanted.sample, wanted.seed)
        return (
            _items_with_replies(wanted.replies, rows, complaints)
            if wanted.replies
            else _items_with_pictures(services, wanted, rows)
        )
    except BadTable as error:
        raise BadRequest(sentence(error)) from error


def _items_with_replies(
    path: Path, rows: Sequence[HaloRow], complaints: list[Complaint]
) -> list[HaloTrialItem]:
    given, wrong = read_replies(path, rows)
    complaints += wrong
    return list(items_with_replies(given))


def _items_with_pictures(
    services: Services, wanted: HaloTrialOptions, rows: Sequence[HaloRow]
) -> list[HaloTrialItem]:
    downloads = Downloads(services.store.folder / "downloads") if wanted.download else None
    found = []
    for item in haloquest_items(rows, wanted.pictures, downloads, services.import_picture):
        found.append(item)
        progress(len(found), len(rows), "pictures")
    return found


# --- for people ---

_COLUMNS = (
    TextColumn("slice", lambda row: row[0]),
    TextColumn("right", lambda row: printing.number(row[1].value)),
    TextColumn("95 % interval", lambda row: printing.interval(row[1].low, row[1].high)),
    TextColumn("questions", lambda row: str(row[1].n)),
    TextColumn("left out", lambda row: str(row[1].left_out)),
    TextColumn("left out as wrong", lambda row: printing.number(row[2].value)),
)


def _lines(trial: HaloTrial, complaints: Sequence[Complaint]) -> str:
    answered = trial.answered
    published = trial.published
    rows: list[tuple[str, Mean, Mean]] = [("overall", answered.overall, published.overall)]
    rows += [
        (name, mean, published.by_image_type[name]) for name, mean in answered.by_image_type.items()
    ]
    rows += [
        (name, mean, published.by_hallucination_type[name])
        for name, mean in answered.by_hallucination_type.items()
    ]
    by = (
        "graded by rule, as no grader was named"
        if trial.grader == BY_RULE
        else f"graded by {trial.grader}"
    )
    people = f"; with people: {_people(trial)}" if trial.people else ""
    left_out = [f"{source}: {why}" for source, why in trial.left_out.items()]
    return "\n".join(
        [
            printing.table(_COLUMNS, rows),
            f"{trial.judge or 'replies from a table'}, {by}{people}",
            *left_out,
            *map(str, complaints),
        ]
    )


def _people(trial: HaloTrial) -> str:
    found = trial.people
    if not found or found.agreement is None:
        return "no reply graded by both"
    kappa = "-" if found.value is None else f"{found.value:.3f}"
    return f"the same verdict on {found.agreement:.3f} of {found.n} replies, Cohen's kappa {kappa}"
