"""Writes a map as JSON, as CSV, or as a page that needs no server."""

import math
from pathlib import Path
from typing import Any

import pandas as pd

from hallascope.engine.error_analysis.error_map.points import ErrorMap
from hallascope.engine.errors import BadRequest

FORMATS = (".html", ".csv")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def map_document(drawn: ErrorMap) -> dict[str, Any]:
    """Return a map for programs: its points with their coordinates and scores.

    What is not known of a point is null.
    """
    rows = drawn.points.to_dict("records")
    return {
        "embedder": drawn.embedder,
        "layout": drawn.method,
        "judged": len(drawn.judged.images),
        "unanswered": drawn.judged.unanswered,
        "missing": list(drawn.missing),
        "points": [{str(name): _json_value(value) for name, value in row.items()} for row in rows],
    }


def _json_value(value: Any) -> Any:
    if isinstance(value, float) and math.isnan(value):
        return None
    return value


def write_map(drawn: ErrorMap, path: Path) -> None:
    """Write a map as the end of the file's name says: .html or .csv. Raises BadRequest."""
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise BadRequest(f"{str(path)!r} is no map: let its name end in {' or '.join(FORMATS)}.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == ".csv":
            _harmless(drawn.points).to_csv(path, index=False)
        else:
            _figure(drawn).write_html(path, include_plotlyjs=True)
    except OSError as error:
        raise BadRequest(
            f"{str(path)!r} cannot be written ({error.strerror}): name another file."
        ) from error


def _harmless(points: pd.DataFrame) -> pd.DataFrame:
    """Return the points with an apostrophe before a text that a spreadsheet takes for a formula."""
    safe = points.copy()
    for name in ("model", "wrong", "cluster"):
        safe[name] = [
            f"'{text}" if text.startswith(_FORMULA_STARTS) else text for text in safe[name]
        ]
    return safe


def _figure(drawn: ErrorMap) -> Any:
    """Return the map as a figure by Plotly, colored by error; it is drawn by WebGL."""
    from markupsafe import escape
    from plotly.graph_objects import Figure, Scattergl

    points = drawn.points
    texts = [
        f"{escape(row.model)}<br>error {row.error:.2f}<br>wrong: {escape(row.wrong or '-')}"
        f"<br>evaluation {row.evaluation}"
        for row in points.itertuples()
    ]
    trace = Scattergl(
        x=points["x"].tolist(),
        y=points["y"].tolist(),
        mode="markers",
        text=texts,
        hoverinfo="text",
        marker={
            "size": 6,
            "color": points["error"].tolist(),
            "cmin": 0,
            "cmax": 1,
            "colorscale": "Cividis",
            "colorbar": {"title": {"text": "error"}},
        },
    )
    title = f"{len(points):,} judged images, {drawn.method} of {drawn.embedder}"
    hidden = {"visible": False}
    return Figure([trace]).update_layout(
        title={"text": str(escape(title))},
        xaxis=hidden,
        yaxis=hidden,
        dragmode="lasso",
        template="plotly_white",
    )
