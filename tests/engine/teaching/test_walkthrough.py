"""What shows how the methods work can be read by this version."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.export.importer import import_runs
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.teaching import walkthrough


def test_what_ships_can_be_read_by_this_version_and_has_all_five_methods(
    services: Services, tmp_path: Path
) -> None:
    store = Store("sqlite://", tmp_path / "elsewhere")
    found = import_runs(store, walkthrough.FOLDER)
    store.close()
    assert (found.faults, found.missing, found.evaluations) == ([], 0, len(walkthrough.METRICS))
    ships = walkthrough.read(services)
    assert {fault.shown for fault in ships.faults} == {"Five", "An oxygen atom (red)"}
    assert [
        report.evidence.findings[0].expected for report in ships.facts.halo if report.evidence
    ] == [one.text for one in walkthrough.QUESTIONS]
    assert ships.shot.path
    assert ships.shot.path.exists()
    assert not services.runs(), "nothing of it is in the visitor's own store"


def test_without_the_data_there_is_a_sentence_with_the_command(
    services: Services, tmp_path: Path
) -> None:
    with pytest.raises(BadRequest, match="hallascope teach how"):
        walkthrough.read(services, tmp_path)
