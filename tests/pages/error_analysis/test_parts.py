"""The parts of the Errors tab: the map, comparisons of runs, probes and repairs."""

import base64
import threading
from types import SimpleNamespace
from typing import Any

import gradio as gr
import numpy as np
import pandas as pd
import pytest

from hallascope.components.error_analysis.run_changes import NO_RUNS
from hallascope.engine.error_analysis.probe.findings import ProbeFindings, find_failures
from hallascope.engine.error_analysis.probe.levels import AxisName, ProbeLevel, PromptVariation
from hallascope.engine.error_analysis.probe.probe import (
    ProbedImage,
    ProbeOutcome,
    ProbeRequest,
    run_probe,
)
from hallascope.engine.error_analysis.remedies import (
    FailingImage,
    RemedyOutcome,
    RemedyRequest,
    TreatedCase,
    TreatedImage,
)
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.pages.error_analysis import error_map, map_data, probe, remedies
from hallascope.pages.error_analysis.error_map import (
    MapHandlers,
    embedding_updates,
    map_value,
    server_functions,
)
from hallascope.pages.error_analysis.map_data import BINS, UNKNOWN, colorings
from hallascope.pages.error_analysis.probe_curve import probe_figure, probe_table
from hallascope.pages.error_analysis.remedy_table import remedy_table
from hallascope.pages.error_analysis.run_comparison import ComparisonHandlers
from tests.engine.error_analysis.test_selection import evaluate

# --- the map ---


REQUEST: dict[str, Any] = {"choice": {}, "layout": "pca", "embedder": ""}


@pytest.fixture
def mapped(services: Any) -> Any:
    evaluate(services, "a ladybug")
    return services


def embed(services: Any, stop: threading.Event | None = None) -> list[tuple[Any, Any]]:
    signal = stop or threading.Event()
    return list(embedding_updates(services, signal, ErrorSelection(), {"computed": 1}))


def test_what_is_missing_is_named_then_embedded_then_drawn(mapped: Any) -> None:
    read_map, read_truth, describe = server_functions(MapHandlers(mapped))
    before = read_map(REQUEST)
    assert (before["missing"], before["embed"]) == (4, True)
    assert "Compute embeddings" in before["note"]
    line, value = embed(mapped)[-1]
    assert "4 of 4 images embedded" in line
    assert value == map_value(ErrorSelection(), 2, "primer/embedder")
    after = read_map({**REQUEST, "choice": value["choice"]})
    assert (after["missing"], after["embed"], after["note"]) == (0, False, "")
    assert read_truth(REQUEST)["groups"]
    shown = describe({"evaluation": 1})
    assert "a ladybug" in shown["words"]
    assert shown["src"].startswith("images/")


def test_a_public_app_embeds_only_when_asked(mapped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_map, "public", lambda: True)
    monkeypatch.setattr(error_map, "MOST_PUBLIC", 3)
    read_map, _, _ = server_functions(MapHandlers(mapped))
    assert not read_map(REQUEST)["embed"]
    assert "3 of 3 images" in embed(mapped)[-1][0]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"choice": {}}, "reload the page"),
        ({**REQUEST, "layout": "tsne"}, "pca or umap"),
        ({**REQUEST, "embedder": "nobody"}, "nobody"),
        ({**REQUEST, "choice": {"slice": ["nothing"]}}, "no condition"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(mapped: Any, sent: Any, words: str) -> None:
    read_map, _, _ = server_functions(MapHandlers(mapped))
    assert words in read_map(sent)["wrong"]


def points(count: int = 4) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "evaluation": range(1, count + 1),
            "x": np.linspace(-3, 5, count),
            "y": np.linspace(2, -2, count),
            "model": [f"maker/model-{number % 2}" for number in range(count)],
            "error": [0.0, 0.25, 0.5, 1.0][:count],
            "wrong": ["nothing", "color", "color", "counting"][:count],
            "cluster": ["10", "2", "2", ""][:count],
            "disagreement": [float("nan")] * count,
        }
    )


def groups_of(coloring: dict[str, Any]) -> list[str]:
    numbers = base64.b64decode(coloring["of"])
    return [coloring["groups"][number]["label"] for number in numbers]


