"""Holds `hallascope evaluate`: images of a prompt are made and judged."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

from hallascope.cli.checks import checks_document, exit_code, require_checkable, run_checks
from hallascope.cli.options import (
    CheckOptions,
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
from hallascope.cli.terminal import DONE, Progress, say, split_names
from hallascope.data.files.object_attributes import ObjectAttribute, read_object_attributes
from hallascope.data.files.tables import BadTable
from hallascope.data.models.specs import Knowledge
from hallascope.engine.corrections import reading_of
from hallascope.engine.documents.evaluation import evaluation_document, list_failures
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
from hallascope.engine.images.true_answers import judge_errors, report_truths
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.money.spending import spending_text
from hallascope.engine.questions.generation import Writing
from hallascope.engine.run.concept_resolution import in_benchmark
from hallascope.engine.run.evaluation import unanswered_items
from hallascope.engine.run.result import run_result
from hallascope.engine.services import create_services


def evaluate(
    prompt: str,
    *,
    judging: JudgingOptions,
    spending: SpendingOptions,
    checking: CheckOptions,
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

    Run the same command again to continue after an interruption.

    Args:
        prompt: What the images should show.
        model: Names of image models, separated by commas.
        seed: The seed of the first image of each model.
        count: Images per model.
        image: Judge this image of yours; may be repeated.
        reference: A correct image of the concept.
        concept: The concept of the reference, where the prompt has several.
        definition: What the concept is, in words; for --inject text.
        factual: The folder or file of T2I-FactualBench that holds the prompt.
        fig_attributes: A table `object, attribute, value` of further attributes that FiG expects.
        inject: Make each image once more with knowledge: text, visual, or text,visual.
        key_from_env: Choose models that you do not name from the services whose keys are set.
        graphs: Write all scene graphs into this folder.
        asks: A file of what the prompt asks for, as `hallascope asks` prints it; it overrides
            stored corrections.
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
        request, chosen = with_starters(
            services, request, policy.keys, names_judge=judging.judge is not None
        )
        tell(chosen)
    require_checkable(checking, services.store, request.metrics)
    request, note = services.understand(services.with_writer(request))
    named = (*request.models, request.judge, request.writer)
    for sentence in filter(None, (note, *services.registry.coming_ends(named))):
        tell(sentence)
    if dry_run:
        print_estimate(as_json, services.estimate(request, policy), policy)
        return DONE
    truths = partial(report_truths, services.store)
    for step in services.write_missing_questions(request, policy):
        if isinstance(step, Writing):
            tell(f"{request.writer} writes questions for this prompt; no person has reviewed them")
    events = services.evaluate(request, terms=policy)
    result = run_result(request, events if as_json else _told(events))
    evaluations = result.ordered_evaluations
    failures = list_failures(result)
    written = graph_files.save(graphs, evaluations) if graphs else []
    unanswered = (each["message"] for each in failures if each["kind"] == "unanswered")
    paid = spending_text(result.spent, result.unconfirmed, "spent so far")
    checks = run_checks(checking, services, result.run, request.metrics)
    printing.print_result(
        as_json,
        lambda: (
            evaluation_document(result, truths, ReliabilityLookup(services).of_evaluation)
            | checks_document(checks)
        ),
        lambda: [
            f"\n{evaluation_tables(evaluations)}\n",
            *(
                f"failed: {reason} ({times:,} times)"
                for reason, times in Counter(unanswered).items()
            ),
            judge_errors(services.store, evaluations).sentence,
            f"run {result.run}" + (f", {paid}" if result.spent else ""),
            f"{len(written)} files of graphs in {graphs}" if graphs else "",
            *(check.sentence for check in checks),
        ],
        next_step=f"hallascope runs show {result.run}",
    )
    return exit_code(bool(failures), checks, as_json)


def _told(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the same events, each said in words, with how many evaluations are done."""
    progress = Progress("evaluations")
    done = expected = 0
    for event in events:
        if line := _event_line(event):
            say(line)
        if isinstance(event, Queued):
            expected = event.evaluations
        if isinstance(event, Evaluated | EvaluationFailed):
            done += 1
            progress(done, expected)
        yield event


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
            reasons = (failure.sentence for failure in not_run)
            return "\n".join(filter(None, [notice, *reasons]))
        case Pictured(shot=shot, cached=cached):
            origin = " (stored before)" if cached else ""
            return f"{shot.model} seed {shot.seed}: {shot.path}{origin}"
        case PictureFailed(shot=shot) if shot.failure:
            return f"{shot.model} seed {shot.seed}: no image. {shot.failure.message}"
        case EvaluationFailed(metric=metric, failure=failure):
            return f"{metric}: failed for one image. {failure.message}"
        case Evaluated(evaluation=evaluation):
            report = evaluation.report
            left_out = len(unanswered_items(report))
            reason = f"; {left_out} questions left out" if left_out else ""
            author = report.corrected_by
            corrected = f"; the prompt is read as {author} corrected it" if author else ""
            return f"{evaluation.model}: {evaluation.metric} done{corrected}{reason}"
        case _:
            return ""
