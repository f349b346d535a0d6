"""Holds the commands about labeling plans: plan, label, report."""

from hallascope.cli.options import JsonOption, ModelOption, Natural, YesOption
from hallascope.cli.output import labels, printing
from hallascope.cli.terminal import DONE, delete_if_confirmed, say, split_names
from hallascope.data.files.label_folder import read_marks
from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling import plans as labeling_plans
from hallascope.engine.labeling import queue as labeling_queue
from hallascope.engine.labeling.progress import plan_progress, rater_report
from hallascope.engine.labeling.queue import QueueItem
from hallascope.engine.services import Services, create_services
from hallascope.engine.storage.people.labeling import LabelingPlan


def plan(
    *,
    judge: str | None = None,
    model: ModelOption = "",
    run: str | None = None,
    raters: int = 1,
    seed: Natural = 0,
    title: str = "",
    delete: str = "",
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> int:
    """Plan which images people label, in an order that is a random sample of each model.

    A plan never changes; the same command gives the same plan.

    Args:
        judge: The judge whose scores are corrected (else the judge of most images).
        run: Only this run or sweep.
        raters: How many people label each image, 1 to 5.
        seed: The seed of the random order.
        title: What the plan is for.
        delete: Delete this plan instead, with what raters did in it; images and answers stay.
    """
    if delete:
        return _delete(delete, yes, as_json)
    made = labeling_plans.create_plan(
        create_services(),
        judge=judge,
        models=split_names(model),
        run=run,
        raters_per_image=raters,
        seed=seed,
        title=title,
    )
    printing.print_result(
        as_json,
        made,
        labels.plan_lines(made),
        next_step=f"hallascope label queue {made.id} --rater NAME",
    )
    return DONE


def _delete(plan: str, yes: bool, as_json: bool) -> int:
    services = create_services()
    found = labeling_plans.find_plan(services, plan)
    planned = labeling_plans.describe_removal(services, found)
    if as_json:
        if yes:
            services.store.labeling.delete_plan(found.id)
        say(printing.document({"plan": found.id, "deleted": yes}))
        return DONE
    return delete_if_confirmed(planned, lambda: services.store.labeling.delete_plan(found.id), yes)


def queue(plan: str, *, rater: str, answer: str | None = None, as_json: JsonOption = False) -> int:
    """Show which image a rater labels next, and why; or label it from the terminal.

    Args:
        plan: The id of the plan, or how it begins.
        rater: The name of the rater.
        answer: Label the next image: a letter per question (`BAEC?`, ? where it cannot be told),
            `skip`, or `undo`.
    """
    services = create_services()
    found = labeling_plans.find_plan(services, plan)
    done = _answer(services, found, rater, answer) if answer is not None else ""
    item = labeling_queue.next_image(services, found, rater)
    text = printing.join_parts(done, labels.queue_lines(item))
    printing.print_result(as_json, labels.queue_document(found, item), text)
    return DONE


def _answer(services: Services, plan: LabelingPlan, rater: str, answer: str) -> str:
    """Label or skip the image that is next, or take the last one back; return what was done."""
    word = answer.strip().casefold()
    if word == "undo":
        labeling_queue.undo(services, plan, rater)
        return "Undone; the image is next again."
    item = labeling_queue.next_image(services, plan, rater)
    if item is None:
        raise BadRequest(f"Nothing is left to label in the plan {plan.id} for {rater}.")
    if word == "skip":
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


def show_progress(plan: str = "", *, raters: bool = False, as_json: JsonOption = False) -> int:
    """Show the corrected score of each model of a plan, and how many labels it still needs.

    Without a plan all plans are listed, the newest first.

    Args:
        plan: The id of the plan, or how it begins.
        raters: Report on the raters instead: how far they agree with each other and the judge.
    """
    services = create_services()
    if not plan:
        return _list_plans(services, as_json)
    found = labeling_plans.find_plan(services, plan)
    if raters:
        report = rater_report(services, found)
        printing.print_result(as_json, report, labels.report_lines(report))
        return DONE
    progress = plan_progress(services, found)
    printing.print_result(
        as_json,
        progress,
        labels.progress_lines(progress),
        next_step=f"hallascope leaderboard --plan {found.id}",
    )
    return DONE


def _list_plans(services: Services, as_json: bool) -> int:
    stored = list(map(labels.plan_summary, services.store.labeling.plans()))
    shown = ("id", "judge", "images", "raters_per_image", "title")
    table = printing.table({name: plan[name] for name in shown} for plan in stored)
    none = "No labeling plan is stored: make one with `hallascope label plan`."
    printing.print_result(as_json, stored, table or none)
    return DONE
