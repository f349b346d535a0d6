"""Formats how prompts held against themselves did, for programs and for people."""

from typing import TYPE_CHECKING, Any

from hallascope.cli.output import printing
from hallascope.cli.output.trials.parser_eval import SHARE_COLUMNS, SYSTEM_TITLES, share_document

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.parsers.self_match import SelfMatchEvaluation


def document(evaluation: "SelfMatchEvaluation") -> dict[str, Any]:
    """Return the shares, the prompts with faults and those that are not read, by name."""
    return {
        "prompts": len(evaluation.prompts),
        "perfect": {system: share_document(evaluation.perfect(system)) for system in SYSTEM_TITLES},
        "faults": [
            {
                "prompt": match.prompt,
                **{system: list(match.faults[system]) for system in match.faults},
            }
            for match in evaluation.prompts
            if not match.is_perfect
        ],
        "unreadable": [
            {"prompt": match.prompt, "reason": match.unreadable} for match in evaluation.unreadable
        ],
    }


def lines(evaluation: "SelfMatchEvaluation") -> str:
    """Return the shares as a table, then every prompt with faults or without a reading."""
    rows = [
        (f"perfect for {title}", evaluation.perfect(system))
        for system, title in SYSTEM_TITLES.items()
    ]
    parts = [printing.table(SHARE_COLUMNS, rows)]
    for match in evaluation.prompts:
        if not match.is_perfect:
            faults = [
                f"  {SYSTEM_TITLES[system]}: {fault}"
                for system, of_system in match.faults.items()
                for fault in of_system
            ]
            parts.append("\n".join((match.prompt, *faults)))
    parts += [
        f"no reading: {match.prompt}\n  {match.unreadable}" for match in evaluation.unreadable
    ]
    return "\n\n".join(parts)
