"""Holds the command that puts judges on trial where the truth is known.

Exit codes as in `hallascope.cli.main`; what comes of it is kept.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast

import typer

from hallascope.cli.commands.label import trial as labelled_trial
from hallascope.cli.output import printing
from hallascope.cli.output.trials import haloquest_trial as halo_commands
from hallascope.cli.output.trials import judge_trial as output
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
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.harness import TrialProgress
from hallascope.engine.judge_eval.ihalla import BENCHMARK
from hallascope.engine.judge_eval.runner import JudgeTrialRequest, run_judge_trials
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services, create_services
from hallascope.engine.trials.records import Trial
from hallascope.engine.trials.store import TrialStore
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS, REASONED, AutoEvalName


def judge_trial(
    judge: Annotated[
        str,
        typer.Option(
            help="The judge to be tried; several with commas between, for Primer questions."
        ),
    ] = "primer/judge",
    benchmark: Annotated[
        str, typer.Option(help="Where the truth is known: primer, primer-halo or haloquest.")
    ] = BENCHMARK,
    images: Annotated[int, typer.Option(min=1, help="How many held-out images.")] = 200,
    seed: Annotated[int, typer.Option(help="Which held-out images.")] = 0,
    trials: Annotated[
        int, typer.Option(min=1, help="How often each question is asked, for consistency.")
    ] = 1,
    orders: Annotated[
        int, typer.Option(min=1, help="In how many orders of its choices each question is asked.")
    ] = 1,
    difficulty: Annotated[
        bool,
        typer.Option("--difficulty", help="Also five times of each image: is it normal or weird?"),
    ] = False,
    kinds: Annotated[
        bool,
        typer.Option(
            "--kinds", help="Also questions on regions, on pairs, and on what cannot be told."
        ),
    ] = False,
    each_concept: Annotated[
        int,
        typer.Option(
            min=0,
            help=(
                "Also so many images of each concept alone, for figures by concept and by fact;"
                " they count in no other figure."
            ),
        ),
    ] = 0,
    labelled: Annotated[
        Path | None,
        typer.Option(help="Instead: a folder of labeled images (`hallascope label`)."),
    ] = None,
    labeller: Annotated[str | None, typer.Option(help="Only the labels by this person.")] = None,
    path: Annotated[
        Path | None, typer.Option(help="HaloQuest's table, or the folder that holds it.")
    ] = None,
    pictures: Annotated[Path | None, typer.Option(help="The folder of HaloQuest's images.")] = None,
    download: Annotated[
        bool,
        typer.Option("--download", help="Fetch images that are not in the folder from the web."),
    ] = False,
    grader: Annotated[
        str | None,
        typer.Option(
            help="The model that grades replies to HaloQuest's questions; without: by rule."
        ),
    ] = None,
    auto_eval: Annotated[
        str,
        typer.Option(
            help=(
                "How the grader is asked: reasoned (both main points first, as the paper), schema"
                " (the verdict alone, as JSON) or text (the verdict alone, in words)."
            )
        ),
    ] = REASONED.name,
    replies: Annotated[
        Path | None,
        typer.Option(help="Instead of asking: a table `item, reply, value` to be graded."),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            min=0, help="Only so many of HaloQuest's questions, drawn by the seed; 0: all."
        ),
    ] = 0,
    wording: WordingOption = OURS,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    as_json: JsonOption = False,
) -> int:
    """Count how often a judge is right where the truth is known, by composition of interest.

    It says how many violated facts the judge flags, and how many facts that hold it accepts.

    It also says how the judge answers, and what that costs.
    """
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    judges = split_names(judge)
    if labelled and wording != OURS:
        raise BadRequest("Labeled images are judged in our wording: leave --wording out.")
    if labelled:
        services = create_services()
        asked = services.judge(_single_judge(judges))
        outcome = labelled_trial(asked, labelled, labeller, as_json)
        TrialStore(services.store.folder).keep(outcome)
        return FAILURES if outcome.unanswered or outcome.complaints else DONE
    if benchmark in halo_commands.BENCHMARKS:
        options = halo_commands.HaloTrialOptions(
            benchmark=benchmark,
            judge=_single_judge(judges),
            grader=grader,
            table=path,
            pictures=pictures,
            download=download,
            replies=replies,
            sample=sample,
            seed=seed,
            terms=terms,
            auto_eval=_known_auto_eval(auto_eval),
            wording=wording,
        )
        return halo_commands.halo_trial(create_services(), options, as_json)
    if benchmark != BENCHMARK:
        known = ", ".join(map(repr, (BENCHMARK, *halo_commands.BENCHMARKS)))
        raise BadRequest(
            f"There is no benchmark {benchmark!r} to try a judge on: this version has {known}."
        )
    request = JudgeTrialRequest(
        judges=judges,
        pictures=images,
        seed=seed,
        trials=trials,
        orders=orders,
        difficulty=difficulty,
        each_concept=each_concept,
        wording=wording,
    )
    outcomes = _run_trials(create_services(), request, kinds, terms)
    if as_json:
        say(printing.document(output.document(outcomes)))
    else:
        say(output.lines(outcomes))
    is_unanswered = any(
        trial.unanswered or (trial.kinds and trial.kinds.unanswered) for trial in outcomes
    )
    return FAILURES if is_unanswered else DONE


def _single_judge(judges: Sequence[str]) -> str:
    if len(judges) != 1:
        raise BadRequest(
            "Several judges are set beside each other on Primer's questions only: name one for this"
            " benchmark."
        )
    return judges[0]


def _known_auto_eval(name: str) -> AutoEvalName:
    """Return the implementation of Auto-Eval by its name. Raises BadRequest."""
    if name not in AUTO_EVALS:
        raise BadRequest(
            f"There is no implementation {name!r} of Auto-Eval: choose {', '.join(AUTO_EVALS)}."
        )
    return cast(AutoEvalName, name)


def _run_trials(
    services: Services, request: JudgeTrialRequest, kinds: bool, terms: SpendingPolicy
) -> list[Trial]:
    """Run every judge's trial and store it."""
    from hallascope.engine.judge_eval.question_kinds import try_kinds

    trials = []
    for name in request.judges if kinds else ():
        services.judge(name)  # raises where it cannot be asked these, before anything is asked
    for event in run_judge_trials(services, request, terms):
        if isinstance(event, TrialProgress):
            what = f"replies of {event.judge}" if event.judge else "images"
            progress(event.done, event.of, what)
            continue
        trial = event
        if kinds:
            judge = services.judge(trial.judge)
            trial = replace(trial, kinds=try_kinds(judge, request.pictures, request.seed))
        trials.append(trial)
        TrialStore(services.store.folder).keep(trial)
    return trials
