"""Builds the JSON documents of slices."""

from dataclasses import asdict
from typing import Any

from hallascope.engine.error_analysis.slices.discovery import Slice, SliceReport


def slice_report_document(report: SliceReport) -> dict[str, Any]:
    """Return the slices, the strongest first, and what they were found among."""
    return {
        "slices": [slice_document(found) for found in report.slices],
        "looked_at": report.looked_at,
        "images": report.images,
        "prompts": report.prompts,
        "error_rate": report.error_rate,
        "n": report.counted,
        "left_out": report.left_out,
        "by_questions": report.by_questions,
    }


def slice_document(found: Slice) -> dict[str, Any]:
    """Return one slice; `address` is the form of `?slice=` and of `--where`."""
    fields = asdict(found)
    return {
        "sentence": found.sentence,
        **fields,
        "conditions": [condition._asdict() for condition in found.conditions],
        "lift": found.lift,
        "address": found.address,
        "evaluations": list(found.evaluations),
    }
