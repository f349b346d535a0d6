"""The Repair part takes the failing images of the selection, and shows them before and after."""

from typing import Any

import pytest

from hallascope.engine.error_analysis.remedies.experiment import JudgedImage, TreatedImage
from hallascope.engine.error_analysis.remedies.request import FailingImage
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.pages.error_analysis import remedies

INPUTS = remedies.RemedyInputs(
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
    request = INPUTS.request(services)
    assert request.cases == (FailingImage("a molecule of methane", 0),)
    assert (request.judge, request.evaluate_by) == ("primer/judge", "primer/counter")
    assert request.images_in_all == 4


def test_what_cannot_be_repaired_is_one_sentence(services: Any) -> None:
    with pytest.raises(BadRequest, match="No image of primer/careless in this selection"):
        INPUTS.request(services)
    with pytest.raises(BadRequest, match="number of failing images"):
        INPUTS._replace(most=0).request(services)
    with pytest.raises(BadRequest, match="number of images is 0"):
        INPUTS._replace(images=0).request(services)


def test_images_stand_before_and_after_each_once() -> None:
    before, fresh, refined = (
        JudgedImage(image=str(number), evaluation=number) for number in (1, 2, 3)
    )
    treated = TreatedImage(
        case=FailingImage("a star"),
        before=before,
        control=(fresh,),
        after={"best-of-n": (fresh,), "prompt-repair": (refined,)},
        not_tried={},
        drawn={},
    )
    images = remedies.images_by_prompt([treated])
    assert images == {"a star": [1, 2, 3]}
    assert remedies.show_images(["a star"], images)["evaluations"] == [1, 2, 3]
    assert remedies.show_images(["another"], images) is None
