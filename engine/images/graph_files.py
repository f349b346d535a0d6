"""Writes the scene graphs of judged pictures into a folder, as JSON, GraphML and PNG."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name

from hallascope.data.evidence import Evidence
from hallascope.data.files.graphs import as_graphml, as_json
from hallascope.data.graphs import SceneGraphs
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation

# imported by its name, as it is of a room above this one
DRAWING = "hallascope.components.scene_graph.image:png"


@dataclass(frozen=True)
class GraphFileForm:
    """Names a form of graph files as people call it, and holds what makes one."""

    title: str
    make: Callable[[SceneGraphs, Evidence], bytes]


# by file ending
FORMS: Mapping[str, GraphFileForm] = {
    "json": GraphFileForm("JSON", lambda graphs, _: as_json(graphs)),
    "graphml": GraphFileForm("GraphML", lambda graphs, _: as_graphml(graphs)),
    "png": GraphFileForm("PNG", lambda _, evidence: resolve_name(DRAWING)(evidence)),
}


def write(folder: Path, name: str, evidence: Evidence) -> list[Path]:
    """Write the graphs of one picture in every form, named after it; nothing where it has none.

    Raises OSError where it cannot be written.
    """
    if evidence.graphs is None:
        return []
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    paths = []
    for ending, form in FORMS.items():
        path = folder / f"{plain}.{ending}"
        path.write_bytes(form.make(evidence.graphs, evidence))
        paths.append(path)
    return paths


def save(folder: Path, evaluations: Sequence[Evaluation]) -> list[Path]:
    """Write those of all evaluations that made graphs, by metric, model, picture and trial.

    Raises BadRequest where the folder cannot be written to.
    """
    paths: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for evaluation in evaluations:
            evidence = evaluation.report.evidence or Evidence()
            trial = f"-trial-{evaluation.trial + 1}" if evaluation.trial else ""
            paths += write(
                folder,
                f"{evaluation.metric}-{evaluation.model}-{evaluation.image[:8]}{trial}",
                evidence,
            )
    except OSError as error:
        raise BadRequest(
            f"The graphs cannot be written to {str(folder)!r} ({error.strerror}): name another"
            " folder."
        ) from error
    return paths
