"""Writes runs as a data set of FiftyOne: a folder that ``fiftyone.types.FiftyOneDataset`` reads.

FiftyOne is not needed for it. The form is that of version 1.0, which later ones migrate by
themselves: ``metadata.json`` declares the fields, ``samples.json`` has an image a sample, and
``data/`` the files.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hallascope.data import outlines
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.outlines import Polygon
from hallascope.engine.export.columns import (
    ExportedEvaluation,
    ExportedVerdict,
    exported_evaluations,
)
from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.records import SharedPicture, SharedRun
from hallascope.engine.export.selection.selection import outcome
from hallascope.engine.storage.images import is_whole

FORM = "1.0.0"  # the version of FiftyOne whose form this is
DATA = "data"
_FIELDS = "fiftyone.core.fields."
_LABELS = "fiftyone.core.labels."
_QUESTION_FIELDS = (
    "metric",
    "version",
    "judge",
    "question",
    "coi",
    "expected",
    "answer",
    "truth",
    "truth_source",
    "state",
)
_FINDING_FIELDS = ("metric", "version", "kind", "expected", "observed", "note")
_SEGMENT_FIELDS = ("metric", "caption", "written")


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write the data set: regions as polylines and detections, verdicts as classifications.

    An image whose file is no longer here, or no longer what it was, is left out and counted.
    """
    samples: list[dict[str, Any]] = []
    created = 0.0
    for run, pictures, evaluations in source.iterate_runs():
        created = created or run.created
        rows = list(exported_evaluations(run, pictures, evaluations))
        for picture in pictures:
            if picture.image and _copy_image(source, folder, picture.image):
                own = [row for row in rows if row.picture.generation == picture.generation]
                samples.append(_sample(source, run, picture, own))
    folder.write_text("samples.json", json.dumps({"samples": samples}, ensure_ascii=False))
    folder.write_text("metadata.json", json.dumps(_metadata(created, samples), ensure_ascii=False))


def _copy_image(source: ExportSource, folder: ExportFolder, sha256: str) -> bool:
    """Put an image into the folder of files, once; return whether it is there."""
    name = f"{DATA}/{sha256}.png"
    if name in folder.files:
        return True
    picture = source.services.store.picture(sha256)
    if picture is None or not is_whole(picture):
        source.summary.missing.append(sha256)
        return False
    folder.copy(name, picture.path)
    source.summary.images += 1
    return True


# --- samples ---


def _sample(
    source: ExportSource,
    run: SharedRun,
    picture: SharedPicture,
    rows: Sequence[ExportedEvaluation],
) -> dict[str, Any]:
    name = f"{run.id} {picture.generation}"
    verdicts = [verdict for row in rows for verdict in source.iterate_verdicts(row)]
    questions = [_question(name, verdict) for verdict in verdicts if verdict.question]
    findings = [_finding(name, verdict) for verdict in verdicts if not verdict.question]
    segments = [
        (row, segment)
        for row in rows
        if row.evaluation.report.evidence
        for segment in row.evaluation.report.evidence.segments
    ]
    regions = source.services.regions(str(picture.image))
    return {
        "_id": _object_id(name),
        "filepath": f"{DATA}/{picture.image}.png",
        "tags": sorted({label["label"] for label in questions}),
        "_media_type": "image",
        "_rand": _random_share(name),
        "_dataset_id": _object_id("dataset"),
        "created_at": _date(run.created),
        "last_modified_at": _date(run.created),
        "run": run.id,
        "prompt": picture.prompt,
        "model": picture.model,
        "seed": picture.seed,
        "regions": _labels("Polylines", _polylines(name, regions)),
        "segments": _labels("Polylines", _segment_outlines(name, segments)),
        "detections": _labels("Detections", _detections(name, segments)),
        "verdicts": _labels("Classifications", questions),
        "findings": _labels("Classifications", findings),
        "scores": _labels("Classifications", [_score(name, row) for row in rows]),
    }


def _labels(kind: str, labels: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"_cls": kind, kind.lower(): list(labels)}


