"""A set opens by its link and its answers by the key alone; its page needs no server."""

import base64
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup
from starlette.requests import Request

from hallascope.data.teaching.lesson import (
    DrawnItem,
    as_plain,
    lesson,
    make_seal,
    read_token,
)
from hallascope.engine.services import Services
from hallascope.pages.learn import lesson_page as site
from hallascope.pages.learn import teacher, walkthrough
from hallascope.pages.learn.teacher import MadeSet, SetView
from hallascope.pages.shared.context import CurrentRun
from hallascope.primer.teaching.faults import FIRST
from tests.pages.learn.conftest import EVIL, ITEM, MARK

NO_SET = MadeSet()

# --- teachers ---


def made_set(services: Services, title: str = "A set") -> MadeSet:
    return teacher.make(services, title, [FIRST])


def answer(made: MadeSet, name: str) -> dict[str, Any]:
    """An answer to the first exercise of a set, with the right place and a wrong fact."""
    return {
        "item": ITEM,
        "mark": MARK,
        "chosen": 0,
        "name": name,
        "token": made.token,
        "position": 0,
    }


def test_a_set_opens_by_its_link_and_its_answers_by_the_key_alone(
    services: Services, desk: dict[str, Any], tmp_path: Path
) -> None:
    made = made_set(services)
    assert made.key not in read_token(made.token).seal
    assert "A set" in desk["begin"]({"set": made.token}, None)["html"]
    desk["check"](answer(made, "Ann"), gr.Request())
    html, file, _ = teacher.show_answers(services, tmp_path, made)
    assert html.count("<table") == 2
    assert "Ann,1,a molecule of methane,right,wrong," in Path(file.value["path"]).read_text("utf-8")
    for key in ("", "guessed"):
        html, file, line = teacher.show_answers(services, tmp_path, MadeSet(made.token, key))
        assert (html, file.visible) == ("", False)
        assert teacher.NOT_YOURS in line


def opened(
    services: Services,
    folder: Path,
    kept: Any,
    query: str,
    made: MadeSet = NO_SET,
    before: str = "",
) -> SetView:
    asker = gr.Request(Request({"type": "http", "path": "/", "headers": []}))
    return teacher.open_address(services, folder, kept, made, before, f"?{query}", asker)


def test_the_link_of_the_teacher_opens_the_set_with_its_answers(
    services: Services, tmp_path: Path
) -> None:
    made = made_set(services)
    query = urlencode({"part": "sets", "set": made.token, "key": made.key})
    found = opened(services, tmp_path, [], query)
    assert (found.draft, found.title, found.set) == ([ITEM], "A set", made)
    assert found.own.visible
    assert "No answers yet." in found.answers
    for query in (f"part=sets&set={made.token}", f"part=sets&set={made.token}&key=guessed"):
        found = opened(services, tmp_path, [], query)
        assert (found.set.key, found.own.visible, found.answers) == ("", False, "")
    damaged = opened(services, tmp_path, [ITEM], "part=sets&set=x")
    assert "damaged" in damaged.line
    assert damaged.chosen.choices, "the draft stays in sight"
    no_fault = as_plain(DrawnItem("a spider", "legs", 99))
    draft = opened(services, tmp_path, [ITEM, ["a unicorn"], 3, no_fault], "")
    assert draft.chosen.choices == [(f"1. {teacher.words(FIRST)}", 0)]


def test_an_address_takes_no_draft_away(services: Services, tmp_path: Path) -> None:
    made = made_set(services)
    other = as_plain(DrawnItem("a molecule of methane", "hydrogens", 3, 1))
    found = opened(services, tmp_path, [ITEM, other], f"part=sets&set={made.token}")
    assert (found.draft, found.title, found.set.token) == (
        [ITEM, other],
        teacher.UNCHANGED,
        made.token,
    )
    again = opened(services, tmp_path, [ITEM], f"part=sets&set={made.token}")
    assert again.title == "A set"
    without = opened(services, tmp_path, [ITEM], "part=sets", made)
    assert (without.draft, without.set) == (teacher.UNCHANGED, teacher.UNCHANGED)


