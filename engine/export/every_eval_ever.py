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
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from hallascope import metrics
from hallascope.data.models.services import find
from hallascope.data.models.specs import ModelSpec
from hallascope.data.wordings.packs import SHIPPED, find_pack, wording_mark
from hallascope.data.wordings.templates import template
from hallascope.engine.export.columns import (
    VERDICTS,
    ExportedEvaluation,
    ExportedVerdict,
    exported_evaluations,
    exported_verdicts,
    state_value,
)
from hallascope.engine.export.folder import ExportFolder, slug
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.label_correction import (
    CORRECTION_METHOD,
    correct_board,
)
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


class EvaluationMethod(NamedTuple):
    """Names one way of judging: numbers of two are never averaged."""

    metric: str
    version: str
    judge: str
    lineup: str

    def config(self, score: str) -> dict[str, Any]:
        """Return how a score of the metric is to be read, and whose answers it rests on."""
        spec = metrics.score(self.metric, score)
        title = f"{metrics.title(self.metric)}: {spec.title}"
        config = {
            "evaluation_description": title,
            "metric_id": f"{LIBRARY}.{self.metric}.{score}",
            "metric_name": title,
            "metric_kind": score,
            "lower_is_better": not spec.higher_is_better,
            "score_type": "continuous",
            "min_score": _bound(spec.bounds[0]),
            "max_score": _bound(spec.bounds[1]),
        }
        if self.judge:
            config["llm_scoring"] = self.llm_scoring()
        config["additional_details"] = {"version": self.version, "lineup": self.lineup}
        return config

    def llm_scoring(self) -> dict[str, Any]:
        """Return the judge and the prompt that it is given."""
        deployment, availability = _UNKNOWN_DEPLOYMENT
        details = {"deployment_type": deployment, "model_availability": availability}
        judge = {"name": self.judge, "id": self.judge, "additional_details": details}
        return {"judges": [{"model_info": judge}], "input_prompt": self.judge_wording()}

    def judge_wording(self) -> str:
        """Return the text that the judge was asked with.

        "" where there is none, or it is that of a pack which does not ship.
        """
        metric = metrics.find(self.metric)
        if metric is None or not metric.judge_template:
            return ""
        mark = wording_mark(self.version)
        if mark.name not in SHIPPED:
            return ""
        pack = find_pack(mark.name)
        if pack.mark(self.metric) != mark.ending:
            return ""  # the pack of another version
        return template(metric.judge_template, pack.folder).text


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``data/hallascope/DEVELOPER/MODEL/UUID.json`` and its samples for each generator.

    Samples stand beside it as ``UUID_samples.jsonl``.
    """
    by_model: dict[str, list[ExportedEvaluation]] = defaultdict(list)
    for run, pictures, evaluations in source.iterate_runs():
        for row in exported_evaluations(run, pictures, evaluations):
            by_model[row.evaluation.model].append(row)
    corrections = _corrected_scores(source)
    for model, rows in by_model.items():
        _write_model(source, folder, model, rows, corrections)


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
        method = EvaluationMethod(
            query.metric,
            instrument.version,
            instrument.judge or "",
            json.dumps(dict(instrument.lineup), sort_keys=True),
        )
        for row in correct_board(store, board(store, of_instrument)):
            if row.score:
                corrections[row.model, method] = row.score
    return corrections


def _write_model(
    source: ExportSource,
    folder: ExportFolder,
    model: str,
    rows: Sequence[ExportedEvaluation],
    corrections: Mapping[tuple[str, EvaluationMethod], CorrectedScore],
) -> None:
    runs = sorted({row.run.id for row in rows})
    path = _document_path(model, runs)
    timestamp = str(int(max(row.run.created for row in rows)))
    evaluation = f"{LIBRARY}/{model}/{timestamp}"
    results: list[dict[str, Any]] = []
    samples: list[dict[str, Any]] = []
    for method, of_method in group_by_method(rows).items():
        judged = _JudgedModel(evaluation, method, of_method, corrections.get((model, method)))
        own = list(judged.results())
        results += own
        own_ids = {result["evaluation_result_id"] for result in own}
        if judged.result_id("score") in own_ids:
            samples += judged.samples()
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
        "eval_library": {"name": LIBRARY, "version": _library_version()},
        "model_info": _model_info(model, find(source.services.registry.specs, model), rows),
        "evaluation_results": results,
    }
    if samples:
        samples_path = f"{path}_samples.jsonl"
        with folder.open_text(samples_path) as stream:
            for sample in samples:
                stream.write(f"{json.dumps(sample, ensure_ascii=False)}\n")
        document["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": samples_path,
            "total_rows": len(samples),
        }
    text = json.dumps(document, indent=2, ensure_ascii=False)
    folder.write_text(f"{path}.json", f"{text}\n")


def _document_path(model: str, runs: Sequence[str]) -> str:
    """Return the path of a model's file without its ending, the same for the same runs."""
    digest = hashlib.sha256(json.dumps([model, runs]).encode()).digest()
    identifier = uuid.UUID(bytes=digest[:16], version=4)
    developer, _, name = model.rpartition("/")
    return f"data/{LIBRARY}/{slug(developer or 'unknown')}/{slug(name)}/{identifier}"


