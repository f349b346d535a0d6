"""What programs are told of a picture."""

from dataclasses import replace
from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
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


def test_what_other_questions_or_another_wording_said_is_told_beside_it(
    services: Any, image: str
) -> None:
    asked = EvaluateRequest(prompt=PROMPT, models=("primer/exact",))
    list(services.evaluate(replace(asked, wording="as-published")))
    known = services.sets.for_prompt(PROMPT)
    fewer = replace(known, questions=known.questions[:2])
    list(services.evaluate(asked, find_questions=lambda _: fewer))
    found = documents.evidence(services, image, "ihalla")["evaluations"]
    assert [len(each["verdicts"]) for each in found] == [5, 5, 2]


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
