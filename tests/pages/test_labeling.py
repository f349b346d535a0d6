"""The page for labels: it goes on where it was left, keeps every answer at once, and shows neither
prompt nor gold.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files import label_folder as labels
from hallascope.data.files.label_folder import LabelItem, add_labels, read_labels
from hallascope.data.files.tables import BadTable
from hallascope.pages import labeling
from tests.support import label_folder
from tests.support.label_folder import label


@pytest.fixture
def items(tmp_path: Path) -> list[LabelItem]:
    return label_folder.write(tmp_path)


def test_the_work_opens_at_the_first_picture_that_is_not_finished(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    assert labeling.work(tmp_path, "ada")["at"] == 0
    add_labels(tmp_path, [label(items[0], "AAAA?"), label(items[1], "AB...")])
    work = labeling.work(tmp_path, "ada")
    assert (work["at"], work["answers"][:2]) == (
        1,
        [["A", "A", "A", "A", "?"], ["A", "B", None, None, None]],
    )
    add_labels(tmp_path, [label(items[1], "ABABA"), label(items[2], "CCCCC")])
    assert labeling.work(tmp_path, "ada")["at"] == 2
    assert labeling.work(tmp_path, "bo")["answers"][0] == [None] * 5, (
        "what others said is not shown"
    )


def test_neither_prompt_nor_gold_reaches_the_browser(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    work = labeling.work(tmp_path, "ada")
    shown = [{name for name, value in one.items() if value} for one in work["items"]]
    assert shown == [{"id", "name", "picture", "questions"}] * len(items)
    assert all(
        {name for name, value in question.items() if value} == {"text", "choices"}
        for one in work["items"]
        for question in one["questions"]
    )
    assert not [item.prompt for item in items if item.prompt in json.dumps(work)]


def test_what_is_answered_is_kept_at_once_with_the_name(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    save = labeling.saver(tmp_path, "ada")
    assert save({"id": "002", "answers": ["B", None, None, None, None], "labeller": "eve"}) == {}
    assert save({"id": "002", "answers": ["B", "?", None, None, None]}) == {}
    assert read_labels(tmp_path, items)[0]["ada"] == {"002": label(items[1], "B?...", "ada")}
    assert (tmp_path / labels.LABELS).read_text("utf-8").count("\n") == 2


def test_what_is_no_label_is_refused_in_a_sentence_and_nothing_is_kept(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "'id' is missing: write a text"),
        ({"id": "9", "answers": []}, "there is no item '9'"),
        ({"id": "001", "answers": "AAAAA"}, "write a list of A, B, C, D, E, ? or null"),
        ({"id": "001", "answers": [*"AAAA"]}, "no list of 5"),
        ({"id": "001", "answers": [*"AAAA", "x"]}, "choose one of A, B, C, D, E, ?"),
    )
    for given, said in wrong:
        assert said in labeling.saver(tmp_path, "ada")(given)["wrong"]
    assert not (tmp_path / labels.LABELS).exists()


def test_names_are_escaped_and_what_cannot_be_read_of_the_folder_is_said() -> None:
    shown = labeling.header(Path("<b>set"), "<i>ada", 3, ["items.jsonl, row 2: <u>"])
    assert "&lt;b&gt;set" in shown
    assert "&lt;i&gt;ada" in shown
    assert '<p class="status wrong" role="alert">items.jsonl, row 2: &lt;u&gt;</p>' in shown


def test_the_app_serves_the_pictures_of_its_folder_and_nothing_else(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    assert labeling.options(tmp_path)["allowed_paths"] == [str(tmp_path.resolve() / "pictures")]
    with pytest.raises(BadTable):
        labeling.create_page(tmp_path / "nowhere", "ada")
    with pytest.raises(
        SystemExit, match=r"^The file '.*nowhere/items.jsonl' cannot be opened .*\.$"
    ):
        labeling.main([str(tmp_path / "nowhere")])
