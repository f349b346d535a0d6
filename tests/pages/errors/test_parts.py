"""The parts of the Errors tab: the map, comparisons of runs, probes and repairs."""

import threading
from types import SimpleNamespace
from typing import Any

import gradio as gr
import numpy as np
import pandas as pd
import pytest

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
from hallascope.pages.errors import error_map, probe, remedies
from hallascope.pages.errors.error_map import MapHandlers, embedding_updates
from hallascope.pages.errors.map_figure import BINS, UNKNOWN, colorings, point_groups
from hallascope.pages.errors.probe_curve import probe_table
from hallascope.pages.errors.remedy_table import remedy_table
from hallascope.pages.errors.run_comparison import Comparison, ComparisonHandlers
from tests.engine.error_analysis.test_selection import evaluate

# --- the map ---


@pytest.fixture
def mapped(services: Any) -> Any:
    evaluate(services, "a ladybug")
    return services


def embed(services: Any) -> list[tuple[Any, Any]]:
    signal = threading.Event()
    return list(embedding_updates(services, signal, ErrorSelection(), "primer/embedder"))


def show(services: Any, color: str = "error", **choice: Any) -> tuple[Any, ...]:
    wanted = {"layout": "pca", "embedder": "primer/embedder", "groups": {}} | choice
    return MapHandlers(services).show(ASKER, ErrorSelection(), color, **wanted)


def test_what_is_missing_is_named_then_embedded_then_drawn(mapped: Any) -> None:
    for _ in range(2):
        figure, words, *_ = show(mapped)
        assert figure is None, "to look computes nothing"
        assert "4 images have no embedding yet: press “Compute embeddings”" in words
    line, computed = embed(mapped)[-1]
    assert "4 of 4 images embedded" in line
    assert isinstance(computed, int)
    figure, words, _, _, _, groups, images = show(mapped)
    assert "no embedding" not in words
    assert figure.layout.dragmode == "lasso"
    assert sum(len(trace.customdata) for trace in figure.data) == 4
    name = next(iter(groups))
    assert error_map.select_group(name, groups) == {"title": name, "evaluations": groups[name]}
    assert images is None
    figure, *_ = show(mapped, "truth")
    assert figure is not None
    shown = error_map.describe(mapped, 1)
    assert "a ladybug" in shown["html"]
    assert 'src="images/' in shown["html"]


def test_a_public_app_embeds_so_many_at_once(mapped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_map, "public", lambda: True)
    monkeypatch.setattr(error_map, "MOST_PUBLIC", 3)
    assert "3 of 3 images" in embed(mapped)[-1][0]
    assert "1 of 1 images" in embed(mapped)[-1][0]


def test_what_is_selected_on_the_map_is_shown() -> None:
    assert error_map.select_points(event(evaluations=[])) is None
    chosen = error_map.select_points(event(evaluations=[3, 1]))
    assert chosen == {"title": "Selected on the map", "evaluations": [3, 1]}
    with pytest.raises(gr.Error, match="reload the page"):
        error_map.select_points(event(evaluations=["all"]))


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


def test_each_point_is_in_the_group_of_its_value() -> None:
    assert list(colorings(points())) == ["error", "wrong", "model", "cluster", "truth"]
    expected = {
        "error": {BINS[0]: [1], BINS[1]: [2], BINS[2]: [3], BINS[4]: [4]},
        "wrong": {"counting": [4], "color": [2, 3], "nothing": [1]},
        "cluster": {"2": [2, 3], "10": [1], UNKNOWN: [4]},
    }
    for coloring, groups in expected.items():
        found = point_groups(points(), coloring)
        assert {each.label: each.points["evaluation"].tolist() for each in found} == groups
    clusters = point_groups(points(), "cluster")
    assert [group.label for group in clusters] == ["2", "10", UNKNOWN]
    assert clusters[0].words == "2: 2, error rate 38 %"


# --- comparisons ---


ASKER: Any = SimpleNamespace(query_params={}, cookies={}, headers={})
SELECTION = ErrorSelection()


def event(**data: Any) -> Any:
    return SimpleNamespace(**data)


@pytest.fixture
def runs(services: Any) -> list[str]:
    """Return two runs of one prompt, by two models."""
    made = []
    for model in ("primer/exact", "primer/careless"):
        request = EvaluateRequest(prompt="a molecule of methane", models=(model,))
        evaluated = [each for each in services.evaluate(request) if isinstance(each, Evaluated)]
        made.append(evaluated[0].run)
    return made


def test_two_runs_are_compared_by_slice(services: Any, runs: list[str]) -> None:
    handlers = ComparisonHandlers(services)
    shown, compared, images = handlers.compare(ASKER, SELECTION, "run", *runs)
    assert "The two runs cannot be told apart" in shown
    assert "All images" in shown
    assert (compared, images) == (Comparison("run", *runs), None)


