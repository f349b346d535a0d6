"""The command that tries a metric on pictures in which every error is known.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hallascope import metrics
from hallascope.cli.output import factualbench_trial, printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, progress, say
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.events import jsonable
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.estimate import costs
from hallascope.engine.services import Services, create_services
from hallascope.metrics.base import Metric

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.metrics import AimOutcome, MetricTrial

_PERFECT = "perfect"  # in place of a model: eyes that know the truth


def metric_trial(
    name: Annotated[
        str,
        typer.Argument(
            metavar="METRIC",
            help="The metric to be tried, fig or scene-graph, which find errors, or factualbench.",
        ),
    ],
    count: Annotated[
        int, typer.Option(min=2, help="How many pictures; about half of them are right.")
    ] = 300,
    seed: Annotated[int, typer.Option(min=0, help="Which pictures.")] = 0,
    eyes: Annotated[
        str,
        typer.Option(
            help="models: those named by role; perfect: eyes that know what is drawn, in all roles."
        ),
    ] = "models",
    detector: Annotated[
        str,
        typer.Option(help="Who finds things; `perfect`, here as below: who knows where they are."),
    ] = "primer/segmenter",
    segmenter: Annotated[str, typer.Option(help="Who cuts them out.")] = "primer/segmenter",
    captioner: Annotated[str, typer.Option(help="Who describes them.")] = "primer/judge",
    judge: Annotated[str, typer.Option(help="Who is asked about them.")] = "primer/judge",
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="Also list every row that is wrong or left out.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Measure how well a metric finds known errors, by kind, beside how well it should."""
    if eyes not in ("models", "perfect"):
        raise BadRequest(f"There are no eyes {eyes!r}: choose models or perfect.")
    if name == factualbench_trial.NAME:
        return factualbench_trial.run(
            create_services(), _PERFECT if eyes == _PERFECT else judge, count, seed, as_json
        )
    from hallascope.engine.judge_eval.metrics import try_metric
    from hallascope.primer.benchmark.composition_sampler import compositions

    metric = _metric(name)
    named: dict[Role, str] = {
        "detector": detector,
        "segmenter": segmenter,
        "captioner": captioner,
        "judge": judge,
    }
    looking = _seats(metric, dict.fromkeys(named, _PERFECT) if eyes == _PERFECT else named)
    trial = try_metric(
        metric, looking, list(compositions(count, seed)), partial(progress, what="pictures")
    )
    say(printing.document(_trial_json(trial)) if as_json else _trial_lines(trial, mistakes))
    return FAILURES if trial.left_out or trial.unjudged else DONE


def _metric(name: str) -> Metric:
    try:
        return metrics.get(name)
    except ValueError as error:
        raise BadRequest(sentence(error)) from error


def _seats(metric: Metric, named: Mapping[Role, str]) -> dict[Role, BoundModel | None]:
    """The models of the roles that the metric needs or can use.

    Raises BadRequest, UnknownModel, Unavailable.
    """
    if other := [role for role in metric.required_roles if role not in named]:
        raise BadRequest(
            f"{metric.name!r} needs a {other[0]}, and this trial has none: try a metric that looks"
            " at things, such as fig."
        )
    services = create_services()
    used = (*metric.required_roles, *metric.optional_roles)
    return {
        role: None if name == _PERFECT else _seat(services, name, role)
        for role, name in named.items()
        if role in used
    }


def _seat(services: Services, name: str, role: Role) -> BoundModel:
    if costs(services.roster.require(name, role)):
        raise BadRequest(
            f"{name!r} costs money, and a trial keeps no account of it: choose a model that runs"
            " here."
        )
    return services.roster.bind(name)


def _trial_json(trial: "MetricTrial") -> dict[str, Any]:
    """The trial by names, with the shares of its tallies."""
    return {
        **jsonable(trial),
        "left_out": trial.left_out,
        "triples": (
            {**trial.triples._asdict(), "value": trial.triples.value}
            if trial.triples.counted
            else None
        ),
        "outcomes": [_outcome_json(one) for one in trial.outcomes],
        "mistakes": [
            {"seed": one.seed, "prompt": one.prompt, **one.row._asdict()} for one in trial.mistakes
        ],
    }


def _outcome_json(one: "AimOutcome") -> dict[str, Any]:
    shares = {name: getattr(one.tally, name) for name in ("precision", "recall", "f1", "n")}
    interval = one.interval._asdict() if one.interval else None
    return {
        **one.aim._asdict(),
        **jsonable(one.tally),
        **shares,
        "interval": interval,
        "reached": one.reached,
    }


def _trial_lines(trial: "MetricTrial", mistakes: bool) -> str:
    columns = (
        TextColumn("errors", lambda one: one.aim.title),
        *(
            TextColumn(title, partial(_share_cell, name))
            for title, name in (("precision", "precision"), ("recall", "recall"), ("F1", "f1"))
        ),
        TextColumn(
            "should be", lambda one: f"{one.aim.measure.replace('f1', 'F1')} {one.aim.least:.2f}"
        ),
        *(
            [TextColumn("paper", _published_cell)]
            if any(one.aim.published is not None for one in trial.outcomes)
            else []
        ),
        TextColumn(
            "95 % interval",
            lambda one: (
                "-"
                if one.interval is None
                else f"{one.interval.low:.3f} to {one.interval.high:.3f}"
            ),
        ),
        TextColumn("reached", lambda one: {None: "-", True: "yes", False: "no"}[one.reached]),
        *(
            TextColumn(name.replace("_", " "), partial(_tally_cell, name))
            for name in ("found", "false", "missed", "n", "left_out", "unasked")
        ),
    )
    listed = [
        f"{m.seed}: {m.prompt} | {m.row.kind} {m.row.subject} | drawn: {m.row.truth} | seen:"
        f" {m.row.said} | {m.row.fate}"
        for m in trial.mistakes
    ]
    eyes = ", ".join(f"{role} {name}" for role, name in trial.lineup.items())
    about = (
        f"{trial.metric} on {trial.pictures} pictures, {trial.flawed} of them with errors,"
        f" {trial.unjudged} not judged; {eyes}"
    )
    right = trial.triples
    triples = (
        [f"{right.value:.3f} of {right.counted} triples are right where nothing is wrong"]
        if right.value is not None
        else []
    )
    return "\n".join(
        [printing.table(columns, trial.outcomes), about, *triples, *(listed if mistakes else ())]
    )


def _published_cell(one: "AimOutcome") -> str:
    return "-" if one.aim.published is None else f"{one.aim.published:.2f}"


def _share_cell(name: str, one: "AimOutcome") -> str:
    value = getattr(one.tally, name)
    return "-" if value is None else f"{value:.3f}"


def _tally_cell(name: str, one: "AimOutcome") -> str:
    return str(getattr(one.tally, name))