def test_each_point_is_in_the_group_of_its_value() -> None:
    found = {coloring["name"]: coloring for coloring in colorings(points(), ())}
    assert list(found) == ["error", "wrong", "model", "cluster", "truth"]
    assert groups_of(found["error"]) == [BINS[0], BINS[1], BINS[2], BINS[4]]
    assert groups_of(found["wrong"]) == list(points()["wrong"])
    assert groups_of(found["cluster"]) == ["10", "2", "2", UNKNOWN]
    assert [group["label"] for group in found["cluster"]["groups"]] == ["2", "10", UNKNOWN]
    assert found["cluster"]["groups"][0]["words"] == "2, error rate 38 %"


def test_of_many_groups_the_smallest_are_drawn_together() -> None:
    values = pd.Series([f"group {number:03}" for number in range(300)])
    coloring = map_data.grouped_coloring("a", "A", values, pd.Series([0.5] * 300), ())
    assert len(coloring["groups"]) == map_data.MOST_GROUPS
    assert coloring["groups"][-1]["label"] == map_data.REST


def test_the_summary_names_the_worst_cluster() -> None:
    words = map_data.summary(points())
    assert "4 images" in words
    assert "cluster 2 (38 % of 2)" in words
    assert map_data.summary(points(0)) == ""
    alike = map_data.summary(points().assign(error=0.5))
    assert alike.count("cluster 2 (50 % of 2)") == alike.count("cluster 10 (50 % of 1)") == 2


# --- comparisons ---


ASKER: Any = SimpleNamespace(query_params={}, cookies={}, headers={})
SELECTION = ErrorSelection()


def event(**data: Any) -> Any:
    return SimpleNamespace(_data=data)


@pytest.fixture
def runs(services: Any) -> list[str]:
    """Return two runs of one prompt, by two models."""
    made = []
    for model in ("primer/exact", "primer/careless"):
        request = EvaluateRequest(prompt="a molecule of methane", models=(model,))
        evaluated = [each for each in services.evaluate(request) if isinstance(each, Evaluated)]
        made.append(evaluated[0].run)
    return made


def test_an_empty_store_says_what_to_do(services: Any) -> None:
    assert NO_RUNS in ComparisonHandlers(services).show_choice(ASKER)


def test_two_runs_are_compared_by_slice(services: Any, runs: list[str]) -> None:
    one, other = runs
    html = ComparisonHandlers(services).compare(event(one=one, other=other), SELECTION, ASKER)
    assert "The two runs cannot be told apart" in html
    assert "All images" in html


def test_images_that_changed_are_shown_in_pairs(services: Any, runs: list[str]) -> None:
    handlers = ComparisonHandlers(services)
    one, other = runs
    shown = [
        handlers.show_images(event(one=one, other=other, change=change), SELECTION, ASKER)
        for change in ("worse", "better")
    ]
    assert sum(len(each["evaluations"]) for each in shown) in (0, 2)
    with pytest.raises(gr.Error, match="reload the page"):
        handlers.show_images(event(one=one, other=other, change="all"), SELECTION, ASKER)


# --- probes ---


PROBE = probe.ProbeInputs(
    prompt="two red circles",
    axis=["number"],
    models=["primer/exact"],
    other_models="",
    judge=["primer/judge"],
    other_judge="",
    writer=["none"],
    other_writer="",
    images=8,
)


def test_a_probe_is_shown_with_the_images_of_each_level(services: Any) -> None:
    *_, outcome = run_probe(services, PROBE.request())
    findings = find_failures(outcome)
    images = probe.images_by_level(findings)
    assert list(images) == [f"primer/exact, number {level}" for level in (1, 2, 3, 4)]
    assert sum(map(len, images.values())) == 8
    name = "primer/exact, number 3"
    shown = probe.show_images([name], images)
    assert shown == {"title": name, "evaluations": images[name]}
    assert probe.show_images([], images) is None
    message, figure, words, *_ = probe.show_outcome(outcome)
    assert "8 images are judged." in message
    assert figure is not None
    assert "three red circles" in words


