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
from hallascope.engine.export.columns import QUESTION, Row
from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource, RunContent, copy_image
from hallascope.engine.export.records import SharedPicture

FORM = "1.0.0"  # the version of FiftyOne whose form this is
DATA = "data"
_FIELDS = "fiftyone.core.fields."
_LABELS = "fiftyone.core.labels."
# the column of a verdict's row that fills a field of another name
_COLUMNS = {"question": "asked", "answer": "seen", "observed": "seen"}
_KINDS: Mapping[str, Mapping[str, str]] = {
    "Polyline": {"points": "PolylinePoints", "closed": "Boolean", "filled": "Boolean"},
    "Detection": {"confidence": "Float"},
    "Classification": {"confidence": "Float"},
}
_SCORE = {"value": "Float", "counted": "Int", "left_out": "Int"}
# by the field of a sample: the kind of its labels, their texts, and their numbers
_LABEL_FIELDS: Mapping[str, tuple[str, Sequence[str], Mapping[str, str]]] = {
    "regions": ("Polyline", (), {}),
    "segments": ("Polyline", ("metric",), {}),
    "detections": ("Detection", ("metric", "caption", "written"), {}),
    "verdicts": (
        "Classification",
        (
            *("metric", "version", "judge", "question", "coi", "expected", "answer"),
            *("truth", "truth_source", "state"),
        ),
        {},
    ),
    "findings": (
        "Classification",
        ("metric", "version", "kind", "expected", "observed", "note"),
        {},
    ),
    "scores": ("Classification", ("version", "judge"), _SCORE),
}


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write the data set: regions as polylines and detections, verdicts as classifications.

    An image whose file is no longer here, or no longer what it was, is left out and counted.
    """
    samples: list[dict[str, Any]] = []
    created = 0.0
    for content in source.iterate_runs():
        created = created or content.run.created
        for picture in content.pictures:
            if picture.image and copy_image(source, folder, picture.image, DATA):
                regions = source.services.regions(picture.image)
                samples.append(_sample(content, picture, regions))
    for name, document in (
        ("samples", {"samples": samples}),
        ("metadata", _metadata(created, "image" if samples else None)),
    ):
        folder.write_text(f"{name}.json", json.dumps(document, ensure_ascii=False))


# --- samples ---


def _sample(
    content: RunContent, picture: SharedPicture, regions: Mapping[str, Sequence[Polygon]]
) -> dict[str, Any]:
    run = content.run
    name = f"{run.id} {picture.generation}"
    rows = [row for row in content.rows if row["generation"] == picture.generation]
    verdicts = [row for row in content.verdicts if row["generation"] == picture.generation]
    segments = [
        (str(row["metric"]), segment)
        for row in rows
        if row["report"].evidence
        for segment in row["report"].evidence.segments
    ]
    labels: dict[str, list[dict[str, Any]]] = {
        "regions": [
            _polyline(f"{name} region {part}", part, shapes) for part, shapes in regions.items()
        ],
        "segments": [
            _polyline(
                f"{name} {metric} outline {i}",
                segment.phrase,
                outlines.polygons(segment.mask),
                metric=metric,
            )
            for i, (metric, segment) in enumerate(segments)
            if segment.mask
        ],
        "detections": [
            _detection(f"{name} {metric} box {i}", segment, metric)
            for i, (metric, segment) in enumerate(segments)
        ],
        "verdicts": [_verdict(name, row) for row in verdicts if row["kind"] == QUESTION],
        "findings": [_verdict(name, row) for row in verdicts if row["kind"] != QUESTION],
        "scores": [_score(name, row) for row in rows],
    }
    return {
        "_id": _object_id(name),
        "filepath": f"{DATA}/{picture.image}.png",
        "tags": sorted({label["label"] for label in labels["verdicts"]}),
        "_media_type": "image",
        "_rand": _random_share(name),
        "_dataset_id": _object_id("dataset"),
        "created_at": _date(run.created),
        "last_modified_at": _date(run.created),
        "run": run.id,
        "prompt": picture.prompt,
        "model": picture.model,
        "seed": picture.seed,
        **{
            field: {"_cls": f"{kind}s", f"{kind.lower()}s": labels[field]}
            for field, (kind, *_) in _LABEL_FIELDS.items()
        },
    }


def _label(document: str, name: str, label: str, /, **fields: Any) -> dict[str, Any]:
    """Return one label; fields without a value are left out."""
    known = {key: value for key, value in fields.items() if value not in (None, "")}
    head = {"_id": _object_id(f"{document} {name}"), "_cls": document, "tags": [], "label": label}
    return head | known


def _verdict(name: str, row: Row) -> dict[str, Any]:
    """Return a question or finding.

    The label of a question is what the judge made of it, else the state of its answer.
    """
    is_question = row["kind"] == QUESTION
    who = row["judge"] if is_question else "finding"
    _, fields, _ = _LABEL_FIELDS["verdicts" if is_question else "findings"]
    columns = _COLUMNS | {"expected": "wanted" if is_question else "asked"}
    return _label(
        "Classification",
        f"{name} {row['metric']} {who} {row['trial']} {row['number']}",
        row.get("outcome") or row["state"],
        confidence=row.get("probability"),
        **{field: row[columns.get(field, field)] for field in fields},
    )


def _score(name: str, row: Row) -> dict[str, Any]:
    """Return a metric with its score as a label; without a score it has no `value`."""
    return _label(
        "Classification",
        f"{name} score {row['metric']} {row['judge']} {row['trial']}",
        row["metric"],
        value=row["score"],
        **{field: row[field] for field in ("counted", "left_out", "version", "judge")},
    )


def _polyline(name: str, label: str, shapes: Sequence[Polygon], **fields: str) -> dict[str, Any]:
    points = [[list(point) for point in shape] for shape in shapes]
    return _label("Polyline", name, label, points=points, closed=True, filled=True, **fields)


def _detection(name: str, segment: SegmentEvidence, metric: str) -> dict[str, Any]:
    left, top, right, bottom = segment.box.sides
    return _label(
        "Detection",
        name,
        segment.phrase,
        bounding_box=[left, top, right - left, bottom - top],
        confidence=segment.score,
        metric=metric,
        caption=segment.caption,
        written=segment.written,
    )


# --- the declaration of the fields ---

_NO_MAPPINGS = (
    *("group_media_types", "app_config", "classes", "mask_targets", "default_mask_targets"),
    *("skeletons", "annotation_runs", "brain_methods", "evaluations", "runs"),
)
_NO_LISTS = ("tags", "default_classes", "frame_fields", "saved_views", "workspaces")


def _metadata(created: float, media_type: str | None) -> dict[str, Any]:
    times = ("created_at", "last_modified_at", "last_loaded_at")
    return {
        "_id": _object_id("dataset"),
        "name": "hallascope",
        "slug": "hallascope",
        "version": FORM,
        **dict.fromkeys(times, _date(created)),
        "sample_collection_name": "samples.hallascope",
        "persistent": False,
        "media_type": media_type,
        "info": {"source": "HallaScope"},
        "sample_fields": [field | {"created_at": _date(created)} for field in _sample_fields()],
        **{name: {} for name in _NO_MAPPINGS},
        **{name: [] for name in _NO_LISTS},
    }


def _sample_fields() -> Iterator[dict[str, Any]]:
    """Yield the declarations of the fields of a sample."""
    yield from _OWN_FIELDS
    yield from (_field(name, "String") for name in ("run", "prompt", "model"))
    yield _field("seed", "Int")
    for name, (kind, texts, numbers) in _LABEL_FIELDS.items():
        fields = [
            *_LABEL_HEAD,
            *(_field(key, type_) for key, type_ in _KINDS[kind].items()),
            *(_field(key, "String") for key in texts),
            *(_field(key, type_) for key, type_ in numbers.items()),
        ]
        if kind == "Detection":
            fields.append(_field("bounding_box", "List", subfield=f"{_FIELDS}FloatField"))
        labels = _field(
            f"{kind}s".lower(),
            "List",
            subfield=f"{_FIELDS}EmbeddedDocumentField",
            embedded_doc_type=f"{_LABELS}{kind}",
            fields=fields,
        )
        yield _field(
            name, "EmbeddedDocument", embedded_doc_type=f"{_LABELS}{kind}s", fields=[labels]
        )


def _field(name: str, kind: str, **more: object) -> dict[str, Any]:
    return {
        "name": name,
        "ftype": f"{_FIELDS}{kind}Field",
        "embedded_doc_type": None,
        "subfield": None,
        "fields": [],
        "db_field": name,
        "description": None,
        "info": None,
        "read_only": False,
        "created_at": None,
    } | more


_ID = _field("id", "ObjectId", db_field="_id")
_TAGS = _field("tags", "List", subfield=f"{_FIELDS}StringField")
_LABEL_HEAD = (_ID, _TAGS, _field("label", "String"))
_OWN_FIELDS = (
    _ID,
    _field("filepath", "String"),
    _TAGS,
    _field(
        "metadata", "EmbeddedDocument", embedded_doc_type="fiftyone.core.metadata.ImageMetadata"
    ),
    _field("_media_type", "String"),
    _field("_rand", "Float"),
    _field("_dataset_id", "ObjectId"),
    _field("created_at", "DateTime", read_only=True),
    _field("last_modified_at", "DateTime", read_only=True),
)


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
