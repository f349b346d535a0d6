"""Holds the command that varies one thing of a prompt."""

from hallascope.cli.options import ExperimentOptions, ModelOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, Progress, say, split_names
from hallascope.engine.error_analysis.probe.findings import (
    ProbeFindings,
    comparison_sentence,
    find_failures,
    model_sentence,
    probe_document,
)
from hallascope.engine.error_analysis.probe.levels import AxisName
from hallascope.engine.error_analysis.probe.probe import (
    ProbeRequest,
    probe_estimate,
    run_probe,
)
from hallascope.engine.services import create_services


def probe(
    prompt: str,
    *,
    options: ExperimentOptions,
    vary: AxisName,
    model: ModelOption,
    images: int = 60,
    seed: int = 0,
) -> int:
    """Vary one thing of a prompt, and find the level from which a model fails.

    Exit code 1: an image is missing or has no answer, or the probe was stopped.

    Args:
        prompt: The prompt that is varied.
        vary: What varies.
        images: How many images each model draws.
        seed: The seed of the first image of each level.
        writer: The model that writes questions, other words and translations.
    """

    request = ProbeRequest(
        prompt=prompt,
        axis=vary,
        models=split_names(model),
        judge=options.judge,
        images=images,
        seed=seed,
        writer=options.writer,
        wording=options.wording,
    )
    services = create_services()
    options.print_estimate(probe_estimate(services, request, options.policy))
    if options.dry_run:
        return DONE
    progress = Progress("images")
    for outcome in run_probe(services, request, options.policy):
        if outcome.images:
            progress(len(outcome.images), outcome.total)
        elif outcome.variation.note and not options.as_json:
            say(outcome.variation.note)
    printing.print_result(
        options.as_json,
        probe_document(outcome),
        findings_text(find_failures(outcome)),
        next_step=f'hallascope repair "{prompt}" --model {request.models[0]}',
    )
    failures = [image for image in outcome.images if image.failed is None]
    return FAILURES if failures or outcome.stopped else DONE


def findings_text(findings: ProbeFindings) -> str:
    """Return what was found: a table of the levels of each model, then sentences."""

    table = printing.table(
        {
            "model": finding.model,
            findings.axis: level.level.label,
            "failed": level.counts.failed,
            "answered": level.counts.answered,
            "share (95 %)": printing.spread(level.share) if level.share else "no answer",
            "curve (95 %)": printing.spread(level.curve),
            "prompt": level.level.prompt,
        }
        for finding in findings.models
        for level in finding.levels
    )
    lines = [f"{table}\n", *(model_sentence(findings.axis, each) for each in findings.models)]
    return "\n".join([*lines, *map(comparison_sentence, findings.comparisons)])
