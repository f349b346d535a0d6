"""Holds the command that tries a metric on pictures in which every error is known.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.trials import factualbench_trial
from hallascope.cli.output.trials import metric_trial as output
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, WordingOption, progress, say
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.services import create_services
from hallascope.metrics.base import Metric

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
        int, typer.Option(min=2, help="How many images; about half of them are right.")
    ] = 300,
    seed: Annotated[int, typer.Option(min=0, help="Which images.")] = 0,
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
    wording: WordingOption = OURS,
    as_json: JsonOption = False,
) -> int:
    """Measure how well a metric finds known errors, by kind, beside how well it should."""
    if eyes not in ("models", "perfect"):
        raise BadRequest(f"There are no eyes {eyes!r}: choose models or perfect.")
    if name == factualbench_trial.NAME:
        judge = _PERFECT if eyes == _PERFECT else judge
        return factualbench_trial.run(create_services(), judge, count, seed, as_json, wording)
    from hallascope.engine.judge_eval.metrics import try_metric
    from hallascope.primer.benchmark.composition_sampler import compositions

    metric = create_services().metric(name, wording)
    named: dict[Role, str] = {
        "detector": detector,
        "segmenter": segmenter,
        "captioner": captioner,
        "judge": judge,
    }
    if eyes == _PERFECT:
        named = dict.fromkeys(named, _PERFECT)
    trial = try_metric(
        metric,
        _bind_roles(metric, named),
        list(compositions(count, seed)),
        partial(progress, what="pictures"),
    )
    if as_json:
        say(printing.document(output.document(trial)))
    else:
        say(output.lines(trial, mistakes))
    return FAILURES if trial.left_out or trial.unjudged else DONE


def _bind_roles(metric: Metric, named: Mapping[Role, str]) -> dict[Role, BoundModel | None]:
    """Return the models of the roles that the metric needs or can use; None: perfect eyes.

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
        role: None if name == _PERFECT else factualbench_trial.bind_free_model(services, name, role)
        for role, name in named.items()
        if role in used
    }
