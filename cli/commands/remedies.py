"""Holds the command that tries remedies for failing images beside a control."""

from collections.abc import Iterator
from pathlib import Path

from hallascope.cli.options import ExperimentOptions, ModelOption, Positive
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, Progress, split_names
from hallascope.engine.error_analysis.remedies import (
    FailingImage,
    RemedyOutcome,
    RemedyRequest,
    failing_images,
    parse_remedies,
    prompts_of_file,
    remedies_estimate,
    try_remedies,
)
from hallascope.engine.error_analysis.remedy_effects import EffectEstimate
from hallascope.engine.error_analysis.remedy_findings import (
    RemedyFinding,
    find_effects,
    finding_sentence,
    remedies_document,
)
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.services import Services, create_services


def remedies(
    *,
    options: ExperimentOptions,
    model: ModelOption,
    evaluate_by: str,
    run: str | None = None,
    prompts: Path | None = None,
    images: int = 4,
    remedy: str = "",
    limit: Positive | None = None,
) -> int:
    """Try three remedies for failing images beside a control of equal cost.

    Exit code 1: a failing image could not be repaired, or the experiment was stopped.

    Args:
        model: The image model whose failures are repaired.
        evaluate_by: Another judge, whose verdicts count.
        judge: The judge that selects images and says what is wrong.
        run: A run or sweep whose failing images are repaired.
        prompts: A file of prompts instead of a run.
        images: Images per remedy and failing image.
        remedy: best-of-n, definitions, prompt-repair, separated by commas.
        limit: How many failing images at most.
        writer: The model that writes more exact prompts; default: a rule.
    """

    services = create_services()
    request = RemedyRequest(
        cases=_cases(services, run, prompts, model)[:limit],
        model=model,
        judge=options.judge,
        evaluate_by=evaluate_by,
        images=images,
        remedies=parse_remedies(split_names(remedy)),
        writer=options.writer,
        wording=options.wording,
    )
    options.print_estimate(remedies_estimate(services, request, options.policy))
    if options.dry_run:
        return DONE
    progress = Progress("failing images")
    for outcome in try_remedies(services, request, options.policy):
        progress(outcome.done, len(request.cases))
    printing.print_result(options.as_json, remedies_document(outcome), outcome_lines(outcome))
    return FAILURES if outcome.left_out or outcome.stopped else DONE


def _cases(
    services: Services, run: str | None, prompts: Path | None, model: str
) -> "tuple[FailingImage, ...]":
    if (run is None) == (prompts is None):
        raise BadRequest("Name what is repaired: a run (--run) or a file of prompts (--prompts).")
    if prompts is not None:
        return prompts_of_file(prompts)
    filters = Filters(runs=(str(run),), models=(model,))
    return failing_images(services.store, ErrorSelection(filters=filters), model)


def outcome_lines(outcome: RemedyOutcome) -> Iterator[str]:
    """Yield what an experiment found: a table by remedy and judge, then sentences."""

    request = outcome.request
    names = {"selecting": request.judge, "evaluating": request.evaluate_by, "truth": "the truth"}
    findings = find_effects(outcome)
    yield (
        f"{len(outcome.treated)} failing images of {request.model}, {request.images} fresh images"
        " each"
    )
    yield printing.table(row for finding in findings for row in _rows(finding, names)) + "\n"
    for each in findings:
        yield finding_sentence(each, request.judge, request.evaluate_by)
    for _, reason in outcome.left_out:
        yield f"Left out: {reason}"


def _rows(finding: RemedyFinding, names: dict[str, str]) -> Iterator[dict[str, object]]:
    for view, effect in finding.effects.items():
        if finding.verdict != "not tried":
            repaired, broken = effect.repaired, effect.broken
            yield {
                "remedy": finding.remedy,
                "by": names[view],
                "failures": repaired.facts,
                "repaired": repaired.share and repaired.share.value,
                "control": repaired.control and repaired.control.value,
                "gain (95 %)": _gain_text(repaired.gain),
                "broken": broken.share and broken.share.value,
                "broken by control": broken.control and broken.control.value,
                "unanswered": effect.unanswered,
            }


def _gain_text(estimate: EffectEstimate | None) -> str:
    if estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return printing.signed(estimate.value)
    return f"{estimate.value:+.3f} ({estimate.low:+.3f} to {estimate.high:+.3f})"
