"""Every event of a run is plain JSON."""

import json
from typing import Any

from hallascope.engine.events import (
    jsonable,
)
from tests.support.evaluations import REQUEST, first_choice
from tests.support.vision_metric import CHOSEN, FIG


def test_an_event_with_evidence_is_plain_json_with_masks_in_coco_s_form(serve_vision: Any) -> None:
    events = [jsonable(event) for event in serve_vision().evaluate(FIG)]
    said = next(event for event in json.loads(json.dumps(events)) if event["event"] == "evaluated")[
        "evaluation"
    ]
    mask = said["report"]["evidence"]["segments"][0]["mask"]
    assert mask["size"] == [16, 16]
    assert isinstance(mask["counts"], str)
    assert said["lineup"] == CHOSEN


def test_every_event_is_plain_json(serve_scripted: Any, judge: Any, painter: Any) -> None:
    import json

    names = {
        json.loads(json.dumps(jsonable(event)))["event"]
        for event in serve_scripted(judge(first_choice), painter()).evaluate(REQUEST)
    }
    assert names == {"queued", "generating", "pictured", "judged", "evaluated", "finished"}
