"""T2I-FactualBench: the released form with its quirks is read, lists become it, every fault is
named.
"""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hallascope.data.benchmarks.factualbench import FactualBenchmark, read_factualbench
from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.tables import BadTable
from tests.data.cases import cases
from tests.support.any_json import any_json

Row = dict[str, object]


# facts of the released files: spellings, endings, types, tasks
ROWS: list[Row] = json.loads(
    (Path(__file__).parent / "factualbench_rows.json").read_text(encoding="utf-8")
)
ANGUS, LUNATUS, SKATE, MINT, HOOD, SIZE, BEHIND = ROWS
PLAIN = {"SKCM": [ANGUS, LUNATUS], "SKCI": [SKATE, MINT, HOOD], "MKCC": [SIZE, BEHIND]}


PICTURES = (
    *(
        "animal/Aberdeen_Angus.jpg",
        "animal/Damaliscus_lunatus.jpg",
        "artifact/clap_skate.JPG",
        "plant/water-mint.jpeg",
    ),
    *(
        "location/Mount_Hood.jpg",
        "animal/beagle_dog.jpg",
        "animal/British_Shorthair_cat.jpg",
        "animal/havanese_dog.jpg",
    ),
    *("artifact/LV_M43986_Cannes_handbag.jpg", "location/Cloud_Gate.png"),
)


def injected(fields: Row, text: str) -> Row:
    return {**fields, "sentence_text_knowledge": text}


def write(folder: Path, rows: dict[str, list[Row]], pictures: tuple[str, ...] = PICTURES) -> Path:
    for name, several in rows.items():
        (folder / "prompts" / name).mkdir(parents=True, exist_ok=True)
        text = "".join(f"{json.dumps(one)}\n" for one in several)
        (folder / "prompts" / name / "prompt.jsonl").write_text(text, encoding="utf-8")
    for picture in pictures:
        (folder / "concept_image" / picture).parent.mkdir(parents=True, exist_ok=True)
        (folder / "concept_image" / picture).write_bytes(b"x")
    return folder


def said(found: FactualBenchmark) -> list[str]:
    return [str(complaint) for complaint in found.complaints]


def by_sentence(found: FactualBenchmark, begin: str) -> FactualPrompt:
    (prompt,) = [prompt for prompt in found.prompts if prompt.prompt.startswith(begin)]
    return prompt


def test_a_released_folder_is_read_without_complaint(tmp_path: Path) -> None:
    found = read_factualbench(write(tmp_path, PLAIN))
    assert said(found) == []
    summary = found.summary()
    assert summary["files"] == [
        "prompts/MKCC/prompt.jsonl",
        "prompts/SKCI/prompt.jsonl",
        "prompts/SKCM/prompt.jsonl",
    ]
    assert (
        summary["prompts"],
        summary["concepts"],
        summary["references"],
        summary["without_reference"],
    ) == (7, 10, 10, 0)
    assert summary["by_level"] == {"SKCM": 2, "SKCU": 3, "MKCC": 2}
    assert summary["by_task"] == {
        "memorization": 2,
        "action": 1,
        "attribute": 1,
        "scene": 1,
        "size": 1,
        "background": 1,
    }
    assert summary["by_domain"] == {"animal": 5, "artifact": 2, "plant": 1, "location": 2}
    assert json.loads(json.dumps(summary)) == summary


def test_names_are_in_words_and_types_are_domains(tmp_path: Path) -> None:
    found = read_factualbench(write(tmp_path, PLAIN))
    prompt = by_sentence(found, "A beagle and")
    assert [(concept.name, concept.domain) for concept in prompt.concepts] == [
        ("beagle dog", "animal"),
        ("British Shorthair cat", "animal"),
    ]
    assert (prompt.task, prompt.level, prompt.variations) == ("size", "MKCC", ("large", "small"))
    assert prompt.task_text == "beagle dog: large; British Shorthair cat: small"
    assert by_sentence(found, "A havanese").domains == ("animal", "artifact", "location")


def test_a_reference_that_is_not_there_is_named_by_file_and_row(tmp_path: Path) -> None:
    found = read_factualbench(write(tmp_path, PLAIN, PICTURES[1:]))
    assert said(found) == [
        "prompts/SKCM/prompt.jsonl, row 1: the reference image 'animal/Aberdeen_Angus.jpg' is not"
        " there; its concept is left out"
    ]
    assert by_sentence(found, "An image of Aberdeen").concepts[0].file is None


