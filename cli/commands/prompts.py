"""Holds the commands that make prompts of T2I-FactualBench and take what a person accepts."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hallascope.cli.options import (
    OURS,
    JsonOption,
    Natural,
    Positive,
    SpendingOptions,
    WordingOption,
    WriterOption,
)
from hallascope.cli.output import printing
from hallascope.cli.output.printing import problem_lines
from hallascope.cli.terminal import DONE, FAILURES, Progress, split_names
from hallascope.data.benchmarks import factualbench_lists as lists
from hallascope.data.concepts import TASKS, ConceptRef, FactualTask
from hallascope.data.files.tables import Complaint
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.driver import PlanResult
from hallascope.engine.services import Services, create_services
from hallascope.metrics.factualbench import prompt_synthesis
from hallascope.metrics.factualbench.prompt_synthesis import PromptCandidate, Proposal

NAME = "factualbench"


def make(
    name: str,
    concepts: Path,
    review: Path,
    *,
    spending: SpendingOptions,
    writer: WriterOption = None,
    task: str = "memorization",
    count: Positive = 10,
    seed: Natural = 0,
    wording: WordingOption = OURS,
    accept: Path | None = None,
    as_json: JsonOption = False,
) -> int:
    """Write prompts for new concepts into a table, where a person accepts them.

    With --accept the accepted prompts become a benchmark for `hallascope benchmark load`.

    Args:
        name: factualbench.
        concepts: A table `concept, domain`, with `definition` and `reference` where known.
        review: The table for the review: written, or read with --accept.
        writer: The model that writes; memorization needs none.
        task: Separated by commas: memorization, action, attribute, scene, size, differentiating,
            interaction, background.
        count: Prompts per task.
        seed: Which concepts are drawn.
        accept: Write the accepted prompts of the review as a benchmark into this folder.
    """
    if name != NAME:
        raise BadRequest(f"Prompts are made for {NAME!r} alone, not for {name!r}: give that name.")
    if accept:
        return _accept(review, concepts, accept, as_json)
    complaints: list[Complaint] = []
    known = _concepts(concepts, complaints)
    proposals = [
        proposal
        for task in _tasks(task, writer)
        for proposal in prompt_synthesis.proposals(known, task, count, seed)
    ]
    if not proposals:
        raise BadRequest(
            f"No concept of {str(concepts)!r} fits these tasks: add concepts of other domains, or"
            " choose other tasks."
        )
    candidates = _generate_candidates(
        create_services(), proposals, writer, seed, spending.policy, wording
    )
    rows = [
        lists.ReviewedProposal(
            task=candidate.proposal.task,
            concepts=tuple(concept.name for concept in candidate.proposal.concepts),
            prompt=candidate.prompt.prompt if candidate.prompt else "",
            variations=candidate.prompt.variations if candidate.prompt else (),
            feasible=candidate.feasible,
            reason=candidate.reason,
            problem=candidate.problem,
        )
        for candidate in candidates
    ]
    try:
        lists.write_review(review, rows)
    except OSError as error:
        raise BadRequest(
            f"The table {str(review)!r} cannot be written ({error.strerror}): give another path."
        ) from error
    result = {
        "review": str(review),
        "prompts": sum(candidate.prompt is not None for candidate in candidates),
        "proposals": len(candidates),
        "problems": [candidate.problem for candidate in candidates if candidate.problem],
    }
    command = f"hallascope benchmark make {NAME} {concepts} {review} --accept FOLDER"
    hint = f"Write yes under accept, then go on: `{command}`"
    return _print_result(result, complaints, as_json, hint)


def _accept(review: Path, concepts: Path, out: Path, as_json: bool) -> int:
    """Write accepted prompts as a benchmark."""
    complaints: list[Complaint] = []
    with refuse(ValueError, OSError):
        prompts = lists.read_accepted(review, _concepts(concepts, complaints), complaints)
        lists.write_benchmark(out, prompts)
    hint = f"Next: `hallascope benchmark load {NAME} {out}`"
    return _print_result({"folder": str(out), "prompts": len(prompts)}, complaints, as_json, hint)


def _tasks(listed: str, writer: str | None) -> list[FactualTask]:
    names = split_names(listed)
    if unknown := [name for name in names if name not in TASKS]:
        raise BadRequest(f"There is no task {unknown[0]!r}: choose of {', '.join(TASKS)}.")
    if set(names) - {"memorization"} and not writer:
        raise BadRequest(
            "No writer is chosen, and only memorization needs none: name a model (--writer)."
        )
    return [task for task in TASKS if task in names]


def _concepts(path: Path, complaints: list[Complaint]) -> list[ConceptRef]:
    with refuse(ValueError, OSError):
        return lists.read_concepts(path, complaints)


def _generate_candidates(
    services: Services,
    proposals: Sequence[Proposal],
    writer: str | None,
    draw: int,
    terms: SpendingPolicy,
    wording: str,
) -> list[PromptCandidate]:
    texts = services.wording_texts(wording)
    seats, runner, _ = services.bind([(writer, "writer")] if writer else [], terms)
    for i, proposal in enumerate(proposals):
        steps = prompt_synthesis.make(proposal, draw, texts)
        readable = partial(prompt_synthesis.readable, proposal=proposal)
        runner.add(i, steps, seats, readable=readable)
    candidates: dict[object, PromptCandidate] = {}
    progress = Progress("prompts")
    for event in runner.events():
        if isinstance(event, PlanResult):
            candidates[event.key] = event.result
            progress(len(candidates), len(proposals))
    return [candidates[i] for i in range(len(proposals))]


def _print_result(
    result: dict[str, Any], complaints: Sequence[Complaint], as_json: bool, next_step: str
) -> int:
    lines = [f"{what}: {value}" for what, value in result.items() if value != []]
    printing.print_result(
        as_json,
        {**result, "complaints": complaints},
        lambda: [*lines, problem_lines(complaints), next_step],
    )
    return FAILURES if complaints or result.get("problems") else DONE