def _label(document: str, name: str, label: str, /, **fields: Any) -> dict[str, Any]:
    """Return one label; fields without a value are left out."""
    known = {key: value for key, value in fields.items() if value not in (None, "")}
    return {
        "_id": _object_id(f"{document} {name}"),
        "_cls": document,
        "tags": [],
        "label": label,
        **known,
    }


def _question(name: str, verdict: ExportedVerdict) -> dict[str, Any]:
    """Return a question; its label is what the judge made of it, else the state of its answer."""
    question = verdict.question
    assert question is not None
    evaluation = verdict.row.evaluation
    return _label(
        "Classification",
        f"{name} {evaluation.metric} {evaluation.judge} {evaluation.trial} {verdict.number}",
        outcome(verdict) or verdict.item.state,
        confidence=getattr(verdict.item, "probability", None),
        metric=evaluation.metric,
        version=evaluation.report.version,
        judge=evaluation.judge,
        question=question.text,
        coi=question.coi,
        expected=question.choice(question.gold),
        answer=verdict.observed,
        truth=verdict.truth.text if verdict.truth else None,
        truth_source=verdict.truth.source if verdict.truth else None,
        state=verdict.item.state,
    )


def _finding(name: str, verdict: ExportedVerdict) -> dict[str, Any]:
    evaluation = verdict.row.evaluation
    return _label(
        "Classification",
        f"{name} {evaluation.metric} finding {evaluation.trial} {verdict.number}",
        verdict.item.state,
        metric=evaluation.metric,
        version=evaluation.report.version,
        kind=verdict.kind,
        expected=verdict.subject,
        observed=verdict.observed,
        note=verdict.note,
    )


def _score(name: str, row: ExportedEvaluation) -> dict[str, Any]:
    """Return a metric with its score as a label; without a score it has no `value`."""
    evaluation = row.evaluation
    score = evaluation.report.score
    return _label(
        "Classification",
        f"{name} score {evaluation.metric} {evaluation.judge} {evaluation.trial}",
        evaluation.metric,
        value=score.value,
        counted=score.counted,
        left_out=score.left_out,
        version=evaluation.report.version,
        judge=evaluation.judge,
    )


def _polylines(name: str, regions: Mapping[str, Sequence[Polygon]]) -> list[dict[str, Any]]:
    return [_polyline(f"{name} region {part}", part, shapes) for part, shapes in regions.items()]


def _polyline(name: str, label: str, shapes: Sequence[Polygon], **fields: str) -> dict[str, Any]:
    points = [[list(point) for point in shape] for shape in shapes]
    return _label("Polyline", name, label, points=points, closed=True, filled=True, **fields)


def _segment_outlines(
    name: str, segments: Sequence[tuple[ExportedEvaluation, SegmentEvidence]]
) -> list[dict[str, Any]]:
    return [
        _polyline(
            f"{name} {row.evaluation.metric} outline {i}",
            segment.phrase,
            outlines.polygons(segment.mask),
            metric=row.evaluation.metric,
        )
        for i, (row, segment) in enumerate(segments)
        if segment.mask
    ]


def _detections(
    name: str, segments: Sequence[tuple[ExportedEvaluation, SegmentEvidence]]
) -> list[dict[str, Any]]:
    return [
        _label(
            "Detection",
            f"{name} {row.evaluation.metric} box {i}",
            segment.phrase,
            bounding_box=_left_top_width_height(segment),
            confidence=segment.score,
            metric=row.evaluation.metric,
            caption=segment.caption,
            written=segment.written,
        )
        for i, (row, segment) in enumerate(segments)
    ]


def _left_top_width_height(segment: SegmentEvidence) -> list[float]:
    left, top, right, bottom = segment.box.sides
    return [left, top, right - left, bottom - top]


# --- the declaration of the fields ---


def _metadata(created: float, samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "_id": _object_id("dataset"),
        "name": "hallascope",
        "slug": "hallascope",
        "version": FORM,
        "created_at": _date(created),
        "last_modified_at": _date(created),
        "last_loaded_at": _date(created),
        "sample_collection_name": "samples.hallascope",
        "persistent": False,
        "media_type": "image" if samples else None,
        "group_media_types": {},
        "tags": [],
        "info": {"source": "HallaScope"},
        "app_config": {},
        "classes": {},
        "default_classes": [],
        "mask_targets": {},
        "default_mask_targets": {},
        "skeletons": {},
        "sample_fields": list(_sample_fields(created)),
        "frame_fields": [],
        "saved_views": [],
        "workspaces": [],
        "annotation_runs": {},
        "brain_methods": {},
        "evaluations": {},
        "runs": {},
    }


