"""Photographs get no score from the judge that ships, and drawings do.

The images are brought as a person brings them, and judged by a run of the engine.
"""

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.style_trial import OTHER_STYLES
from hallascope.data.models.specs import read_models
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run.result import RunResult
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


def judge_files(services: Services, files: list[Path]) -> RunResult:
    request = EvaluateRequest(prompt=PROMPT, images=tuple(files))
    run = [event.run for event in services.evaluate(request)][-1]
    return services.view(run)


def test_no_photograph_gets_a_score_and_each_has_one_sentence(services: Services) -> None:
    with (OTHER_STYLES / "sources.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] in ("photograph", "collage")]
    files = [OTHER_STYLES / "images" / row["image"] for row in rows[:: len(rows) // 4]]
    view = judge_files(services, files)
    assert len(view.evaluations) == len(files) > 3
    for evaluation in view.evaluations:
        assert evaluation.report.score.value is None
        assert {verdict.failure for verdict in evaluation.report.verdicts} == {SENTENCE}
        assert not any(is_answered(verdict) for verdict in evaluation.report.verdicts)


def test_drawings_that_are_brought_get_a_score(services: Services, tmp_path: Path) -> None:
    scene = scenes.parse(PROMPT)
    files = []
    for number, violated in enumerate((0.0, 0.75)):
        values = scenes.violate(scene, violated, random.Random(number))
        files.append(tmp_path / f"{number}.jpg")
        scene.draw(values, f"brought {number}").image(400).save(files[-1], quality=80)
    view = judge_files(services, files)
    assert [e.report.score.counted for e in view.evaluations] == [5, 5]


@pytest.mark.full
def test_other_models_that_ship_give_no_score_either(services: Services) -> None:
    photograph = (OTHER_STYLES / "images" / "300.webp",)
    asked: list[dict[str, Any]] = [
        *({"metrics": (metric,)} for metric in ("fig", "scene-graph", "clipscore")),
        *({"judge": f"primer/{judge}"} for judge in ("counter", "caption-judge", "jury")),
    ]
    for changes in asked:
        request: dict[str, Any] = {"prompt": PROMPT, "images": photograph, **changes}
        run = [event.run for event in services.evaluate(EvaluateRequest(**request))][-1]
        reports = [evaluation.report for evaluation in services.view(run).evaluations]
        assert [report.score.value for report in reports] in ([None], []), changes
        assert not any(is_answered(verdict) for one in reports for verdict in one.verdicts), changes
