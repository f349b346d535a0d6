"""Says what is known of each judged image: by what groups of failing images can be described.

A feature is a column of texts. Some images have several values of a feature: "+" stands between
them, as between the domains of a prompt, and a condition is met by each of them.
"""

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from hallascope.engine.error_analysis.prompt_features import (
    ABOVE,
    SEVERAL,
    PromptFeatures,
    is_above,
    read_prompt_features,
)
from hallascope.engine.storage.scores import FACETS, INJECTED

MODEL = "model"
CLUSTER = "cluster"  # of the embedding of the image, where embeddings are stored
QUESTION_TYPE = "question type"  # the compositions of interest of the questions of an image
WRONG = "wrong question type"  # those of the questions that were answered wrong
KNOWLEDGE = "knowledge"
TAG = "tag"  # of conditions alone: one that people gave the image, or a question of it
SETTING = "setting "  # how the names of settings begin
_MOST_VALUES = 30  # a setting with more is no group of images


def number_above(least: int) -> str:
    """Return the name of the ordered feature of the number that a prompt asks for."""
    return f"number above {least}"


FEATURES = (
    MODEL,
    *FACETS,
    "seed",
    *(name.replace("_", " ") for name in PromptFeatures._fields),
    *map(number_above, ABOVE),
    KNOWLEDGE,
    CLUSTER,
    QUESTION_TYPE,
    WRONG,
    TAG,
)


def image_features(images: pd.DataFrame, parts: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the features of judged images, a text each, with the index of `images`.

    `images` and `parts` are tables of `read_judged_images`; without `parts` nothing is said of the
    questions. "" stands for what is not known of an image. Settings are features where the images
    of one model differ in them.
    """
    columns: dict[str, Any] = {MODEL: images["model"].astype(str)}
    columns |= {name: images[name].astype(str) for name in FACETS}
    columns["seed"] = images["seed"].astype(str)
    columns |= _prompt_columns(images["prompt"])
    columns |= _setting_columns(images)
    if CLUSTER in images.columns:
        columns[CLUSTER] = images[CLUSTER].fillna("").astype(str)
    if parts is not None and not parts.empty:
        columns |= _question_columns(images["evaluation"], parts)
    return pd.DataFrame(columns, index=images.index)


def _prompt_columns(prompts: pd.Series) -> dict[str, pd.Series]:
    """Return the features of prompts; each prompt is read once."""
    read = {prompt: read_prompt_features(prompt) for prompt in prompts.unique()}
    columns = {
        name.replace("_", " "): prompts.map({text: row[at] for text, row in read.items()})
        for at, name in enumerate(PromptFeatures._fields)
    }
    for least in ABOVE:
        above = {text: is_above(row.number, least) for text, row in read.items()}
        columns[number_above(least)] = prompts.map(above)
    return columns


def _setting_columns(images: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the knowledge beside the prompt, and the settings in which a model's images differ."""
    settings = images["settings"].astype(str)
    read = {text: _read_settings(text) for text in settings.unique()}
    knowledge = {text: row.get(INJECTED, "none") for text, row in read.items()}
    columns = {KNOWLEDGE: settings.map(knowledge)}
    for name in sorted({name for row in read.values() for name in row} - {INJECTED}):
        values = settings.map({text: row.get(name, "") for text, row in read.items()})
        varied = values.groupby(images["model"]).nunique().gt(1).any()
        if varied and values.nunique() <= _MOST_VALUES and name not in columns:
            columns[f"{SETTING}{name}"] = values
    return columns


def _read_settings(text: str) -> Mapping[str, str]:
    """Return the settings of an image that are one value each."""
    try:
        read = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(read, dict):
        return {}
    return {
        str(name): str(value)
        for name, value in read.items()
        if isinstance(value, str | int | float) and str(value)
    }


def _question_columns(evaluations: pd.Series, parts: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the question types of each image, and those that were answered wrong."""
    answered = parts[parts["answered"] > 0]
    wrong = answered[answered["wrong"] > 0]
    return {
        QUESTION_TYPE: _types_of(evaluations, answered),
        WRONG: _types_of(evaluations, wrong),
    }


def _types_of(evaluations: pd.Series, parts: pd.DataFrame) -> pd.Series:
    """Return the question types of each image, joined; "" where it has none."""
    types: dict[int, set[str]] = {}
    for evaluation, coi in zip(parts["evaluation"], parts["coi"], strict=True):
        types.setdefault(evaluation, set()).add(coi)
    joined = [SEVERAL.join(sorted(types.get(evaluation, ()))) for evaluation in evaluations]
    return pd.Series(joined, index=evaluations.index, dtype=str)
