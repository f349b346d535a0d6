"""Runs the command line.

Exit code 0: done; 1: finished with failures, which are listed; 2: the request was wrong.
"""

import logging
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, cast

import typer

from hallascope.backends.base import HallaScopeError
from hallascope.cli.commands.agreement import agreement
from hallascope.cli.commands.asks import asks
from hallascope.cli.commands.benchmark import commands as benchmarks
from hallascope.cli.commands.dashboard import start_dashboard
from hallascope.cli.commands.error_analysis import commands as error_analysis
from hallascope.cli.commands.export import export, import_, push
from hallascope.cli.commands.images.judge import judge
from hallascope.cli.commands.images.repair import repair
from hallascope.cli.commands.label import commands as labels
from hallascope.cli.commands.leaderboard import leaderboard
from hallascope.cli.commands.methods import methods
from hallascope.cli.commands.models import commands as model_commands
from hallascope.cli.commands.papers.reproduce import reproduce
from hallascope.cli.commands.questions import commands as questions
from hallascope.cli.commands.runs import commands as runs
from hallascope.cli.commands.spaces import commands as spaces
from hallascope.cli.commands.sweep import merge, sweep
from hallascope.cli.commands.teach import commands as teach
from hallascope.cli.commands.trials import model_trial as trial_commands
from hallascope.cli.commands.trials.interval_coverage import interval_coverage
from hallascope.cli.commands.trials.judge_trial import judge_trial
from hallascope.cli.commands.trials.metric_trial import metric_trial
from hallascope.cli.commands.trials.parser_eval import parser_eval
from hallascope.cli.commands.trials.reply_eval import reply_eval
from hallascope.cli.commands.trials.style_trial import style_trial
from hallascope.cli.commands.wording import commands as wordings
from hallascope.cli.doctor import examine
from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.starters import with_starters
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    INTERRUPTED,
    WRONG,
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
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.object_attributes import ObjectAttribute, read_object_attributes
from hallascope.data.models.specs import Knowledge
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.corrections import reading_of
from hallascope.engine.documents.evaluation import EvaluationSummary
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
from hallascope.engine.image_folders.model_names import UnclearModel
from hallascope.engine.images import graph_files
from hallascope.engine.images.true_answers import report_truths
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import spending_text
from hallascope.engine.process_exit import leave
from hallascope.engine.questions.generation import Writing
from hallascope.engine.run.concept_resolution import in_benchmark
from hallascope.engine.run.evaluation import unanswered_items
from hallascope.engine.run.runnable_metrics import NothingToRun
from hallascope.engine.services import create_services

REQUIRED = {"store", "primer/exact", "primer/judge"}  # without these nothing can be evaluated
ABOUT = "See what is false in generated images, and on what evidence."
app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=ABOUT)
app.add_typer(model_commands, name="models")
app.add_typer(benchmarks, name="benchmark")
app.add_typer(questions, name="questions")
app.add_typer(labels, name="label")
app.add_typer(runs, name="runs")
app.add_typer(spaces, name="spaces")
app.add_typer(teach, name="teach")
app.add_typer(wordings, name="wording")
app.add_typer(error_analysis, name="errors")
app.command("app")(start_dashboard)
app.command("model-trial")(trial_commands.model_trial)
app.command("metric-trial")(metric_trial)
app.command("asks")(asks)
app.command("parser-eval")(parser_eval)
app.command("reply-eval")(reply_eval)
app.command("interval-coverage")(interval_coverage)
app.command("judge")(judge)
app.command("repair")(repair)
app.command("judge-trial")(judge_trial)
app.command("style-trial")(style_trial)
app.command("agreement")(agreement)
app.command("export")(export)
app.command("import")(import_)
app.command("methods")(methods)
app.command("push")(push)
app.command("sweep")(sweep)
app.command("reproduce")(reproduce)
app.command("leaderboard")(leaderboard)
app.command("merge")(merge)
app.command("contact-sheet")(trial_commands.contact_sheet)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"hallascope {version('hallascope')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """See what is false in generated images, and on what evidence."""


UsageError: type[Exception] = typer.BadParameter.__bases__[0]  # typer does not name it


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code.

    What is wrong is one sentence on standard error. With HALLASCOPE_LOG set, so are all faults of
    calls.
    """
    if os.environ.get("HALLASCOPE_LOG"):
        logging.basicConfig(format="%(asctime)s %(message)s")
        logging.getLogger("hallascope").setLevel(logging.INFO)
    try:
        code = typer.main.get_command(app).main(
            arguments, prog_name="hallascope", standalone_mode=False
        )
    except (NothingToRun, UnclearModel) as error:
        code = _complain(f"{error} {error.remedy}".rstrip())
    except HallaScopeError as error:
        code = _complain(str(error))
    except UsageError as error:
        message = str(error.format_message()).rstrip(".")  # type: ignore[attr-defined]
        code = _complain(f"{message}: `hallascope --help` shows what there is.")
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    if code == INTERRUPTED:  # newer versions of typer return it, older ones raise
        _complain("Stopped: the same command goes on where it was left.")
    leave(code or DONE)


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return WRONG


@app.command()
def doctor(as_json: JsonOption = False) -> int:
    """Check what this machine can run, and say what to do about the rest."""
    checks = examine(create_services())
    columns = (
        TextColumn("what", lambda f: f.what),
        TextColumn("", lambda f: "ok" if f.well else "--"),
        TextColumn("found", lambda f: f.said),
    )
    printing.print_result(
        as_json, [asdict(check) for check in checks], printing.table(columns, checks)
    )
    return DONE if {check.what for check in checks if check.well} >= REQUIRED else FAILURES


@app.command()
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
    """Make a picture of the prompt with each model, and judge it.

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
    outcome = EvaluationSummary(
        judged=request.judge is not None,
        truths=partial(report_truths, services.store),
        reliability=ReliabilityLookup(services).of_evaluation,
    )
    for step in services.write_missing_questions(request, terms):
        if isinstance(step, Writing) and not as_json:
            say(f"{request.writer} writes questions for this prompt; no person has reviewed them")
    for event in services.evaluate(request, terms=terms):
        outcome.add(event)
        if not as_json and (line := _event_line(event)):
            say(line)
    written = graph_files.save(graphs, outcome.evaluations) if graphs else []
    if as_json:
        say(printing.document(outcome.json()))
    else:
        say(f"\n{printing.evaluation_tables(outcome.evaluations)}\n")
        unanswered = (each for each in outcome.failures if each["kind"] == "unanswered")
        for reason, times in Counter(each["message"] for each in unanswered).items():
            say(f"failed: {reason} ({times:,} times)")
        if errors := outcome.judge_errors.sentence:
            say(errors)
        paid = spending_text(outcome.spent, outcome.unconfirmed, "spent so far")
        spent = f", {paid}" if outcome.spent else ""
        say(f"run {outcome.run}{spent}")
        if graphs:
            say(f"{len(written)} files of graphs in {graphs}")
    return FAILURES if outcome.failures else DONE


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


if __name__ == "__main__":
    main()
