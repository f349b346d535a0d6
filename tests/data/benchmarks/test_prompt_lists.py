"""DrawBench, COCO and T2I-CompBench are read in every form they are given away in; faults are
named.
"""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.benchmarks.prompt_files import FORMS
from hallascope.data.benchmarks.prompt_lists import ListedPrompt, PromptList, read_prompt_list
from hallascope.data.files import tidy
from hallascope.data.files.tables import BadTable
from tests.data.cases import cases
from tests.support.any_json import any_json


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, object], Path]:
    """Write a file of that name, a text as it is and anything else as JSON."""

    def write(name: str, content: object) -> Path:
        path = tmp_path / name
        path.write_text(
            content if isinstance(content, str) else json.dumps(content),
            encoding="utf-8",
            newline="",
        )
        return path

    return write


read_drawbench = partial(read_prompt_list, "drawbench")
read_coco = partial(read_prompt_list, "coco")
read_t2i_compbench = partial(read_prompt_list, "t2i-compbench")
COCO: dict[str, Any] = json.loads((Path(__file__).parent / "coco.json").read_text("utf-8"))
OFFICIAL, KARPATHY = COCO["official"], COCO["karpathy"]
REAL = Path(__file__).parents[4] / "shared" / "benchmarks" / "drawbench_coco_prompts.json"


@pytest.mark.skipif(not REAL.exists(), reason="the public files are not here")
def test_the_list_of_tifa_gives_each_benchmark_its_own() -> None:
    drawbench, coco = read_drawbench(REAL), read_coco(REAL)
    assert (len(drawbench.prompts), drawbench.others, complaint_texts(drawbench)) == (161, 300, [])
    assert (len(coco.prompts), coco.others, complaint_texts(coco)) == (300, 161, [])
    assert drawbench.prompts[0].source == "drawbench_0"


def test_a_sample_is_the_same_everywhere_and_a_larger_one_holds_it(file: Any) -> None:
    found = read_drawbench(file("many.txt", "".join(f"Prompt {n}\n" for n in range(200))))
    assert [p.source for p in found.sample(5, 7)] == SAMPLE
    assert set(found.sample(5, 7)) < set(found.sample(50, 7))
    assert found.sample(50, 7) != found.sample(50, 8)
    assert found.sample(999) == found.prompts
    assert found.sample(0) == ()


SAMPLE = ["row 24", "row 54", "row 129", "row 144", "row 163"]


def test_the_official_annotations_give_captions_with_the_ids_of_picture_and_caption(
    file: Any,
) -> None:
    found = read_coco(file("captions_val2017.json", OFFICIAL))
    assert complaint_texts(found) == []
    assert [(p.source, p.prompt) for p in found.prompts] == [
        ("179765/38", "A black Honda motorcycle parked in front of a garage."),
        ("190236/182", "An office cubicle with four computers."),
        ("179765/47", "A Honda motorcycle parked in a grass driveway"),
    ]
    assert "example.org" not in repr(found)


def test_the_karpathy_split_is_read_whole_or_in_part(file: Any) -> None:
    path = file("dataset_coco.json", KARPATHY)
    found = read_coco(path)
    assert [(p.source, p.split) for p in found.prompts] == [
        ("391895/770337", "test"),
        ("391895/771687", "test"),
        ("522418/681330", "restval"),
    ]
    assert found.summary()["by_split"] == {"test": 2, "restval": 1}
    assert [p.prompt for p in read_coco(path, "restval").prompts] == ["A woman cuts a cake."]
    with pytest.raises(BadTable, match="has no split 'val': its splits are restval, test"):
        read_coco(path, "val")
    with pytest.raises(BadTable, match="names no splits"):
        read_coco(file("captions.txt", "A bike.\n"), "val")


def test_what_is_wrong_in_the_karpathy_split_is_named_by_the_place_of_its_picture(
    file: Any,
) -> None:
    images = [*KARPATHY["images"], *COCO["wrong images"]]
    found = read_coco(file("k.json", KARPATHY | {"images": images}))
    assert sorted(complaint_texts(found)) == [
        "k.json, row 3: has no list 'sentences'; it is left out",
        "k.json, row 4: the field 'raw' is empty; the prompt is left out",
        "k.json, row 5: is no JSON object; it is left out",
    ]
    assert found.prompts[-1].source == "row 4/2"


# as the authors' sheet has them: a comma in quotes, quotes in a text, a space behind a category
TABLE = """Prompts,Category
A red colored car.,Colors
"A small vessel propelled on water by oars, sails, or an engine.",Descriptions
A pear cut into seven pieces arranged in a ring.,Gary Marcus et al.\x20
A sign that says 'Hello World'.,Text
"""


def test_a_table_gives_prompts_with_their_categories_and_rows(file: Any) -> None:
    found = read_drawbench(file("drawbench.csv", TABLE))
    assert complaint_texts(found) == []
    assert [(p.source, p.category) for p in found.prompts] == [
        ("row 2", "Colors"),
        ("row 3", "Descriptions"),
        ("row 4", "Gary Marcus et al."),
        ("row 5", "Text"),
    ]
    assert (
        found.prompts[1].prompt == "A small vessel propelled on water by oars, sails, or an engine."
    )
    assert found.summary()["by_category"] == {
        "Colors": 1,
        "Descriptions": 1,
        "Gary Marcus et al.": 1,
        "Text": 1,
    }
    assert json.loads(json.dumps(found.summary())) == found.summary()


