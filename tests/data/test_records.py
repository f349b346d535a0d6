"""Records: what fits what, what older versions wrote, and graphs for other programs."""

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from hallascope.data.evidence import OLD_NAMES, Finding
from hallascope.data.files.graphs import as_graphml, as_json
from hallascope.data.graphs import Attribute, Graph, Node, SceneGraphs
from hallascope.data.prompt_reading import (
    MANY,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
    fit_to_prompt,
)
from hallascope.engine.export.records import parse_record, record_line
from hallascope.engine.storage.evaluations import StoredEvaluation
from tests.support import scene_graphs

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


def test_what_version_0_1_0_exported_is_read_whole_and_written_under_the_new_names() -> None:
    findings = 0
    for stored in STORED.read_text(encoding="utf-8").splitlines():
        assert json.loads(stored)["format"] == 1
        found = parse_record(stored)
        assert parse_record(record_line(found)) == found
        if isinstance(found, StoredEvaluation) and found.report.evidence:
            old = json.loads(stored)["report"]["evidence"]["findings"]
            new = found.report.evidence.findings
            assert [(one["asked"], one["seen"], one["soft"]) for one in old] == [
                (one.expected, one.observed, one.lenient_state) for one in new
            ]
            findings += len(new)
    assert findings == 7


@pytest.mark.parametrize(
    "count, expected",
    [
        (Count.exactly(3), (3, 3, False, 3)),
        (Count.at_least(3), (3, None, False, None)),
        (Count.at_most(2), (0, 2, False, None)),
        (Count.approximately(12), (10, 14, True, None)),
        (MANY, (2, None, False, None)),
    ],
)
def test_counts_have_the_bounds_of_their_words(
    count: Count, expected: tuple[int | None, ...]
) -> None:
    assert (count.least, count.most, count.approximate, count.exact) == expected


def test_a_reading_fits_the_same_prompt_with_other_spaces() -> None:
    reading = PromptReading(
        prompt="a  red cat on a mat, says on, oil  painting",
        objects=(
            AskedObject(
                id="o1",
                name="cat",
                spans=((7, 10),),
                attributes=(AskedAttribute("red", ((3, 6),)),),
            ),
            AskedObject(id="o2", name="mat", spans=((16, 19),)),
        ),
        relations=(AskedRelation("o1", "on", "o2", ((11, 13),)),),
        texts=(AskedText("on", (26, 28)),),
        style=(StyleWords("oil painting"),),
    )
    assert fit_to_prompt(reading, reading.prompt) is reading
    fitted = fit_to_prompt(reading, "a red cat on a mat, says on, oil painting")
    cat, mat = fitted.objects
    words = [cat.spans, cat.attributes[0].spans, mat.spans, (fitted.style[0].span,)]
    assert [[fitted.prompt[slice(*span)] for span in spans if span] for spans in words] == [
        ["cat"],
        ["red"],
        ["mat"],
        ["oil painting"],
    ]
    assert fitted.relations[0].spans == ((10, 12), (25, 27))
    assert fitted.texts[0].span == (10, 12)


def read_graphs(found: SceneGraphs) -> Any:
    return nx.read_graphml(BytesIO(as_graphml(found)), force_multigraph=True)


def test_json_holds_graphs_matches_questions_memory_errors_and_grade() -> None:
    found = json.loads(as_json(scene_graphs.graphs()))
    assert found["grade"] == 3
    assert found["asked"]["nodes"][0]["attributes"][0] == {
        "kind": "color",
        "value": "red",
        "spans": [[2, 5]],
    }
    assert found["matches"][0] == ["n1", "n1"]
    assert found["questions"][3]["memory"][0][:3] == ["circle 1", "is", "green"]
    assert [error["type"] for error in found["errors"]] == [
        "attribute",
        "relation",
        "omission",
        "extraneous",
    ]


def test_graphml_holds_both_graphs_and_what_ties_them() -> None:
    found = read_graphs(scene_graphs.graphs())
    assert found.nodes["asked:n1"] == {"side": "asked", "label": "circle", "color": "red"}
    assert found.nodes["asked:n4"]["absent"]
    assert found.nodes["seen:n1"]["segment"] == "s1"
    relations = {(one, data["relation"], other) for one, other, data in found.edges(data=True)}
    assert ("asked:n1", "left of", "asked:n2") in relations
    assert ("seen:n1", "right of", "seen:n2") in relations
    assert ("asked:n1", "is", "seen:n1") in relations
    assert found.graph["grade"] == 3


@given(st.text(st.characters(exclude_categories=())), st.text(min_size=1))
def test_any_text_can_be_written_and_read(label: str, kind: str) -> None:
    found = replace(
        scene_graphs.graphs(),
        asked=Graph((Node(name="n1", label=label, attributes=(Attribute(kind, label),)),)),
        sentence=label,
    )
    assert "asked:n1" in read_graphs(found)
    json.loads(as_json(found))
