"""Writes runs in the format of Every Eval Ever, one aggregate file and one of samples a generator.

It is schema 0.3.0 of https://github.com/evaleval/every_eval_ever (MIT): ``eval.schema.json`` and
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
from dataclasses import replace
from typing import Any

from hallascope import metrics
from hallascope.data.models.services import find
from hallascope.data.models.specs import ModelSpec
from hallascope.data.wordings.packs import SHIPPED, find_pack, wording_mark
from hallascope.data.wordings.templates import template
from hallascope.engine.export.columns import EvaluationMethod, Row, group_by_method, verdict_rows
from hallascope.engine.export.folder import ExportFolder, slug
from hallascope.engine.export.formats import ExportSource, library_version
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.label_correction import (
    CORRECTION_METHOD,
    correct_by_people,
)
from hallascope.engine.storage.scores import ranked_model
from hallascope.metrics import aggregate
from hallascope.metrics.statistics.corrected_scores import RANDOM_SAMPLE, CorrectedScore
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS, LEVEL

SCHEMA = "0.3.0"
LIBRARY = "hallascope"
# by the kind of a model: who runs it, and whether its weights can be had
_DEPLOYMENTS: Mapping[str, tuple[str, str]] = {
    "simulated": ("self_deployed", "unknown"),
    "trained": ("self_deployed", "open_weights"),
    "local": ("self_deployed", "open_weights"),
    "api": ("externally_managed", "unknown"),
}
_UNKNOWN_DEPLOYMENT = ("unknown", "unknown")
_METADATA = (
    "prompt",
    "category",
    "field",
    "difficulty",
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
    "reading",
    "state",
    "note",
)


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``data/hallascope/DEVELOPER/MODEL/UUID.json`` and its samples for each generator.

    Samples stand beside it as ``UUID_samples.jsonl``.
    """
    by_model: dict[str, list[Row]] = defaultdict(list)
    created: dict[str, float] = {}
    for content in source.iterate_runs():
        created[content.run.id] = content.run.created
        for row in content.rows:
            by_model[ranked_model(row["model"], row["injected"])].append(row)
    corrections = _corrected_scores(source)
    for model, rows in by_model.items():
        timestamp = str(int(max(created[row["run"]] for row in rows)))
        _write_model(source, folder, model, rows, timestamp, corrections)


def _corrected_scores(source: ExportSource) -> dict[tuple[str, EvaluationMethod], CorrectedScore]:
    """Return by model and method what people would give to the prompts of these runs.

    People's answers count only where the export is to hold what they say.
    """
    if not source.people:
        return {}
    store = source.services.store
    query = Query(filters=Filters(runs=tuple(source.runs)))
    corrections: dict[tuple[str, EvaluationMethod], CorrectedScore] = {}
    for instrument in board(store, query).instruments:
        of_instrument = replace(query, filters=replace(query.filters, instrument=instrument.key))
        lineup = json.dumps(dict(instrument.lineup), sort_keys=True)
        method = EvaluationMethod(query.metric, instrument.version, instrument.judge or "", lineup)
        for row in correct_by_people(store, board(store, of_instrument)).rows:
            if row.score:
                corrections[row.model, method] = row.score
    return corrections


