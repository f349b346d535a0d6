"""Services load each model when it is first needed and keep what they are asked; events are plain
JSON and errors sentences.
"""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Generated
from hallascope.engine.errors import sentence
from hallascope.engine.events import EvaluateRequest, jsonable
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.evaluations import PROMPT, REQUEST, first_choice
from tests.support.images import png
from tests.support.scripted import Scripted
from tests.support.vision_metric import CHOSEN, FIG


def test_the_draughtsmen_draw_and_the_store_shows_their_parts(
    serve_scripted: Any, judge: Any
) -> None:
    services = serve_scripted(judge(first_choice))
    events = list(services.evaluate(replace(REQUEST, models=("primer/exact", "primer/careless"))))
    for shot in services.view(events[0].run).shots:
        assert {"carbon atom", "hydrogen atom", "bond"} <= set(services.regions(shot.image))
    assert services.regions("00") == {}


def test_a_model_is_loaded_once_when_first_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Counted(Scripted):
        def __init__(self, spec: ModelSpec) -> None:
            made.append(spec.id)
            super().__init__(spec, lambda request: Generated(png(str(request.seed))))

    monkeypatch.setattr("tests.support.scripted.Scripted", Counted)
    services = Services(
        store,
        {"late": ModelSpec(id="late", title="Late", roles=("generator",), backend="scripted")},
    )
    request = EvaluateRequest(prompt=PROMPT, models=("late",), judge=None, count=3)
    services.prepare(request)
    assert made == []
    list(services.evaluate(request))
    assert made == ["late"]


def test_an_event_with_evidence_is_plain_json_with_masks_in_coco_s_form(serve_vision: Any) -> None:
    events = [jsonable(event) for event in serve_vision().evaluate(FIG)]
    said = next(event for event in json.loads(json.dumps(events)) if event["event"] == "evaluated")[
        "evaluation"
    ]
    mask = said["report"]["evidence"]["segments"][0]["mask"]
    assert mask["size"] == [16, 16]
    assert isinstance(mask["counts"], str)
    assert said["lineup"] == CHOSEN


@given(st.text())
def test_a_sentence_is_on_one_line_and_stays_what_it_is(message: str) -> None:
    text = sentence(ValueError(message))
    assert text.endswith((".", "?", "!"))
    assert "\n" not in text
    assert sentence(ValueError(text)) == text
