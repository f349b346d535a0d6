"""Holds the command that ranks models by what is stored of them.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated, cast

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.label_correction import correction_lines
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, JsonOption, say, split_names
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.labeling.plan_labels import PlanLabels
from hallascope.engine.labeling.plans import find_plan
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import Board, LeaderboardRow, board
from hallascope.engine.leaderboard.comparisons import (
    ModelComparisons,
    compare_models,
    difference,
    power_sentence,
)
from hallascope.engine.leaderboard.demo import LeaderboardSource
from hallascope.engine.leaderboard.documents import leaderboard_document
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query, check_groups
from hallascope.engine.leaderboard.judges import row_reliability
from hallascope.engine.leaderboard.label_correction import correct_by_people
from hallascope.engine.leaderboard.options import require_known_names
from hallascope.engine.services import Services, create_services
from hallascope.metrics.statistics.paired_difference import ModelDifference

TITLE = "Six simulated and trained models of the Primer world on 200 of its prompts"


def leaderboard(
    by: Annotated[
        str,
        typer.Option(
            help="model, domain, field (Science or History), category, difficulty, coi, level,"
            " task, judge or trial."
        ),
    ] = "model",
    metric: Annotated[str, typer.Option(help="The metric by name.")] = "ihalla",
    score: Annotated[str, typer.Option(help="One of its scores, such as strict.")] = "score",
    run: Annotated[str, typer.Option(help="Only these runs or sweeps, with commas between.")] = "",
    models: Annotated[
        str, typer.Option("--model", "--models", help="Only these models, with commas between.")
    ] = "",
    judge: Annotated[str | None, typer.Option(help="Only what this judge said.")] = None,
    field: Annotated[
        str | None, typer.Option(help="Only prompts of this field: Science or History.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Only prompts of this category.")] = None,
    difficulty: Annotated[
        str | None, typer.Option(help="Only prompts of this difficulty: easy, medium or hard.")
    ] = None,
    domain: Annotated[str | None, typer.Option(help="Only prompts of this domain.")] = None,
    level: Annotated[str | None, typer.Option(help="Only prompts of this level.")] = None,
    task: Annotated[str | None, typer.Option(help="Only prompts of this task.")] = None,
    trial: Annotated[int | None, typer.Option(help="Only this trial; 0 is the first.")] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(help="Only images of this seed; may be given several times."),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="Beside them what the papers print.")
    ] = False,
    shipped: Annotated[
        bool,
        typer.Option(
            "--shipped", help="The results that ship with the program, also where you have runs."
        ),
    ] = False,
    compare: Annotated[
        str,
        typer.Option(help="Two models A,B: how sure their difference is, on the prompts of both."),
    ] = "",
    corrected: Annotated[
        bool,
        typer.Option(
            "--corrected",
            help="Also the scores of I-HallA as corrected by the answers of the Labels tab.",
        ),
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(
            help="Correct by the labels of this folder (`hallascope label`) instead, for the images"
            " that are the same; implies --corrected.",
        ),
    ] = None,
    plan: Annotated[
        str,
        typer.Option(
            help="Count the labels of this labeling plan alone, each by its probability"
            " (`hallascope label plan`); implies --corrected.",
        ),
    ] = "",
    save_demo: Annotated[
        Path | None,
        typer.Option(help="Write what is counted into this file, as the leaderboard that ships."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Rank the models by a score, with 95 % intervals and what was left out.

    Where nothing is stored the demo is shown.
    """
    filters = Filters(
        models=split_names(models),
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
    query = Query(metric, score, cast("Grouping", by), filters)
    check_groups(query)
    services = create_services()
    store = services.store
    if save_demo is not None:
        say(f"{demo.save_demo(store, save_demo, TITLE, filters.runs):,} prompts in {save_demo}")
        return DONE
    source = demo.leaderboard_source(store, shipped=shipped)
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
        plan_labels = _plan_labels(services, plan, labels, shown) if plan else None
        correction = correct_by_people(source.store, shown, labels, plan_labels)
    if as_json:
        reliability = row_reliability(source.store, shown, ReliabilityLookup(services).find)
        say(
            printing.document(
                leaderboard_document(
                    shown,
                    source.demo,
                    published,
                    compared,
                    reliability,
                    comparisons,
                    correction,
                )
            )
        )
    else:
        say(_lines(shown, source, published, compared, comparisons))
        if correction is not None:
            say(f"\n{correction_lines(correction)}")
    return DONE


def _plan_labels(services: Services, name: str, labels: Path | None, shown: Board) -> PlanLabels:
    """Return the labels of a plan. Raises BadRequest where the leaderboard is not by its judge."""
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


def _lines(
    shown: Board,
    source: LeaderboardSource,
    published: bool,
    compared: ModelDifference | None,
    comparisons: ModelComparisons | None = None,
) -> str:
    head = (
        [f"This is the demo that ships with the program, none of your runs: {source.title}."]
        if source.demo
        else []
    )
    body = (
        printing.table((*_columns(shown), *_rank_columns(comparisons)), shown.rows)
        if shown.rows
        else f"Nothing is stored of {shown.query.metric} that these filters leave."
    )
    sentences = comparisons.sentences if comparisons else []
    parts = [*head, body, *_notes(shown), *sentences]
    if published:
        printed = printing.table(
            (*_columns(shown), TextColumn("published in", lambda row: row.source)), shown.published
        )
        parts.append(
            f"Published, no measurement of ours:\n{printed}"
            if shown.published
            else "No paper prints these numbers."
        )
    if compared:
        parts.append(_format_difference(compared))
    return "\n\n".join(parts)


def _columns(shown: Board) -> tuple[TextColumn, ...]:
    group: tuple[TextColumn, ...] = ()
    if shown.query.by != "model":
        group = (TextColumn(shown.query.by, _group),)
    elif shown.published:
        group = (TextColumn("part", _group),)
    return (
        TextColumn("model", lambda row: row.model),
        *group,
        TextColumn(shown.title.casefold(), lambda row: printing.number(row.value)),
        TextColumn("95 %", lambda row: printing.interval(row.low, row.high)),
        TextColumn(shown.unit, lambda row: str(row.n) if row.n else "-"),
        TextColumn(
            "left out",
            lambda row: "-" if row.left_out_share is None else f"{row.left_out_share:.1%}",
        ),
    )


def _rank_columns(comparisons: ModelComparisons | None) -> tuple[TextColumn, ...]:
    """Return the columns of ranks and letters; none where no models were compared."""
    if not comparisons or not comparisons.ranks:
        return ()
    ranks = comparisons.ranks

    def cell(row: LeaderboardRow, name: str) -> str:
        rank = ranks.get((row.model, row.group))
        return str(getattr(rank, name)) if rank else "-"

    return (
        TextColumn("rank", lambda row: cell(row, "words")),
        TextColumn("not told apart", lambda row: cell(row, "letters")),
    )


def _group(row: LeaderboardRow) -> str:
    return row.group or "-"


def _notes(shown: Board) -> list[str]:
    instrument = shown.instrument
    if instrument is None:
        return []
    models = ", ".join(f"{role} {name}" for role, name in instrument.lineup.items()) or "no model"
    note = (
        f"{shown.query.metric} {instrument.version} by {models}; {shown.intervals}; left out: of"
        " all that was asked."
    )
    if others := len(shown.instruments) - 1:
        note += (
            f" Judged in {others} other ways, too, which are not averaged in: choose by --judge or"
            " --run."
        )
    return [note, shown.corrections.sentence] if shown.corrections else [note]


def _format_difference(compared: ModelDifference) -> str:
    names = compared.one, compared.other
    if compared.value is None or compared.low is None:
        return (
            f"{' and '.join(names)} share {compared.n} prompts: at least two are needed to say"
            " anything."
        )
    test = compared.words if compared.p is None else f"p = {compared.p:.3g}, {compared.flips} flips"
    interval = f"95 % {compared.low:+.3f} to {compared.high:+.3f}, {test}"
    sentence = (
        f"{' less '.join(names)}: {compared.value:+.3f} ({interval}; paired over"
        f" {compared.n} prompts)."
    )
    return " ".join(filter(None, [sentence, power_sentence(compared)]))