def test_a_new_set_stays_though_the_address_names_the_one_that_was_opened(
    services: Services, tmp_path: Path
) -> None:
    old, new = made_set(services), made_set(services)
    query = f"part=sets&set={old.token}"
    before = opened(services, tmp_path, [ITEM], query).opened
    assert opened(services, tmp_path, [ITEM], query, new, before).set == teacher.UNCHANGED
    assert opened(services, tmp_path, [ITEM], query, new).set.token == old.token


def test_what_cannot_be_added_is_one_sentence(services: Services) -> None:
    for line, said in (
        (teacher.list_mistakes("a unicorn")[1], "cannot draw"),
        (teacher.add_random([], 0, "", "", "").line, "from 1 to 40"),
        (teacher.add_random([], None, "", "", "").line, "is missing"),
        (teacher.add_random([], 3, "1", "size", "").line, "no such image"),
        (teacher.add_drawing([], None, 0).line, "No mistake is chosen"),
        (teacher.add_drawing([], json.dumps(ITEM), -1).line, "seed is -1"),
        (teacher.list_run_mistakes(services, CurrentRun())[1], "No run is open"),
        (teacher.list_run_mistakes(services, CurrentRun(EVIL))[1], "run"),
    ):
        assert said in line
    made = teacher.make_page(services, Path(), MadeSet("x"), gr.Request())
    assert "damaged" in made[1]


def test_exercises_are_added_moved_and_removed(services: Services) -> None:
    mistakes = teacher.list_mistakes("a molecule of methane")[0].choices
    assert mistakes[0][0] == "How many outer atoms surround the central atom? Five"
    assert teacher.words(FIRST) == f"a molecule of methane: {mistakes[0][0]}"
    first = teacher.add_drawing([], mistakes[0][1], 6)
    assert first.draft == [ITEM]
    assert "Added: a molecule of methane" in first.line
    assert "in your class set already" in teacher.add_drawing(first.draft, mistakes[0][1], 6).line
    both = teacher.add_random(first.draft, 2, "2", "", "").draft
    assert (len(both), both[0]) == (3, ITEM)
    down = teacher.move_items(both, [0], 1)
    assert [down.draft.index(one) for one in both] == [1, 0, 2]
    assert down.chosen.value == [1]
    assert teacher.move_items(both, [0, 1], -1).draft == both
    assert teacher.remove_items(both, [0, 2]).draft == [both[1]]


# --- the page ---


def test_a_page_holds_everything_asks_for_nothing_and_runs_its_own_script_alone(
    services: Services,
) -> None:
    html = site.page(
        services,
        lesson(EVIL[:100], [FIRST, DrawnItem("a spider", "legs", 6)], make_seal("key")),
        None,
    )
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", html), "no address of anything else"
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in html
    assert html.count("<script") == 2
    assert "<img src=x" not in html
    (held,) = re.findall(
        r'<script type="application/json" id="held">(.*?)</script>', html, re.DOTALL
    )
    assert [item["told"]["answer"] for item in json.loads(held)["items"]] == [
        4,
        json.loads(held)["items"][1]["told"]["answer"],
    ]
    assert Markup.escape(EVIL[:100]) in json.loads(held)["work"]["html"]


# --- the walkthrough ---


def test_every_step_shows_the_picture_with_its_own_evidence(services: Services) -> None:
    marks = {
        "picture": "An oxygen atom (red) instead of",
        "ihalla": "question=1",
        "scene-graph": "node=",
    }
    for step in walkthrough.STEPS:
        said, evidence = walkthrough.step_view(services, step.id)
        assert step.title in said
        assert marks.get(step.id, "finding=") in evidence