def probed(axis: AxisName, *failed: bool | None) -> ProbeFindings:
    """What is found where each of two levels has images that failed so."""
    levels = tuple(
        ProbeLevel(label=label, value=float(label), prompt="<b>two</b> cats") for label in "12"
    )
    images = [
        ProbedImage(
            model="a/<model>", level=place, image="", evaluation=None, failed=each, failure=""
        )
        for place in range(len(levels))
        for each in failed
    ]
    request = ProbeRequest(prompt="two cats", axis=axis, models=("a/<model>",))
    variation = PromptVariation(axis=axis, levels=levels)
    return find_failures(ProbeOutcome(request=request, variation=variation, images=images))


def test_an_ordered_axis_has_a_curve_with_a_band_and_others_have_marks() -> None:
    ordered = probe_figure(probed("number", True, False))
    assert [trace.mode for trace in ordered.data] == ["none", "lines", "markers"]
    (marks,) = probe_figure(probed("color", True, False)).data
    assert marks.name == "a/&lt;model&gt;"
    assert list(marks.y) == [50.0, 50.0]


def test_the_table_of_levels_escapes_and_one_without_an_answer_says_so() -> None:
    shown = probe_table(probed("color", None), "Left out: 1.")
    assert "&lt;b&gt;two&lt;/b&gt; cats" in shown
    assert "no answer" in shown
    assert "Left out: 1." in shown


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"axis": []}, "Nothing varies as ''"),
        ({"images": None}, "number of images is missing"),
        ({"images": 2.5}, "give a whole number from 1 to 2,000"),
    ],
)
def test_what_cannot_be_probed_is_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence):
        PROBE._replace(**change).request()


# --- repairs ---


REPAIR = remedies.RemedyInputs(
    selection=ErrorSelection(),
    remedies=["best-of-n"],
    model=["primer/careless"],
    other_model="",
    judge=["primer/judge"],
    other_judge="",
    evaluating=["primer/counter"],
    other_evaluating="",
    images=3,
    most=5,
)


def test_the_failing_images_of_the_selection_are_repaired(services: Any) -> None:
    asked = EvaluateRequest(prompt="a molecule of methane", models=("primer/careless",), count=2)
    for _ in services.evaluate(asked):
        pass
    request = REPAIR.request(services)
    assert request.cases == (FailingImage("a molecule of methane", 0),)
    assert (request.judge, request.evaluate_by) == ("primer/judge", "primer/counter")
    assert request.images_in_all == 4


def test_what_cannot_be_repaired_is_one_sentence(services: Any) -> None:
    with pytest.raises(BadRequest, match="No image of primer/careless in this selection"):
        REPAIR.request(services)
    with pytest.raises(BadRequest, match="number of failing images"):
        REPAIR._replace(most=0).request(services)
    with pytest.raises(BadRequest, match="number of images is 0"):
        REPAIR._replace(images=0).request(services)


def test_images_stand_before_and_after_each_once() -> None:
    before, fresh, refined = (TreatedImage(evaluation=number) for number in (1, 2, 3))
    treated = TreatedCase(
        case=FailingImage("a star"),
        before=before,
        control=(fresh,),
        after={"best-of-n": (fresh,), "prompt-repair": (refined,)},
    )
    images = remedies.images_by_prompt([treated])
    assert images == {"a star": [1, 2, 3]}
    assert remedies.show_images(["a star"], images)["evaluations"] == [1, 2, 3]
    assert remedies.show_images(["another"], images) is None


def test_a_remedy_without_facts_has_dashes_and_no_zero() -> None:
    cases = tuple(FailingImage(f"prompt {number}") for number in range(3))
    wrong, right = (
        TreatedImage(evaluation=None, selecting=facts, evaluating=facts, facts=frozenset("a"))
        for facts in ({"a": False}, {"a": True})
    )
    after: Any = {"best-of-n": (right,)}
    treated = [
        TreatedCase(case=case, before=wrong, control=(wrong,), after=after, drawn={"best-of-n": 1})
        for case in cases
    ]
    request = RemedyRequest(
        cases=cases, model="m", judge="a/judge", evaluate_by="b/judge", remedies=("best-of-n",)
    )
    shown = remedy_table(RemedyOutcome(request=request, treated=treated))
    assert "<td>a/judge (selects)</td><td>3</td><td>1.00</td><td>0.00</td>" in shown
    assert "<td>+1.00 (" in shown
    assert "<td>–</td>" in shown, "no right fact could break"
    assert "the truth" not in shown
