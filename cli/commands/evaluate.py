"""Holds `hallascope evaluate`: images of a prompt are made and judged."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import cast

from hallascope.cli.options import (
    DryRunOption,
    JsonOption,
    JudgingOptions,
    ModelOption,
    SpendingOptions,
)
from hallascope.cli.output import printing
from hallascope.cli.output.costs import print_estimate
from hallascope.cli.output.evaluations import evaluation_tables
from hallascope.cli.starters import with_starters
from hallascope.cli.terminal import DONE, FAILURES, Progress, say, split_names
from hallascope.data.files.object_attributes import ObjectAttribute, read_object_attributes
from hallascope.data.files.tables import BadTable
from hallascope.data.models.specs import Knowledge
from hallascope.engine.corrections import reading_of
from hallascope.engine.documents.evaluation import (
    evaluation_document,
    judge_errors,
    list_failures,
)
from hallascope.engine.errors import refuse
from hallascope.engine.events import (
    Evaluated,
    EvaluationFailed,
    Event,
    Pictured,
    PictureFailed,
    Queued,
)
from hallascope.engine.images import graph_files
from hallascope.engine.images.true_answers import report_truths
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.money.spending import spending_text
from hallascope.engine.questions.generation import Writing
from hallascope.engine.run.concept_resolution import in_benchmark
from hallascope.engine.run.evaluation import unanswered_items
from hallascope.engine.run.result import RunResult, fold
from hallascope.engine.services import create_services


def evaluate(
    prompt: str,
    *,
    judging: JudgingOptions,
    spending: SpendingOptions,
    model: ModelOption = "",
    seed: int = 0,
    count: int = 1,
    image: list[Path] | None = None,
    reference: Path | None = None,
    concept: str | None = None,
    definition: str = "",
    factual: Path | None = None,
    fig_attributes: Path | None = None,
    inject: str = "",
    key_from_env: bool = False,
    graphs: Path | None = None,
    asks: Path | None = None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> int:
    """Make an image of the prompt with each model, and judge it.

    The same command again goes on where it was left.

    Args:
        prompt: What the images should show.
        model: Generators by name, with commas between.
        seed: The seed of the first image of each model.
        count: Images per model.
        image: An image of yours to judge; may be given several times.
        reference: An image that shows the facts as they are.
        concept: What the reference image shows, where the prompt has several concepts.
        definition: What that is, in words; for --inject text.
        factual: T2I-FactualBench's folder or file that holds the prompt with its concepts.
        fig_attributes: A list `object, attribute, value` of what FiG expects beside the prompt's
            words.
        inject: Also make each image with knowledge: text, visual, or text,visual.
        key_from_env: Choose models that are not named from the services whose keys are set.
        graphs: Write the scene graphs of every image into this folder.
        asks: What the prompt asks for, as `hallascope asks` prints it; before what is stored.
    """
    request = judging.request(
        prompt,
        models=split_names(model),
        seed=seed,
        count=count,
        images=tuple(image or ()),
        reference=reference,
        factual=in_benchmark(prompt, factual) if factual else None,
        concept=concept,
        definition=definition,
        # checked with the rest of the request
        inject=cast("tuple[Knowledge, ...]", split_names(inject)),
        reading=reading_of(prompt, asks) if asks else None,
        fig_attributes=_read_fig_attributes(fig_attributes) if fig_attributes else (),
    )
    services = create_services()
    policy = spending.policy
    tell = _ignore if as_json else say
    if key_from_env:
        request, chosen = with_starters(services, request, policy.keys)
        tell(chosen)
    request, note = services.understand(services.with_writer(request))
    for sentence in filter(None, (note, *services.coming_ends(request))):
        tell(sentence)
    if dry_run:
        print_estimate(as_json, services.estimate(request, policy), services, policy)
        return DONE
    truths = partial(report_truths, services.store)
    for step in services.write_missing_questions(request, policy):
        if isinstance(step, Writing):
            tell(f"{request.writer} writes questions for this prompt; no person has reviewed them")
    progress = Progress("evaluations")
    result = RunResult(run="", request=request)
    for event in services.evaluate(request, terms=policy):
        result = fold(result, event)
        if line := _event_line(event):
            tell(line)
        if isinstance(event, Evaluated | EvaluationFailed) and not as_json:
            progress(len(result.evaluations) + len(result.failures), result.expected)
    evaluations = result.ordered_evaluations
    failures = list_failures(result)
    written = graph_files.save(graphs, evaluations) if graphs else []
    unanswered = (each["message"] for each in failures if each["kind"] == "unanswered")
    paid = spending_text(result.spent, result.unconfirmed, "spent so far")
    printing.print_result(
        as_json,
        lambda: evaluation_document(result, truths, ReliabilityLookup(services).of_evaluation),
        lambda: [
            f"\n{evaluation_tables(evaluations)}\n",
            *(
                f"failed: {reason} ({times:,} times)"
                for reason, times in Counter(unanswered).items()
            ),
            judge_errors(evaluations, truths).sentence,
            f"run {result.run}" + (f", {paid}" if result.spent else ""),
            f"{len(written)} files of graphs in {graphs}" if graphs else "",
        ],
        next_step=f"hallascope runs show {result.run}",
    )
    return FAILURES if failures else DONE


def _ignore(sentence: str) -> None:
    pass


def _read_fig_attributes(path: Path) -> tuple[ObjectAttribute, ...]:
    """Return a person's list of attributes. Raises BadRequest with one sentence."""
    with refuse(BadTable):
        return read_object_attributes(path)


def _event_line(event: Event) -> str:
    """Return an event in words; "" where there is nothing to say."""
    match event:
        case Queued(notice=notice, not_run=not_run):
            reasons = (f"{failure.message} {failure.remedy}".rstrip() for failure in not_run)
            return "\n".join(filter(None, [notice, *reasons]))
        case Pictured(shot=shot, cached=cached):
            origin = " (was there)" if cached else ""
            return f"{shot.model} seed {shot.seed}: {shot.path}{origin}"
        case PictureFailed(shot=shot) if shot.failure:
            return f"{shot.model} seed {shot.seed}: no image. {shot.failure.message}"
        case EvaluationFailed(metric=metric, failure=failure):
            return f"{metric}: nothing said of an image. {failure.message}"
        case Evaluated(evaluation=evaluation):
            report = evaluation.report
            left_out = len(unanswered_items(report))
            reason = f"; {left_out} questions left out" if left_out else ""
            author = report.corrected_by
            corrected = f"; the prompt is read as {author} corrected it" if author else ""
            return f"{evaluation.model}: {evaluation.metric} done{corrected}{reason}"
        case _:
            return ""
