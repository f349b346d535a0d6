"""Holds the command that tries remedies beside a control.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    UnpricedOption,
    WordingOption,
    progress,
    say,
    split_names,
)
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services, create_services

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.remedies import FailingImage, RemedyOutcome
    from hallascope.engine.error_analysis.remedy_effects import EffectEstimate, RemedyEffect
    from hallascope.engine.error_analysis.remedy_findings import RemedyFinding


def repair_experiment(
    model: Annotated[str, typer.Option(help="The generator whose failures are repaired.")],
    evaluate_by: Annotated[
        str, typer.Option(help="Another judge, whose verdicts count; it selects nothing.")
    ],
    judge: Annotated[
        str, typer.Option(help="The judge that selects images and says what is wrong.")
    ] = "primer/judge",
    run: Annotated[
        str | None,
        typer.Option(help="A run or sweep: the images in which something is wrong are repaired."),
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="A file of prompts, in place of a run.")
    ] = None,
    images: Annotated[int, typer.Option(help="Images a remedy draws for each failing one.")] = 4,
    remedies: Annotated[
        str,
        typer.Option(help="Some of best-of-n, definitions, prompt-repair, with commas between."),
    ] = "",
    most: Annotated[
        int | None, typer.Option(min=1, help="At most so many failing images, the first ones.")
    ] = None,
    writer: Annotated[
        str | None,
        typer.Option(help="The model that writes more explicit prompts; without it a rule does."),
    ] = None,
    wording: WordingOption = OURS,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what it is likely to cost, and do nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Try three remedies for failing images beside a control of equal cost.

    Exit code 1: a failing image could not be treated, or the experiment was stopped.
    """
    from hallascope.engine.error_analysis.remedies import (
        RemedyRequest,
        parse_remedies,
        remedies_estimate,
        try_remedies,
    )
    from hallascope.engine.error_analysis.remedy_findings import remedies_document

    services = create_services()
    request = RemedyRequest(
        cases=_cases(services, run, prompts, model)[:most],
        model=model,
        judge=judge,
        evaluate_by=evaluate_by,
        images=images,
        remedies=parse_remedies(split_names(remedies)),
        writer=writer,
        wording=wording,
    )
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    expected = remedies_estimate(services, request, terms)
    if estimate or (expected.lines and not as_json):
        if as_json:
            say(printing.document(printing.estimate_json(expected)))
        else:
            say(printing.estimate_lines(expected, *services.caps(terms)))
    if estimate:
        return DONE
    for outcome in try_remedies(services, request, terms):
        progress(outcome.done, len(request.cases), "failing images")
    say(printing.document(remedies_document(outcome)) if as_json else outcome_text(outcome))
    return FAILURES if outcome.left_out or outcome.stopped else DONE


def _cases(
    services: Services, run: str | None, prompts: Path | None, model: str
) -> "tuple[FailingImage, ...]":
    from hallascope.engine.error_analysis.remedies import failing_images, prompts_of_file
    from hallascope.engine.error_analysis.selection import ErrorSelection

    if (run is None) == (prompts is None):
        raise BadRequest("Name what is repaired: a run (--run) or a file of prompts (--prompts).")
    if prompts is not None:
        return prompts_of_file(prompts)
    filters = Filters(runs=(str(run),), models=(model,))
    return failing_images(services.store, ErrorSelection(filters=filters), model)


def outcome_text(outcome: "RemedyOutcome") -> str:
    """Return what an experiment found: a table by remedy and judge, then sentences."""
    from hallascope.engine.error_analysis.remedy_findings import find_effects, finding_sentence

    request = outcome.request
    names = {"selecting": request.judge, "evaluating": request.evaluate_by, "truth": "the truth"}
    findings = find_effects(outcome)
    rows = [row for finding in findings for row in _rows(finding, names)]
    columns = (
        TextColumn("remedy", lambda row: row[0]),
        TextColumn("by", lambda row: row[1]),
        TextColumn("failures", lambda row: str(row[2].repaired.facts)),
        TextColumn("repaired", lambda row: _number(row[2].repaired.share)),
        TextColumn("control", lambda row: _number(row[2].repaired.control)),
        TextColumn("gain (95 %)", lambda row: _interval(row[2].repaired.gain)),
        TextColumn("broken", lambda row: _number(row[2].broken.share)),
        TextColumn("control", lambda row: _number(row[2].broken.control)),
        TextColumn("unanswered", lambda row: str(row[2].unanswered)),
    )
    lines = [
        f"{len(outcome.treated)} failing images of {request.model}, {request.images} fresh images"
        " each",
        printing.table(columns, rows),
        "",
    ]
    lines += [finding_sentence(each, request.judge, request.evaluate_by) for each in findings]
    lines += [f"Left out: {reason}" for _, reason in outcome.left_out]
    return "\n".join(lines)


def _rows(finding: "RemedyFinding", names: dict[str, str]) -> "list[tuple[str, str, RemedyEffect]]":
    from hallascope.engine.error_analysis.remedy_findings import VIEWS

    if finding.verdict == "not tried":
        return []
    effects = [(view, finding.effect(view)) for view in VIEWS]
    return [(finding.remedy, names[view], effect) for view, effect in effects if effect]


def _number(estimate: "EffectEstimate | None") -> str:
    return f"{estimate.value:.2f}" if estimate else "-"


def _interval(estimate: "EffectEstimate | None") -> str:
    if estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:+.2f}"
    return f"{estimate.value:+.2f} ({estimate.low:+.2f} to {estimate.high:+.2f})"
