"""Writes a map as JSON, as CSV, or as a page that needs no server."""

from pathlib import Path
from typing import Any

from hallascope.data.files.csv_text import csv_text
from hallascope.engine.error_analysis.error_map.points import ErrorMap
from hallascope.engine.errors import BadRequest

FORMATS = (".html", ".csv")
_TEXTS = ["model", "wrong", "cluster"]


def map_document(drawn: ErrorMap) -> dict[str, Any]:
    """Return a map for programs: its points with their coordinates and scores.

    What is not known of a point is null.
    """
    points = drawn.points.astype(object).where(drawn.points.notna(), None)
    return {
        "embedder": drawn.embedder,
        "layout": drawn.method,
        "judged": len(drawn.judged.images),
        "unanswered": drawn.judged.unanswered,
        "missing": list(drawn.missing),
        "points": points.to_dict("records"),
    }


def write_map(drawn: ErrorMap, path: Path) -> None:
    """Write a map as the end of the file's name says: .html or .csv. Raises BadRequest."""
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise BadRequest(f"{str(path)!r} is not a map: let its name end in {' or '.join(FORMATS)}.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == ".csv":
            path.write_text(csv_text(drawn.points), encoding="utf-8", newline="")
        else:
            _figure(drawn).write_html(path, include_plotlyjs=True)
    except OSError as error:
        raise BadRequest(
            f"{str(path)!r} cannot be written ({error.strerror}): name another file."
        ) from error


def _figure(drawn: ErrorMap) -> Any:
    """Return the map as a figure by Plotly, colored by error; it is drawn by WebGL."""
    from markupsafe import escape
    from plotly import express

    texts = {name: [str(escape(text)) for text in drawn.points[name]] for name in _TEXTS}
    title = f"{len(drawn.points):,} judged images, {drawn.method} of {drawn.embedder}"
    figure = express.scatter(
        drawn.points.assign(**texts),
        x="x",
        y="y",
        color="error",
        range_color=(0, 1),
        color_continuous_scale="Cividis",
        hover_data={"x": False, "y": False, "model": True, "wrong": True, "evaluation": True},
        title=str(escape(title)),
        template="plotly_white",
        render_mode="webgl",
    )
    hidden = {"visible": False}
    return figure.update_layout(xaxis=hidden, yaxis=hidden, dragmode="lasso")
