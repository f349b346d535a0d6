"""The category of a prompt is read strictly: one of nine, or none, and never a guess."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import Category
from hallascope.data.requests import Answer, Failure, Reply, Write
from hallascope.data.wordings.templates import TemplateError, template
from hallascope.metrics.ihalla.categories import (
    CategoryAnswer,
    ask_category,
    parse_category,
    readable,
)


def answered(reply: Reply) -> tuple[Write, CategoryAnswer]:
    plan = ask_category("a molecule of water")
    (request,) = next(plan)
    assert isinstance(request, Write)
    with pytest.raises(StopIteration) as done:
        plan.send([reply])
    return request, done.value.value


@pytest.mark.parametrize(
    ("text", "category", "reason"),
    [
        ('{"category": "Physics", "reason": "Atoms."}', Category.PHYSICS, "Atoms."),
        ("Category: Eastern/Ancient\nReason: A vase.", Category.EASTERN_ANCIENT, "A vase."),
        ("**Category:** earth science.", Category.EARTH_SCIENCE, ""),
        ("<think>Physics?</think>Biology", Category.BIOLOGY, ""),
        (
            '```json\n{"category": "Western & African Modern", "reason": "A war."}\n```',
            Category.WESTERN_AFRICAN_MODERN,
            "A war.",
        ),
        ('{"category": "none", "reason": "A cartoon."}', None, "A cartoon."),
        ("None of these.", None, ""),
    ],
)
def test_one_category_or_none_is_read(text: str, category: Category | None, reason: str) -> None:
    assert parse_category(text) == (category, reason)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Chemistry",
        "Physics or Biology",
        "It is probably Physics, as it shows atoms.",
        '{"category": "Physics"} {"category": "Biology"}',
        '{"category": "Physics", "category": "Biology"}',
        '{"category": ["Physics"]}',
        '{"category": "Phy',
        "Category: Physics\nCategory: Biology",
        "Eastern",
    ],
)
def test_what_names_no_category_or_two_is_not_read(text: str) -> None:
    assert parse_category(text) is None
    assert not readable(Write("", ""), Answer(text))


def test_the_writer_is_asked_once_and_its_answer_says_why() -> None:
    request, answer = answered(Answer('{"category": "Physics", "reason": "It shows atoms."}'))
    assert "a molecule of water" in request.text
    assert (answer.category, answer.reason, answer.problem) == (
        Category.PHYSICS,
        "It shows atoms.",
        "",
    )
    assert answer.templates == {"ihalla_category": template("ihalla_category").version}


def test_a_reply_that_cannot_be_used_is_a_problem_and_no_category() -> None:
    _, unreadable = answered(Answer("Chemistry"))
    assert unreadable.category is None
    assert "names no category: ask again" in unreadable.problem
    assert unreadable.raw == "Chemistry"
    _, failed = answered(Failure("timeout", "The service did not answer."))
    assert (failed.category, failed.problem) == (None, "The service did not answer.")


def test_a_template_of_a_folder_goes_before_ours_and_needs_its_place(tmp_path: Path) -> None:
    (tmp_path / "ihalla_category.txt").write_text("Say it.", encoding="utf-8")
    with pytest.raises(TemplateError, match=r"\{caption\}"):
        next(ask_category("a cat", prompts=tmp_path))


@given(st.sampled_from(list(Category)), st.text(max_size=60))
def test_whatever_the_reason_the_category_of_a_json_reply_is_read(
    category: Category, reason: str
) -> None:
    parsed = parse_category(json.dumps({"category": category.value, "reason": reason}))
    assert parsed is not None
    assert parsed[0] == category


@given(st.text(max_size=120))
def test_no_text_raises(text: str) -> None:
    parsed = parse_category(text)
    assert parsed is None or parsed[0] in (None, *Category)
