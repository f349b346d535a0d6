"""Narrows judged images by what is known of them: a feature and its value, such as number and 4."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd


class Condition(NamedTuple):
    """Says that a feature of an image has a value, as in a table of `image_features`."""

    feature: str
    value: str


def select_images(features: pd.DataFrame, conditions: Sequence[Condition]) -> pd.Series:
    """Return for each row of a table of features whether it meets all conditions.

    A feature that the table does not have is met by no row.
    """
    chosen = pd.Series(data=True, index=features.index)
    for feature, value in conditions:
        if feature not in features.columns:
            return pd.Series(data=False, index=features.index)
        chosen &= features[feature].astype(str) == value
    return chosen
