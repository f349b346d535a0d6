"""Files of scene graphs are written and named as documented, or a folder takes none."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.evidence import Evidence
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation
from hallascope.engine.images.graph_files import save
from tests.support import scene_graphs


def judged(evidence: Evidence | None, trial: int = 0) -> Evaluation:
    report = replace(scene_graphs.report(scene_graphs.evidence()), evidence=evidence)
    return Evaluation(
        generation="g1",
        model="primer/careless",
        image="ab" * 32,
        metric="scene-graph",
        judge="primer/judge",
        trial=trial,
        report=report,
    )


def test_the_graphs_of_all_evaluations_are_written_in_every_form_and_those_without_are_left_aside(
    tmp_path: Path,
) -> None:
    paths = save(
        tmp_path / "new" / "folder",
        [
            judged(scene_graphs.evidence()),
            judged(scene_graphs.evidence(), 1),
            judged(None),
            judged(Evidence()),
        ],
    )
    assert [path.name for path in paths] == [
        f"scene-graph-primer-careless-abababab{trial}.{form}"
        for trial in ("", "-trial-2")
        for form in ("json", "graphml", "png")
    ]
    assert all(path.stat().st_size for path in paths)


def test_a_folder_that_cannot_be_written_to_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRequest, match="name another folder"):
        save(tmp_path / "file" / "folder", [judged(scene_graphs.evidence())])
