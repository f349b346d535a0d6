"""The page of I-HallA: answers side by side, and means by composition for each model of the run."""

import threading
from typing import Any

from engine.events import EvaluateRequest
from pages import explore, ihalla
from pages.place import Current

PROMPT = "a molecule of methane"


def test_answers_of_a_run_stand_side_by_side(services: Any) -> None:
    asked = EvaluateRequest(PROMPT, ("primer/exact", "primer/careless"), trials=2)
    current = list(explore.frames(services, asked, threading.Event()))[-1].current
    table = ihalla.answers(services, current)
    assert table.count('class="answer-cell"') == 10
    assert "gold: Four" in table
    means = ihalla.compositions(services.view(current.run))
    assert list(means) == ["exact", "careless"]
    assert (means["exact"]["counting"].value, means["exact"]["counting"].n) == (0.0, 2)
    assert "color" in ihalla.by_coi(services, current)


def test_before_the_first_run_the_page_says_what_to_do(services: Any) -> None:
    assert "Explore tab first" in ihalla.answers(services, Current())
    assert ihalla.by_coi(services, Current()) == ""
