"""Holds the commands about labeling plans: plan, label, report and export.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import labeling as output
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, JsonOption, say, split_names
from hallascope.data.files.label_folder import read_marks
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.plan_tables import export_plan, plan_tables
from hallascope.engine.labeling import plans as labeling_plans
from hallascope.engine.labeling import queue as labeling_queue
from hallascope.engine.labeling.plans import LabelingPlan
from hallascope.engine.labeling.progress import plan_progress
from hallascope.engine.labeling.queue import QueueItem
from hallascope.engine.labeling.report import rater_report
from hallascope.engine.services import Services, create_services

PlanArgument = Annotated[
    str, typer.Argument(metavar="PLAN", help="The id of the plan, or how it begins.")
]
SKIP = "skip"
UNDO = "undo"


def plan(
    judge: Annotated[
        str | None, typer.Option(help="The judge whose scores are corrected (else the busiest).")
    ] = None,
    models: Annotated[
        str, typer.Option("--model", "--models", help="Only these models, with commas between.")
    ] = "",
    run: Annotated[str | None, typer.Option(help="Only this run or sweep.")] = None,
    raters: Annotated[int, typer.Option(help="How many people label each image, 1 to 5.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the random order.")] = 0,
    title: Annotated[str, typer.Option(help="What the plan is for.")] = "",
    as_json: JsonOption = False,
) -> int:
    """Plan which images people label, in an order that is a random sample of each model.

    The plan is kept and never changed; the same command gives the same plan.
    """
    services = create_services()
    made = labeling_plans.create_plan(
        services,
        judge=judge,
        models=split_names(models),
        run=run,
        raters_per_image=raters,
        seed=seed,
        title=title,
    )
    say(printing.document(made) if as_json else output.plan_lines(made))
    return DONE


def plans(as_json: JsonOption = False) -> int:
    """List the labeling plans, the newest first."""
    stored = labeling_plans.list_plans(create_services())
    if as_json:
        say(printing.document([output.plan_summary(one) for one in stored]))
    elif stored:
        say(output.plans_table(stored))
    else:
        say("No labeling plan is stored: make one with `hallascope label plan`.")
    return DONE


def delete(
    name: PlanArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Delete it without asking.")] = False,
) -> int:
    """Delete a plan with what raters did in it; images and answers stay."""
    services = create_services()
    found = labeling_plans.find_plan(services, name)
    say(labeling_plans.describe_removal(services, found))
    if yes or typer.confirm("Delete it?"):
        services.store.labeling.delete_plan(found.id)
    return DONE


def queue(
    name: PlanArgument,
    rater: Annotated[str, typer.Option(help="Who labels.")],
    answer: Annotated[
        str | None,
        typer.Option(
            help="Label the image that is next: a mark a question (`BAEC?`, ? where it cannot be"
            " told), `skip`, or `undo` to take the last one back."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Show which image a rater labels next, and why; or label it from the terminal."""
    services = create_services()
    found = labeling_plans.find_plan(services, name)
    done = _answer(services, found, rater, answer) if answer is not None else ""
    item = labeling_queue.next_image(services, found, rater)
    if as_json:
        say(printing.document(output.queue_document(found, item)))
    else:
        say("\n\n".join(filter(None, [done, output.queue_lines(item)])))
    return DONE


def _answer(services: Services, plan: LabelingPlan, rater: str, answer: str) -> str:
    """Label or skip the image that is next, or take the last one back; return what was done."""
    word = answer.strip().casefold()
    if word == UNDO:
        labeling_queue.undo(services, plan, rater)
        return "Taken back; it is next again."
    item = labeling_queue.next_image(services, plan, rater)
    if item is None:
        raise BadRequest(f"Nothing is left to label in the plan {plan.id} for {rater}.")
    if word == SKIP:
        labeling_queue.skip(services, plan, item.rateable.id, rater)
        return f"Image {item.number} is skipped."
    labeling_queue.keep(services, plan, item.rateable.id, _marks(item, answer), rater)
    return f"Image {item.number} is labeled."


def _marks(item: QueueItem, answer: str) -> tuple[str, ...]:
    try:
        return read_marks(answer, len(item.rateable.questions))
    except ValueError as error:
        raise BadRequest(
            f"The answer {answer!r} cannot be kept, as {error}: give a mark a question, `skip` or"
            " `undo`."
        ) from error


def progress(name: PlanArgument, as_json: JsonOption = False) -> int:
    """Show how far a plan is: the corrected score of each model, and how many labels it needs."""
    services = create_services()
    found = plan_progress(services, labeling_plans.find_plan(services, name))
    say(printing.document(found) if as_json else output.progress_lines(found))
    return DONE


def raters(name: PlanArgument, as_json: JsonOption = False) -> int:
    """Report on the raters of a plan, and how far they agree with each other and the judge."""
    services = create_services()
    found = rater_report(services, labeling_plans.find_plan(services, name))
    say(printing.document(found) if as_json else output.report_lines(found))
    return DONE


def export(
    name: PlanArgument,
    out: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write.")],
    with_names: Annotated[
        bool,
        typer.Option(
            "--with-names", help="Raters under their own names; else they are rater 1 and so on."
        ),
    ] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Also into a folder that holds something; files of the same name go."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Write a plan with its labels for others as CSV: its frame, its questions and its labels."""
    services = create_services()
    found = labeling_plans.find_plan(services, name)
    tables = plan_tables(services.store, found, with_names)
    files = export_plan(tables, out, force)
    document = {
        "out": str(out),
        "plan": found.id,
        **output.count_labels(tables),
        "named": with_names,
        "files": files,
    }
    printing.print_result(as_json, document, output.export_lines(document))
    return DONE