def _library_version() -> str:
    try:
        return version(LIBRARY)
    except PackageNotFoundError:
        return "unknown"


def _model_info(
    model: str, spec: ModelSpec | None, rows: Sequence[ExportedEvaluation]
) -> dict[str, Any]:
    deployment, availability = _DEPLOYMENTS[spec.kind] if spec else _UNKNOWN_DEPLOYMENT
    revisions = sorted({row.picture.revision for row in rows if row.picture.revision})
    return {
        "name": spec.title if spec else model,
        "id": spec.repository if spec and spec.repository else model,
        "developer": model.rpartition("/")[0] or "unknown",
        "additional_details": {
            "deployment_type": deployment,
            "model_availability": availability,
            "revision": ", ".join(revisions) or "unknown",
        },
    }


def group_by_method(
    rows: Sequence[ExportedEvaluation],
) -> Mapping[EvaluationMethod, list[ExportedEvaluation]]:
    """Return the evaluations by how they were judged."""
    groups: dict[EvaluationMethod, list[ExportedEvaluation]] = defaultdict(list)
    for row in rows:
        evaluation = row.evaluation
        method = EvaluationMethod(
            evaluation.metric,
            evaluation.report.version,
            evaluation.judge or "",
            json.dumps(dict(evaluation.lineup), sort_keys=True),
        )
        groups[method].append(row)
    return groups


class _JudgedModel(NamedTuple):
    """Holds the evaluations of a model by one method; `evaluation` is the id of its document.

    `people` is the score as people's labels correct it, None without enough labels.
    """

    evaluation: str
    method: EvaluationMethod
    rows: Sequence[ExportedEvaluation]
    people: CorrectedScore | None = None

    def result_id(self, score: str) -> str:
        digest = hashlib.sha256(json.dumps(self.method).encode()).hexdigest()
        return f"{self.evaluation}/{self.method.metric}/{score}/{digest[:12]}"

    def results(self) -> Iterator[dict[str, Any]]:
        """Yield every score of a metric of which anything was counted."""
        reports = [row.evaluation.report for row in self.rows]
        # of so many prompts a person corrected the reading
        corrected = len({report.prompt for report in reports if report.corrected_by})
        for name in dict.fromkeys(name for report in reports for name in report.scores):
            scored = [
                aggregate.ReportRow(report=report) for report in reports if name in report.scores
            ]
            bounds = metrics.score(self.method.metric, name).bounds
            mean = aggregate.mean(scored, name, bounds=bounds)
            if mean.value is None:
                continue
            details = _score_details(mean, corrected)
            if self.people and _is_same_score(self.people, name, mean):
                details["details"] |= _correction_details(self.people)
            yield {
                "evaluation_result_id": self.result_id(name),
                "evaluation_name": self.method.metric,
                "source_data": {
                    "dataset_name": "prompts of the run",
                    "source_type": "other",
                    "additional_details": {"prompts": str(mean.n)},
                },
                "metric_config": self.method.config(name),
                "score_details": details,
            }

    def samples(self) -> Iterator[dict[str, Any]]:
        """Yield every question and finding that has an answer, under the metric's main score."""
        for row in self.rows:
            for verdict in exported_verdicts(row):
                # an extra thing, which the prompt does not ask for, is right or wrong of nothing
                requested = verdict.question or verdict.subject
                if requested and state_value(verdict.item.state) is not None:
                    yield {
                        "schema_version": SCHEMA,
                        "evaluation_id": self.evaluation,
                        "model_id": row.evaluation.model,
                        "evaluation_name": self.method.metric,
                        "evaluation_result_id": self.result_id("score"),
                        **_sample(verdict),
                    }


