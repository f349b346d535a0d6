"""The table of judged images holds every judged image once, with its error and its parts."""

from collections.abc import Callable
from typing import Any

from hallascope.engine.error_analysis.conditions import Condition
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.events import EvaluateRequest

MODELS = ("primer/careless", "primer/hasty")


def evaluate(services: Any, prompt: str) -> None:
    request = EvaluateRequest(
        prompt=prompt, models=MODELS, metrics=("ihalla",), judge="primer/judge", count=2
    )
    for _ in services.evaluate(request):
        pass


def test_each_judged_image_is_a_row_with_its_error(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    found = read_judged_images(services.store, ErrorSelection())
    assert sorted(found.images["model"]) == ["primer/careless"] * 2 + ["primer/hasty"] * 2
    assert (found.images["error"] == 1.0 - found.images["value"]).all()
    assert found.unanswered == 0
    assert set(found.parts["evaluation"]) == set(found.images["evaluation"])
    wrong = found.parts.groupby("evaluation")["wrong"].sum()
    answered = found.images.set_index("evaluation")["answered"]
    errors = found.images.set_index("evaluation")["error"]
    assert (abs(wrong / answered - errors) < 1e-9).all()


def test_a_condition_leaves_the_images_that_meet_it(make_services: Callable[..., Any]) -> None:
    services = make_services()
    evaluate(services, "a gentoo penguin")
    chosen = ErrorSelection(conditions=(Condition("model", MODELS[0]),))
    found = read_judged_images(services.store, chosen)
    assert set(found.images["model"]) == {MODELS[0]}
    assert set(found.parts["evaluation"]) == set(found.images["evaluation"])
    unknown = ErrorSelection(conditions=(Condition("weather", "rain"),))
    assert read_judged_images(services.store, unknown).images.empty
