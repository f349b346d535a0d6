"""Holds the command that varies one thing of a prompt."""

from hallascope.cli.options import (
    DEFAULT_JUDGE,
    OURS,
    DryRunOption,
    JsonOption,
    JudgeOption,
    ModelOption,
    SpendingOptions,
    WordingOption,
    WriterOption,
)
from hallascope.cli.output import printing
from hallascope.cli.output.costs import print_estimate_before
from hallascope.cli.terminal import DONE, FAILURES, Progress, say, split_names
from hallascope.engine.error_analysis.probe.findings import (
    ProbeFindings,
    comparison_sentence,
    find_failures,
    model_sentence,
    probe_document,
)
from hallascope.engine.error_analysis.probe.levels import parse_axis
from hallascope.engine.error_analysis.probe.probe import (
    ProbeRequest,
    probe_estimate,
    run_probe,
)
from hallascope.engine.services import create_services


def probe(
    prompt: str,
    *,
    spending: SpendingOptions,
    vary: str,
    model: ModelOption,
    judge: JudgeOption = DEFAULT_JUDGE,
    images: int = 60,
    seed: int = 0,
    writer: WriterOption = None,
    wording: WordingOption = OURS,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> int:
    """Vary one thing of a prompt, and find the level from which a model fails.

    Exit code 1: an image was not made or has no answer, or the probe was stopped.

    Args:
        prompt: The prompt that is varied.
        vary: What varies: number, color, material, relation, distractors, negation, position,
            paraphrase or language (by a writer).
        images: How many images each model draws in all.
        seed: The seed of the first image of each level.
        writer: The model that writes the questions of a prompt that has none, and its versions in
            other words and languages, for models that draw any prompt.
    """

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
    expected = probe_estimate(services, request, spending.policy)
    print_estimate_before(dry_run, as_json, expected, services, spending.policy)
    if dry_run:
        return DONE
    progress = Progress("images")
    for outcome in run_probe(services, request, spending.policy):
        if outcome.images:
            progress(len(outcome.images), outcome.total)
        elif outcome.variation.note and not as_json:
            say(outcome.variation.note)
    printing.print_result(
        as_json,
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