def test_the_injected_prompts_join_the_plain_ones_with_their_definitions(tmp_path: Path) -> None:
    text = (
        "A beagle (A small hound, white and brown.) and a British Shorthair cat (A round face.)"
        " rest."
    )
    found = read_factualbench(
        write(tmp_path, {**PLAIN, "text_injection/MKCC": [injected(SIZE, text)]})
    )
    assert said(found) == []
    assert (len(found.prompts), found.summary()["injected"]) == (7, 1)
    prompt = by_sentence(found, "A beagle and")
    assert prompt.injected == text
    assert [concept.definition for concept in prompt.concepts] == [
        "A small hound, white and brown.",
        "A round face.",
    ]
    assert prompt.source == "prompts/MKCC/prompt.jsonl row 1"


@pytest.mark.parametrize(
    "change, problem",
    cases("factualbench", "a_row_that_is_no_prompt_is_left_out_whole_and_named"),
)
def test_a_row_that_is_no_prompt_is_left_out_whole_and_named(
    tmp_path: Path, change: Row, problem: str
) -> None:
    found = read_factualbench(write(tmp_path, {"SKCI": [MINT, {**SKATE, **change}]}))
    assert len(found.prompts) == 1
    (complaint,) = said(found)
    assert complaint.startswith(f"prompts/SKCI/prompt.jsonl, row 2: {problem}")
    assert complaint.endswith("; the row is left out")


def test_an_unknown_type_is_read_off_the_reference_and_said(tmp_path: Path) -> None:
    lost = {**MINT, "type": ["herb"], "reference_image": ["/x/pics/mint.jpg"], "sentence": "Mint."}
    found = read_factualbench(
        write(
            tmp_path, {"SKCI": [{**SKATE, "type": ["gadget"]}, lost]}, (*PICTURES, "pics/mint.jpg")
        )
    )
    assert said(found) == [
        (
            "prompts/SKCI/prompt.jsonl, row 1: the type 'gadget' is unknown; it is taken as"
            " 'artifact', the folder of its reference image"
        ),
        "prompts/SKCI/prompt.jsonl, row 2: the type 'herb' is unknown; its domain is not given",
    ]
    assert [prompt.concepts[0].domain for prompt in found.prompts] == ["artifact", None]
    assert found.summary()["by_domain"] == {"artifact": 1, "not given": 1}


def test_a_prompt_that_stands_there_twice_is_named_and_read_once(tmp_path: Path) -> None:
    found = read_factualbench(write(tmp_path, {"SKCI": [SKATE, SKATE]}))
    assert len(found.prompts) == 1
    assert said(found) == [
        "prompts/SKCI/prompt.jsonl, row 2: the prompt appears twice (first in"
        " prompts/SKCI/prompt.jsonl row 1); the second is left out"
    ]


@pytest.mark.parametrize("name", ["nothing", "empty", "prompt.jsonl"])
def test_what_is_no_benchmark_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "prompt.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadTable, match=r"no prompts? of T2I-FactualBench"):
        read_factualbench(tmp_path / name)


JSON = any_json(leaves=st.sampled_from(["action", "size", "pet", "a_b"]))


FIELDS = st.sampled_from([*SKATE, "sentence_text_knowledge"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(st.lists(st.dictionaries(FIELDS, JSON, max_size=7), max_size=4))
@example([{**SKATE, "reference_image": [""]}])
@example([{**SKATE, "concept": ["(_)"], "sentence_text_knowledge": "(("}])
@example([{**SKATE, "reference_image": ["\x00/.."]}])
def test_any_rows_beside_a_good_one_are_read_or_named(tmp_path: Path, rows: list[Row]) -> None:
    found = read_factualbench(write(tmp_path, {"SKCI": [MINT, *rows]}))
    assert found.prompts[0].prompt == MINT["sentence"]
    assert all(complaint.row for complaint in found.complaints)
    wrong = {
        complaint.row
        for complaint in found.complaints
        if "left out" in complaint.problem and "image" not in complaint.problem
    }
    assert len(found.prompts) == 1 + len(rows) - len(wrong)
    for prompt in found.prompts:
        assert prompt.prompt == " ".join(prompt.prompt.split())
        assert all(concept.name for concept in prompt.concepts)
