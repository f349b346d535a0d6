"""Builds FiG's part of the document of an evaluation: its stages, its pairs and its extras."""

from typing import Any

from hallascope.data.evidence import Finding
from hallascope.data.records import Report, Score

# the first stage, and the attributes of the second
STAGES = ("object", "color", "number", "position", "text")
EXTRANEOUS = "extraneous"
_NO_SCORE = Score(None, 0, 0)


def has_stages(report: Report) -> bool:
    """Return whether a report has FiG's stages, of which no other metric has CHAIR_i."""
    return "chair_i" in report.scores


def as_json(report: Report) -> dict[str, Any]:
    """Return the scores of stages 1 and 2 by each rule, the things of stage 3, CHAIR_i and pairs.

    Every (noun, attribute) pair has its state.
    """
    pairs = [row for row in findings(report) if row.kind not in ("object", EXTRANEOUS)]
    # attributes that somebody added come after ours
    names = dict.fromkeys((*STAGES, *(row.kind for row in pairs)))
    # `segment` is the first that a pair is about, by its name
    return {
        "stages": {name: _score(report, name) for name in names},
        "stages_soft": {name: _score(report, f"{name}_soft") for name in names},
        "stages_published": {name: _score(report, f"{name}_published") for name in names},
        "extraneous": extraneous(report),
        "chair_i": report.scores.get("chair_i", _NO_SCORE).value,
        "pairs": [
            {
                "attribute": row.kind,
                "phrase": row.expected,
                "seen": row.observed,
                "state": row.state,
                "soft": row.lenient_state,
                "segment": row.segments[0] if row.segments else None,
            }
            for row in pairs
        ],
    }


def findings(report: Report) -> tuple[Finding, ...]:
    """Return all findings of a report; () where it has none."""
    return report.evidence.findings if report.evidence else ()


def extraneous(report: Report) -> list[str]:
    """Return what is in the picture although the prompt does not name it."""
    return [row.observed for row in findings(report) if row.kind == EXTRANEOUS]


def _score(report: Report, name: str) -> dict[str, Any]:
    score = report.scores.get(name, _NO_SCORE)
    return {"value": score.value, "counted": score.counted, "left_out": score.left_out}
