"""Builds the JSON documents of runs, of what is deleted, and of two runs beside each other."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from hallascope.engine.leaderboard.documents import difference_document
from hallascope.engine.run_history.comparison import (
    ALL_MODELS,
    ComparedSide,
    MetricComparison,
    RunComparison,
)
from hallascope.engine.run_history.history import RunList, RunRemoval, RunSummary


def run_document(run: RunSummary) -> dict[str, Any]:
    """Return one run; `created` is ISO 8601 in UTC, `image` the SHA-256 of its first image."""
    contents = run.contents
    return {
        "id": run.entry.id,
        "kind": "sweep" if run.entry.is_sweep else "run",
        "name": run.name,
        "pinned": run.entry.is_pinned,
        "created": datetime.fromtimestamp(run.entry.created, UTC).isoformat(timespec="seconds"),
        "state": run.entry.state,
        "prompts": list(run.prompts),
        "models": list(contents.models),
        "judges": list(contents.judges),
        "images": contents.images,
        "image": contents.image,
        "scores": [asdict(score) for score in contents.scores],
        "runs": [member.run for member in contents.runs],
    }


def list_document(runs: RunList) -> dict[str, Any]:
    """Return a part of the list, and how many runs there are in all."""
    return {"runs": [run_document(run) for run in runs.runs], "total": runs.total}


def removal_document(removal: RunRemoval, deleted: bool) -> dict[str, Any]:
    """Return what was deleted, or would be."""
    return {
        "id": removal.run.entry.id,
        "name": removal.run.name,
        "deleted": deleted,
        "count": asdict(removal.count) if removal.count else None,
        "sentence": removal.sentence,
    }


def comparison_document(comparison: RunComparison) -> dict[str, Any]:
    """Return two runs beside each other; a difference is the first run less the second."""
    return {
        "runs": [run_document(comparison.one), run_document(comparison.other)],
        "configuration": [asdict(each) for each in comparison.configuration],
        "metrics": [_metric_document(each) for each in comparison.metrics],
        "only": {run: list(names) for run, names in comparison.only.items()},
    }


def _metric_document(compared: MetricComparison) -> dict[str, Any]:
    differences = compared.differences
    return {
        "metric": compared.metric,
        "title": compared.title,
        "judged_by": list(compared.judges),
        "counted": [{"n": mean.n, "left_out": mean.left_out} for mean in compared.counted],
        "models": [
            {
                "model": model or None,
                "values": list(means),
                "difference": difference_document(differences[model])
                if model in differences
                else None,
            }
            for model, means in compared.means.items()
            if model != ALL_MODELS
        ],
        "all_models": {
            "values": list(compared.means[ALL_MODELS]),
            "difference": difference_document(differences[ALL_MODELS]),
        },
        "rows": [
            {
                "prompt": row.prompt,
                "model": row.model,
                "values": [row.one.value, row.other.value],
                "difference": row.difference,
                "images": [_image(row.one), _image(row.other)],
            }
            for row in compared.rows
        ],
    }


def _image(side: ComparedSide) -> dict[str, str] | None:
    if side.image is None:
        return None
    return {"run": side.image.run, "image": side.image.generation}
