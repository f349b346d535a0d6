"""Generators on trial: each with its mean and interval on the same prompts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.generators import GeneratorComparison, compare, run_recognition
from hallascope.metrics.aggregate import Mean
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts

PROMPTS = ("a molecule of methane", "a ladybug", "two tulips")


def knows(ask: Any) -> Any:
    """A judge that is right about every picture whose hash ends in an even digit, and never about
    others.
    """
    from hallascope.data.requests import Answer

    facts = {
        q.text: q.gold for prompt in PROMPTS for q in scenes.parse(prompt).questions().questions
    }
    right = int(ask.images[0].sha256[-1], 16) % 2 == 0
    return Answer(facts[ask.question] if right else "E")


def test_every_model_has_its_mean_over_the_same_prompts(make_services: Callable[..., Any]) -> None:
    services = make_services(knows)
    told: list[tuple[int, int]] = []
    found = compare(
        services=services,
        models=["primer/exact", "primer/careless"],
        judge="primer/judge",
        prompts=PROMPTS,
        seeds=2,
        on_progress=lambda *now: told.append(now),
    )
    assert list(found.score) == ["primer/exact", "primer/careless"]
    for model in found.score:
        shots = [
            e
            for run in services.runs()
            for e in services.view(run.id).evaluations
            if e.model == model
        ]
        own = [e.report.score.value for e in shots]
        assert len(own) == 6
        assert found.score[model].value == pytest.approx(sum(own) / 6)
        assert (found.score[model].n, found.score[model].answered) == (3, 30)
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert found.failures == {"primer/exact": 0, "primer/careless": 0}


def test_a_prompt_that_a_model_cannot_draw_is_a_failure_and_in_no_mean(
    make_services: Callable[..., Any],
) -> None:
    found = compare(
        make_services(knows), ["primer/exact"], "primer/judge", ("two tulips", "a harbour"), 1
    )
    assert found.failures == {"primer/exact": 1}
    assert found.score["primer/exact"].n == 1
    with pytest.raises(BadRequest, match="No image was judged"):
        compare(make_services(knows), ["primer/exact"], "primer/judge", ("a harbour",), 1)


def test_a_concept_is_recognised_where_the_judge_names_it(
    make_services: Callable[..., Any],
) -> None:
    from hallascope.data.requests import Answer, Failure

    def names(ask: Any) -> Any:
        return (
            Answer(" Ladybug ")
            if int(ask.images[0].sha256[-1], 16) % 2 == 0
            else Failure("timeout", "Too slow.")
        )

    found = run_recognition(make_services(names), "primer/exact", "primer/judge", 1)
    assert found.asked == len(concepts())
    assert found.right == (0 if "ladybug" in found.missed else 1)
    assert len(found.missed) == found.asked - found.right


@pytest.mark.parametrize("said", ["Traffic light", "Traffic lights"])
def test_a_concept_is_recognised_by_its_name_in_the_singular_and_in_the_plural(
    make_services: Callable[..., Any], said: str
) -> None:
    from hallascope.data.requests import Answer

    found = run_recognition(
        make_services(lambda ask: Answer(said)), "primer/exact", "primer/judge", 1
    )
    assert found.right == 1
    assert "traffic light" not in found.missed


@pytest.mark.parametrize(
    ("intervals", "apart"),
    [
        ([(0.8, 0.9), (0.5, 0.7)], True),
        ([(0.5, 0.7), (0.8, 0.9)], True),
        ([(0.6, 0.9), (0.5, 0.7)], False),
    ],
)
def test_intervals_are_apart_where_the_better_ones_low_end_lies_above_the_others_high_end(
    intervals: list[tuple[float, float]], apart: bool
) -> None:
    score = {
        str(i): Mean(
            value=(low + high) / 2,
            n=9,
            left_out=0,
            interval_method="clopper-pearson",
            low=low,
            high=high,
        )
        for i, (low, high) in enumerate(intervals)
    }
    assert (
        GeneratorComparison(
            judge="j", prompts=9, seeds=1, score=score, strict=score, coi={}, failures={}
        ).is_separated
        is apart
    )


def test_the_commands_print_and_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from hallascope.cli.commands.trials import model_trial as trial_commands

    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path))
    code = trial_commands.contact_sheet(tmp_path / "sheet.webp", "primer/exact,primer/careless", 2)
    assert code == 0
    with Image.open(tmp_path / "sheet.webp") as sheet:
        assert sheet.width > 100
    with pytest.raises(BadRequest, match=r"ends in \.png or \.webp"):
        trial_commands.contact_sheet(tmp_path / "sheet.txt", "primer/exact", 2)
    capsys.readouterr()
    trial_commands.model_trial("primer/exact,primer/careless", 2, 1, as_json=True)
    printed = json.loads(capsys.readouterr().out)
    assert list(printed["score"]) == ["primer/exact", "primer/careless"]
    assert printed["apart"] in (True, False)
