"""The list of runs says what each contains, and shows text from elsewhere as text."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.components.runs.run_list import MOST_PROMPTS, RunCard, list_html
from tests.support.tiles import EVIL, no_markup_of

RUN = RunCard(
    id="run1",
    name="My run",
    is_sweep=False,
    is_pinned=True,
    date="2026-01-02 03:04 UTC",
    state="finished",
    prompts=[("run1", "a cat")],
    models=["m/one", "m/two"],
    judges=["j/one"],
    images=2,
    thumbnail=Path("/images/a.webp"),
    scores=["I-HallA 0.50"],
)


def words(html: str) -> str:
    return re.sub(r"<[^>]*>", " ", html)


def test_a_run_says_name_date_models_judge_images_and_scores() -> None:
    html = list_html([RUN], 1, "")
    about = "2026-01-02 03:04 UTC · m/one, m/two · judge j/one · 2 images"
    for text in ("My run", "Pinned", about, "a cat", "I-HallA 0.50", "Unpin", "Rename", "Delete"):
        assert text in words(html)
    assert 'loading="lazy"' in html
    assert "Show more" not in html


def test_a_prompt_that_is_the_name_is_said_once() -> None:
    html = list_html([replace(RUN, name="a cat")], 1, "")
    assert words(html).count("a cat") == 1


def test_a_sweep_lists_its_prompts_each_to_be_opened() -> None:
    prompts = [(f"run{number}", f"prompt {number}") for number in range(MOST_PROMPTS + 5)]
    html = list_html([replace(RUN, is_sweep=True, prompts=prompts, state="stopped")], 1, "")
    opened = re.findall(r'data-open="([^"]*)"', html)
    assert opened == ["run0", *(f"run{number}" for number in range(MOST_PROMPTS))]
    assert "sweep of 25 prompts" in html
    assert "stopped" in html
    assert "and 5 more" in html


def test_an_empty_list_is_a_sentence_and_a_long_one_has_more() -> None:
    assert "Nothing here." in list_html([], 0, "Nothing here.")
    assert "Show more (1,234)" in list_html([RUN], 1235, "")


@pytest.mark.parametrize("field", ["id", "name", "date", "state"])
def test_a_text_from_elsewhere_is_text(field: str) -> None:
    changes: dict[str, Any] = {field: EVIL}
    assert no_markup_of(EVIL, list_html([replace(RUN, **changes)], 1, ""))


def test_lists_from_elsewhere_are_text() -> None:
    evil = replace(
        RUN, prompts=[(EVIL, EVIL)] * 2, models=[EVIL], judges=[EVIL], scores=[EVIL], is_sweep=True
    )
    assert no_markup_of(EVIL, list_html([evil], 1, EVIL))
    assert no_markup_of(EVIL, list_html([], 0, EVIL))
