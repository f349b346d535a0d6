"""The command that puts judges on trial where the truth is known.

Exit codes as in `hallascope.cli.main`; what comes of it is kept.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.commands.label import trial as labelled_trial
from hallascope.cli.output import haloquest_trial as halo_commands
from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    UnpricedOption,
    say,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import jsonable
from hallascope.engine.judge_eval.ihalla import BENCHMARK, Cost, DifficultyResult, Share, Trial
from hallascope.engine.judge_eval.judge_agreement import (
    JudgeDisagreement,
    JudgePair,
    disagreements,
    pairs,
)
from hallascope.engine.judge_eval.runner import JudgeProgress, JudgeTrialRequest, on_trial
from hallascope.engine.judge_eval.store import TrialStore
from hallascope.engine.money.budget import SpendingPolicy, money
from hallascope.engine.services import Services, create_services
from hallascope.metrics.statistics.response_statistics import Consistency

LISTED = 20  # disagreements that are printed for people


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
    images: Annotated[int, typer.Option(min=1, help="How many held-out pictures.")] = 200,
    seed: Annotated[int, typer.Option(help="Which held-out pictures.")] = 0,
    trials: Annotated[
        int, typer.Option(min=1, help="How often each question is asked, for consistency.")
    ] = 1,
    orders: Annotated[
        int, typer.Option(min=1, help="In how many orders of its choices each question is asked.")
    ] = 1,
    difficulty: Annotated[
        bool,
        typer.Option(
            "--difficulty", help="Also five times of each picture: is it normal or weird?"
        ),
    ] = False,
    kinds: Annotated[
        bool,
        typer.Option(
            "--kinds", help="Also questions on regions, on pairs, and on what cannot be told."
        ),
    ] = False,
    labelled: Annotated[
        Path | None,
        typer.Option(help="Instead: a folder of pictures labelled by hand (`hallascope label`)."),
    ] = None,
    labeller: Annotated[str | None, typer.Option(help="Only the labels by this person.")] = None,
    path: Annotated[
        Path | None, typer.Option(help="HaloQuest's table, or the folder that holds it.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="The folder of HaloQuest's pictures.")
    ] = None,
    download: Annotated[
        bool,
        typer.Option("--download", help="Fetch pictures that are not in the folder from the web."),
    ] = False,
    grader: Annotated[
        str | None,
        typer.Option(
            help="The model that grades replies to HaloQuest's questions; without: by rule."
        ),
    ] = None,
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
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    as_json: JsonOption = False,
) -> int:
    """How often a judge is right where the truth is known, by composition of interest.

    How it answers, and what it costs.
    """
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    judges = _names(judge)
    if labelled:
        return labelled_trial(
            create_services().judge(_single_judge(judges)), labelled, labeller, as_json
        )
    if benchmark in halo_commands.BENCHMARKS:
        wanted = halo_commands.HaloTrialOptions(
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
        )
        return halo_commands.halo_trial(create_services(), wanted, as_json)
    if benchmark != BENCHMARK:
        known = ", ".join(map(repr, (BENCHMARK, *halo_commands.BENCHMARKS)))
        raise BadRequest(
            f"There is no benchmark {benchmark!r} to try a judge on: this version has {known}."
        )
    found = _run_trials(
        create_services(),
        JudgeTrialRequest(
            judges=judges,
            pictures=images,
            seed=seed,
            trials=trials,
            orders=orders,
            difficulty=difficulty,
        ),
        kinds,
        terms,
    )
    say(
        printing.document(document(found))
        if as_json
        else "\n\n".join([*map(lines, found), *_comparison_lines(found)])
    )
    return (
        FAILURES
        if any(one.unanswered or (one.kinds and one.kinds.unanswered) for one in found)
        else DONE
    )


def _names(judge: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in judge.split(",") if name.strip()))


def _single_judge(judges: Sequence[str]) -> str:
    """Raises BadRequest where it is not one."""
    if len(judges) != 1:
        raise BadRequest(
            "Several judges are set beside each other on Primer's questions only: name one for this"
            " benchmark."
        )
    return judges[0]


def _run_trials(
    services: Services, wanted: JudgeTrialRequest, kinds: bool, terms: SpendingPolicy
) -> list[Trial]:
    """Every judge's trial, kept."""
    found = []
    for told in on_trial(services, wanted, terms):
        if isinstance(told, Trial):
            found.append(_with_kinds(services, told, wanted) if kinds else told)
            TrialStore(services.store.folder).keep(found[-1])
        elif sys.stderr.isatty():
            _tell(told)
    return found


def _with_kinds(services: Services, trial: Trial, wanted: JudgeTrialRequest) -> Trial:
    from hallascope.engine.judge_eval.question_kinds import try_kinds

    return replace(
        trial, kinds=try_kinds(services.judge(trial.judge), wanted.pictures, wanted.seed)
    )


def _tell(told: JudgeProgress) -> None:
    what = f"replies of {told.judge}" if told.judge else "pictures"
    print(
        f"\r{told.done} of {told.of} {what} ",
        end="" if told.done < told.of else "\n",
        file=sys.stderr,
        flush=True,
    )


# --- for programs
# --------------------------------------------------------------------------------------------------


