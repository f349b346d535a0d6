"""Holds the command that varies one thing of a prompt. Exit codes as in `hallascope.cli.main`."""

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
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import create_services

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.probe.findings import LevelFinding, ProbeFindings


def probe(
    prompt: Annotated[str, typer.Argument(help="The prompt that is varied.")],
    vary: Annotated[
        str,
        typer.Option(
            help="What varies: number, color, material, relation, distractors, negation,"
            " position, paraphrase or language (by a writer)."
        ),
    ],
    model: Annotated[str, typer.Option(help="Generators by name, with commas between.")],
    judge: Annotated[str, typer.Option(help="The model that answers.")] = "primer/judge",
    images: Annotated[int, typer.Option(help="How many images each model draws in all.")] = 60,
    seed: Annotated[int, typer.Option(help="The seed of the first image of each level.")] = 0,
    writer: Annotated[
        str | None,
        typer.Option(
            help="The model that writes the questions of a prompt that has none, and its versions"
            " in other words and languages, for models that draw any prompt."
        ),
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
    """Vary one thing of a prompt, and find the level from which a model fails.

    Exit code 1: an image was not made or has no answer, or the probe was stopped.
    """
    from hallascope.engine.error_analysis.probe.findings import find_failures, probe_document
    from hallascope.engine.error_analysis.probe.levels import parse_axis
    from hallascope.engine.error_analysis.probe.probe import (
        ProbeRequest,
        probe_estimate,
        run_probe,
    )

    request = ProbeRequest(
        prompt=prompt,
        axis=parse_axis(vary),
        models=split_names(model),
        judge=judge,
        images=images,
        seed=seed,
        writer=writer,
        wording=wording,
    )
    services = create_services()
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    expected = probe_estimate(services, request, terms)
    if estimate or (expected.lines and not as_json):
        if as_json:
            say(printing.document(printing.estimate_json(expected)))
        else:
            say(printing.estimate_lines(expected, *services.caps(terms)))
    if estimate:
        return DONE
    for outcome in run_probe(services, request, terms):
        if outcome.images:
            progress(len(outcome.images), outcome.total, "images")
        elif outcome.variation.note and not as_json:
            say(outcome.variation.note)
    if as_json:
        say(printing.document(probe_document(outcome)))
    else:
        say(findings_text(find_failures(outcome)))
    failures = [image for image in outcome.images if image.failed is None]
    return FAILURES if failures or outcome.stopped else DONE


def findings_text(findings: "ProbeFindings") -> str:
    """Return what was found: a table of the levels of each model, then sentences."""
    from hallascope.engine.error_analysis.probe.findings import comparison_sentence, model_sentence

    columns = (
        TextColumn("model", lambda row: row[0]),
        TextColumn(findings.axis, lambda row: row[1].level.label),
        TextColumn("failed", lambda row: str(row[1].counts.failed)),
        TextColumn("answered", lambda row: str(row[1].counts.answered)),
        TextColumn("share (95 %)", lambda row: _share_words(row[1])),
        TextColumn("curve (95 %)", lambda row: _curve_words(row[1])),
        TextColumn("prompt", lambda row: row[1].level.prompt),
    )
    rows = [(finding.model, level) for finding in findings.models for level in finding.levels]
    lines = [printing.table(columns, rows), ""]
    lines += [model_sentence(findings.axis, finding) for finding in findings.models]
    lines += [comparison_sentence(each) for each in findings.comparisons]
    return "\n".join(lines)


def _share_words(finding: "LevelFinding") -> str:
    share = finding.share
    return f"{share.value:.2f} ({share.low:.2f} to {share.high:.2f})" if share else "no answer"


def _curve_words(finding: "LevelFinding") -> str:
    curve = finding.curve
    return f"{curve.value:.2f} ({curve.low:.2f} to {curve.high:.2f})" if curve else ""
