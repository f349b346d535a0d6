"""Narrows judged images by what is known of them: a feature and its value, such as number and 4.

Conditions have one written form, which addresses and the command line share:
`feature:value;feature:value`, each feature and value percent-encoded.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hallascope.engine.error_analysis.features import FEATURES, MODEL, SETTING
from hallascope.engine.error_analysis.prompt_features import NO, SEVERAL
from hallascope.engine.errors import BadRequest

_BETWEEN_CONDITIONS = ";"
_BEFORE_VALUE = ":"
_NO_GROUP = {"", NO, "none"}  # values that describe no group of images


class Condition(NamedTuple):
    """Says that a feature of an image has a value, as in a table of `image_features`."""

    feature: str
    value: str


def format_conditions(conditions: Iterable[Condition]) -> str:
    """Return conditions as `feature:value;feature:value`, "" for none.

    In an address the whole is percent-encoded once more, as any value of a query is.
    """
    return _BETWEEN_CONDITIONS.join(
        _BEFORE_VALUE.join(map(_quoted, condition)) for condition in conditions
    )


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """Return the conditions that `format_conditions` wrote, each once, in the order of the text.

    An empty value is that of images of which the feature is not known. Spaces around features and
    values do not count. Raises BadRequest where a condition has no ":", or a feature that no image
    has.
    """
    conditions: dict[Condition, None] = {}
    for written in text.split(_BETWEEN_CONDITIONS):
        if not written.strip():
            continue
        feature, colon, value = written.partition(_BEFORE_VALUE)
        condition = Condition(unquote(feature.strip()), unquote(value.strip()))
        if not colon:
            raise BadRequest(
                f"{written.strip()!r} is not a condition on images: write feature:value, with ;"
                " between several, such as `number:4;model:primer/hasty`."
            )
        if condition.feature not in FEATURES and not condition.feature.startswith(SETTING):
            raise BadRequest(
                f"{condition.feature!r} is not a feature of images: choose one of"
                f" {', '.join(FEATURES)} or {SETTING}NAME."
            )
        conditions[condition] = None
    return tuple(conditions)


def _quoted(text: str) -> str:
    return quote(text, safe=" " if text == text.strip() else "")  # people read the form, too


def select_images(features: pd.DataFrame, conditions: Sequence[Condition]) -> pd.Series:
    """Return for each row of a table of features whether it meets all conditions.

    Of a feature with several values ("animal+plant") one has to be the value. A feature that the
    table does not have is met by no row.
    """
    chosen = pd.Series(data=True, index=features.index)
    for feature, value in conditions:
        if feature not in features.columns:
            return pd.Series(data=False, index=features.index)
        texts = features[feature].astype(str)
        met = {text for text in texts.unique() if text == value or value in text.split(SEVERAL)}
        chosen &= texts.isin(met)
    return chosen


def feature_groups(
    features: pd.DataFrame, names: Iterable[str]
) -> Iterator[tuple[Condition, NDArray[np.bool_]]]:
    """Yield each value of these features as a condition, and which rows of the table meet it.

    What describes all rows, or the same rows as a condition before it, is left out.
    """
    known = {np.ones(len(features), dtype=bool).tobytes()}
    for feature in names:
        codes, texts = pd.factorize(features[feature])
        # "model + text knowledge" is one name
        split = [(text,) if feature == MODEL else tuple(text.split(SEVERAL)) for text in texts]
        for value in sorted({value for values in split for value in values} - _NO_GROUP):
            met = np.array([value in values for values in split])[codes]
            if met.tobytes() not in known:
                known.add(met.tobytes())
                yield Condition(feature, value), met
