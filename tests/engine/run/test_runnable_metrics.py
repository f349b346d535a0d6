"""A metric that cannot run is named with its reason and the others run.

Where none can, nothing is done.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope import metrics
from hallascope.backends.base import Unavailable
from hallascope.cli.commands import evaluate
from hallascope.cli.main import main
from hallascope.data.requests import Answer, Detect, Embed, Embedded, Reply, Request, Segment
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    Event,
    Finished,
    MetricNotRun,
    Queued,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support import vision_metric
from tests.support.scripted_models import scripted, serve

PROMPT = "a ladybug"  # of the Primer world, so that there are questions and a reference
PHOTO = "a photo of a ferry"  # of which no reference is known
MODELS = ("primer/exact",)


def replies(request: Request) -> Reply:
    match request:
        case Embed():
            return Embedded((1.0, 0.0))
        case Detect() | Segment():
            reply: Reply = vision_metric.answers(request)
            return reply
        case _:
            return Answer("A")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Services without a writer, without DINO and without BLIP."""
    store = Store(folder=tmp_path / "home")
    yield serve(
        store,
        scripted("primer/judge", ("judge", "captioner"), replies),
        scripted("primer/embedder", "embedder", replies),
        scripted("primer/segmenter", ("detector", "segmenter"), replies),
    )
    store.close()


def events(services: Services, *names: str, prompt: str = PROMPT, **changes: Any) -> list[Event]:
    return list(
        services.evaluate(EvaluateRequest(prompt=prompt, models=MODELS, metrics=names, **changes))
    )


def not_run(found: list[Event]) -> dict[str, MetricNotRun]:
    assert isinstance(found[0], Queued)
    return {one.metric: one for one in found[0].not_run}


def evaluated(found: list[Event]) -> set[str]:
    return {event.evaluation.metric for event in found if isinstance(event, Evaluated)}


def test_what_cannot_run_is_named_with_its_reason_and_the_others_run(services: Services) -> None:
    found = events(services, "ihalla", "dino", "llmscore", "blip-itm", "clipscore")
    assert evaluated(found) == {"ihalla", "clipscore"}
    left_out = not_run(found)
    assert set(left_out) == {"dino", "llmscore", "blip-itm"}
    assert "it needs a writer, and none is chosen" in left_out["llmscore"].message
    assert "DINOv2 base cannot run here: it is not downloaded" in left_out["dino"].message
    assert "hallascope models get dinov2-base" in left_out["dino"].remedy
    ended = found[-1]
    assert isinstance(ended, Finished)
    assert (ended.evaluations, ended.failures, ended.stopped) == (2, 0, False)
    again = events(services, "ihalla", "dino", "llmscore", "blip-itm", "clipscore")
    assert again[0].run == found[0].run
    assert all(event.evaluation.cached for event in again if isinstance(event, Evaluated))


def test_where_no_metric_can_run_nothing_is_drawn_and_each_says_why(services: Services) -> None:
    with pytest.raises(Unavailable) as told:
        services.evaluate(
            EvaluateRequest(prompt=PROMPT, models=MODELS, metrics=("dino", "llmscore"))
        )
    assert "DINO was not run" in str(told.value)
    assert "LLMScore was not run" in str(told.value)
    assert services.store.runs() == []


def test_a_metric_without_the_reference_it_needs_is_not_run(
    services: Services, tmp_path: Path
) -> None:
    found = events(
        services, "clip-t", "clip-i", prompt=PHOTO, judge=None, images=(picture(tmp_path),)
    )
    assert evaluated(found) == {"clip-t"}
    assert "it needs a reference image" in not_run(found)["clip-i"].message
    assert not_run(events(services, "clip-t", "clip-i", judge=None)) == {}, (
        "of a Primer concept a reference is known"
    )
    brought = events(
        services,
        "clip-i",
        prompt=PHOTO,
        judge=None,
        images=(picture(tmp_path),),
        reference=picture(tmp_path),
    )
    assert evaluated(brought) == {"clip-i"}


def picture(folder: Path) -> Path:
    path = folder / "mine.png"
    Image.new("RGB", (64, 64), "red").save(path)
    return path


def test_a_model_that_is_chosen_and_cannot_run_leaves_out_only_what_asks_it(
    services: Services,
) -> None:
    found = events(services, "ihalla", "clipscore", judge="openai/gpt-5.4-mini")
    assert (evaluated(found), set(not_run(found))) == ({"clipscore"}, {"ihalla"})
    found = events(services, "clipscore", "llmscore", writer="qwen3-4b")
    assert (evaluated(found), set(not_run(found))) == ({"clipscore"}, {"llmscore"})


def test_what_can_be_chosen_runs_and_each_score_is_declared_and_within_its_bounds(
    services: Services,
) -> None:
    reasons = {name: services.metric_unavailable_reason(name) for name in metrics.METRICS}
    missing = {name for name, why in reasons.items() if why}
    assert missing == {"llmscore", "blip-itm", "dino", "dino-v1"}
    assert "it needs a writer, and none is available" in (reasons["llmscore"] or "")
    found = events(services, *metrics.METRICS)
    assert set(not_run(found)) == missing
    assert evaluated(found) == set(reasons) - missing
    for event in found:
        if isinstance(event, Evaluated):
            report = event.evaluation.report
            declared = {spec.name: spec.bounds for spec in metrics.scores(report.metric)}
            assert set(report.scores) <= set(declared), report.metric
            for name, score in report.scores.items():
                low, high = declared[name]
                assert score.value is None or low <= score.value <= high, (report.metric, name)


def test_a_command_lists_what_cannot_run_and_is_wrong_where_nothing_can(
    services: Services, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evaluate, "create_services", lambda: services)

    def run(*arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as left:
            main(("evaluate", PROMPT, "--model", MODELS[0], "--metric", *arguments))
        return (left.value.code, *capsys.readouterr())

    code, out, err = run("ihalla,dino")
    assert (code, err) == (1, "")
    assert "Run `hallascope models get dinov2-base`." in out
    code, out, _ = run("ihalla,dino", "--json")
    (failure,) = json.loads(out)["failures"]
    assert (code, failure["kind"], failure["metric"]) == (1, "not_run", "dino")
    code, out, err = run("llmscore")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--writer" in err
