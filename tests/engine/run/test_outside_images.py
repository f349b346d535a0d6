"""Photographs get no score from the judge that ships, and drawings do.

The images are brought as a person brings them, and judged by a run of the engine.
"""

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.domain import load_detector
from hallascope.backends.embedded.style_images.measurement import OTHER_STYLES
from hallascope.data.models.specs import read_models
from hallascope.engine.events import EvaluateRequest, RunView
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.plan import is_answered
from hallascope.primer import scenes

PROMPT = "a gentoo penguin"
SENTENCE = (
    "The built-in judge cannot see photos or other images outside its drawn style."
    " Choose another judge."
)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    store = Store(folder=tmp_path / "home")
    yield Services(store, read_models())
    store.close()


def judge_files(
    services: Services, files: list[Path], metrics: tuple[str, ...] = ("ihalla",)
) -> RunView:
    request = EvaluateRequest(prompt=PROMPT, images=tuple(files), metrics=metrics)
    run = [event.run for event in services.evaluate(request)][-1]
    return services.view(run)


def test_no_photograph_gets_a_score_and_each_has_one_sentence(services: Services) -> None:
    with (OTHER_STYLES / "sources.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] in ("photograph", "collage")]
    files = [OTHER_STYLES / "images" / row["image"] for row in rows]
    view = judge_files(services, files)
    assert len(view.evaluations) >= 100
    for evaluation in view.evaluations:
        assert evaluation.report.score.value is None
        assert {verdict.failure for verdict in evaluation.report.verdicts} == {SENTENCE}
        assert not any(is_answered(verdict) for verdict in evaluation.report.verdicts)


def test_drawings_that_are_brought_get_a_score(services: Services, tmp_path: Path) -> None:
    scene = scenes.parse(PROMPT)
    files = []
    for number, violated in enumerate((0.0, 0.4, 0.75)):
        values = scenes.violate(scene, violated, random.Random(number))
        files.append(tmp_path / f"{number}.jpg")
        scene.draw(values, f"brought {number}").image(400).save(files[-1], quality=80)
    view = judge_files(services, files)
    assert [e.report.score.counted for e in view.evaluations] == [5, 5, 5]


@pytest.mark.parametrize("metric", ["fig", "scene-graph", "clipscore"])
def test_other_metrics_of_the_models_that_ship_give_no_score_either(
    services: Services, metric: str
) -> None:
    photograph = OTHER_STYLES / "images" / "300.webp"
    view = judge_files(services, [photograph], (metric,))
    assert [e.report.score.value for e in view.evaluations] in ([None], [])


@pytest.mark.parametrize("judge", ["primer/counter", "primer/caption-judge", "primer/jury"])
def test_judges_that_answer_through_others_give_no_score_either(
    services: Services, judge: str
) -> None:
    photograph = OTHER_STYLES / "images" / "300.webp"
    request = EvaluateRequest(prompt=PROMPT, images=(photograph,), judge=judge)
    run = [event.run for event in services.evaluate(request)][-1]
    (evaluation,) = services.view(run).evaluations
    assert evaluation.report.score.value is None
    assert not any(is_answered(verdict) for verdict in evaluation.report.verdicts)


def test_the_detector_is_loaded_once() -> None:
    assert load_detector() is load_detector()