def _write_model(
    source: ExportSource,
    folder: ExportFolder,
    model: str,
    rows: Sequence[Row],
    timestamp: str,
    corrections: Mapping[tuple[str, EvaluationMethod], CorrectedScore],
) -> None:
    runs = sorted({row["run"] for row in rows})
    evaluation = f"{LIBRARY}/{model}/{timestamp}"
    results: list[dict[str, Any]] = []
    samples: list[dict[str, Any]] = []
    for method, of_method in group_by_method(rows).items():
        own = list(_results(evaluation, method, of_method, corrections.get((model, method))))
        results += own
        main = _result_id(evaluation, method, "score")
        if main in {result["evaluation_result_id"] for result in own}:
            about = {
                "schema_version": SCHEMA,
                "evaluation_id": evaluation,
                "model_id": model,
                "evaluation_name": method.metric,
                "evaluation_result_id": main,
            }
            samples += [about | sample for row in of_method for sample in _samples(row)]
    if not results:
        source.summary.notes.append(
            f"{model}: nothing was counted, so there is no result to write."
        )
        return
    document = {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation,
        "evaluation_timestamp": timestamp,
        "retrieved_timestamp": str(int(time.time())),
        "source_metadata": {
            "source_name": "HallaScope",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "third_party",
            "additional_details": {"runs": ", ".join(runs)},
        },
        "eval_library": {"name": LIBRARY, "version": library_version() or "unknown"},
        "model_info": _model_info(model, source.services.registry.specs, rows),
        "evaluation_results": results,
    }
    path = _document_path(model, runs)
    if samples:
        name = f"{path}_samples.jsonl"
        lines = (f"{json.dumps(sample, ensure_ascii=False)}\n" for sample in samples)
        folder.write_text(name, "".join(lines))
        document["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": name,
            "total_rows": len(samples),
        }
    folder.write_text(f"{path}.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _document_path(model: str, runs: Sequence[str]) -> str:
    """Return the path of a model's file without its ending, the same for the same runs."""
    digest = hashlib.sha256(json.dumps([model, runs]).encode()).digest()
    identifier = uuid.UUID(bytes=digest[:16], version=4)
    developer, _, name = model.rpartition("/")
    return f"data/{LIBRARY}/{slug(developer or 'unknown')}/{slug(name)}/{identifier}"


def _model_info(model: str, specs: Mapping[str, ModelSpec], rows: Sequence[Row]) -> dict[str, Any]:
    spec = find(specs, rows[0]["model"])
    deployment, availability = _DEPLOYMENTS[spec.kind] if spec else _UNKNOWN_DEPLOYMENT
    revisions = sorted({row["revision"] for row in rows if row["revision"]})
    injected = rows[0]["injected"]
    named = None if injected else spec  # with knowledge it is no longer the model of its entry
    return {
        "name": named.title if named else model,
        "id": named.repository if named and named.repository else model,
        "developer": model.rpartition("/")[0] or "unknown",
        "additional_details": {
            "deployment_type": deployment,
            "model_availability": availability,
            "revision": ", ".join(revisions) or "unknown",
            **({"injected": injected} if injected else {}),
        },
    }


# --- results ---


def _result_id(evaluation: str, method: EvaluationMethod, score: str) -> str:
    digest = hashlib.sha256(json.dumps(method).encode()).hexdigest()
    return f"{evaluation}/{method.metric}/{score}/{digest[:12]}"


def _results(
    evaluation: str,
    method: EvaluationMethod,
    rows: Sequence[Row],
    people: CorrectedScore | None,
) -> Iterator[dict[str, Any]]:
    """Yield every score of a metric of which anything was counted.

    `people` is the score as people's labels correct it, None without enough labels.
    """
    reports = [row["report"] for row in rows]
    # of so many prompts a person corrected the reading
    corrected = len({report.prompt for report in reports if report.corrected_by})
    for name in dict.fromkeys(name for report in reports for name in report.scores):
        scored = [report for report in reports if name in report.scores]
        mean = aggregate.mean(scored, name, bounds=metrics.score(method.metric, name).bounds)
        if mean.value is None:
            continue
        details = {
            "prompts_left_out": mean.left_out,
            "questions_answered": mean.answered,
            "questions_unanswered": mean.unanswered,
        }
        if corrected:
            details["prompts_corrected"] = corrected
        # An image that several runs judged counts several times here, and once on a leaderboard.
        if (
            people
            and name == "score"
            and people.judged == mean.n
            and math.isclose(people.judge, mean.value, abs_tol=1e-9)
        ):
            details |= _correction_details(people)
        uncertainty: dict[str, Any] = {"num_samples": mean.n}
        if mean.low is not None:
            uncertainty["confidence_interval"] = {
                "lower": mean.low,
                "upper": mean.high,
                "confidence_level": LEVEL,
                "method": f"{INTERVAL_METHODS[mean.interval_method]}, by prompt",
            }
        yield {
            "evaluation_result_id": _result_id(evaluation, method, name),
            "evaluation_name": method.metric,
            "source_data": {
                "dataset_name": "prompts of the run",
                "source_type": "other",
                "additional_details": {"prompts": str(mean.n)},
            },
            "metric_config": metric_config(method, name),
            "score_details": {
                "score": mean.value,
                "details": {key: str(value) for key, value in details.items()},
                "uncertainty": uncertainty,
            },
        }


def metric_config(method: EvaluationMethod, score: str) -> dict[str, Any]:
    """Return how a score of the metric is to be read, and whose answers it rests on."""
    spec = metrics.score(method.metric, score)
    title = f"{metrics.title(method.metric)}: {spec.title}"
    config = {
        "evaluation_description": title,
        "metric_id": f"{LIBRARY}.{method.metric}.{score}",
        "metric_name": title,
        "metric_kind": score,
        "lower_is_better": not spec.higher_is_better,
        "score_type": "continuous",
        "min_score": _bound(spec.bounds[0]),
        "max_score": _bound(spec.bounds[1]),
        "additional_details": {"version": method.version, "lineup": method.lineup},
    }
    if method.judge:
        deployment, availability = _UNKNOWN_DEPLOYMENT
        details = {"deployment_type": deployment, "model_availability": availability}
        judge = {"name": method.judge, "id": method.judge, "additional_details": details}
        config["llm_scoring"] = {
            "judges": [{"model_info": judge}],
            "input_prompt": judge_wording(method),
        }
    return config


def judge_wording(method: EvaluationMethod) -> str:
    """Return the text that the judge was asked with.

    "" where there is none, or it is that of a pack which does not ship.
    """
    metric = metrics.find(method.metric)
    mark = wording_mark(method.version)
    if metric is None or not metric.judge_template or mark.name not in SHIPPED:
        return ""
    pack = find_pack(mark.name)
    if pack.mark(method.metric) != mark.ending:
        return ""  # the pack of another version
    return template(metric.judge_template, pack.folder).text


def _correction_details(people: CorrectedScore) -> dict[str, Any]:
    """Return what people would give, beside the judge's score, which stays the score."""
    return {
        "corrected_by_people": people.value,
        "corrected_by_people_lower": people.low,
        "corrected_by_people_upper": people.high,
        "corrected_by_people_method": f"{INTERVAL_METHODS[CORRECTION_METHOD]}, by prompt",
        "judge_above_people": people.bias,
        "judge_weight": people.weight,
        "prompts_labeled": people.labeled,
        "prompts_judged": people.judged,
        "sampling": RANDOM_SAMPLE,
    }


def _bound(value: float) -> float | str:
    """Return a bound as the schema has it, which names what is infinite."""
    if math.isfinite(value):
        return value
    return "Infinity" if value > 0 else "-Infinity"


def _samples(evaluation: Row) -> Iterator[dict[str, Any]]:
    """Yield the questions and findings of an evaluation that have an answer.

    An extra thing, which the prompt does not ask for, is right or wrong of nothing.
    """
    for row in verdict_rows(evaluation):
        expected = row.get("wanted") or row["asked"]
        if row["value"] is None or not row["asked"]:
            continue
        yield {
            "sample_id": "/".join(
                str(row[name]) for name in ("generation", "trial", "kind", "number")
            ),
            "interaction_type": "single_turn",
            "input": {
                "raw": row["prompt"],
                "reference": [expected],
                "choices": list(row["choices"]) if "choices" in row else None,
            },
            "output": {"raw": [f"sha256:{row['image']}"]},
            "answer_attribution": [
                {
                    "turn_idx": 0,
                    "source": "output.raw",
                    "extracted_value": row["seen"] or "",
                    "extraction_method": "judge",
                    "is_terminal": True,
                }
            ],
            "evaluation": {"score": float(row["value"]), "is_correct": row["value"] == 1},
            "metadata": {
                name: str(row[name]) for name in _METADATA if row.get(name) not in (None, "")
            },
        }