@pytest.mark.parametrize(
    "name, content, complaint",
    cases("prompt_lists", "what_is_wrong_is_named_by_file_and_row_and_the_rest_is_read"),
)
def test_what_is_wrong_is_named_by_file_and_row_and_the_rest_is_read(
    file: Any, name: str, content: object, complaint: str
) -> None:
    found = read_drawbench(file(name, content))
    (told,) = complaint_texts(found)
    assert told.startswith(complaint)
    assert "A cat." in [prompt.prompt for prompt in found.prompts]


ROWS = [("A red colored car.", "Colors"), ("Jentacular.", "Rare Words")]


@pytest.mark.parametrize(
    "name, content", cases("prompt_lists", "every_form_of_the_file_gives_the_same_prompts")
)
def test_every_form_of_the_file_gives_the_same_prompts(
    file: Any, name: str, content: object
) -> None:
    found = read_drawbench(file(name, content))
    assert complaint_texts(found) == []
    assert [(p.prompt, p.category) for p in found.prompts] == ROWS


@pytest.mark.parametrize(
    "name, content, problem",
    cases("prompt_lists", "a_file_without_prompts_is_refused_in_one_sentence"),
)
def test_a_file_without_prompts_is_refused_in_one_sentence(
    file: Any, name: str, content: object, problem: str
) -> None:
    with pytest.raises(BadTable) as refused:
        read_drawbench(file(name, content))
    assert problem in str(refused.value)
    with pytest.raises(BadTable, match="cannot be opened"):
        read_drawbench(Path("nowhere.csv"))


def test_a_data_set_whose_download_breaks_off_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise httpx2.RemoteProtocolError("peer closed connection")

    monkeypatch.setattr("datasets.load_dataset", broken)
    with pytest.raises(BadTable, match="check the name and the conn"):
        read_drawbench("hub:someone/prompts")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "color_val.txt": (
            "a green bench and a blue bowl\n\n a red  car \na green bench and a blue bowl\n"
        ),
        "3d_spatial_train.txt": "a cat in front of a dog\r\n",
        "non_spatial_val.txt": "a man is reading\n",
        "complex_val_action.txt": "The dog chased the small cat.\n",
        "README.md": "no prompts",
        "notes.txt": "no prompts",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return tmp_path


def test_a_folder_is_read_with_category_and_split_of_every_prompt(folder: Path) -> None:
    found = read_t2i_compbench(folder)
    assert found.prompts == (
        ListedPrompt("a cat in front of a dog", "3d_spatial_train/1", "3d_spatial", "train"),
        ListedPrompt("a green bench and a blue bowl", "color_val/1", "color", "val"),
        ListedPrompt("a red car", "color_val/3", "color", "val"),
        ListedPrompt(
            "The dog chased the small cat.", "complex_val_action/1", "complex: action", "val"
        ),
        ListedPrompt("a man is reading", "non_spatial_val/1", "non_spatial", "val"),
    )
    assert found.summary()["by_split"] == {"train": 1, "val": 4}


@pytest.mark.parametrize(
    "name, split, says",
    [
        ("notes.txt", None, "give one such as color_val.txt"),
        ("color_train.txt", None, "cannot be opened"),
        ("", "test", "has no split 'test': its splits are train, val"),
        ("nowhere", None, "give one such as color_val.txt"),
    ],
)
def test_what_is_no_file_of_it_is_said(
    folder: Path, name: str, split: str | None, says: str
) -> None:
    with pytest.raises(BadTable, match=says):
        read_t2i_compbench(folder / name, split)


def complaint_texts(found: PromptList) -> list[str]:
    return [str(complaint) for complaint in found.complaints]


def test_a_cell_of_a_table_with_tabs_may_begin_with_a_quotation_mark(file: Any) -> None:
    cells = ['"A" is a letter', '"be kind"', 'a sign "stop"', 'a "', "the dog's"]
    text = "Prompt\tNote\n" + "".join(f"{cell}\tx\n" for cell in cells)
    assert prompts_of(file("a.tsv", text)) == cells
    assert prompts_of(file("a.tsv", 'Prompt\tNote\n"a ""b"" c"\tx\n')) == ['a "b" c']
    assert prompts_of(file("a.tsv", '"Prompt"\t"Note"\n"a b"\t"x"\n')) == ["a b"]


@pytest.mark.parametrize("sign", "\u2028\u2029\x85\v\f\x1c")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_line_ends_split_a_text_of_prompts(file: Any, sign: str, end: str) -> None:
    assert prompts_of(file("a.txt", f"a cat{sign}and a dog{end}a bird")) == [
        "a cat and a dog",
        "a bird",
    ]


def prompts_of(path: Path) -> list[str]:
    return [prompt.prompt for prompt in read_drawbench(path).prompts]


KEYS = st.sampled_from(
    [
        "images",
        "annotations",
        "id",
        "image_id",
        "caption",
        "raw",
        "sentences",
        "split",
        "prompt",
        "category",
    ]
)


@given(
    st.one_of(
        st.tuples(st.sampled_from(FORMS), st.binary(max_size=80)),
        st.tuples(st.just(".json"), any_json(KEYS).map(lambda one: json.dumps(one).encode())),
    )
)
def test_no_file_stops_a_reader_otherwise_than_by_saying_that_there_is_no_prompt(
    tmp_path_factory: pytest.TempPathFactory, content: tuple[str, bytes]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{content[0]}"
    path.write_bytes(content[1])
    for read in (read_drawbench, read_coco):
        try:
            found = read(path)
        except BadTable:
            continue
        assert found.prompts
        for one in found.prompts:
            assert one.prompt == tidy.line(one.prompt) != ""
            assert one.source
