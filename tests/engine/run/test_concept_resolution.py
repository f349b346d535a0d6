"""The concepts of a prompt reach the metric with their references, and whatever is judged depends
on them.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.backends.base import Unavailable
from hallascope.cli.output.printing import EvaluationSummary, evaluation_tables
from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Answer, Ask, Detect, Embedded, Failure, Generate, Generated
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest, Evaluation, PictureFailed
from hallascope.engine.run import concept_resolution
from tests.support import pair_judge

PAIR = "a ladybug to the left of a sunflower"
ASKED = EvaluateRequest(
    prompt=PAIR, models=("primer/exact", "primer/careless"), metrics=("factualbench",)
)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = pair_judge.build(tmp_path / "home")
    yield found
    found.store.close()


@pytest.fixture
def red(tmp_path: Path) -> Path:
    path = tmp_path / "red.png"
    Image.new("RGB", (32, 32), "red").save(path)
    return path


def told(services: Any, request: EvaluateRequest) -> tuple[list[Evaluation], dict[str, Any]]:
    outcome = EvaluationSummary()
    for event in services.evaluate(request):
        outcome.add(event)
    return outcome.evaluations, json.loads(json.dumps(outcome.json(), default=str))


# --- what the issue shows
# --------------------------------------------------------------------------------------------------


def test_concepts_task_and_composition_are_printed_with_reasons_and_states(services: Any) -> None:
    found, said = told(services, ASKED)
    exact, careless = said["evaluations"]
    assert [one["concept"] for one in exact["concepts"]] == ["ladybug", "sunflower"]
    for one in exact["concepts"]:
        assert set(one["criteria"]) == {"shape", "color", "texture", "details"}
        assert {"rating", "flag", "state", "score"} <= set(one)
    color = exact["concepts"][0]["criteria"]["color"]
    assert color == {
        "met": True,
        "state": "correct",
        "reason": "Is the color the same in both images? Yes.",
    }
    assert (exact["task"]["score"], exact["composition"]["state"]) == (1, "correct")
    assert careless["concepts"][0]["criteria"]["color"]["met"] is False
    assert exact["score"]["value"] > careless["score"]["value"]
    table = evaluation_tables(found)
    assert "color not met" in table
    assert "composition" in table


def test_each_concept_of_a_pair_is_compared_where_the_detector_finds_it(services: Any) -> None:
    (exact, _), _ = told(services, ASKED)
    assert exact.lineup == {"judge": "primer/judge", "detector": "primer/segmenter"}
    assert exact.report.evidence
    assert [(one.name, one.phrase, one.box.left) for one in exact.report.evidence.segments] == [
        ("s1", "ladybug", 0),
        ("s2", "sunflower", 0.5),
    ]
    about = {
        (one.expected, one.segments)
        for one in exact.report.evidence.findings
        if one.kind == "shape"
    }
    assert about == {("ladybug", ("s1",)), ("sunflower", ("s2",))}


def test_a_default_that_cannot_run_is_done_without_where_the_metric_can(services: Any) -> None:
    spec = replace(read_models()["primer/segmenter"], needs=("env:HALLASCOPE_NO_SUCH_THING",))
    services.roster._loaded.pop("primer/segmenter")
    services.roster._specs["primer/segmenter"] = spec
    (exact, _), _ = told(services, ASKED)
    assert exact.lineup == {"judge": "primer/judge"}


# --- whose references
# --------------------------------------------------------------------------------------------------


def test_the_run_depends_on_the_references_and_only_where_a_metric_is_given_them(
    services: Any, red: Path
) -> None:
    plain = services.prepare(ASKED)
    own = services.prepare(replace(ASKED, concept="ladybug", reference=red))
    assert plain.run != own.run
    assert [place.id for place in plain.places] == [place.id for place in own.places], (
        "the pictures are the same"
    )
    tifa = services.prepare(replace(ASKED, metrics=("tifa",)))
    assert tifa.request.factual is None


def test_a_picture_of_ones_own_stands_for_the_concept_it_is_said_to_show(
    services: Any, red: Path
) -> None:
    found = services.prepare(replace(ASKED, concept="Sunflower", reference=red)).request.factual
    first, second = found.concepts
    assert (first.name, second.name, found.task) == ("ladybug", "sunflower", "interaction")
    assert second.reference.sha256 not in (first.reference.sha256, None)
    with Image.open(second.reference.path) as shown:
        assert shown.size == (32, 32)
    with pytest.raises(BadRequest, match="say which it shows \\('ladybug' or 'sunflower'\\)"):
        services.prepare(replace(ASKED, reference=red))


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
    (exact, *_), said = told(services, replace(ASKED, factual=entry))
    assert exact.report.score.left_out == 1
    states = [one["state"] for one in said["evaluations"][0]["concepts"]]
    assert states[1] == "failed"
    assert "no reference picture" in said["evaluations"][0]["concepts"][1]["failure"]
    with pytest.raises(BadRequest, match="is none of the 1 at"):
        concept_resolution.in_benchmark("a cat", tmp_path)


# --- knowledge
# --------------------------------------------------------------------------------------------------


def test_knowledge_makes_pictures_beside_those_without_and_every_change_is_told(
    services: Any,
) -> None:
    asked = EvaluateRequest(
        prompt="a ladybug",
        models=("knowing/painter",),
        metrics=("factualbench",),
        inject=("text", "visual"),
    )
    found, said = told(services, asked)
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
        ("visual", "Primer exact cannot use reference pictures"),
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


# --- money
# --------------------------------------------------------------------------------------------------


def test_the_estimate_counts_both_pictures_of_every_round_and_no_picture_that_cannot_be_made(
    tmp_path: Path,
) -> None:
    from hallascope.backends.scripted import Scripted
    from hallascope.engine.services import Services
    from hallascope.engine.storage.store import Store

    price = Price("2026-01-01", input=1.0, picture_tokens=1000)
    judge = ModelSpec(
        id="paid/judge", title="Paid", roles=("judge",), backend="scripted", kind="api", price=price
    )
    painter = ModelSpec(
        id="paid/painter",
        title="Paid",
        roles=("generator",),
        backend="scripted",
        kind="api",
        price=price,
        knowledge=(),
    )
    silent = [
        Scripted(judge, lambda ask: Answer("4")),
        Scripted(painter, lambda request: Generated(b"")),
    ]
    services = Services(Store(folder=tmp_path), read_models(), {one.spec.id: one for one in silent})
    found = services.estimate(
        EvaluateRequest(
            prompt=PAIR,
            models=("paid/painter",),
            metrics=("factualbench",),
            judge="paid/judge",
            inject=("text",),
        )
    )
    lines = {line.model: line for line in found.lines}
    assert lines["paid/painter"].pictures == 1
    assert lines["paid/judge"].calls == 2 * 4, (
        "each of the two concepts, the task and the composition, of each place"
    )
    assert lines["paid/judge"].input_tokens > 2 * (2 + 2 + 1 + 1) * 1000
    services.store.close()


def test_the_detector_is_asked_first_and_only_where_there_are_several_concepts(
    services: Any,
) -> None:
    setup = services.prepare(replace(ASKED, models=("primer/exact",)))
    (metric,) = setup.metrics
    picture = next(concept.reference for concept in setup.request.factual.concepts)
    (first,) = next(metric.plan(setup.case(picture, metric)))
    assert first == Detect(picture, ("ladybug", "sunflower"))
    alone = services.prepare(
        EvaluateRequest(prompt="a ladybug", models=("primer/exact",), metrics=("factualbench",))
    )
    assert all(isinstance(ask, Ask) for ask in next(metric.plan(alone.case(picture, metric))))


# --- baselines beside it
# --------------------------------------------------------------------------------------------------


def test_a_metric_that_is_named_after_a_model_asks_that_and_the_others_the_one_that_was_chosen(
    tmp_path: Path,
) -> None:
    from hallascope.backends.scripted import Scripted
    from hallascope.engine.services import Services
    from hallascope.engine.storage.store import Store

    names = ("primer/embedder", "other/embedder", "dinov2-base")
    looking = [
        Scripted(
            ModelSpec(id=name, title=name, roles=("embedder",), backend="scripted"),
            lambda request: Embedded((1.0, 0.0)),
        )
        for name in names
    ]
    services = Services(
        Store(folder=tmp_path), read_models(), {one.spec.id: one for one in looking}
    )
    asked = EvaluateRequest(
        prompt="a ladybug",
        models=("primer/exact",),
        metrics=("clip-t", "clip-i", "dino"),
        judge=None,
    )
    found, _ = told(services, asked)
    assert {one.metric: dict(one.lineup) for one in found} == {
        "clip-t": {"embedder": "primer/embedder"},
        "clip-i": {"embedder": "primer/embedder"},
        "dino": {"embedder": "dinov2-base"},
    }
    assert [one.report.score.value for one in found] == [1.0, 1.0, 1.0]
    found, _ = told(services, replace(asked, embedder="other/embedder"))
    assert [one.lineup["embedder"] for one in found] == [
        "other/embedder",
        "other/embedder",
        "dinov2-base",
    ]
    services.store.close()


def test_a_model_that_a_metric_is_named_after_and_that_is_not_there_is_one_sentence(
    services: Any,
) -> None:
    with pytest.raises(Unavailable, match="DINOv2 base cannot run here: it is not downloaded"):
        services.prepare(
            EvaluateRequest(
                prompt="a ladybug", models=("primer/exact",), metrics=("dino",), judge=None
            )
        )
