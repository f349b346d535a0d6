"""Judged images are rows with the features of image, prompt, settings and questions, and conditions
choose among them.
"""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.conditions import (
    Condition,
    format_conditions,
    parse_conditions,
    select_images,
)
from hallascope.engine.error_analysis.features import FEATURES, SETTING, image_features
from hallascope.engine.error_analysis.prompt_features import (
    NO,
    YES,
    PromptFeatures,
    read_prompt_features,
)
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_tags import TaggedImage, keep_tags
from hallascope.engine.storage.scores import FACETS
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep

MODELS = ("primer/careless", "primer/hasty")


def evaluate(services: Any, prompt: str) -> None:
    request = EvaluateRequest(
        prompt=prompt, models=MODELS, metrics=("ihalla",), judge="primer/judge", count=2
    )
    for _ in services.evaluate(request):
        pass


def test_each_judged_image_is_a_row_and_conditions_choose_among_them(
    services: Any,
) -> None:
    evaluate(services, "a molecule of methane")
    found = read_judged_images(services.store, ErrorSelection())
    assert sorted(found.images["model"]) == ["primer/careless"] * 2 + ["primer/hasty"] * 2
    assert (found.images["error"] == 1.0 - found.images["value"]).all()
    assert found.unanswered == 0
    assert set(found.parts["evaluation"]) == set(found.images["evaluation"])
    wrong = found.parts.groupby("evaluation")["wrong"].sum()
    answered = found.images.set_index("evaluation")["answered"]
    errors = found.images.set_index("evaluation")["error"]
    assert (abs(wrong / answered - errors) < 1e-9).all()
    chosen = ErrorSelection(conditions=(Condition("model", MODELS[0]),))
    narrowed = read_judged_images(services.store, chosen)
    assert set(narrowed.images["model"]) == {MODELS[0]}
    assert set(narrowed.parts["evaluation"]) == set(narrowed.images["evaluation"])
    unknown = ErrorSelection(conditions=(Condition("weather", "rain"),))
    assert read_judged_images(services.store, unknown).images.empty


def test_a_change_of_the_store_is_read(services: Any) -> None:
    chosen = ErrorSelection()
    evaluate(services, "a molecule of methane")
    first = read_judged_images(services.store, chosen)
    assert read_judged_images(services.store, chosen) is first
    evaluate(services, "a gentoo penguin")
    second = read_judged_images(services.store, chosen)
    assert len(second.images) == 2 * len(first.images)
    tagged = ErrorSelection(tags=("odd",))
    assert read_judged_images(services.store, tagged).images.empty
    image = second.images.iloc[0]
    keep_tags(services.store, [TaggedImage(image["image"], image["prompt"])], "odd")
    assert len(read_judged_images(services.store, tagged).images) == 1


def test_an_evaluation_that_is_written_anew_is_read(analysis_store: Store) -> None:
    for state, value in (("failed", 1.0), ("incorrect", 0.5)):
        keep(analysis_store, Said(states=(state, "correct")))  # type: ignore[arg-type]
        found = read_judged_images(analysis_store, ErrorSelection())
        assert list(found.images["value"]) == [value]


NAMES = st.sampled_from(FEATURES) | st.text().map(f"{SETTING}{{}}".format)
CONDITIONS = st.lists(st.builds(Condition, NAMES, st.text()), unique=True)


@given(CONDITIONS)
def test_what_is_written_is_read_back(conditions: list[Condition]) -> None:
    assert parse_conditions(format_conditions(conditions)) == tuple(conditions)


def test_spaces_around_features_and_values_do_not_count() -> None:
    read = parse_conditions("number : 4; tag: extra fingers ")
    assert read == (Condition("number", "4"), Condition("tag", "extra fingers"))


@pytest.mark.parametrize("text", ["number", ":4", "number:4;model", "nubmer:4"])
def test_a_condition_without_colon_or_known_feature_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match=r"feature:value|choose one of model, .*number"):
        parse_conditions(text)


def judged_images(settings: list[str]) -> pd.DataFrame:
    rows = [
        {
            "evaluation": at,
            "model": "one" if at % 2 == 0 else "other",
            "seed": 7,
            "prompt": "four tulips",
            "settings": text,
            **dict.fromkeys(FACETS, ""),
            "domain": "animal+plant",
        }
        for at, text in enumerate(settings)
    ]
    return pd.DataFrame(rows)


def test_an_image_has_the_features_of_its_prompt() -> None:
    features = image_features(judged_images(["{}"]))
    row = features.iloc[0]
    assert row["concept"] == "tulip"
    assert row["number above 3"] == "yes"
    assert row["number above 4"] == "no"
    assert row["seed"] == "7"
    for value, is_chosen in (("plant", True), ("food", False)):
        conditions = [Condition("domain", value), Condition("concept", "tulip")]
        assert select_images(features, conditions).tolist() == [is_chosen]


def test_a_setting_is_a_feature_where_images_of_one_model_differ_in_it() -> None:
    same = ['{"steps": 20}', '{"steps": 9}', '{"steps": 20}', '{"steps": 9}']
    assert "setting steps" not in image_features(judged_images(same))
    varied = ['{"steps": 20}', '{"steps": 9}', '{"steps": 30}', '{"steps": 9}']
    assert image_features(judged_images(varied))["setting steps"].tolist() == ["20", "9", "30", "9"]


def test_an_image_has_the_types_of_its_wrong_questions() -> None:
    parts = pd.DataFrame(
        [(0, "counting", 1.0, 1), (0, "color", 0.0, 1), (1, "counting", 0.0, 0)],
        columns=["evaluation", "coi", "wrong", "answered"],
    )
    features = image_features(judged_images(["{}", "{}"]), parts)
    assert features["question type"].tolist() == ["color+counting", ""]
    assert features["wrong question type"].tolist() == ["counting", ""]


def test_prompts_are_read_as_scenes_and_by_the_highest_number_of_things() -> None:
    assert read_prompt_features("four red circles above a blue square") == PromptFeatures(
        concept="circle+square",
        number="4",
        color="blue+red",
        relation="above",
        negation=NO,
        length="medium",
        style_words=NO,
    )
    read = read_prompt_features("a man without a hat to the left of a red car")
    assert (read.relation, read.negation, read.color) == ("left of", YES, "red")
    assert read_prompt_features("a cat in front of a dog in a yard").relation == "in+in front of"
    numbers = {
        "a cat and three dogs": "3",
        "12 cats": "5 or more",
        "a pair of skiers": "2",
        "a 30 cm ruler from 1900": "1",
    }
    assert {prompt: read_prompt_features(prompt).number for prompt in numbers} == numbers
