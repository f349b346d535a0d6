"""Measures how well fig or scene-graph find known errors: ``python -m bench.metric_trial METRIC``.

The images are compositions of Primer, about half of them with errors.
"""

import sys
from collections.abc import Mapping
from typing import Annotated, get_args

import typer

from bench.measuring import JsonOption, launch, show
from bench.perfect_eyes import perfect_eyes
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.metrics import AimOutcome, Measure, try_metric
from hallascope.engine.services import create_services
from hallascope.primer.benchmark.composition_sampler import compositions

MODELS: Mapping[str, str] = {
    "detector": "primer/segmenter",
    "segmenter": "primer/segmenter",
    "captioner": "primer/judge",
    "judge": "primer/judge",
}


def outcome_row(outcome: AimOutcome) -> dict[str, object]:
    """Return how well the errors of one kind are found, beside how well they should be."""
    tally, interval = outcome.tally, outcome.interval
    return {
        "errors": outcome.aim.title,
        **{name: tally.value(name) for name in get_args(Measure)},
        "should be": f"{outcome.aim.measure} {outcome.aim.least:.2f}",
        "paper": outcome.aim.published,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        **{name: getattr(tally, name) for name in ("found", "false", "missed", "n", "left_out")},
    }


def main(
    name: Annotated[str, typer.Argument(metavar="METRIC", help="fig or scene-graph")],
    count: Annotated[int, typer.Option(min=2, help="Images.")] = 300,
    seed: int = 0,
    perfect: Annotated[bool, typer.Option("--perfect", help="Eyes that know the truth.")] = False,
    as_json: JsonOption = False,
) -> None:
    services = create_services()
    metric = services.metric(name)
    if unknown := [role for role in metric.required_roles if role not in MODELS]:
        raise BadRequest(f"This trial has no {unknown[0]}: its roles are {', '.join(MODELS)}.")
    made = list(compositions(count, seed))
    eyes = perfect_eyes(made) if perfect else None
    bound = {
        role: eyes or services.registry.bind(model)
        for role, model in MODELS.items()
        if role in (*metric.required_roles, *metric.optional_roles)
    }
    trial = try_metric(metric, bound, made)
    show(
        list(map(outcome_row, trial.outcomes)),
        as_json,
        images=trial.pictures,
        flawed=trial.flawed,
        unjudged=trial.unjudged,
        triples_right=trial.triples.value,
        triples=trial.triples.asked,
        mistakes=trial.mistakes,
    )
    sys.exit(trial.left_out + trial.unjudged > 0)


if __name__ == "__main__":
    launch(main)
