"""Holds the command that repairs a prompt. Exit codes as in `hallascope.cli.main`."""

from typing import Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    UnpricedOption,
    WordingOption,
    say,
)
from hallascope.data.records import Score
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.error_analysis.repair import (
    Repair,
    RepairRequest,
    RepairRound,
    repair_estimate,
    repair_prompt,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import spending_text
from hallascope.engine.services import create_services


def repair(
    prompt: Annotated[str, typer.Argument(help="What the images should show.")],
    model: Annotated[str, typer.Option(help="The generator that draws every round.")],
    judge: Annotated[str, typer.Option(help="The model that answers.")] = "primer/judge",
    writer: Annotated[
        str | None,
        typer.Option(
            help="The model that writes more explicit prompts; without it a rule adds the facts"
            " that are wrong."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(help="How many refined prompts are tried at most.")] = 3,
    seed: Annotated[int, typer.Option(help="The seed of every image.")] = 0,
    wording: WordingOption = OURS,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what it is likely to cost, and do nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Refine a prompt, draw and judge again, while the image gets questions wrong (I-HallA).

    Exit code 0: the repair ended with a score in every round, whether or not it helped.
    """
    request = RepairRequest(
        prompt=prompt,
        model=model,
        judge=judge,
        writer=writer,
        rounds=rounds,
        seed=seed,
        wording=wording,
    )
    services = create_services()
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    expected = repair_estimate(services, request, terms)
    if estimate or (expected.lines and not as_json):
        printing.print_result(
            as_json,
            printing.estimate_json(expected),
            printing.estimate_lines(expected, *services.caps(terms)),
        )
    if estimate:
        return DONE
    for done in repair_prompt(services, request, terms):
        if not (done.end or as_json):
            say(round_line(done.rounds[-1]))
    if as_json:
        say(printing.document(_document(done)))
    else:
        has_cost = done.spent or done.unconfirmed
        cost = f" {spending_text(done.spent, done.unconfirmed, 'spent')}." if has_cost else ""
        say(f"{done.end}{cost}")
    scored = [each.score is not None and each.score.value is not None for each in done.rounds]
    return DONE if all(scored) else FAILURES


def round_line(each: RepairRound) -> str:
    """Return a round in words: its number, score, prompt and what is wrong."""
    head = f"round {each.number}: {_score_words(each.score)}"
    lines = [f"{head}; run {each.run}" if each.run else head, f"  prompt: {each.prompt}"]
    lines += [f"  wrong: {verdict.question.text}" for verdict in each.wrong]
    if each.failure:
        lines.append(f"  failed: {each.failure}")
    return "\n".join(lines)


def _score_words(score: Score | None) -> str:
    if score is None or score.value is None:
        return "no score"
    left_out = f", {score.left_out} without an answer" if score.left_out else ""
    return f"score {score.value:.2f} of {score.counted} questions{left_out}"


def _document(repair: Repair) -> dict[str, Any]:
    return {
        "rounds": [
            {
                "round": each.number,
                "prompt": each.prompt,
                "draw_run": each.draw_run,
                "run": each.run,
                "image": each.image,
                "score": each.score.value if each.score else None,
                "counted": each.score.counted if each.score else 0,
                "left_out": each.score.left_out if each.score else 0,
                "wrong": [verdict.question.text for verdict in each.wrong],
                "failure": each.failure or None,
            }
            for each in repair.rounds
        ],
        "end": repair.end,
        "repaired": repair.repaired,
        "spent": repair.spent,
        "unconfirmed": repair.unconfirmed,
    }
