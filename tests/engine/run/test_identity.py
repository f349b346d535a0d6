"""Runs and pictures keep their identity exactly as long as nothing they depend on changes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.pair_judge import REQUEST
from tests.support.vision_metric import FIG, PLAIN


@pytest.mark.parametrize(
    ("change", "run"),
    [
        ({}, "2043c13194b6"),
        ({"writer": "m/writer"}, "f9cf3ca8fae7"),
        ({"judge": None}, "7c7049832aff"),
        ({"metrics": ()}, "8867b47b6a82"),
        ({"metrics": (), "judge": None}, "e21286c69aa9"),
    ],
)
def test_runs_of_before_there_were_line_ups_keep_their_ids(
    serve_vision: Any, change: Any, run: str
) -> None:
    services = serve_vision()
    assert services.prepare(replace(PLAIN, **change)).run == run
    others: dict[str, Any] = {
        "captioner": "m/other",
        "detector": "nowhere",
        "segmenter": "nowhere",
        "reader": "nowhere",
        "embedder": "nowhere",
    }
    assert services.prepare(replace(PLAIN, **change, **others)).run == run


def test_another_model_in_a_role_that_is_asked_is_another_run_and_a_judge_that_is_not_asked_is_none(
    serve_vision: Any,
) -> None:
    services = serve_vision()
    changes: list[dict[str, Any]] = [{}, {"captioner": "m/other"}, {"reader": "m/reader"}]
    ids = [services.prepare(replace(FIG, **change)).run for change in changes]
    assert len(set(ids)) == 3
    assert services.prepare(replace(FIG, judge="m/judge", embedder="nowhere")).run == ids[0]


def test_the_run_depends_on_the_references_and_only_where_a_metric_is_given_them(
    services: Any, red: Path
) -> None:
    plain = services.prepare(REQUEST)
    own = services.prepare(replace(REQUEST, concept="ladybug", reference=red))
    assert plain.run != own.run
    assert [slot.id for slot in plain.slots] == [slot.id for slot in own.slots], (
        "the images are the same"
    )
    tifa = services.prepare(replace(REQUEST, metrics=("tifa",)))
    assert tifa.request.factual is None
