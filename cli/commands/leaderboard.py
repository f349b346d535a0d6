"""The command that ranks models by what is stored of them.

Exit codes as in `hallascope.cli.main`.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, JsonOption, say
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import Board, board, check_groups
from hallascope.engine.leaderboard.demo import LeaderboardSource
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.leaderboard.name_check import require_known_names
from hallascope.engine.leaderboard.row import LeaderboardRow
from hallascope.engine.services import create_services
from hallascope.metrics.statistics.intervals import LEVEL
from hallascope.metrics.statistics.paired_difference import ModelDifference

TITLE = "Six simulated and trained models of the Primer world on 200 of its prompts"


def leaderboard(
    by: Annotated[
        str, typer.Option(help="model, domain, category, coi, level, task, judge or trial.")
    ] = "model",
    metric: Annotated[str, typer.Option(help="The metric by name.")] = "ihalla",
    score: Annotated[str, typer.Option(help="One of its scores, such as strict.")] = "score",
    run: Annotated[str, typer.Option(help="Only these runs or sweeps, with commas between.")] = "",
    models: Annotated[
        str, typer.Option("--model", "--models", help="Only these models, with commas between.")
    ] = "",
    judge: Annotated[str | None, typer.Option(help="Only what this judge said.")] = None,
    category: Annotated[str | None, typer.Option(help="Only prompts of this category.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only prompts of this domain.")] = None,
    level: Annotated[str | None, typer.Option(help="Only prompts of this level.")] = None,
    task: Annotated[str | None, typer.Option(help="Only prompts of this task.")] = None,
    trial: Annotated[int | None, typer.Option(help="Only this trial; 0 is the first.")] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(help="Only pictures of this seed; may be given several times."),
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
        models=_names(models),
        judge=judge,
        category=category,
        domain=domain,
        level=level,
        task=task,
        trial=trial,
        runs=_names(run),
        seeds=tuple(seed or ()),
    )
    query = Query(metric, score, cast("Grouping", by), filters)
    check_groups(query)
    store = create_services().store
    if save_demo is not None:
        say(f"{demo.save(store, save_demo, TITLE, filters.runs):,} prompts in {save_demo}")
        return DONE
    found = demo.source(store, shipped=shipped)
    require_known_names(found.store, query)
    shown = board(found.store, query)
    compared = difference(found.store, query, *_two(compare)) if compare else None
    say(
        printing.document(as_document(shown, found, published, compared))
        if as_json
        else _lines(shown, found, published, compared)
    )
    return DONE


def _names(listed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in listed.split(",") if name.strip())


def _two(listed: str) -> tuple[str, str]:
    names = _names(listed)
    if len(names) != 2:
        raise BadRequest(f"{listed!r} are not two models: give them as A,B.")
    return names[0], names[1]


# --- for programs
# --------------------------------------------------------------------------------------------------


def as_document(
    shown: Board,
    found: LeaderboardSource,
    published: bool = False,
    compared: ModelDifference | None = None,
) -> dict[str, Any]:
    """A leaderboard as JSON-able values.

    "published" and "compared" only where they were asked for.
    """
    used = shown.instrument
    return {
        "rows": [as_row(one, shown.query.by) for one in shown.rows],
        "metric": shown.query.metric,
        "score": shown.query.score,
        "by": shown.query.by,
        "unit": shown.unit,
        "higher_is_better": shown.higher_is_better,
        "interval": {"level": LEVEL, "by": "prompt", "method": shown.interval_method},
        "judged_by": (
            {"version": used.version, "judge": used.judge, "lineup": dict(used.lineup)}
            if used
            else None
        ),
        "judged_otherwise": [
            {"version": one.version, "judge": one.judge, "lineup": dict(one.lineup)}
            for one in shown.instruments
            if one != used
        ],
        "demo": found.demo,
        **(
            {
                "published": [
                    as_row(one, shown.query.by) | {"source": one.source} for one in shown.published
                ]
            }
            if published
            else {}
        ),
        **({"compared": asdict(compared)} if compared else {}),
    }


def as_row(one: LeaderboardRow, by: Grouping) -> dict[str, Any]:
    """One row, its group under the name of what it is sorted by.

    `left_out` of prompts or questions, as `n`; the share of all asked.
    """
    if by == "model" and one.group:
        group: dict[str, Any] = {"group": one.group}
    elif by == "model":
        group = {}
    else:
        group = {by: one.group}
    numbers = {
        "value": one.value,
        "n": one.n,
        "low": one.low,
        "high": one.high,
        "left_out": one.left_out,
    }
    return {
        "model": one.model,
        **group,
        **numbers,
        "left_out_share": one.left_out_share,
        "answered": one.answered,
        "unanswered": one.unanswered,
    }


# --- for people
# --------------------------------------------------------------------------------------------------


def _lines(
    shown: Board, found: LeaderboardSource, published: bool, compared: ModelDifference | None
) -> str:
    head = (
        [f"This is the demo that ships with the program, none of your runs: {found.title}."]
        if found.demo
        else []
    )
    body = (
        printing.table(_columns(shown), shown.rows)
        if shown.rows
        else f"Nothing is stored of {shown.query.metric} that these filters leave."
    )
    parts = [*head, body, *_notes(shown)]
    if published:
        printed = printing.table(
            (*_columns(shown), TextColumn("published in", lambda one: one.source)), shown.published
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
        TextColumn("model", lambda one: one.model),
        *group,
        TextColumn(shown.title.casefold(), lambda one: _number(one.value)),
        TextColumn(
            "95 %", lambda one: "-" if one.low is None else f"{one.low:.3f} to {one.high:.3f}"
        ),
        TextColumn(shown.unit, lambda one: str(one.n) if one.n else "-"),
        TextColumn(
            "left out",
            lambda one: "-" if one.left_out_share is None else f"{one.left_out_share:.1%}",
        ),
    )


def _group(one: LeaderboardRow) -> str:
    return one.group or "-"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _notes(shown: Board) -> list[str]:
    used = shown.instrument
    if used is None:
        return []
    asked = ", ".join(f"{role} {name}" for role, name in used.lineup.items()) or "no model"
    said = (
        f"{shown.query.metric} {used.version} by {asked}; {shown.intervals}; left out: of all that"
        " was asked."
    )
    others = len(shown.instruments) - 1
    more = (
        f" Judged in {others} other ways, too, which are not averaged in: choose by --judge or"
        " --run."
        if others
        else ""
    )
    return [said + more]


def _format_difference(found: ModelDifference) -> str:
    if found.value is None:
        return (
            f"{found.one} and {found.other} share {found.n} prompts: at least two are needed to say"
            " anything."
        )
    sure = f"{found.low:+.3f} to {found.high:+.3f}, p = {found.p:.3g}"
    return (
        f"{found.one} less {found.other}: {found.value:+.3f} ({sure}; paired over {found.n}"
        " prompts)"
    )
