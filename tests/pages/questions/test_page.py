"""Questions that a person accepted are saved, and what cannot be saved is named."""

from typing import Any

from hallascope.pages.questions import page, saved_sets
from tests.pages.questions.conftest import PROMPT, drafted


def test_an_accepted_set_is_found_by_its_prompt_and_the_one_before_can_be_brought_back(
    services: Any,
) -> None:
    sheet = drafted(services)[-1].sheet
    assert sheet
    line, *_ = page.save(services, sheet, "")
    assert "4 questions saved for “a molecule of methane”" in line
    before = services.sets.for_prompt(PROMPT)
    assert before.source == "made"
    sheet["rows"][0]["gold"] = "B"
    *_, earlier = page.save(services, sheet, "")
    assert earlier == (before,)
    assert services.sets.for_prompt(PROMPT).questions[0].gold == "B"
    saved_sets.restore_sets(services, earlier)
    assert services.sets.for_prompt(PROMPT) == before


def test_what_cannot_stand_is_named_and_nothing_is_saved(services: Any) -> None:
    sheet = drafted(services)[-1].sheet
    assert sheet
    sheet["rows"][2]["choices"][1] = " "
    line, *_ = page.save(services, sheet, "")
    assert "Question 3: choice B is empty" in line
    assert services.sets.all() == []