def _score_details(mean: aggregate.Mean, corrected: int) -> dict[str, Any]:
    uncertainty: dict[str, Any] = {}
    if mean.low is not None:
        uncertainty["confidence_interval"] = {
            "lower": mean.low,
            "upper": mean.high,
            "confidence_level": LEVEL,
            "method": f"{INTERVAL_METHODS[mean.interval_method]}, by prompt",
        }
    uncertainty["num_samples"] = mean.n
    details = {
        "prompts_left_out": str(mean.left_out),
        "questions_answered": str(mean.answered),
        "questions_unanswered": str(mean.unanswered),
    }
    if corrected:
        details["prompts_corrected"] = str(corrected)
    return {"score": mean.value, "details": details, "uncertainty": uncertainty}


def _is_same_score(people: CorrectedScore, name: str, mean: aggregate.Mean) -> bool:
    """Return whether the correction is that of this score: of the same prompts and the same mean.

    A model that was given knowledge beside some prompts is ranked as two, and is one here.
    """
    if name != "score" or mean.value is None:
        return False
    return people.judged == mean.n and math.isclose(people.judge, mean.value, abs_tol=1e-9)


def _correction_details(people: CorrectedScore) -> dict[str, str]:
    """Return what people would give, beside the judge's score, which stays the score."""
    return {
        "corrected_by_people": str(people.value),
        "corrected_by_people_lower": str(people.low),
        "corrected_by_people_upper": str(people.high),
        "corrected_by_people_method": f"{INTERVAL_METHODS[CORRECTION_METHOD]}, by prompt",
        "judge_above_people": str(people.bias),
        "judge_weight": str(people.weight),
        "prompts_labeled": str(people.labeled),
        "prompts_judged": str(people.judged),
        "sampling": RANDOM_SAMPLE,
    }


def _bound(value: float) -> float | str:
    """Return a bound as the schema has it, which names what is infinite."""
    if math.isfinite(value):
        return value
    return "Infinity" if value > 0 else "-Infinity"


def _sample(verdict: ExportedVerdict) -> dict[str, Any]:
    shared = verdict.row.evaluation
    cells = {column.name: column.value(verdict) for column in VERDICTS}
    expected = cells["wanted"] or cells["asked"]
    is_correct = state_value(verdict.item.state) == 1
    return {
        "sample_id": f"{shared.generation}/{shared.trial}/{verdict.kind}/{verdict.number}",
        "interaction_type": "single_turn",
        "input": {
            "raw": shared.prompt,
            "reference": [str(expected)] if expected else [],
            "choices": list(verdict.question.choices) if verdict.question else None,
        },
        "output": {"raw": [f"sha256:{shared.image}"]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": verdict.observed or "",
                "extraction_method": "judge",
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": float(is_correct), "is_correct": is_correct},
        "metadata": {name: str(cells[name]) for name in _METADATA if cells[name] not in (None, "")},
    }
