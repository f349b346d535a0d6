"""Prints FiG's stages: a part of a JSON document, and cells of a table. It runs nothing."""

from typing import Any

from hallascope.data.evidence import Finding
from hallascope.data.records import Report, Score

STAGES = (
    "object",
    "color",
    "number",
    "position",
    "text",
)  # the first stage, and the attributes of the second
EXTRANEOUS = "extraneous"
_NOTHING = Score(None, 0, 0)


def as_json(report: Report) -> dict[str, Any]:
    """Return the scores of stages 1 and 2 by both rules, the things of stage 3, CHAIR_i and pairs.

    Every (noun, attribute) pair has its fate.
    """
    pairs = [row for row in rows(report) if row.kind not in ("object", EXTRANEOUS)]
    names = dict.fromkeys(
        (*STAGES, *(row.kind for row in pairs))
    )  # attributes that somebody added come after ours
    return {
        "stages": {name: _score(report.scores.get(name, _NOTHING)) for name in names},
        "stages_soft": {
            name: _score(report.scores.get(f"{name}_soft", _NOTHING)) for name in names
        },
        "extraneous": extraneous(report),
        "chair_i": report.scores.get("chair_i", _NOTHING).value,
        "pairs": [_pair(row) for row in pairs],
    }


def rows(report: Report) -> tuple[Finding, ...]:
    """All findings of a report; () where it has none."""
    return report.evidence.findings if report.evidence else ()


def extraneous(report: Report) -> list[str]:
    """What is in the picture and nobody asked for."""
    return [row.observed for row in rows(report) if row.kind == EXTRANEOUS]


def cell(report: Report, stage: str) -> str:
    """Return a score in words: "0.50", "0.50 (1 left out)", "-" where there is none."""
    score = report.scores.get(stage, _NOTHING)
    value = "-" if score.value is None else f"{score.value:.2f}"
    return f"{value} ({score.left_out} left out)" if score.left_out else value


def _score(score: Score) -> dict[str, Any]:
    return {"value": score.value, "counted": score.counted, "left_out": score.left_out}


def _pair(row: Finding) -> dict[str, Any]:
    """A row of stage 2.

    `segment` is the first that it is about, by the name it has in the evidence.
    """
    segment = row.segments[0] if row.segments else None
    return {
        "attribute": row.kind,
        "phrase": row.expected,
        "seen": row.observed,
        "state": row.state,
        "soft": row.lenient_state,
        "segment": segment,
    }
