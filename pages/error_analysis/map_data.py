"""Turns the points of a map into what its script draws: numbers in few bytes, and groups."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hallascope.components.html.judge_chip import percent
from hallascope.components.theme.model_colors import COLORS, model_styles
from hallascope.data.records import COIS
from hallascope.engine.error_analysis.error_map.points import NOTHING_WRONG, ErrorMap
from hallascope.pages.shared.run_pictures import short_name

TRUTH = "truth"  # the coloring that is computed only when it is chosen
MOST_GROUPS = 40
REST = "all others"
UNKNOWN = "not known"
UNKNOWN_COLOR = "--soft"
SCALE = ("#0072b2", "#56b4e9", "#e69f00", "#d55e00", "#b3261e")  # from nothing to all
BINS = ("0 %", "up to 25 %", "up to 50 %", "up to 75 %", "up to 100 %")
_EDGES = (1e-9, 0.25, 0.5, 0.75)  # the highest share of each bin but the last
_STEPS = 65_535  # of a coordinate, in two bytes

Coloring = dict[str, Any]  # name, title, `of` (the group of each point, a byte), and groups


def map_data(drawn: ErrorMap, known_models: Sequence[str]) -> dict[str, Any]:
    """Return all that the script draws of a map, in about 20 bytes for each point.

    `x`, `y` and `evaluations` are base64 of unsigned 16-bit coordinates and signed 32-bit ids, the
    lowest byte first.
    """
    points = drawn.points
    return {
        "x": _base64(_steps(points["x"])),
        "y": _base64(_steps(points["y"])),
        "evaluations": _base64(points["evaluation"].to_numpy("<i4")),
        "colorings": colorings(points, known_models),
        "missing": len(drawn.missing),
        "words": summary(points),
    }


def _steps(values: pd.Series) -> NDArray[np.uint16]:
    """Return coordinates as shares of their range, from 0 to 65,535; of one point the middle."""
    numbers = values.to_numpy(np.float64)
    span = np.ptp(numbers) if len(numbers) else 0.0
    shares = (numbers - numbers.min()) / span if span > 0 else np.full(len(numbers), 0.5)
    return np.round(shares * _STEPS).astype("<u2")


def _base64(numbers: NDArray[Any]) -> str:
    return base64.b64encode(numbers.tobytes()).decode()


def colorings(points: pd.DataFrame, known_models: Sequence[str]) -> list[Coloring]:
    """Return by what points can be colored, the default first; what is one group is left out."""
    errors = points["error"]
    styles = model_styles(list(points["model"].unique()), known_models)
    model_colors = {model: style.color for model, style in styles.items()}
    found = [binned_coloring("error", "Error", points["error"], errors)]
    if (points["wrong"] != "").any():
        order = [*COIS, NOTHING_WRONG]
        found.append(grouped_coloring("wrong", "What is wrong", points["wrong"], errors, order))
    if points["model"].nunique() > 1:
        found.append(
            grouped_coloring(
                "model", "Model", points["model"], errors, list(known_models), model_colors
            )
        )
    if points["disagreement"].notna().any():
        found.append(
            binned_coloring("disagreement", "Judge disagreement", points["disagreement"], errors)
        )
    if points["cluster"].nunique() > 1:
        numbers = sorted(points["cluster"].unique(), key=lambda text: (len(text), text))
        found.append(grouped_coloring("cluster", "Cluster", points["cluster"], errors, numbers))
    if len(points):
        found.append({"name": TRUTH, "title": "Distance from truth", "of": "", "groups": []})
    return found


def binned_coloring(name: str, title: str, values: pd.Series, errors: pd.Series) -> Coloring:
    """Return a coloring by shares in [0, 1], in five bins; NaN is not known."""
    numbers = np.digitize(values.fillna(0.0), _EDGES, right=True)
    unknown = values.isna().to_numpy()
    numbers[unknown] = len(BINS)
    labels = [*BINS, UNKNOWN]
    colors = dict(zip(labels, [*SCALE, UNKNOWN_COLOR], strict=True))
    return _coloring(name, title, pd.Series([labels[n] for n in numbers]), errors, labels, colors)


def grouped_coloring(
    name: str,
    title: str,
    values: pd.Series,
    errors: pd.Series,
    order: Sequence[str],
    colors: Mapping[str, str] | None = None,
) -> Coloring:
    """Return a coloring by groups: those in `order` first, then the largest.

    At most 40 groups are told apart; "" is not known.
    """
    texts = values.replace("", UNKNOWN)
    present = list(texts.value_counts().index)
    ordered = [group for group in order if group in present]
    ordered += [group for group in present if group not in ordered]
    ordered = sorted(ordered, key=lambda group: group == UNKNOWN)
    if len(ordered) > MOST_GROUPS:
        kept = ordered[: MOST_GROUPS - 1]
        texts = texts.where(texts.isin(kept), REST)
        ordered = [*kept, REST]
    own = {group: COLORS[place % len(COLORS)] for place, group in enumerate(ordered)}
    own |= {UNKNOWN: UNKNOWN_COLOR, REST: UNKNOWN_COLOR, NOTHING_WRONG: UNKNOWN_COLOR}
    return _coloring(name, title, texts, errors, ordered, {**own, **(colors or {})})


def _coloring(
    name: str,
    title: str,
    texts: pd.Series,
    errors: pd.Series,
    order: Sequence[str],
    colors: Mapping[str, str],
) -> Coloring:
    texts = texts.reset_index(drop=True)
    means = errors.reset_index(drop=True).groupby(texts).agg(["size", "mean"])
    shown = [group for group in order if group in means.index]
    place = {group: number for number, group in enumerate(shown)}
    numbers = texts.map(place).to_numpy(np.uint8) if len(texts) else np.zeros(0, np.uint8)
    return {
        "name": name,
        "title": title,
        "of": _base64(numbers),
        "groups": [
            {
                "label": short_name(group) if name == "model" else group,
                "color": colors[group],
                "shape": number,
                "words": f"{means['size'][group]:,}, error rate {percent(means['mean'][group])}",
            }
            for number, group in enumerate(shown)
        ],
    }


def summary(points: pd.DataFrame) -> str:
    """Return what the map shows in words, for those who cannot see it."""
    if points.empty:
        return ""
    noun = "image" if len(points) == 1 else "images"
    words = (
        f"{len(points):,} {noun} as points: near ones look alike to the embedder."
        f" The error rate is {percent(points['error'].mean())}."
    )
    clusters = points[points["cluster"] != ""].groupby("cluster")["error"].agg(["size", "mean"])
    if len(clusters) > 1:
        most, least = (
            ", ".join(
                f"cluster {name} ({percent(share)} of {size:,})"
                for name, size, share in clusters.itertuples()
                if share == extreme
            )
            for extreme in (clusters["mean"].max(), clusters["mean"].min())
        )
        words += f" Of {len(clusters)} clusters, most is wrong in {most} and least in {least}."
    return words
