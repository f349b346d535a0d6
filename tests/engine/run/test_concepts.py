"""The concepts of a prompt reach the metric with their references, and generators with what is
known of them.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Failure, Generate
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run import concept_resolution
from tests.support.board_rows import leaderboard_rows
from tests.support.evaluations import events_of
from tests.support.pair_judge import PAIR, REQUEST, evaluate_to_json


def test_each_concept_of_a_pair_is_compared_where_the_detector_finds_it(services: Any) -> None:
    (exact, careless), _ = evaluate_to_json(services, REQUEST)
    assert (exact.report.score.value or 0) > (careless.report.score.value or 0)
    assert exact.lineup == {"judge": "primer/judge", "detector": "primer/segmenter"}
    evidence = exact.report.evidence
    assert evidence
    assert [(one.name, one.phrase, one.box.left) for one in evidence.segments] == [
        ("s1", "ladybug", 0),
        ("s2", "sunflower", 0.5),
    ]
    shapes = [finding for finding in evidence.findings if finding.kind == "shape"]
    about = {(finding.expected, finding.segments) for finding in shapes}
    assert about == {("ladybug", ("s1",)), ("sunflower", ("s2",))}


def test_a_default_that_cannot_run_is_done_without_where_the_metric_can(services: Any) -> None:
    spec = replace(read_models()["primer/segmenter"], needs=("env:HALLASCOPE_NO_SUCH_THING",))
    services.registry._loaded.pop("primer/segmenter")
    services.registry._specs["primer/segmenter"] = spec
    (exact, _), _ = evaluate_to_json(services, REQUEST)
    assert exact.lineup == {"judge": "primer/judge"}


def test_a_picture_of_ones_own_stands_for_the_concept_it_is_said_to_show(
    services: Any, red: Path
) -> None:
    found = services.prepare(replace(REQUEST, concept="Sunflower", reference=red)).request.factual
    first, second = found.concepts
    assert (first.name, second.name, found.task) == ("ladybug", "sunflower", "interaction")
    assert second.reference.sha256 not in (first.reference.sha256, None)
    with Image.open(second.reference.path) as shown:
        assert shown.size == (32, 32)
    for own in ({"reference": red}, {"definition": "A small beetle."}):
        with pytest.raises(BadRequest, match="--concept: 'ladybug' or 'sunflower'"):
            services.prepare(replace(REQUEST, **own))


def test_a_prompt_that_nobody_knows_has_the_concept_that_a_person_names(
    services: Any, red: Path
) -> None:
    asked = EvaluateRequest(
        prompt="a quokka on a bicycle",
        models=("knowing/painter",),
        metrics=("factualbench",),
        concept="quokka",
        reference=red,
    )
    (one,) = services.prepare(asked).request.factual.concepts
    assert (one.name, one.reference is not None) == ("quokka", True)
    alone = services.prepare(
        replace(asked, prompt="An image of a quokka", concept=None)
    ).request.factual
    assert alone.concepts[0].name == "a quokka"
    assert services.prepare(replace(asked, concept=None, reference=None)).request.factual is None


def test_a_benchmark_s_entry_goes_before_primer_and_a_file_that_is_gone_leaves_its_concept_out(
    services: Any, tmp_path: Path, red: Path
) -> None:
    row = {
        "concept": ["ladybug", "sunflower"],
        "type": ["animal", "plant"],
        "sentence": PAIR,
        "addition": ["side by side"],
        "task": "interaction",
    }
    (tmp_path / "image" / "animal").mkdir(parents=True)
    red.rename(tmp_path / "image" / "animal" / "ladybug.png")
    (tmp_path / "prompt.jsonl").write_text(
        json.dumps({**row, "reference_image": ["/x/animal/ladybug.png", "/x/plant/sunflower.png"]})
    )
    entry = concept_resolution.in_benchmark(PAIR, tmp_path)
    (exact, *_), said = evaluate_to_json(services, replace(REQUEST, factual=entry))
    assert exact.report.score.left_out == 1
    states = [one["state"] for one in said["evaluations"][0]["concepts"]]
    assert states[1] == "failed"
    assert "no reference image" in said["evaluations"][0]["concepts"][1]["failure"]
    with pytest.raises(BadRequest, match="is none of the 1 at"):
        concept_resolution.in_benchmark("a cat", tmp_path)


def test_knowledge_makes_pictures_beside_those_without_and_every_change_is_told(
    services: Any,
) -> None:
    asked = EvaluateRequest(
        prompt="a ladybug",
        models=("knowing/painter",),
        metrics=("factualbench",),
        inject=("text", "visual"),
    )
    drawn = list(services.prepare(asked).drawings.values())
    assert drawn[0] == Generate("a ladybug", 0)
    assert drawn[1].prompt.startswith("a ladybug (The seven-spot ladybug is a small round beetle")
    (reference,) = drawn[2].references
    assert (drawn[2].prompt, reference.path.exists()) == ("a ladybug", True)
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
    entry = FactualPrompt(
        prompt="a quokka", concepts=(ConceptRef(name="quokka"),), injected="a quokka (Theirs.)"
    )
    for concept in ("quokka", None):  # the prompt has one alone
        named = replace(asked, factual=entry, concept=concept, definition="Mine.")
        _, mine = services.prepare(named).drawings.values()
        assert mine.prompt == "a quokka (Mine.)"
    unknown: Any = ("smell",)
    with pytest.raises(BadRequest, match="There is no knowledge 'smell'"):
        services.prepare(replace(asked, inject=unknown))


def test_a_reference_of_ones_own_is_another_instrument_and_a_visitor_s_counts_in_no_leaderboard(
    services: Any, red: Path
) -> None:
    def versions(house: Any, request: EvaluateRequest) -> set[str]:
        terms = SpendingPolicy(visitor=house.visitor)
        said = events_of(house.evaluate(request, terms=terms), Evaluated)
        return {event.evaluation.report.version for event in said}

    def shown() -> list[tuple[float | None, int]]:
        return [
            (row.value, row.n) for row in leaderboard_rows(services.store, metric="factualbench")
        ]

    own = replace(REQUEST, concept="Sunflower", reference=red)
    named = replace(REQUEST, concept="a house")
    ann = services.acting_for(Visitor("ann", "home"))
    plain = versions(services, REQUEST)
    before = shown()
    assert len(plain) == 1
    of_ann = versions(ann, own)
    assert len(plain | of_ann | versions(ann, named)) == 3
    assert shown() == before
    assert versions(services, own) == of_ann
    assert versions(services, replace(REQUEST, concept="Sunflower")) == plain
