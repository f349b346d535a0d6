"""Compares generators on the same prompts and seeds: ``python -m bench.model_trial``.

It prints their I-HallA scores with 95 % intervals by prompt. What the store holds is not done
again.
"""

import sys
from collections import defaultdict
from typing import Annotated

import typer

from bench.measuring import JsonOption, launch, show
from hallascope.data.records import Report
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    PictureFailed,
)
from hallascope.engine.services import create_services
from hallascope.metrics.aggregate import mean
from hallascope.primer import scenes

MODELS = "primer/exact,primer/diffusion-small,primer/diffusion-tiny"


def main(
    models: Annotated[str, typer.Option("--model", help="With commas between them.")] = MODELS,
    prompts: Annotated[int, typer.Option(min=2, help="Of Primer's benchmark.")] = 200,
    seeds: Annotated[int, typer.Option(min=1, help="Images of each prompt.")] = 2,
    judge: Annotated[str, typer.Option(help="Who answers the questions.")] = "primer/judge",
    as_json: JsonOption = False,
) -> None:
    names = tuple(models.split(","))
    services = create_services()
    reports: dict[str, list[Report]] = defaultdict(list)
    failures = 0
    for prompt in scenes.benchmark(prompts):
        request = EvaluateRequest(prompt=prompt, models=names, judge=judge, count=seeds)
        for event in services.evaluate(request):
            failures += isinstance(event, PictureFailed | EvaluationFailed)
            if isinstance(event, Evaluated):
                one = event.evaluation
                reports[one.model].append(one.report)
    if not reports:
        raise BadRequest("No image was judged: none of the models can draw these prompts here.")
    rows = []
    for name in names:
        score, strict = mean(reports[name]), mean(reports[name], "strict")
        rows.append(
            {"model": name, "I-HallA": score.value, "low": score.low, "high": score.high}
            | {"strict": strict.value, "prompts": score.n, "questions": score.answered}
        )
    show(rows, as_json, failures=failures)
    sys.exit(failures > 0)


if __name__ == "__main__":
    launch(main)
