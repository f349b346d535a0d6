"""Runs in the form of Every Eval Ever, one aggregate file and one of samples a generator.

It knows that schema and no store.

Schema 0.3.0 of https://github.com/evaleval/every_eval_ever (MIT): ``eval.schema.json`` and
``instance_level_eval.schema.json``. What is left out of a score has no place there, as every sample
is right or wrong: it is counted in ``details`` and no sample of it is written.
"""

import hashlib
import json
import math
import time
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from hallascope import metrics
from hallascope.data.models.specs import ModelSpec, find
from hallascope.data.prompts.templates import template
from hallascope.engine.export.columns import (
    QUESTION,
    VERDICTS,
    ExportedEvaluation,
    ExportedVerdict,
    exported_evaluations,
    exported_verdicts,
    value,
)
from hallascope.engine.export.folder import ExportFolder, slug
from hallascope.engine.export.formats import ExportSource
from hallascope.metrics import aggregate
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS, LEVEL

SCHEMA = "0.3.0"
LIBRARY = "hallascope"
_DEPLOYED: Mapping[
    str, tuple[str, str]
] = {  # by the kind of an entry: who runs it, and whether its weights can be had
    "simulated": ("self_deployed", "unknown"),
    "trained": ("self_deployed", "open_weights"),
    "local": ("self_deployed", "open_weights"),
    "api": ("externally_managed", "unknown"),
}


