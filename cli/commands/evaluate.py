"""Holds `hallascope evaluate`: images of a prompt are made and judged."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated, cast

import typer

from hallascope.cli.output import printing
from hallascope.cli.starters import with_starters
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    AcceptReadingsOption,
    AsksOption,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    PromptReaderOption,
    UnpricedOption,
    WordingOption,
    say,
    split_names,
)
from hallascope.data.files.object_attributes import ObjectAttribute, read_object_attributes
from hallascope.data.files.tables import BadTable
from hallascope.data.models.specs import Knowledge
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.corrections import reading_of
from hallascope.engine.documents.evaluation import (
    evaluation_document,
    judge_errors,
    list_failures,
)
from hallascope.engine.errors import refuse
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    Event,
    Pictured,
    PictureFailed,
    Queued,
)
from hallascope.engine.images import graph_files
from hallascope.engine.images.true_answers import report_truths
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import spending_text
from hallascope.engine.questions.generation import Writing
from hallascope.engine.run.concept_resolution import in_benchmark
from hallascope.engine.run.evaluation import unanswered_items
from hallascope.engine.run.result import RunResult, fold
from hallascope.engine.services import create_services


def evaluate(
    prompt: Annotated[str, typer.Argument(help="What the images should show.")],
    models: Annotated[str, typer.Option(help="Generators by name, with commas between.")] = "",
    metrics: Annotated[str, typer.Option(help="Metrics by name, with commas between.")] = "ihalla",
    judge: Annotated[
        str, typer.Option(help="The model that answers; `none` only makes images.")
    ] = "primer/judge",
    seed: Annotated[int, typer.Option(help="The seed of the first image of each model.")] = 0,
    count: Annotated[int, typer.Option(help="Images per model.")] = 1,
    trials: Annotated[int, typer.Option(help="How often each image is judged.")] = 1,
    image: Annotated[
        list[Path] | None,
        typer.Option(help="An image of yours to judge; may be given several times."),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="An image that shows the facts as they are.")
    ] = None,
    writer: Annotated[
        str | None,
        typer.Option(
            help="The model that writes what a metric needs written, and the questions of a prompt"
            " that has none."
        ),
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option(
            help="The model that reads what the prompt asks for, any writer; else rules do."
        ),
    ] = None,
    prompt_reader: PromptReaderOption = None,
    accept_readings: AcceptReadingsOption = False,
    captioner: Annotated[
        str | None, typer.Option(help="The model that describes, where a metric needs one.")
    ] = None,
    detector: Annotated[
        str | None, typer.Option(help="The model that finds things, where a metric needs one.")
    ] = None,
    segmenter: Annotated[
        str | None, typer.Option(help="The model that cuts things out, where a metric needs one.")
    ] = None,
    reader: Annotated[
        str | None,
        typer.Option(help="The model that reads writing in images, where a metric can use one."),
    ] = None,
    embedder: Annotated[
        str | None, typer.Option(help="The model that compares, where a metric needs one.")
    ] = None,
    concept: Annotated[
        str | None,
        typer.Option(help="What the reference image shows, where the prompt has several concepts."),
    ] = None,
    definition: Annotated[
        str, typer.Option(help="What that is, in words; for --inject text.")
    ] = "",
    factual: Annotated[
        Path | None,
        typer.Option(
            help="T2I-FactualBench's folder or file that holds the prompt with its concepts."
        ),
    ] = None,
    fig_attributes: Annotated[
        Path | None,
        typer.Option(
            help="A list `object, attribute, value` of what FiG expects beside the prompt's words."
        ),
    ] = None,
    inject: Annotated[
        str,
        typer.Option(help="Also make each image with knowledge: text, visual, or text,visual."),
    ] = "",
    key_from_env: Annotated[
        bool,
        typer.Option(
            "--key-from-env",
            help="Choose models that are not named from the services whose keys are set.",
        ),
    ] = False,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what it is likely to cost, and do nothing.")
    ] = False,
    graphs: Annotated[
        Path | None, typer.Option(help="Write the scene graphs of every image into this folder.")
    ] = None,
    asks_file: AsksOption = None,
    wording: WordingOption = OURS,
    as_json: JsonOption = False,
) -> int:
    """Make an image of the prompt with each model, and judge it.

    The same command again goes on where it was left.
    """
    request = EvaluateRequest(
        prompt=prompt,
        models=split_names(models),
        metrics=split_names(metrics),
        judge=None if judge == "none" else judge,
        seed=seed,
        count=count,
        trials=trials,
        images=tuple(image or ()),
        reference=reference,
        writer=writer,
        parser=parser,
        captioner=captioner,
        detector=detector,
        segmenter=segmenter,
        reader=reader,
        embedder=embedder,
        factual=in_benchmark(prompt, factual) if factual else None,
        concept=concept,
        definition=definition,
        # checked with the rest of the request
        inject=cast("tuple[Knowledge, ...]", split_names(inject)),
        reading=reading_of(prompt, asks_file) if asks_file else None,
        prompt_reader=prompt_reader,
        accept_readings=accept_readings,
        fig_attributes=_read_fig_attributes(fig_attributes) if fig_attributes else (),
        wording=wording,
    )
    services = create_services()
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    if key_from_env:
        request, chosen = with_starters(services, request, terms.keys)
        if not as_json:
            say(chosen)
    request, note = services.understand(services.with_writer(request))
    endings = services.coming_ends(request)
    if not as_json:
        for told in filter(None, (note, *endings)):
            say(told)
    if estimate:
        expected = services.estimate(request, terms)
        printing.print_result(
            as_json,
            printing.estimate_json(expected),
            printing.estimate_lines(expected, *services.caps(terms)),
        )
        return DONE
    truths = partial(report_truths, services.store)
    for step in services.write_missing_questions(request, terms):
        if isinstance(step, Writing) and not as_json:
            say(f"{request.writer} writes questions for this prompt; no person has reviewed them")
    result = RunResult(run="", request=request)
    for event in services.evaluate(request, terms=terms):
        result = fold(result, event)
        if not as_json and (line := _event_line(event)):
            say(line)
    failures = list_failures(result)
    written = graph_files.save(graphs, result.ordered_evaluations) if graphs else []
    if as_json:
        reliability = ReliabilityLookup(services).of_evaluation
        say(printing.document(evaluation_document(result, truths, reliability)))
    else:
        say(f"\n{printing.evaluation_tables(result.ordered_evaluations)}\n")
        unanswered = (each for each in failures if each["kind"] == "unanswered")
        for reason, times in Counter(each["message"] for each in unanswered).items():
            say(f"failed: {reason} ({times:,} times)")
        if errors := judge_errors(result.evaluations, truths).sentence:
            say(errors)
        paid = spending_text(result.spent, result.unconfirmed, "spent so far")
        spent = f", {paid}" if result.spent else ""
        say(f"run {result.run}{spent}")
        if graphs:
            say(f"{len(written)} files of graphs in {graphs}")
    return FAILURES if failures else DONE


def _read_fig_attributes(path: Path) -> tuple[ObjectAttribute, ...]:
    """Return a person's list of attributes. Raises BadRequest with one sentence."""
    with refuse(BadTable):
        return read_object_attributes(path)


def _event_line(event: Event) -> str | None:
    """Return an event in words; None where there is nothing to say."""
    match event:
        case Queued(notice=notice, not_run=not_run):
            reasons = (f"{failure.message} {failure.remedy}".rstrip() for failure in not_run)
            return "\n".join(filter(None, [notice, *reasons])) or None
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
            return None
