"""Holds the command that repairs a prompt."""

from typing import Any

from hallascope.cli.options import ExperimentOptions, ModelOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, Progress, say
from hallascope.data.records import Score
from hallascope.engine.error_analysis.repair import (
    RepairRequest,
    RepairRound,
    repair_estimate,
    repair_prompt,
)
from hallascope.engine.money.spending import spending_text
from hallascope.engine.services import create_services


def repair(
    prompt: str,
    *,
    options: ExperimentOptions,
    model: ModelOption,
    rounds: int = 3,
    seed: int = 0,
) -> int:
    """Refine a prompt, draw and judge again, while the image gets questions wrong (I-HallA).

    Exit code 0: every round has a score, whether or not the repair helped.

    Args:
        prompt: What the images should show.
        model: The image model.
        writer: The model that writes more exact prompts; default: a rule adds the wrong facts.
        rounds: How many refined prompts at most.
        seed: The seed of every image.
    """
    request = RepairRequest(
        prompt=prompt,
        model=model,
        judge=options.judge,
        writer=options.writer,
        rounds=rounds,
        seed=seed,
        wording=options.wording,
    )
    services = create_services()
    options.print_estimate(repair_estimate(services, request, options.policy))
    if options.dry_run:
        return DONE
    progress = Progress("rounds")
    for done in repair_prompt(services, request, options.policy):
        if not done.end:
            progress(len(done.rounds), rounds + 1)
            if not options.as_json:
                say(round_text(done.rounds[-1]))
    record = {**vars(done), "rounds": list(map(_round_document, done.rounds))}
    has_cost = done.spent or done.unconfirmed
    cost = f" {spending_text(done.spent, done.unconfirmed, 'spent')}." if has_cost else ""
    last = next((each.run for each in reversed(done.rounds) if each.run), "")
    printing.print_result(
        options.as_json,
        record,
        f"{done.end}{cost}",
        next_step=last and f"hallascope runs show {last}",
    )
    scored = [each.score is not None and each.score.value is not None for each in done.rounds]
    return DONE if all(scored) else FAILURES


def round_text(each: RepairRound) -> str:
    """Return a round in words: its number, score, prompt and what is wrong."""
    head = f"round {each.number}: {_score_text(each.score)}"
    lines = [f"{head}; run {each.run}" if each.run else head, f"  prompt: {each.prompt}"]
    lines += [f"  wrong: {verdict.question.text}" for verdict in each.wrong]
    if each.failure:
        lines.append(f"  failed: {each.failure}")
    return "\n".join(lines)


def _score_text(score: Score | None) -> str:
    if score is None or score.value is None:
        return "no score"
    left_out = f", {score.left_out} without an answer" if score.left_out else ""
    return f"score {score.value:.2f} of {score.counted} questions{left_out}"


def _round_document(each: RepairRound) -> dict[str, Any]:
    score = each.score or Score(None, 0, 0)
    return {
        "round": each.number,
        "prompt": each.prompt,
        "draw_run": each.draw_run,
        "run": each.run,
        "image": each.image,
        "score": score.value,
        "counted": score.counted,
        "left_out": score.left_out,
        "wrong": [verdict.question.text for verdict in each.wrong],
        "failure": each.failure or None,
    }
