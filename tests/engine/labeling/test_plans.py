"""A plan orders what a judge judged so that its beginning is a random sample of each model."""

from collections import Counter, defaultdict
from typing import Any

import pytest
from scipy import stats

from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling.plans import (
    create_plan,
    find_plan,
    frame_sizes,
    order_images,
)
from hallascope.engine.storage.people.labeling import LabelingPlan, PlannedImage
from tests.support.labeling_store import JUDGE, judge_image


def frame_image(number: int) -> PlannedImage:
    """An image of a prompt of its own."""
    return PlannedImage(
        image=f"{number:064x}",
        prompt=f"prompt {number}",
        model="m/one",
        stratum="m/one",
        item=f"r:{number}",
        evaluation=number,
    )


def prompts_of(plan: LabelingPlan, model: str) -> list[str]:
    """The prompts of a model in the order in which they are labeled, each once."""
    return list(dict.fromkeys(one.prompt for one in plan.images if one.stratum == model))


def test_a_plan_has_every_image_of_the_judge_once_and_is_found_again(services: Any) -> None:
    plan = create_plan(services, title=" What  people see ", raters_per_image=2, seed=4)
    assert (plan.judge, plan.title) == (JUDGE, "What people see")
    assert frame_sizes(plan) == {"m/one": (12, 12), "m/two": (12, 12)}
    assert [image.position for image in plan.images] == list(range(24))
    assert {image.probability for image in plan.images} == {1 / 12}
    assert services.store.labeling.plans() == [plan]
    assert find_plan(services, plan.id) == find_plan(services, plan.id[:5]) == plan


def test_the_same_request_is_the_same_plan_and_images_that_come_later_do_not_change_it(
    services: Any,
) -> None:
    plan = create_plan(services)
    assert create_plan(services) == plan
    judge_image(services.store, "a later prompt", "m/one")
    assert find_plan(services, plan.id) == plan
    later = create_plan(services)
    assert (len(plan.images), len(later.images)) == (24, 25)
    assert later.id != plan.id
    assert create_plan(services, seed=1).id not in (plan.id, later.id)


def test_models_take_turns_and_share_the_order_of_prompts(services: Any) -> None:
    plan = create_plan(services, seed=7)
    assert prompts_of(plan, "m/one") == prompts_of(plan, "m/two")
    for number in range(0, 24, 2):
        turn = {image.stratum for image in plan.images[number : number + 2]}
        assert turn == {"m/one", "m/two"}
    first = Counter(image.stratum for image in plan.images[::2])
    assert set(first) == {"m/one", "m/two"}, "the place tells the model"


def test_images_of_one_prompt_and_model_stay_together(services: Any) -> None:
    judge_image(services.store, "prompt 3", "m/one", seed=1)
    plan = create_plan(services)
    positions = [
        image.position
        for image in plan.images
        if (image.prompt, image.model) == ("prompt 3", "m/one")
    ]
    assert len(positions) == 2
    assert positions[1] == positions[0] + 1
    assert frame_sizes(plan)["m/one"] == (12, 13)


def test_an_image_whose_file_is_gone_and_one_that_a_person_brought_are_not_in_the_frame(
    services: Any,
) -> None:
    gone = judge_image(services.store, "gone", "m/one")
    services.store.images.path(gone).unlink()
    judge_image(services.store, "brought", "uploaded")
    assert {image.prompt for image in create_plan(services).images}.isdisjoint({"gone", "brought"})
    (brought,) = create_plan(services, models=("uploaded",)).images
    assert brought.prompt == "brought"


def test_a_visitor_plans_no_image_that_another_brought(services: Any) -> None:
    ann, bo = (services.acting_for(Visitor(name, name)) for name in ("ann", "bo"))
    judge_image(ann.store, "brought", "uploaded")
    assert len(create_plan(ann, models=("uploaded",)).images) == 1
    with pytest.raises(BadRequest, match="No image of uploaded"):
        create_plan(bo, models=("uploaded",))


def test_an_image_that_counts_in_its_run_alone_is_planned_for_that_run_alone(
    services: Any,
) -> None:
    judge_image(services.store, "held back", "m/one", is_held_back=True)
    assert "held back" not in {image.prompt for image in create_plan(services).images}
    (image,) = create_plan(services, run="held-back").images
    assert image.prompt == "held back"


def test_an_image_that_was_judged_again_counts_once_with_the_newest_verdicts(
    services: Any,
) -> None:
    judge_image(services.store, "prompt 3", "m/one", ("B", "B"), run="again")
    plan = create_plan(services)
    (image,) = (i for i in plan.images if (i.prompt, i.model) == ("prompt 3", "m/one"))
    assert image.item.startswith("again:")


@pytest.mark.parametrize(
    "options, words",
    [
        ({"raters_per_image": 6}, "take 1 to 5"),
        ({"judge": "j/none"}, "that j/none judged by I-HallA's questions is stored here"),
        ({"run": "r9"}, "No image in the run r9 that j/one judged"),
    ],
)
def test_what_cannot_be_planned_is_one_sentence(
    services: Any, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        create_plan(services, **options)
    assert words in str(refused.value)
    assert services.store.labeling.plans() == []


# --- the sample ---


def test_every_beginning_of_a_stratum_is_a_simple_random_sample() -> None:
    """Over many seeds, every pair of prompts is as often the first two, and no place is taken
    more often by one prompt.
    """
    frame = [frame_image(number) for number in range(6)]
    firsts = Counter[frozenset[str]]()
    places = defaultdict[int, Counter[str]](Counter)
    for seed in range(1_500):
        order = [image.prompt for image in order_images(frame, seed)]
        firsts[frozenset(order[:2])] += 1
        for place, prompt in enumerate(order):
            places[place][prompt] += 1
    assert len(firsts) == 15
    assert stats.chisquare(list(firsts.values())).pvalue > 1e-4
    for counts in places.values():
        assert stats.chisquare([counts[image.prompt] for image in frame]).pvalue > 1e-4