def test_two_models_of_one_run_are_compared(services: Any) -> None:
    asked = EvaluateRequest(
        prompt="a molecule of methane", models=("primer/exact", "primer/careless")
    )
    list(services.evaluate(asked))
    handlers = ComparisonHandlers(services)
    _, one, other, *_ = handlers.choose_kind(ASKER, SELECTION, "model")
    assert [name for _, name in one["choices"]] == ["primer/careless", "primer/exact"]
    assert (one["value"], other["value"]) == ("primer/exact", "primer/careless")
    shown, *_ = handlers.compare(ASKER, SELECTION, "model", *asked.models)
    assert "The two models cannot be told apart" in shown
    assert '<th scope="col">exact</th>' in shown


def test_what_shares_nothing_is_one_sentence_that_says_what_to_do(services: Any) -> None:
    made = []
    for prompt in ("a molecule of methane", "two red circles"):
        request = EvaluateRequest(prompt=prompt, models=("primer/exact",))
        made += [each.run for each in services.evaluate(request) if isinstance(each, Evaluated)]
    shown, *_ = ComparisonHandlers(services).compare(ASKER, SELECTION, "run", *made)
    assert "These runs share no image pair" in shown
    assert "To compare two models of one run" in shown


def test_images_that_changed_are_shown_in_pairs(services: Any, runs: list[str]) -> None:
    handlers = ComparisonHandlers(services)
    compared = Comparison("run", *runs)
    shown = [
        handlers.show_images(event(change=change), SELECTION, compared, ASKER)
        for change in ("worse", "better")
    ]
    assert sum(len(each["evaluations"]) for each in shown) in (0, 2)
    with pytest.raises(gr.Error, match="reload the page"):
        handlers.show_images(event(change="all"), SELECTION, compared, ASKER)


# --- probes ---


PROBE: dict[str, Any] = {
    "prompt": "two red circles",
    "axis": "number",
    "models": ["primer/exact"],
    "judge": "primer/judge",
    "writer": "none",
    "images": 8,
}


def test_a_probe_is_shown_with_the_images_of_each_level(services: Any) -> None:
    *_, outcome = run_probe(services, probe.probe_request(**PROBE))
    findings = find_failures(outcome)
    images = probe.images_by_level(findings)
    assert list(images) == [f"primer/exact, number {level}" for level in (1, 2, 3, 4)]
    assert sum(map(len, images.values())) == 8
    message, figure, words, *_ = probe.show_outcome(outcome, [])
    assert "8 images judged." in message
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
    variation = PromptVariation(levels=levels)
    return find_failures(ProbeOutcome(request=request, variation=variation, images=images))


def test_the_table_of_levels_escapes_and_one_without_an_answer_says_so() -> None:
    shown = probe_table(probed("color", None), "Left out: 1.")
    assert "&lt;b&gt;two&lt;/b&gt; cats" in shown
    assert "no answer" in shown
    assert "Left out: 1." in shown


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"axis": ""}, "There is no axis ''"),
        ({"images": None}, "number of images is missing"),
        ({"images": 2.5}, "give a whole number from 1 to 2,000"),
    ],
)
def test_what_cannot_be_probed_is_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence):
        probe.probe_request(**PROBE | change)


# --- repairs ---


REPAIR: dict[str, Any] = {
    "selection": ErrorSelection(),
    "remedies": ["best-of-n"],
    "model": "primer/careless",
    "judge": "primer/judge",
    "evaluating": "primer/counter",
    "images": 3,
    "most": 5,
}


def test_the_failing_images_of_the_selection_are_repaired(services: Any) -> None:
    asked = EvaluateRequest(prompt="a molecule of methane", models=("primer/careless",), count=2)
    for _ in services.evaluate(asked):
        pass
    request = remedies.remedy_request(services, **REPAIR)
    assert request.cases == (FailingImage("a molecule of methane", 0),)
    assert (request.judge, request.evaluate_by) == ("primer/judge", "primer/counter")
    assert request.images_in_all == 4


def test_what_cannot_be_repaired_is_one_sentence(services: Any) -> None:
    with pytest.raises(BadRequest, match="No image of primer/careless in this selection"):
        remedies.remedy_request(services, **REPAIR)
    with pytest.raises(BadRequest, match="number of failing images"):
        remedies.remedy_request(services, **REPAIR | {"most": 0})
    with pytest.raises(BadRequest, match="number of images is 0"):
        remedies.remedy_request(services, **REPAIR | {"images": 0})


def test_a_remedy_without_facts_has_dashes_and_no_zero() -> None:
    cases = tuple(FailingImage(f"prompt {number}") for number in range(3))
    wrong, right = (
        TreatedImage(
            evaluation=None,
            facts=frozenset("a"),
            states={"selecting": facts, "evaluating": facts},
        )
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
