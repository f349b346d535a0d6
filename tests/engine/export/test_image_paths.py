"""No path of this machine leaves with a request or a failure."""

from pathlib import Path

import pytest

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.export import reader
from hallascope.engine.export.image_paths import shorten_paths
from hallascope.engine.export.importer import import_runs
from hallascope.engine.export.records import (
    SharedRun,
)
from hallascope.engine.storage.store import Store
from tests.support.exports import Send
from tests.support.shared_runs import PROMPT, picture_of


def test_no_path_of_this_machine_leaves_and_the_pictures_of_a_request_come_along(
    store: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    kept = [store.keep_image(picture_of(seed)) for seed in (7, 8, 9)]
    concept = ConceptRef(name="methane", reference=kept[2], file=tmp_path / "private" / "ref.png")
    request = EvaluateRequest(
        prompt=PROMPT,
        images=(kept[0].path,),
        reference=kept[1].path,
        factual=FactualPrompt(prompt=PROMPT, concepts=(concept,)),
        wording=str(tmp_path / "private" / "lab"),
    )
    store.start_run("run1", request, [])
    send(store, "jsonl", images=True)
    assert str(tmp_path) not in (tmp_path / "out" / "runs.jsonl").read_text("utf-8")
    found = import_runs(other, tmp_path / "out")
    assert (found.images, found.missing) == (3, 0)
    theirs = other.run("run1").request
    assert theirs.wording == "lab"
    assert theirs.reference
    assert theirs.factual
    assert theirs.factual.concepts[0].reference
    brought = theirs.images[0], theirs.reference, theirs.factual.concepts[0].reference.path
    assert [path.read_bytes() for path in brought] == [picture_of(7), picture_of(8), picture_of(9)]
    run, *_ = reader.read_records(other, "run1")
    assert isinstance(run, SharedRun)
    assert run.request == reader.read_run(store, "run1").request


@pytest.mark.parametrize(
    "text",
    ["3/4 of it", "km/h and m/s", "https://a.org/b/c", "either/or", "a / b / c", "models/primer"],
)
def test_what_is_no_path_of_a_machine_stays(text: str) -> None:
    assert shorten_paths(text) == text
