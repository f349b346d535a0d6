"""A comparison from the page says how far it is, ends with what it shows, and can be left; a table
is recognized, and what cannot be read changes nothing but the status line.
"""

import json
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gradio as gr
import pytest

from hallascope.engine.human_agreement.examples import EXAMPLES
from hallascope.engine.human_agreement.table_kinds import TABLE_KINDS, TableKind
from hallascope.engine.services import Services
from hallascope.metrics.statistics.agreement import Study
from hallascope.pages.agreement import page, state
from hallascope.pages.agreement.page import comparison_updates, example_updates, recognized_line
from tests.pages.agreement.conftest import tables

SKIPPED = gr.skip()


@pytest.fixture
def folder() -> Iterator["TemporaryDirectory[str]"]:
    with TemporaryDirectory() as name:
        found = TemporaryDirectory(dir=name)
        yield found
        found.cleanup()


@pytest.mark.parametrize(
    ("scale", "missing", "words"),
    [
        ("", "people", "The table of what people say is missing"),
        ("", "scores", "The table of scores is missing"),
        ("5..1", "", "is none"),
        ("one", "", "is none"),
    ],
)
def test_what_cannot_be_compared_is_a_sentence_and_what_was_shown_stays(
    services: Services,
    tmp_path: Path,
    folder: "TemporaryDirectory[str]",
    scale: str,
    missing: str,
    words: str,
) -> None:
    scores, ratings = tables(tmp_path)
    ((line, *shown),) = comparison_updates(
        services,
        folder,
        ["tables"],
        ["auto"],
        None if missing == "scores" else scores,
        None if missing == "people" else ratings,
        scale,
    )
    assert words in line
    assert shown == [SKIPPED] * 3


def test_a_comparison_says_how_far_it_is_and_ends_with_what_it_shows(
    services: Services, tmp_path: Path, folder: "TemporaryDirectory[str]"
) -> None:
    *before, last = comparison_updates(services, folder, ["tables"], None, *tables(tmp_path))
    lines = [line for line, *_ in before]
    assert [f"Comparing: {number} of 2" in line for number, line in enumerate(lines, start=1)] == [
        True,
        True,
    ]
    assert "2 metrics, 20 rated items." in last[0]
    assert set(json.loads(Path(last[3].value["path"]).read_text("utf-8"))["metrics"]) == {
        "near",
        "far",
    }


def test_nothing_more_is_computed_once_nobody_asks_for_the_next_step(
    services: Services,
    tmp_path: Path,
    folder: "TemporaryDirectory[str]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computed: list[str] = []
    draws = Study._draws

    def compute(study: Study, name: str, items: Any) -> Any:
        computed.append(name)
        return draws(study, name, items)

    monkeypatch.setattr(Study, "_draws", compute)
    steps = comparison_updates(services, folder, ["tables"], None, *tables(tmp_path))
    next(steps)
    assert isinstance(steps, Generator)
    steps.close()
    assert computed == ["near"]


@pytest.mark.parametrize("kind", list(TABLE_KINDS))
def test_an_example_fills_the_fields_and_ends_with_results_and_a_figure(
    services: Services, folder: "TemporaryDirectory[str]", kind: TableKind
) -> None:
    first, *_, last = list(example_updates(services, folder, kind)) * 2
    source, chosen, scores, people, *_ = first
    assert (source, chosen) == (["tables"], ["auto"])
    assert (scores is None) == (kind == "answers")
    assert Path(people).read_bytes() == EXAMPLES[kind].people.read_bytes()
    line, html, figure, _ = last[4:]
    assert "wrong" not in line
    assert f"{TABLE_KINDS[kind].capitalize()}" in line
    assert "<table>" in html
    assert figure.data


@pytest.mark.parametrize(
    ("kind", "header", "words"),
    [
        ("auto", "item_a,item_b,choice", "recognized as preferences between two items, by the"),
        ("auto", "item,question,rater,answer", "recognized as answers to questions, by the col"),
        ("auto", "item,value", "taken for ratings"),
        ("answers", "item,value", "read as answers to questions"),
    ],
)
def test_a_table_is_recognized_as_soon_as_it_is_there(
    tmp_path: Path, kind: str, header: str, words: str
) -> None:
    file = tmp_path / "<b>people.csv"
    file.write_text(header + "\n", encoding="utf-8")
    line = recognized_line([kind], str(file))
    assert words in line
    assert "&lt;b&gt;people.csv" in line
    assert recognized_line([kind], None) == SKIPPED


def test_a_file_that_is_no_table_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_bytes(b"\xff\xfe\x00")
    assert "is no UTF-8 text: save it as UTF-8" in recognized_line(None, str(file))


def test_the_page_offers_an_example_of_each_kind_and_each_kind_to_choose() -> None:
    assert set(page.EXAMPLE_BUTTONS) == set(TABLE_KINDS)
    assert set(state.KINDS) == {"auto", *TABLE_KINDS}
