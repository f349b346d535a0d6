"""Which models a picker offers and chooses at first."""

from typing import Any

from hallascope.data.models.specs import ModelSpec
from hallascope.engine.services import ModelAvailability
from hallascope.pages.shared import model_picker


def test_the_embedded_judge_is_chosen_only_where_no_other_can_run() -> None:
    def model(name: str, kind: Any, reason: str | None = None) -> ModelAvailability:
        return ModelAvailability(
            ModelSpec(id=name, title=name, roles=("judge",), backend="scripted", kind=kind), reason
        )

    embedded, other, closed = (
        model("primer/judge", "trained"),
        model("a/judge", "api"),
        model("b/judge", "api", "no key"),
    )
    assert model_picker.reasoning([embedded, closed, other], []) == ["a/judge"]
    assert model_picker.reasoning([embedded, closed], []) == ["primer/judge"]
    assert model_picker.reasoning([embedded, other], ["primer/judge"]) == ["primer/judge"]
    assert model_picker.reasoning([closed], []) == []


def test_what_cannot_run_is_not_preferred() -> None:
    def model(name: str, reason: str | None = None) -> ModelAvailability:
        return ModelAvailability(
            ModelSpec(id=name, title=name, roles=("generator",), backend="scripted"), reason
        )

    models = [model("a", "no"), model("b"), model("c")]
    assert model_picker.prefer_wanted(models, ["a", "c"]) == ["c"]
    assert model_picker.prefer_wanted(models, ["a"]) == ["b"]
    assert model_picker.prefer_wanted(models[:1], ["a"]) == []
