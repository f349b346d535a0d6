"""Holds the command that ranks models by what is stored of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hallascope.cli.options import JsonOption, MetricOption, ModelOption, RunOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, say, split_names
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import Board, LeaderboardRow, board
from hallascope.engine.leaderboard.comparisons import (
    ModelComparisons,
    compare_models,
    difference,
    power_sentence,
)
from hallascope.engine.leaderboard.demo import LeaderboardSource
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query, check_groups
from hallascope.engine.leaderboard.options import require_known_names
from hallascope.engine.storage.store import Store
from hallascope.metrics.statistics.paired_difference import ModelDifference

if TYPE_CHECKING:
    from hallascope.engine.labeling.labels import PlanLabels

TITLE = "Six simulated and trained models of the Primer world on 200 of its prompts"


def leaderboard(
    *,
    by: Grouping = "model",
    metric: MetricOption = "ihalla",
    score: str = "score",
    run: RunOption = "",
    model: ModelOption = "",
    judge: str | None = None,
    field: str | None = None,
    category: str | None = None,
    difficulty: str | None = None,
    domain: str | None = None,
    level: str | None = None,
    task: str | None = None,
    trial: int | None = None,
    seed: list[int] | None = None,
    published: bool = False,
    shipped: bool = False,
    compare: str = "",
    corrected: bool = False,
    labels: Path | None = None,
    plan: str = "",
    save_demo: Path | None = None,
    as_json: JsonOption = False,
) -> int:
    """Rank the models by a score, with 95 % intervals and what was left out.

    Without stored results, rank the results that ship.

    Args:
        by: What the models are ranked within.
        score: One of the metric's scores, such as strict.
        judge: Only verdicts of this judge.
        field: Only prompts of this field: Science or History.
        category: Only prompts of this category.
        difficulty: Only prompts of this difficulty: easy, medium or hard.
        domain: Only prompts of this domain.
        level: Only prompts of this level.
        task: Only prompts of this task.
        trial: Only this trial; 0 is the first.
        seed: Only images of this seed; may be repeated.
        published: Also print the papers' numbers.
        shipped: Rank the results that ship, even if you have runs.
        compare: Two models A,B: their difference with its interval, on the prompts of both.
        corrected: Also print I-HallA scores corrected by answers of the Labels tab.
        labels: Correct by the labels of this folder instead, for the same images; implies
            --corrected.
        plan: Correct by the labels of this labeling plan only; implies --corrected.
        save_demo: Write these results into a file, as those that ship.
    """
    filters = Filters(
        models=split_names(model),
        judge=judge,
        field=field,
        category=category,
        difficulty=difficulty,
        domain=domain,
        level=level,
        task=task,
        trial=trial,
        runs=split_names(run),
        seeds=tuple(seed or ()),
    )
    query = Query(metric, score, by, filters)
    check_groups(query)
    store = Store()
    if save_demo is not None:
        written = demo.save_demo(store, save_demo, TITLE, filters.runs)
        record = {"written": written, "file": save_demo}
        printing.print_result(as_json, record, f"{written:,} prompts in {save_demo}")
        return DONE
    source = demo.leaderboard_source(store, shipped=shipped, filters=filters)
    require_known_names(source.store, query)
    shown = board(source.store, query)
    compared = None
    if compare:
        names = split_names(compare)
        if len(names) != 2:
            raise BadRequest(f"{compare!r} are not two models: give them as A,B.")
        compared = difference(source.store, query, names[0], names[1])
    comparisons = compare_models(source.store, shown)
    correction = None
    if corrected or labels or plan:
        from hallascope.engine.leaderboard.label_correction import correct_by_people

        counted = _plan_labels(plan, labels, shown) if plan else None
        correction = correct_by_people(source.store, shown, labels, counted)
    if as_json:
        from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
        from hallascope.engine.leaderboard.documents import leaderboard_document
        from hallascope.engine.leaderboard.judges import row_reliability
        from hallascope.engine.services import create_services

        lookup = ReliabilityLookup(create_services())
        reliability = row_reliability(source.store, shown, lookup.find)
        record = leaderboard_document(
            shown, source.demo, published, compared, reliability, comparisons, correction
        )
        say(printing.document(record))
        return DONE
    text = leaderboard_text(shown, source, published, compared, comparisons)
    if correction is not None:
        from hallascope.cli.output.labels import correction_lines

        text = printing.join_parts(text, correction_lines(correction))
    printing.print_result(
        False, None, text, next_step="" if source.demo else "hallascope errors slices"
    )
    return DONE


def _plan_labels(name: str, labels: Path | None, shown: Board) -> "PlanLabels":
    """Return the labels of a plan. Raises BadRequest where the leaderboard is not by its judge."""
    from hallascope.engine.labeling.labels import PlanLabels
    from hallascope.engine.labeling.plans import find_plan
    from hallascope.engine.services import create_services

    services = create_services()
    found = find_plan(services, name)
    if labels:
        raise BadRequest(
            "--plan counts labels of the store, and --labels those of a folder: give one of them."
        )
    if shown.instrument and shown.instrument.judge != found.judge:
        raise BadRequest(
            f"The labeling plan {found.id} is about {found.judge}, and this leaderboard is by"
            f" {shown.instrument.judge}: give --judge {found.judge}."
        )
    return PlanLabels(services.store, found)


# --- for people ---


def leaderboard_text(
    shown: Board,
    source: LeaderboardSource,
    published: bool,
    compared: ModelDifference | None,
    comparisons: ModelComparisons | None = None,
) -> str:
    """Return the leaderboard as a table, and how it came about."""
    head = f"These are results that ship with the program, not your runs: {source.title}."
    table = printing.table(_cells(shown, row, comparisons) for row in shown.rows)
    parts = [
        head if source.demo else "",
        table or f"No stored result of {shown.query.metric} passes these filters.",
        *_notes(shown),
        *(comparisons.sentences if comparisons else []),
    ]
    if published:
        printed = printing.table(
            {**_cells(shown, row), "published in": row.source} for row in shown.published
        )
        parts.append(
            f"Published numbers of papers:\n{printed}"
            if printed
            else "No paper prints these numbers."
        )
    if compared:
        parts.append(_format_difference(compared))
    return printing.join_parts(*parts)


def _cells(
    shown: Board, row: LeaderboardRow, comparisons: ModelComparisons | None = None
) -> dict[str, object]:
    """Return a row as it is printed; with ranks and letters where models were compared."""
    cells: dict[str, object] = {"model": row.model}
    if shown.query.by != "model":
        cells[shown.query.by] = row.group
    elif shown.published:
        cells["part"] = row.group
    cells |= {
        shown.title.casefold(): row.value,
        "95 %": printing.interval(row.low, row.high),
        shown.unit: row.n or "-",
        "left out": "-" if row.left_out_share is None else f"{row.left_out_share:.1%}",
    }
    if comparisons and comparisons.ranks:
        rank = comparisons.ranks.get((row.model, row.group))
        cells |= {
            "rank": rank and rank.words,
            "letter": rank and rank.letters,
        }
    return cells


def _notes(shown: Board) -> Iterator[str]:
    instrument = shown.instrument
    if instrument is None:
        return
    models = ", ".join(f"{role} {name}" for role, name in instrument.lineup.items()) or "no model"
    note = (
        f"{shown.query.metric} {instrument.version} by {models}; {shown.intervals}; left out: share"
        " of all questions."
    )
    if others := len(shown.instruments) - 1:
        note += (
            f" {others} other configurations are not averaged in: choose one by --judge or --run."
        )
    yield note
    if shown.corrections:
        yield shown.corrections.sentence


def _format_difference(compared: ModelDifference) -> str:
    names = compared.one, compared.other
    if compared.value is None or compared.low is None:
        return f"{' and '.join(names)} share {compared.n} prompts: at least two are needed."
    test = compared.words if compared.p is None else f"p = {compared.p:.3g}, {compared.flips} flips"
    interval = f"95 % {compared.low:+.3f} to {compared.high:+.3f}, {test}"
    sentence = (
        f"{' minus '.join(names)}: {compared.value:+.3f} ({interval}; paired over"
        f" {compared.n} prompts)."
    )
    return " ".join(filter(None, [sentence, power_sentence(compared)]))
