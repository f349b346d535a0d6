"""A person calls an extra fine, and no score changes."""

from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.pages.shared.evidence import runs
from hallascope.pages.shared.evidence.ratings import rate
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.support.fake_vision import drawn
from tests.support.fig_evidence import look


def extra(services: Any, looked: EvidenceRuns) -> tuple[str, str]:
    """The key of the first picture, and that of its finding that nobody asked for."""
    view = services.view(looked.runs[0])
    rows = view.evaluations[0].report.evidence.findings
    return view.shots[0].generation, f"finding={[row.kind for row in rows].index('extraneous') + 1}"


def test_an_extra_that_a_person_calls_fine_is_so_for_every_line_up_and_changes_no_score(
    services: Any,
) -> None:
    looked = look(services, drawn(services), {"captioner": "eyes/grey"})[-1][2]
    key, about = extra(services, looked)
    before = services.view(looked.runs[0]).evaluations[0].report.scores
    rate(services=services, run=looked.runs[0], key=key, metric="fig", about=about, value="fine")
    first, second = runs.exhibits(services, looked, key, "fig")
    assert "1 of 1 extras are fine" in first.numbers
    assert 'aria-pressed="true"' in first.groups[-2].body + "".join(
        group.body for group in first.groups
    )
    assert "extras are fine" in second.numbers
    assert services.view(looked.runs[0]).evaluations[0].report.scores == before
    rate(services=services, run=looked.runs[0], key=key, metric="fig", about=about, value=None)
    assert "0 of 1 extras are fine" in runs.exhibits(services, looked, key, "fig")[0].numbers


@pytest.mark.parametrize(
    "about", ["finding=1", "finding=0", "finding=99", "finding=²", "segment=1", "", "finding"]
)
def test_only_what_nobody_asked_for_can_be_called_fine(services: Any, about: str) -> None:
    looked = look(services, drawn(services))[-1][2]
    key, _ = extra(services, looked)
    with pytest.raises(BadRequest, match="open the image again"):
        rate(
            services=services, run=looked.runs[0], key=key, metric="fig", about=about, value="fine"
        )
