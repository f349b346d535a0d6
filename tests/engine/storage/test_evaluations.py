"""Evaluations are kept whole and once, on SQLite and on PostgreSQL alike."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import text

from hallascope.data import masks
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence
from hallascope.data.records import (
    Category,
)
from hallascope.data.regions import Box
from hallascope.engine.errors import StoreError
from hallascope.engine.storage.store import Store
from tests.engine.storage.test_store import PLACE, REQUEST, count, evaluation, report


def test_an_evaluation_kept_twice_is_there_once_as_it_was_last(store: Store) -> None:
    store.start_run("r", REQUEST, [PLACE])
    store.keep_evaluation("r", evaluation("incorrect"), "rev", Category.PHYSICS, "animal")
    store.keep_evaluation("r", evaluation("correct"), "rev", Category.PHYSICS, "animal")
    assert store.evaluations("r") == [evaluation("correct")]
    assert (count(store, "evaluation"), count(store, "verdict")) == (1, 2)
    store.keep_evaluation("r", evaluation(trial=1))
    assert [said.trial for said in store.evaluations("r")] == [0, 1]


def test_evidence_and_line_up_come_back_as_they_were_kept_with_small_masks(store: Store) -> None:
    mask = masks.encode(np.tri(64, dtype=bool))
    segment = SegmentEvidence(
        name="s1",
        phrase="cat",
        box=Box(0.1, 0.2, 0.5, 1 / 3),
        score=0.9,
        mask=mask,
        caption="A “red”\0cat.",
        written="STOP",
    )
    lost = SegmentEvidence(
        name="s2",
        phrase="dog",
        box=Box(0, 0, 1, 1),
        score=0.3,
        failure="It was not cut out: run it again.",
    )
    rows = (
        Finding(
            kind="color",
            expected="red cat",
            observed="blue cat",
            state="incorrect",
            lenient_state="correct",
            prompt_spans=((2, 9),),
            caption_spans=((0, 4), (6, 9)),
            segments=("s1",),
            note="The caption says so.",
        ),
        Finding(kind="extraneous", expected="", observed="dog", state="failed", segments=("s2",)),
    )
    found = Evidence(
        segments=(segment, lost),
        findings=rows,
        phrases=("cat",),
        caption="A blue cat.",
        notes=("One was left out.",),
    )
    said = replace(
        evaluation(),
        report=replace(report(), evidence=found),
        judge=None,
        lineup={"detector": "m/d", "captioner": "m/c"},
    )
    store.start_run("r", REQUEST, [PLACE])
    store.keep_evaluation("r", said)
    assert store.evaluations("r") == [said]
    with store.database.engine.connect() as connection:
        kept = str(connection.execute(text("select report from evaluation")).scalar_one())
    assert mask.compressed() in json.loads(kept)["evidence"]["segments"][0]["mask"]["counts"]


def test_reports_that_older_versions_kept_have_no_evidence_and_no_line_up(store: Store) -> None:
    store.start_run("r", REQUEST, [PLACE])
    store.keep_evaluation("r", evaluation())
    with store.database.engine.begin() as connection:
        kept = json.loads(
            str(connection.execute(text("select report from evaluation")).scalar_one())
        )
        del kept["evidence"]
        connection.execute(
            text("update evaluation set report = :report"), {"report": json.dumps(kept)}
        )
    (said,) = store.evaluations("r")
    assert (said, said.report.evidence, said.lineup) == (evaluation(), None, {})


def test_what_was_said_of_a_picture_is_found_in_every_run_the_oldest_first(store: Store) -> None:
    for run, state in (("r2", "incorrect"), ("r1", "correct")):
        store.start_run(run, REQUEST, [PLACE])
        store.keep_evaluation(run, evaluation(state))
    unknown = [f"{number:064x}" for number in range(1200)]  # more than one statement takes
    assert store.evaluations_of([*unknown, "00ff"]) == [
        evaluation("incorrect"),
        evaluation("correct"),
    ]
    assert store.evaluations_of(unknown) == store.evaluations_of([]) == []


def test_what_no_run_holds_is_refused_and_nothing_of_it_stays(store: Store) -> None:
    with pytest.raises(StoreError, match="could not be written"):
        store.keep_evaluation("nowhere", evaluation())
    assert count(store, "evaluation") == 0
