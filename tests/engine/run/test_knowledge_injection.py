"""Knowledge of a prompt's concepts is added to what a generator is asked for."""

from dataclasses import replace
from typing import Any

import pytest

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.requests import Failure, Generate
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest, PictureFailed
from tests.support.pair_judge import evaluate_to_json


def test_knowledge_makes_pictures_beside_those_without_and_every_change_is_told(
    services: Any,
) -> None:
    asked = EvaluateRequest(
        prompt="a ladybug",
        models=("knowing/painter",),
        metrics=("factualbench",),
        inject=("text", "visual"),
    )
    found, said = evaluate_to_json(services, asked)
    plain, text, visual = said["evaluations"]
    assert "injected" not in plain
    assert [text["injected"], visual["injected"]] == ["text", "visual"]
    value = {
        name: one.report.scores["concept"].value
        for name, one in zip(("plain", "text", "visual"), found, strict=True)
    }
    assert text["change"]["concept"] == pytest.approx(value["text"] - value["plain"])  # type: ignore[operator]
    assert text["change"]["task"] is None
    assert [shot.injected for shot in services.view(said["run"]).shots] == [None, "text", "visual"]
    assert len({shot.generation for shot in services.view(said["run"]).shots}) == 3


def test_what_a_model_is_asked_with_knowledge(services: Any) -> None:
    asked = EvaluateRequest(
        prompt="a ladybug",
        models=("knowing/painter",),
        metrics=("factualbench",),
        inject=("text", "visual"),
    )
    plain, text, visual = services.prepare(asked).drawings.values()
    assert plain == Generate("a ladybug", 0)
    assert text.prompt.startswith("a ladybug (The seven-spot ladybug is a small round beetle")
    (reference,) = visual.references
    assert (visual.prompt, reference.path.exists()) == ("a ladybug", True)


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("text", "Primer exact cannot use definitions"),
        ("visual", "Primer exact cannot use reference images"),
    ],
)
def test_a_model_that_cannot_use_knowledge_says_so_in_its_place(
    services: Any, way: Any, says: str
) -> None:
    events = list(
        services.evaluate(
            EvaluateRequest(
                prompt="a ladybug",
                models=("primer/exact",),
                metrics=("factualbench",),
                inject=(way,),
            )
        )
    )
    (failed,) = [event.shot.failure for event in events if isinstance(event, PictureFailed)]
    assert isinstance(failed, Failure)
    assert failed.message.startswith(says)
    assert sum(isinstance(event, Evaluated) for event in events) == 1


def test_knowledge_that_nobody_has_is_one_sentence_and_a_definition_of_ones_own_is_used(
    services: Any,
) -> None:
    asked = EvaluateRequest(
        prompt="a quokka", models=("knowing/painter",), metrics=("factualbench",), inject=("text",)
    )
    _, lost = services.prepare(asked).drawings.values()
    assert lost == Failure("cannot_draw", lost.message, attempts=0)
    assert "give one of your own (--concept, --definition)" in lost.message
    _, own = services.prepare(
        replace(asked, concept="quokka", definition="A small wallaby.")
    ).drawings.values()
    assert own.prompt == "a quokka (A small wallaby.)"
    unknown: Any = ("smell",)
    with pytest.raises(BadRequest, match="There is no knowledge 'smell'"):
        services.prepare(replace(asked, inject=unknown))


def test_a_benchmark_s_own_injected_sentence_goes_before_ours(services: Any) -> None:
    entry = FactualPrompt(
        prompt="a quokka",
        concepts=(ConceptRef(name="quokka", definition="A wallaby."),),
        injected="a quokka (theirs)",
    )
    _, text = services.prepare(
        EvaluateRequest(
            prompt="a quokka",
            models=("knowing/painter",),
            metrics=(),
            inject=("text",),
            factual=entry,
        )
    ).drawings.values()
    assert text.prompt == "a quokka (theirs)"
