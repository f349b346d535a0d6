"""The panel for labels opens at the first unfinished picture and tells neither prompt nor gold."""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.components.people.labelling import (
    LabelingQuestion,
    LabelingTask,
    QueueTally,
    labeling_panel,
    queue_panel,
    queue_step,
    queue_work,
    sheets,
    work,
)
from hallascope.data.files.label_folder import MARKS, Label, LabelItem
from tests.support.tiles import QUESTION

TASK = LabelingTask(
    id="one",
    name="image 1",
    path=Path("/a.png"),
    questions=(LabelingQuestion("Is it red?", ("yes", "no"), ("y", "n", "?"), judged="y"),),
)


def item(name: str) -> LabelItem:
    return LabelItem(
        id=name, prompt="a hidden prompt", model="m", seed=0, sha256="ab", questions=(QUESTION,)
    )


def test_neither_prompt_nor_gold_is_in_the_work(tmp_path: Path) -> None:
    fields = work(tmp_path, [item("a")], {})
    assert fields["items"][0]["questions"] == [
        {"text": QUESTION.text, "choices": list(QUESTION.choices)}
    ]
    assert "a hidden prompt" not in json.dumps(fields)


def test_work_opens_at_the_first_picture_without_a_label(tmp_path: Path) -> None:
    labels = {"a": Label("a", "Ada", ("A",))}
    fields = work(tmp_path, [item("a"), item("b")], labels)
    assert fields["answers"] == [["A"], [None]]
    assert fields["at"] == 1


@pytest.mark.parametrize(
    ("answers", "at"),
    [([[None], [None]], 0), ([["y"], [None]], 1), ([["y"], ["n"]], 1), ([], 0)],
)
def test_a_sheet_opens_at_the_first_open_question_else_at_the_last_picture(
    answers: list[list[str | None]], at: int
) -> None:
    assert sheets([TASK] * len(answers), answers, {})["at"] == at


def test_a_sheet_carries_who_answers_and_what_the_judge_said() -> None:
    fields = sheets([TASK], [[None]], {"name": "Ada"})
    assert fields["who"] == {"name": "Ada"}
    assert fields["items"][0]["questions"][0]["judged"] == "y"


def test_the_panel_gives_its_marks_and_where_answers_go() -> None:
    panel = labeling_panel(lambda answers: {}, "labels")
    assert panel.props["marks"] == list(MARKS)
    assert panel.value is None


def test_a_queue_shows_one_image_and_names_those_that_may_follow() -> None:
    tally = QueueTally(done=2, left=5)
    fields = queue_work(TASK, tally, [Path("/b.png")], {"name": "Ada"})
    assert [item["id"] for item in fields["items"]] == ["one"]
    assert fields["answers"] == [[None]]
    assert fields["queue"] == {"done": 2, "left": 5}
    assert [address.rpartition("/")[2] for address in fields["soon"]] == ["b.png"]
    step = queue_step(TASK, tally, [])
    assert step == {"item": fields["items"][0], "queue": fields["queue"], "soon": []}


def test_a_queue_in_which_nothing_is_left_has_no_image() -> None:
    tally = QueueTally(done=7, left=0)
    assert queue_work(None, tally, [], {})["items"] == []
    assert queue_step(None, tally, [])["item"] is None


def test_the_panel_of_a_queue_asks_for_forecasts_where_there_are_any() -> None:
    def step(sent: dict[str, Any]) -> dict[str, Any]:
        return sent

    def forecast(who: dict[str, Any]) -> dict[str, str]:
        return {"words": str(who)}

    assert queue_panel(step, "queue").server_fns == [step]
    assert queue_panel(step, "queue", forecast).server_fns == [step, forecast]
