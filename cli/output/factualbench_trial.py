"""Runs and prints the trial of a judge by T2I-FactualBench's criteria.

Exit codes as in `hallascope.cli.main`.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, progress, say
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import jsonable
from hallascope.engine.run.estimate import costs
from hallascope.engine.services import Services
from hallascope.metrics.factualbench.plan import NAME as NAME  # the metric that has this trial

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.factualbench import FactualTrial, ReferenceCondition

PUBLISHED = "In the paper (table 4, people's ratings) Spearman falls from .504 to .437."


def run(services: Services, judge: str, count: int, seed: int, as_json: bool) -> int:
    """Try a judge (or "perfect") with and without references.

    Raises BadRequest, UnknownModel, Unavailable.
    """
    from hallascope.engine.judge_eval.factualbench import try_factual
    from hallascope.engine.judge_eval.harness import PERFECT

    seat = None
    ranks = True
    if judge != PERFECT:
        spec = services.registry.require(judge, "judge")
        if costs(spec):
            raise BadRequest(
                f"{judge!r} costs money, and a trial keeps no account of it: choose a model that"
                " runs here."
            )
        seat = services.registry.bind(judge)
        ranks = spec.ranks
    trial = try_factual(seat, ranks, count, seed, partial(progress, what="pictures"))
    say(printing.document(_json(trial)) if as_json else _lines(trial))
    return FAILURES if trial.seen.unrated or trial.unseen.unrated else DONE


def _json(trial: "FactualTrial") -> dict[str, Any]:
    return {
        **jsonable(trial),
        "seen": _way_json(trial.seen),
        "unseen": _way_json(trial.unseen),
        "drop": trial.drop,
    }


def _way_json(way: "ReferenceCondition") -> dict[str, Any]:
    agreements = [
        {**jsonable(row), "balanced_accuracy": row.value, "reached": row.reached}
        for row in way.agreements
    ]
    return {**jsonable(way), "agreements": agreements, "spearman": way.spearman._asdict()}


def _lines(trial: "FactualTrial") -> str:
    from hallascope.engine.judge_eval.factualbench import LEAST, LEAST_SPEARMAN

    rows = [
        (title, agreement)
        for title, way in (("reference", trial.seen), ("none", trial.unseen))
        for agreement in way.agreements
    ]
    columns = (
        TextColumn("reference", lambda row: row[0]),
        TextColumn("criterion", lambda row: row[1].criterion),
        TextColumn("balanced accuracy", lambda row: printing.number(row[1].value)),
        TextColumn(
            "should be",
            lambda row: f"{LEAST[row[1].criterion]:.2f}" if row[0] == "reference" else "-",
        ),
        TextColumn("met, told so", lambda row: f"{row[1].met_right} of {row[1].met}"),
        TextColumn("not met, told so", lambda row: f"{row[1].unmet_right} of {row[1].unmet}"),
        TextColumn("left out", lambda row: str(row[1].left_out)),
    )
    about = (
        f"{trial.judge} on {trial.pictures} pictures of single concepts, {trial.flawed} of them"
        " with violations"
    )
    spearman = (
        f"Spearman of the score against violations: {_estimate(trial.seen)} (should be"
        f" {LEAST_SPEARMAN:.2f}); without references {_estimate(trial.unseen)}; the drop is"
        f" {printing.number(trial.drop)}. {PUBLISHED}"
    )
    return "\n".join([printing.table(columns, rows), about, spearman])


def _estimate(way: "ReferenceCondition") -> str:
    low = way.spearman.low
    high = way.spearman.high
    interval = "" if low is None or high is None else f" ({printing.interval(low, high)})"
    value = printing.number(way.spearman.value)
    return f"{value}{interval}, {way.rated} rated, {way.unrated} left out"
