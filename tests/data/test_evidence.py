"""Findings are read under the names of version 0.1.0 and written under today's."""

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from hallascope.data.evidence import OLD_NAMES, Finding
from hallascope.engine.export.records import SharedEvaluation, parse_record, record_line

# Version 0.1.0 wrote this file.
STORED = Path(__file__).parent / "runs_of_0_1_0.jsonl"
FINDINGS = TypeAdapter(Finding)
OLD = {
    "kind": "color",
    "asked": "red ball",
    "seen": "blue ball",
    "state": "incorrect",
    "soft": "correct",
    "asking": [[2, 5]],
    "saying": [[10, 14]],
    "segments": ["s1"],
    "note": "",
}
NEW = Finding(
    kind="color",
    expected="red ball",
    observed="blue ball",
    state="incorrect",
    lenient_state="correct",
    prompt_spans=((2, 5),),
    caption_spans=((10, 14),),
    segments=("s1",),
)


def test_a_finding_under_its_old_names_is_the_same_finding() -> None:
    assert FINDINGS.validate_json(json.dumps(OLD)) == NEW
    assert FINDINGS.validate_json(FINDINGS.dump_json(NEW)) == NEW
    pair = TypeAdapter(tuple[Finding, Finding]).validate_python((OLD, OLD))
    assert pair == (NEW, NEW), "wherever it stands"
    assert not OLD_NAMES.keys() & json.loads(FINDINGS.dump_json(NEW)).keys()


def test_what_is_no_finding_is_refused_under_either_name() -> None:
    refused: list[object] = [{**OLD, "seen": 3}, {**OLD, "state": "nearly"}, [], "a finding"]
    for wrong in refused:
        with pytest.raises(ValidationError):
            FINDINGS.validate_python(wrong)


def test_what_version_0_1_0_exported_is_read_whole_and_written_under_the_new_names() -> None:
    findings = 0
    for stored in STORED.read_text(encoding="utf-8").splitlines():
        assert json.loads(stored)["format"] == 1
        found = parse_record(stored)
        assert parse_record(record_line(found)) == found
        if isinstance(found, SharedEvaluation) and found.report.evidence:
            old = json.loads(stored)["report"]["evidence"]["findings"]
            new = found.report.evidence.findings
            assert [(one["asked"], one["seen"], one["soft"]) for one in old] == [
                (one.expected, one.observed, one.lenient_state) for one in new
            ]
            findings += len(new)
    assert findings == 7
