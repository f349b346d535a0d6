"""Every form of a prompt file gives the same entries, and no file stops the reader."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.benchmarks.coco import read_coco
from hallascope.data.benchmarks.drawbench import CATEGORIES, read_drawbench
from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.benchmarks.prompt_files import FORMS
from hallascope.data.files import tidy
from tests.support.prompt_lists import complaint_texts

ROWS = [("A red colored car.", "Colors"), ("Jentacular.", "Rare Words")]


FORMS_OF_THE_SAME = {
    "a.tsv": "Prompts\tCategory\nA red colored car.\tColors\nJentacular.\tRare Words",
    "b.csv": (
        "\ufeffcategory,id,PROMPT\r\nColors,1,A red colored car.\r\n,,\r\nRare"
        " Words,2,Jentacular.\r\n"
    ),
    "c.json": [{"Prompts": prompt, "Category": category} for prompt, category in ROWS],
    "d.json": {
        "prompts": [prompt for prompt, _ in ROWS],
        "category": [category for _, category in ROWS],
    },
    "e.json": {category: [prompt] for prompt, category in ROWS},
    "f.jsonl": "".join(
        json.dumps({"prompts": prompt, "category": CATEGORIES.index(category)}) + "\n"
        for prompt, category in ROWS
    ),
    "g.json": "".join(
        json.dumps({"prompts": prompt, "category": category}) + "\n" for prompt, category in ROWS
    ),
}


@pytest.mark.parametrize("name", FORMS_OF_THE_SAME)
def test_every_form_of_the_file_gives_the_same_prompts(file: Any, name: str) -> None:
    found = read_drawbench(file(name, FORMS_OF_THE_SAME[name]))
    assert complaint_texts(found) == []
    assert [(p.prompt, p.category) for p in found.prompts] == ROWS


def test_a_text_a_line_has_no_categories_and_that_is_no_complaint(file: Any) -> None:
    found = read_drawbench(file("prompts.txt", "A red colored car.\n\n  Jentacular. \n"))
    assert (complaint_texts(found), [(p.prompt, p.source, p.category) for p in found.prompts]) == (
        [],
        [("A red colored car.", "row 1", None), ("Jentacular.", "row 3", None)],
    )
    assert "by_category" not in found.summary()


def test_a_row_that_is_quoted_wrongly_does_not_swallow_the_next(file: Any) -> None:
    found = read_drawbench(file("a.csv", 'Prompts,Category\n"A" dog.,Text\nA cat.,Text\n'))
    assert [prompt.prompt for prompt in found.prompts] == ["A cat."]
    assert complaint_texts(found)[0].startswith("a.csv, row 2: is quoted wrongly")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", "", "there is nothing in the file that is one: a.csv: is empty"),
        (
            "a.csv",
            "A red colored car.,Colors\n",
            "has no column 'prompts', its columns are 'a red colored car.', 'colors'",
        ),
        ("a.csv", "Prompts,prompts\na,b\n", "has the column 'prompts' twice"),
        ("a.json", "[1, 2", "is no JSON at line 1"),
        ("a.json", 7, "is neither a list of prompts nor lists of them by category"),
        ("a.xml", "", "is none of .csv, .tsv, .json, .jsonl, .txt"),
        ("a.json", [{"id": 3}], "a.json, row 1: the field 'prompts' is empty"),
    ],
)
def test_a_file_without_prompts_is_refused_in_one_sentence(
    file: Any, name: str, content: object, problem: str
) -> None:
    with pytest.raises(NotABenchmark) as refused:
        read_drawbench(file(name, content))
    assert problem in str(refused.value)
    with pytest.raises(NotABenchmark, match="cannot be opened"):
        read_drawbench(Path("nowhere.csv"))


def test_a_file_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9")
    with pytest.raises(NotABenchmark, match=r"'a\.txt' is no UTF-8 text: save it as UTF-8"):
        read_drawbench(tmp_path / "a.txt")


TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)


@given(st.lists(TEXTS, min_size=1, max_size=8), st.sampled_from([",", "\t"]))
def test_whatever_a_prompt_says_it_comes_back_from_a_table_on_one_line(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], delimiter: str
) -> None:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(
        [["Prompts", "Category"], *([text, "Text"] for text in texts)]
    )
    path = tmp_path_factory.getbasetemp() / ("t.csv" if delimiter == "," else "t.tsv")
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    wanted = list(dict.fromkeys(filter(None, map(tidy.line, texts))))
    if not wanted:
        with pytest.raises(NotABenchmark):
            read_drawbench(path)
    else:
        assert [prompt.prompt for prompt in read_drawbench(path).prompts] == wanted


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
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
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(
    st.one_of(
        st.tuples(st.sampled_from(FORMS), st.binary(max_size=80)),
        st.tuples(st.just(".json"), JSON.map(lambda one: json.dumps(one).encode())),
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
        except NotABenchmark:
            continue
        assert found.prompts
        for one in found.prompts:
            assert one.prompt == tidy.line(one.prompt) != ""
            assert one.source
