"""The features of judged images: of the image, its prompt, its settings and its questions."""

import pandas as pd

from hallascope.engine.error_analysis.conditions import Condition, select_images
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.storage.scores import FACETS


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


def test_a_setting_is_a_feature_where_images_of_one_model_differ_in_it() -> None:
    same = ['{"steps": 20}', '{"steps": 9}', '{"steps": 20}', '{"steps": 9}']
    assert "setting steps" not in image_features(judged_images(same))
    varied = ['{"steps": 20}', '{"steps": 9}', '{"steps": 30}', '{"steps": 9}']
    assert image_features(judged_images(varied))["setting steps"].tolist() == ["20", "9", "30", "9"]


def test_knowledge_beside_the_prompt_is_a_feature() -> None:
    features = image_features(judged_images(["{}", '{"injected": "text"}', "no JSON"]))
    assert features["knowledge"].tolist() == ["none", "text", "none"]


def test_an_image_has_the_types_of_its_wrong_questions() -> None:
    parts = pd.DataFrame(
        [(0, "counting", 1.0, 1), (0, "color", 0.0, 1), (1, "counting", 0.0, 0)],
        columns=["evaluation", "coi", "wrong", "answered"],
    )
    features = image_features(judged_images(["{}", "{}"]), parts)
    assert features["question type"].tolist() == ["color+counting", ""]
    assert features["wrong question type"].tolist() == ["counting", ""]


def test_one_of_several_values_meets_a_condition() -> None:
    features = image_features(judged_images(["{}"]))
    assert select_images(features, [Condition("domain", "plant")]).tolist() == [True]
    assert select_images(features, [Condition("domain", "food")]).tolist() == [False]
