"""A plan orders what a judge judged so that its beginning is a random sample of each model."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from hallascope.data.records import Letter, Report
from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling.frame import FrameImage
from hallascope.engine.labeling.plans import (
    LabelingPlan,
    create_plan,
    find_plan,
    frame_sizes,
    list_plans,
    order_images,
    random_number,
)
from hallascope.engine.labeling.uncertainty import UnsureJudge
from hallascope.engine.storage.tables import SweepItemRow, SweepRow
from tests.support.labeling_store import JUDGE, build, judge_image


def frame_image(number: int) -> FrameImage:
    """An image of a prompt of its own; what the judge said of it does not matter here."""
    report = Report(metric="ihalla", version="1", prompt="", image="", scores={})
    return FrameImage(f"{number:064x}", f"prompt {number}", "m/one", f"r:{number}", number, report)


def prompts_of(plan: LabelingPlan, model: str) -> list[str]:
    """The prompts of a model in the order in which they are labeled, each once."""
    return list(dict.fromkeys(one.prompt for one in plan.images if one.stratum == model))


def test_a_plan_has_every_image_of_the_judge_once_and_is_found_again(services: Any) -> None:
    plan = create_plan(services, title=" What  people see ", raters_per_image=2, seed=4)
    assert (plan.judge, plan.title, plan.design) == (JUDGE, "What people see", "random")
    assert frame_sizes(plan) == {"m/one": (12, 12), "m/two": (12, 12)}
    assert [image.position for image in plan.images] == list(range(24))
    assert {image.probability for image in plan.images} == {1 / 12}
    assert list_plans(services) == [plan]
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


def test_the_frame_is_narrowed_to_models_and_to_a_run(services: Any) -> None:
    of_model = create_plan(services, models=("m/two",))
    assert {image.model for image in of_model.images} == {"m/two"}
    of_run = create_plan(services, run="run of prompt 3")
    assert {image.prompt for image in of_run.images} == {"prompt 3"}


def test_a_sweep_is_all_of_its_runs(services: Any) -> None:
    database = services.store.database
    runs = ["run of prompt 3", "run of prompt 5"]
    with database.write_transaction() as session:
        database.upsert(
            session, SweepRow(id="s1", state="finished", title="", spec="{}", items=len(runs))
        )
        database.upsert(
            session,
            *(
                SweepItemRow(sweep="s1", position=number, run=run, prompt="")
                for number, run in enumerate(runs)
            ),
        )
    plan = create_plan(services, run="s1")
    assert {image.prompt for image in plan.images} == {"prompt 3", "prompt 5"}


def test_an_image_whose_file_is_gone_and_one_that_a_person_brought_are_not_in_the_frame(
    services: Any,
) -> None:
    gone = judge_image(services.store, "gone", "m/one")
    services.store.images.path(gone).unlink()
    judge_image(services.store, "brought", "uploaded")
    assert {image.prompt for image in create_plan(services).images}.isdisjoint({"gone", "brought"})
    (brought,) = create_plan(services, models=("uploaded",)).images
    assert brought.prompt == "brought"


def test_an_image_that_was_judged_again_counts_once_with_the_newest_verdicts(
    services: Any,
) -> None:
    judge_image(services.store, "prompt 3", "m/one", ("B", "B"), run="again")
    plan = create_plan(services)
    (image,) = (i for i in plan.images if (i.prompt, i.model) == ("prompt 3", "m/one"))
    assert image.item.startswith("again:")


def test_of_several_judges_the_one_of_most_images_is_corrected(services: Any) -> None:
    judge_image(services.store, "prompt 3", "m/one", judge="j/other")
    assert create_plan(services).judge == JUDGE
    assert len(create_plan(services, judge="j/other").images) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"design": "clever"}, "There is no design 'clever': take random or active."),
        ({"raters_per_image": 0}, "take 1 to 5"),
        ({"raters_per_image": 6}, "take 1 to 5"),
        ({"attention_every": 1}, "take 0 for none, or 2 and more"),
        ({"attention_every": -2}, "take 0 for none, or 2 and more"),
        ({"judge": "j/none"}, "that j/none judged by I-HallA's questions is stored here"),
        ({"models": ("m/none",)}, "No image of m/none that j/one judged"),
        ({"run": "r9"}, "No image in the run r9 that j/one judged"),
    ],
)
def test_what_cannot_be_planned_is_one_sentence(
    services: Any, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        create_plan(services, **options)
    assert words in str(refused.value)
    assert list_plans(services) == []


def test_a_store_without_judged_images_says_what_to_do(tmp_path: Path) -> None:
    services = build(tmp_path / "empty", prompts=0)
    with pytest.raises(BadRequest, match="evaluate some first"):
        create_plan(services)
    services.store.close()


def test_a_plan_that_is_not_there_or_not_the_only_one_is_refused(services: Any) -> None:
    with pytest.raises(BadRequest, match="`hallascope label plans` lists"):
        find_plan(services, "zz")
    plans = [create_plan(services, seed=seed) for seed in range(17)]  # two begin alike
    shared = next(
        first for first, count in Counter(one.id[0] for one in plans).items() if count > 1
    )
    with pytest.raises(BadRequest, match=f"begin with '{shared}': give the whole id"):
        find_plan(services, shared)
    with pytest.raises(BadRequest, match="There is no labeling plan ''"):
        find_plan(services, "")


# --- the sample ---


def test_every_beginning_of_a_stratum_is_a_simple_random_sample() -> None:
    """Over many seeds, every pair of prompts is as often the first two, and no place is taken
    more often by one prompt.
    """
    frame = [frame_image(number) for number in range(6)]
    firsts = Counter[frozenset[str]]()
    places = defaultdict[int, Counter[str]](Counter)
    for seed in range(3_000):
        order = [image.prompt for image in order_images(frame, {}, seed)]
        firsts[frozenset(order[:2])] += 1
        for place, prompt in enumerate(order):
            places[place][prompt] += 1
    assert len(firsts) == 15
    assert stats.chisquare(list(firsts.values())).pvalue > 1e-4
    for counts in places.values():
        assert stats.chisquare([counts[image.prompt] for image in frame]).pvalue > 1e-4


def test_the_active_design_draws_each_prompt_as_often_as_it_says() -> None:
    frame = [frame_image(number) for number in range(20)]
    unsure = {
        image.item: UnsureJudge(0.5 if number < 5 else 0.1, "confidence")
        for number, image in enumerate(frame)
    }
    draws = 3_000
    included = Counter[str]()
    for seed in range(draws):
        images = order_images(frame, unsure, seed)
        included.update(image.prompt for image in images[:6])
    for image in images:
        wanted = 6 * image.probability
        slack = 4 * (wanted * (1 - wanted) / draws) ** 0.5 + 0.02  # the order is approximate
        assert included[image.prompt] / draws == pytest.approx(wanted, abs=slack)


def test_what_the_judge_is_unsure_of_is_likelier_and_says_why(tmp_path: Path) -> None:
    services = build(tmp_path / "home", prompts=0)
    for number in range(20):
        probability = 0.5 if number < 5 else 0.9
        judge_image(services.store, f"prompt {number}", "m/one", probability=probability)
    plan = create_plan(services, design="active")
    services.store.close()
    by_prompt = {image.prompt: image for image in plan.images}
    # 5 prompts of 0.5 and 15 of 0.1: half uniform, half by 0.5 / 4 or 0.1 / 4
    assert by_prompt["prompt 0"].probability == pytest.approx(0.5 / 20 + 0.5 * 0.5 / 4)
    assert by_prompt["prompt 9"].probability == pytest.approx(0.5 / 20 + 0.5 * 0.1 / 4)
    assert sum(image.probability for image in plan.images) == pytest.approx(1)
    assert (by_prompt["prompt 0"].reason, by_prompt["prompt 9"].reason) == ("confidence", "random")


def test_where_judges_disagree_the_active_design_says_so(services: Any) -> None:
    for number in range(12):
        answers: tuple[Letter, Letter] = ("B", "B") if number == 3 else ("A", "A")
        judge_image(
            services.store, f"prompt {number}", "m/one", answers, judge="j/other", probability=1.0
        )
        judge_image(services.store, f"prompt {number}", "m/one", probability=1.0)
    plan = create_plan(services, design="active", models=("m/one",), judge=JUDGE)
    reasons = {image.prompt: image.reason for image in plan.images}
    assert reasons.pop("prompt 3") == "disagreement"
    assert set(reasons.values()) == {"random"}


def test_without_confidence_or_trials_the_active_design_draws_uniformly(services: Any) -> None:
    plan = create_plan(services, design="active")
    assert [image.probability for image in plan.images] == pytest.approx([1 / 12] * 24)


def test_permanent_random_numbers_are_uniform_and_never_0_or_1() -> None:
    numbers = [random_number(3, f"prompt {i}") for i in range(2_000)]
    assert stats.kstest(numbers, "uniform").pvalue > 1e-3
    assert 0 < min(numbers) < max(numbers) < 1