def document(found: Sequence[Trial]) -> dict[str, Any]:
    """One judge by the names of its trial.

    Several under `judges`, with every two beside each other.
    """
    if len(found) == 1:
        return _json(found[0])
    return {
        "judges": [_json(one) for one in found],
        "pairs": [jsonable(pair) for pair in pairs(found)],
        "disagreements": [jsonable(one) for one in disagreements(found)],
    }


def _json(trial: Trial) -> dict[str, Any]:
    """A trial without its answers, every share with its value."""
    said: dict[str, Any] = _with_values(replace(trial, answers=()))
    del said["answers"]
    if trial.cost:
        said["cost"] |= {"seconds_each": trial.cost.seconds_each, "thousand": trial.cost.thousand}
    return said


def _with_values(thing: object) -> Any:
    if isinstance(thing, Share):
        return {"value": thing.value, **jsonable(thing)}
    if isinstance(thing, Trial | DifficultyResult):
        return {name: _with_values(value) for name, value in vars(thing).items()}
    if isinstance(thing, dict):
        return {str(name): _with_values(value) for name, value in thing.items()}
    return jsonable(thing)


# --- for people
# --------------------------------------------------------------------------------------------------

_COLUMNS = (
    TextColumn("slice", lambda item: item[0]),
    TextColumn("right", lambda item: _value(item[1])),
    TextColumn(
        "95 % interval",
        lambda item: "-" if item[1].low is None else f"{item[1].low:.3f} to {item[1].high:.3f}",
    ),
    TextColumn("answered", lambda item: str(item[1].asked)),
)


def lines(trial: Trial) -> str:
    """A judge's shares as a table, and beneath it how it answered and what that cost."""
    shares: list[tuple[str, Share]] = [
        ("overall", trial.overall),
        *((f"on {kind} pictures", share) for kind, share in trial.by_kind.items()),
        ("where the asked fact is violated", trial.violated_facts),
        *trial.by_coi.items(),
    ]
    if trial.kinds:
        shares += trial.kinds.by_kind.items()
        shares += [
            ("cannot tell: precision", trial.kinds.precision),
            ("cannot tell: recall", trial.kinds.recall),
        ]
    unanswered = trial.unanswered + (trial.kinds.unanswered if trial.kinds else 0)
    told = f"{trial.judge}: {trial.pictures} pictures, {unanswered} questions unanswered"
    return "\n".join([printing.table(_COLUMNS, shares), told, *_conduct(trial)])


def _conduct(trial: Trial) -> Iterator[str]:
    yield (
        f"answered: {_value(trial.answered)} of {trial.answered.asked} questions; none fits:"
        f" {_value(trial.abstained)} of its answers"
    )
    for what, found in (
        ("repeated trials", trial.repeated),
        ("another order of the choices", trial.reordered),
    ):
        if found:
            yield _alike(what, found)
    if trial.positions.spread is not None:
        yield (
            "position bias (spread of the recall over the places of the right choice):"
            f" {trial.positions.spread:.3f}"
        )
    if trial.calibration.error is not None:
        yield (
            f"expected calibration error: {trial.calibration.error:.3f} over {trial.calibration.n}"
            " answers"
        )
    if trial.difficulty:
        yield _difficulty(trial.difficulty)
    if trial.cost:
        yield _cost(trial.cost)


def _alike(what: str, found: Consistency) -> str:
    value = "-" if found.value is None else f"{found.value:.3f}"
    return f"the same answer in {what}: {value} over {found.questions} questions"


def _difficulty(found: DifficultyResult) -> str:
    levels = ", ".join(f"{number} {level}" for level, number in found.pictures.items())
    sides = ", ".join(
        f"{_value(share)} of {share.asked} on {side} pictures"
        for side, share in found.by_side.items()
    )
    return (
        f"normal or weird, five times: right {sides}; {levels}, {found.left_out} pictures without"
        " five readable replies"
    )


def _cost(found: Cost) -> str:
    thousand = "nothing" if not found.thousand else money(found.thousand)
    return (
        f"{found.answers} answers asked anew: {found.seconds_each or 0.0:.2f} s each, {thousand}"
        " for a thousand"
    )


def _value(share: Share) -> str:
    return "-" if share.value is None else f"{share.value:.3f}"


def _comparison_lines(found: Sequence[Trial]) -> Iterator[str]:
    """Every two judges, and the first questions on which they part."""
    if not (beside := list(pairs(found))):
        return
    columns = (
        TextColumn("judges", lambda pair: f"{pair.one} and {pair.other}"),
        TextColumn("Cohen's kappa", lambda pair: _number(pair.kappa.value)),
        TextColumn("same answer", lambda pair: _number(pair.kappa.agreement)),
        TextColumn("questions", lambda pair: str(pair.kappa.n)),
    )
    yield printing.table(columns, list[JudgePair](beside))
    apart = list(disagreements(found))
    more = [f"and {len(apart) - LISTED} more (--json names all)"] if len(apart) > LISTED else []
    yield "\n".join(
        [
            f"{len(apart)} questions on which they part",
            *map(_format_disagreement, apart[:LISTED]),
            *more,
        ]
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _format_disagreement(one: JudgeDisagreement) -> str:
    said = ", ".join(f"{judge}: {words or 'no answer'}" for judge, words in one.said.items())
    return f"{one.question} ({one.picture[:8]}; right: {one.right}) {said}"
