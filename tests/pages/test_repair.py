"""The panel repairs the image of the run with the lowest score, and shows the rounds it has."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.pages.evaluate import run
from hallascope.pages.repair import panel

PROMPT = "a molecule of methane"


def test_the_image_with_the_lowest_score_is_repaired_by_the_judge_of_the_run(services: Any) -> None:
    models = ("primer/exact", "primer/careless")
    asked = EvaluateRequest(prompt=PROMPT, models=models, seed=3)
    current = list(run.frames(services, asked, threading.Event()))[-1].current
    view = services.view(current.run)
    values = {
        each.model: each.report.score.value for each in view.evaluations if each.metric == "ihalla"
    }
    request = panel.repair_request(services, current, "none", 2)
    assert values[request.model] == min(values.values())
    assert (request.prompt, request.seed, request.rounds) == (PROMPT, 3, 2)
    assert (request.judge, request.writer) == (view.evaluations[0].judge, None)
    assert panel.repair_request(services, current, "a/writer", 1).writer == "a/writer"


def test_a_model_of_a_service_is_repaired_and_an_image_without_a_score_is_not(
    services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = EvaluateRequest(prompt=PROMPT, models=("primer/exact",))
    current = list(run.frames(services, asked, threading.Event()))[-1].current
    view = services.view(current.run)
    shot = replace(view.shots[0], model="openai/gpt-image-2")
    monkeypatch.setattr(services, "view", lambda run: replace(view, shots=(shot,)))
    assert panel.repair_request(services, current, None, 3).model == "openai/gpt-image-2"
    monkeypatch.setattr(services, "view", lambda run: replace(view, evaluations=()))
    with pytest.raises(BadRequest, match="judge the run"):
        panel.repair_request(services, current, None, 3)