class EvaluationMethod(NamedTuple):
    """One way of judging: numbers of two are never averaged."""

    metric: str
    version: str
    judge: str
    lineup: str


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``data/hallascope/DEVELOPER/MODEL/UUID.json`` and its samples for each generator.

    Samples stand beside it as ``UUID_samples.jsonl``.
    """
    found: dict[str, list[ExportedEvaluation]] = defaultdict(list)
    for run, shown, said in source.iterate_runs():
        for evaluation in exported_evaluations(run, shown, said):
            found[evaluation.said.model].append(evaluation)
    for model, rows in found.items():
        _write_model(source, folder, model, rows)


def _write_model(
    source: ExportSource, folder: ExportFolder, model: str, rows: Sequence[ExportedEvaluation]
) -> None:
    spec = find(source.services.roster.specs, model)
    runs = sorted({row.run.id for row in rows})
    made = str(int(max(row.run.created for row in rows)))
    whole = hashlib.sha256(json.dumps([model, runs]).encode()).digest()
    developer, _, name = model.rpartition("/")
    identifier = uuid.UUID(bytes=whole[:16], version=4)
    place = f"data/{LIBRARY}/{slug(developer or 'unknown')}/{slug(name)}/{identifier}"
    evaluation = f"{LIBRARY}/{model}/{made}"
    results = [
        result
        for way, of_way in by_method(rows).items()
        for result in _results(way, of_way, evaluation)
    ]
    samples = list(
        _samples(rows, evaluation, {result["evaluation_result_id"] for result in results})
    )
    if samples:
        with folder.lines(f"{place}_samples.jsonl") as stream:
            stream.write(
                "".join(f"{json.dumps(sample, ensure_ascii=False)}\n" for sample in samples)
            )
    if not results:
        source.written.notes.append(
            f"{model}: nothing was counted, so there is no result to write."
        )
        return
    document = {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation,
        "evaluation_timestamp": made,
        "retrieved_timestamp": str(int(time.time())),
        "source_metadata": _source(runs),
        "eval_library": {"name": LIBRARY, "version": _version()},
        "model_info": _model(model, spec, rows),
        "evaluation_results": results,
        **_detailed_results(place, samples),
    }
    folder.text(f"{place}.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _version() -> str:
    try:
        return version(LIBRARY)
    except PackageNotFoundError:
        return "unknown"


def _source(runs: Sequence[str]) -> dict[str, Any]:
    return {
        "source_name": "HallaScope",
        "source_type": "evaluation_run",
        "source_organization_name": "unknown",
        "evaluator_relationship": "third_party",
        "additional_details": {"runs": ", ".join(runs)},
    }


def _model(
    model: str, spec: ModelSpec | None, rows: Sequence[ExportedEvaluation]
) -> dict[str, Any]:
    deployed, weights = _DEPLOYED[spec.kind] if spec else ("unknown", "unknown")
    more = {
        "deployment_type": deployed,
        "model_availability": weights,
        "revision": (
            ", ".join(sorted({row.picture.revision for row in rows if row.picture.revision}))
            or "unknown"
        ),
    }
    return {
        "name": spec.title if spec else model,
        "id": spec.repository if spec and spec.repository else model,
        "developer": model.rpartition("/")[0] or "unknown",
        "additional_details": more,
    }


def _detailed_results(place: str, samples: Sequence[object]) -> dict[str, Any]:
    return (
        {
            "detailed_evaluation_results": {
                "format": "jsonl",
                "file_path": f"{place}_samples.jsonl",
                "total_rows": len(samples),
            }
        }
        if samples
        else {}
    )


# --- results
# --------------------------------------------------------------------------------------------------


def by_method(
    rows: Sequence[ExportedEvaluation],
) -> Mapping[EvaluationMethod, list[ExportedEvaluation]]:
    """The evaluations by how they were judged."""
    found: dict[EvaluationMethod, list[ExportedEvaluation]] = defaultdict(list)
    for row in rows:
        said = row.said
        found[
            EvaluationMethod(
                said.metric,
                said.report.version,
                said.judge or "",
                json.dumps(dict(said.lineup), sort_keys=True),
            )
        ].append(row)
    return found


def _results(
    way: EvaluationMethod, rows: Sequence[ExportedEvaluation], evaluation: str
) -> Iterator[dict[str, Any]]:
    """Every score of a metric of which anything was counted."""
    for name in dict.fromkeys(name for row in rows for name in row.said.report.scores):
        mean = aggregate.mean(
            [
                aggregate.ReportRow(report=row.said.report)
                for row in rows
                if name in row.said.report.scores
            ],
            name,
        )
        if mean.value is not None:
            yield _result(way, name, mean, evaluation)


def _result(
    way: EvaluationMethod, name: str, mean: aggregate.Mean, evaluation: str
) -> dict[str, Any]:
    interval = {
        "lower": mean.low,
        "upper": mean.high,
        "confidence_level": LEVEL,
        "method": f"{INTERVAL_METHODS[mean.interval_method]}, by prompt",
    }
    uncertain = {"confidence_interval": interval} if mean.low is not None else {}
    counted = {
        "prompts_left_out": str(mean.left_out),
        "questions_answered": str(mean.answered),
        "questions_unanswered": str(mean.unanswered),
    }
    return {
        "evaluation_result_id": _result_id(evaluation, way, name),
        "evaluation_name": way.metric,
        "source_data": {
            "dataset_name": "prompts of the run",
            "source_type": "other",
            "additional_details": {"prompts": str(mean.n)},
        },
        "metric_config": _config(way, name),
        "score_details": {
            "score": mean.value,
            "details": counted,
            "uncertainty": {**uncertain, "num_samples": mean.n},
        },
    }


def _result_id(evaluation: str, way: EvaluationMethod, name: str) -> str:
    digest = hashlib.sha256(json.dumps(way).encode()).hexdigest()
    return f"{evaluation}/{way.metric}/{name}/{digest[:12]}"


def _config(way: EvaluationMethod, name: str) -> dict[str, Any]:
    title = metrics.title(way.metric)
    spec = metrics.score(way.metric, name)
    judged = {"llm_scoring": _judges(way)} if way.judge else {}
    return {
        "evaluation_description": f"{title}: {spec.title}",
        "metric_id": f"{LIBRARY}.{way.metric}.{name}",
        "metric_name": f"{title}: {spec.title}",
        "metric_kind": name,
        "lower_is_better": not spec.higher_is_better,
        "score_type": "continuous",
        "min_score": _bound(spec.bounds[0]),
        "max_score": _bound(spec.bounds[1]),
        **judged,
        "additional_details": {"version": way.version, "lineup": way.lineup},
    }


def _bound(value: float) -> float | str:
    """A bound as the schema has it, which names what is infinite."""
    if math.isfinite(value):
        return value
    return "Infinity" if value > 0 else "-Infinity"


def _judges(way: EvaluationMethod) -> dict[str, Any]:
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    known = metrics.find(way.metric)
    asking = template(known.judge_template).text if known and known.judge_template else ""
    return {
        "judges": [
            {"model_info": {"name": way.judge, "id": way.judge, "additional_details": unknown}}
        ],
        "input_prompt": asking,
    }


# --- samples
# --------------------------------------------------------------------------------------------------


def _samples(
    rows: Sequence[ExportedEvaluation], evaluation: str, known: set[str]
) -> Iterator[dict[str, Any]]:
    """Everything that was asked and has an answer, under the main score of its metric."""
    for way, of_way in by_method(rows).items():
        result = _result_id(evaluation, way, "score")
        if result in known:
            yield from (
                _sample(one, way, evaluation, result)
                for row in of_way
                for one in exported_verdicts(row)
                if _is_sample(one)
            )


def _is_sample(one: ExportedVerdict) -> bool:
    """Return whether it was asked for and has an answer, as an extra thing is no sample.

    What nobody asked for is right or wrong of nothing.
    """
    return value(one.what.state) is not None and bool(getattr(one.what, "expected", QUESTION))


def _sample(
    one: ExportedVerdict, way: EvaluationMethod, evaluation: str, result: str
) -> dict[str, Any]:
    row = one.told
    cells = {column.name: column.of(one) for column in VERDICTS}
    seen = str(cells["seen"] or "")
    right = value(one.what.state) == 1
    wanted = [str(said) for said in (cells["wanted"] or cells["asked"],) if said]
    question = getattr(one.what, "question", None)
    about = (
        "prompt",
        "category",
        "domain",
        "level",
        "task",
        "kind",
        "coi",
        "asked",
        "image",
        "seed",
        "trial",
        "judge",
        "state",
        "note",
    )
    return {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation,
        "model_id": row.said.model,
        "evaluation_name": way.metric,
        "evaluation_result_id": result,
        "sample_id": f"{row.said.generation}/{row.said.trial}/{cells['kind']}/{one.number}",
        "interaction_type": "single_turn",
        "input": {
            "raw": row.said.prompt,
            "reference": wanted,
            "choices": list(question.choices) if question else None,
        },
        "output": {"raw": [f"sha256:{row.said.image}"]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": seen,
                "extraction_method": "judge",
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": float(right), "is_correct": right},
        "metadata": {name: str(cells[name]) for name in about if cells[name] not in (None, "")},
    }