def _sample_fields(created: float) -> Iterator[dict[str, Any]]:
    """Yield the declarations of the fields of a sample."""
    own = [
        _field("id", "ObjectIdField", db_field="_id"),
        _field("filepath", "StringField"),
        _field("tags", "ListField", subfield=f"{_FIELDS}StringField"),
        _field(
            "metadata", "EmbeddedDocumentField", document="fiftyone.core.metadata.ImageMetadata"
        ),
        _field("_media_type", "StringField"),
        _field("_rand", "FloatField"),
        _field("_dataset_id", "ObjectIdField"),
        _field("created_at", "DateTimeField", read_only=True),
        _field("last_modified_at", "DateTimeField", read_only=True),
        *(_field(name, "StringField") for name in ("run", "prompt", "model")),
        _field("seed", "IntField"),
        _label_field("regions", "Polyline"),
        _label_field("segments", "Polyline", ("metric",)),
        _label_field("detections", "Detection", _SEGMENT_FIELDS),
        _label_field("verdicts", "Classification", _QUESTION_FIELDS),
        _label_field("findings", "Classification", _FINDING_FIELDS),
        _label_field("scores", "Classification", ("version", "judge"), _SCORE_NUMBERS),
    ]
    for field in own:
        yield {**field, "created_at": _date(created)}


_SCORE_NUMBERS = {"value": "FloatField", "counted": "IntField", "left_out": "IntField"}
_LABEL_NUMBERS: Mapping[str, Mapping[str, str]] = {
    "Polyline": {
        "points": "PolylinePointsField",
        "closed": "BooleanField",
        "filled": "BooleanField",
    },
    "Detection": {"confidence": "FloatField"},
    "Classification": {"confidence": "FloatField"},
}


def _label_field(
    name: str, kind: str, texts: Sequence[str] = (), numbers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the declaration of a list of labels, with the fields that a label has."""
    fields = [
        _field("id", "ObjectIdField", db_field="_id"),
        _field("tags", "ListField", subfield=f"{_FIELDS}StringField"),
        _field("label", "StringField"),
        *(_field(key, kind_) for key, kind_ in _LABEL_NUMBERS[kind].items()),
        *(_field(key, "StringField") for key in texts),
        *(_field(key, kind_) for key, kind_ in (numbers or {}).items()),
    ]
    if kind == "Detection":
        fields.append(_field("bounding_box", "ListField", subfield=f"{_FIELDS}FloatField"))
    several = f"{kind}s"
    labels = _field(
        several.lower(),
        "ListField",
        subfield=f"{_FIELDS}EmbeddedDocumentField",
        document=f"{_LABELS}{kind}",
        fields=fields,
    )
    return _field(name, "EmbeddedDocumentField", document=f"{_LABELS}{several}", fields=[labels])


def _field(
    name: str,
    kind: str,
    *,
    db_field: str = "",
    subfield: str | None = None,
    document: str | None = None,
    fields: Sequence[Mapping[str, Any]] = (),
    read_only: bool = False,
) -> dict[str, Any]:
    return {
        "name": name,
        "ftype": f"{_FIELDS}{kind}",
        "embedded_doc_type": document,
        "subfield": subfield,
        "fields": list(fields),
        "db_field": db_field or name,
        "description": None,
        "info": None,
        "read_only": read_only,
        "created_at": None,
    }


# --- values as MongoDB writes them ---


def _object_id(name: str) -> dict[str, str]:
    """Return an id that follows from a name, so that the same run gives the same files."""
    return {"$oid": hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:24]}


def _random_share(name: str) -> float:
    """Return a number in [0, 1), by which FiftyOne shuffles samples."""
    return int(hashlib.sha256(f"share {name}".encode()).hexdigest()[:12], 16) / 16**12


def _date(seconds: float) -> dict[str, str]:
    when = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return {"$date": when.replace("+00:00", "Z")}
