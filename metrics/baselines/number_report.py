"""The report of a baseline: one number of a picture and its prompt, or why there is none.

It knows no model.
"""

from collections.abc import Mapping

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Report, Score
from hallascope.metrics.base import Case


def number(
    name: str,
    version: str,
    case: Case,
    value: float | None,
    more: Mapping[str, float] | None = None,
    evidence: Evidence | None = None,
) -> Report:
    """A report with one score of one picture.

    None: it could not be told, and the picture is left out.

    `more`: further scores. `published` is the same: what could not be told is in no paper of these
    a score of 0.
    """
    counted = value is not None
    scores = {"score": Score(value, int(counted), int(not counted))}
    scores |= {each: Score(of, 1, 0) for each, of in (more or {}).items()}
    return Report(
        metric=name,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=scores,
        verdicts=(),
        published={"score": value},
        evidence=evidence,
    )


def lost(name: str, version: str, case: Case, why: str) -> Report:
    """The report of a picture of which nothing could be told, and why."""
    finding = Finding(kind="score", expected=case.prompt, observed="", state="failed", note=why)
    return number(name, version, case, None, evidence=Evidence(findings=(finding,)))
