"""Services know their models, load each when it is first needed, and keep what they are asked."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.support.images import png
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Generated
from hallascope.engine.events import (
    EvaluateRequest,
)
from hallascope.engine.services import Services, create_services
from hallascope.engine.storage.store import Store
from tests.support.evaluations import PROMPT, REQUEST, first_choice


def test_the_draughtsmen_draw_and_the_store_shows_their_parts(
    serve_scripted: Any, judge: Any
) -> None:
    services = serve_scripted(judge(first_choice))
    events = list(services.evaluate(replace(REQUEST, models=("primer/exact", "primer/careless"))))
    for shot in services.view(events[0].run).shots:
        assert {"carbon atom", "hydrogen atom", "bond"} <= set(services.regions(shot.image))
    assert services.regions("00") == {}


@pytest.mark.parametrize(
    "prompt",
    [
        "甲烷分子",
        "<script>alert(1)</script>",
        "جزيء الميثان",
        "a 'quoted' \"prompt\"; drop table run",
    ],
)
def test_prompts_in_any_script_and_with_markup_are_kept_as_they_are(
    serve_scripted: Any, judge: Any, painter: Any, prompt: str
) -> None:
    services = serve_scripted(judge(first_choice), painter())
    events = list(services.evaluate(replace(REQUEST, prompt=prompt)))
    assert services.view(events[0].run).request.prompt == prompt


def test_a_model_is_loaded_once_when_first_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Counted(Scripted):
        def __init__(self, spec: ModelSpec) -> None:
            made.append(spec.id)
            super().__init__(spec, lambda request: Generated(png(str(request.seed))))

    monkeypatch.setattr("hallascope.backends.scripted.Scripted", Counted)
    services = Services(
        store,
        {"late": ModelSpec(id="late", title="Late", roles=("generator",), backend="scripted")},
    )
    request = EvaluateRequest(prompt=PROMPT, models=("late",), judge=None, count=3)
    services.prepare(request)
    assert made == []
    list(services.evaluate(request))
    assert made == ["late"]


def test_services_know_the_models_of_the_file_by_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path))
    services = create_services()
    assert {"primer/exact", "primer/careful", "primer/hasty", "primer/careless"} <= {
        m.spec.id for m in services.generators() if m.reason is None
    }
    assert {m.spec.id for m in services.judges()} >= {"primer/judge", "openai/gpt-4o"}
    services.store.close()


def test_the_estimate_is_the_median_of_what_pictures_took(
    serve_scripted: Any, judge: Any, painter: Any
) -> None:
    services = serve_scripted(judge(first_choice), painter())
    assert services.seconds("scripted/painter") is None
    list(services.evaluate(replace(REQUEST, count=3)))
    assert services.seconds("scripted/painter") >= 0
