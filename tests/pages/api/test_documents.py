"""What programs are told of models, of a picture and of a leaderboard."""

from collections.abc import Callable
from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.pages.api import documents

PROMPT = "a molecule of methane"


@pytest.fixture
def image(services: Any) -> str:
    models = ("primer/exact", "primer/hasty")
    list(services.evaluate(EvaluateRequest(prompt=PROMPT, models=models[:1])))
    both = EvaluateRequest(prompt=PROMPT, models=models, metrics=("ihalla", "tifa"))
    list(services.evaluate(both))
    shots = services.store.generated_pictures(services.store.runs()[0].id)
    return str(services.store.evaluations_of([shot.image for shot in shots])[0].image)


def test_what_two_runs_said_alike_of_a_picture_is_told_once(services: Any, image: str) -> None:
    found = documents.evidence(services, image)
    assert [one["metric"] for one in found["evaluations"]] == ["ihalla", "tifa"]
    assert {one["sha256"] for one in found["evaluations"]} == {image}
    assert found["evaluations"][0]["verdicts"][0]["answer"]


def test_evidence_tells_the_truth_of_each_question_and_where_the_judge_is_wrong(
    services: Any, image: str
) -> None:
    found = documents.evidence(services, image, "ihalla")
    verdicts = found["evaluations"][0]["verdicts"]
    for verdict in verdicts:
        assert verdict["truth"] == {
            "letter": verdict["gold"],
            "text": verdict["choices"]["ABCDE".index(verdict["gold"])],
            "source": "drawn",
        }
    assert [verdict["judge_is_wrong"] for verdict in verdicts] == [True, False, False, False, False]
    assert found["judge_errors"] == {"wrong": 1, "known": 5}


def test_evidence_of_one_metric_is_that_alone(services: Any, image: str) -> None:
    assert [
        one["metric"] for one in documents.evidence(services, image, "tifa")["evaluations"]
    ] == ["tifa"]
    with pytest.raises(BadRequest, match=r"by 'fig' \(known: ihalla, tifa\)"):
        documents.evidence(services, image, "fig")


def test_a_picture_that_nobody_knows_is_said_so(services: Any) -> None:
    for wrong in ("", "0" * 64, "../../secret", "x" * 5000):
        with pytest.raises(BadRequest, match="No image"):
            documents.evidence(services, wrong)


def test_a_leaderboard_has_a_row_a_model_with_its_interval(services: Any, image: str) -> None:
    found = documents.leaderboard(services, Query())
    assert {row["model"] for row in found["rows"]} == {"primer/exact", "primer/hasty"}
    assert set(found["rows"][0]) >= {"model", "value", "n", "low", "high", "left_out"}
    assert found["demo"] is False
    assert all(row["source"] for row in found["published"])
    assert {row["coi"] for row in documents.leaderboard(services, Query(by="coi"))["rows"]} >= {
        "counting"
    }


def test_names_that_nobody_knows_are_said_so(services: Any, image: str) -> None:
    queries = {
        "did you mean 'ihalla'": Query("ihala"),
        "did you mean 'strict'": Query(score="strickt"),
        "did you mean 'primer/exact'": Query(filters=Filters(models=("primer/exakt",))),
        "did you mean 'primer/judge'": Query(filters=Filters(judge="primer/juge")),
    }
    for words, query in queries.items():
        with pytest.raises(BadRequest, match=words):
            documents.leaderboard(services, query)


def test_models_are_those_of_the_role(make_services: Callable[..., Any]) -> None:
    services = make_services()
    found = documents.models(services, "judge")["models"]
    assert found[0].keys() >= {"id", "roles", "available", "reason"}
    assert all("judge" in one["roles"] for one in found)
    with pytest.raises(BadRequest, match="There is no role 'painter'"):
        documents.models(services, "painter")
