"""Corrections leave as gold readings, which are read again as corrections and by parser-eval."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.data.files.readings.gold_readings import gold_readings
from hallascope.data.files.readings.prompt_readings import read_prompt_readings
from hallascope.data.prompt_reading import PromptReading
from hallascope.engine.corrections import save_corrections
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.readings import export_readings
from hallascope.engine.storage.store import Store
from hallascope.metrics.parsing.reading import read_prompt

PROMPTS = ("two or three red cats on a mat", "a dog without a collar", "a sign that says STOP")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    yield opened
    opened.close()


def test_what_leaves_comes_in_elsewhere_the_same(store: Store, tmp_path: Path) -> None:
    for prompt in PROMPTS:
        store.readings.keep(read_prompt(prompt), "Ann")
    store.readings.keep(PromptReading(prompt=PROMPTS[0], unreadable="a poem"), "Bo")
    file = tmp_path / "out.yaml"
    written = export_readings(store.readings, file)
    assert {reading.prompt: reading.author for reading in written} == {
        PROMPTS[0]: "Bo",
        PROMPTS[1]: "Ann",
        PROMPTS[2]: "Ann",
    }
    other = Store(folder=tmp_path / "elsewhere")
    assert save_corrections(other.readings, file) == read_prompt_readings(file)
    again = tmp_path / "again.yaml"
    export_readings(other.readings, again)
    assert again.read_text("utf-8") == file.read_text("utf-8")
    other.close()


def test_a_folder_is_one_of_gold_readings(store: Store, tmp_path: Path) -> None:
    store.readings.keep(read_prompt(PROMPTS[1]), "Ann")
    export_readings(store.readings, tmp_path / "gold")
    (reading,) = gold_readings("development", tmp_path / "gold")
    assert (reading.prompt, reading.stratum) == (PROMPTS[1], "corrections")
    assert [asked.absent for asked in reading.objects.values()] == [False, True]


def test_without_corrections_and_with_a_key_in_one_nothing_is_written(
    store: Store, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(BadRequest, match="No prompt has a corrected reading yet"):
        export_readings(store.readings, out)
    store.readings.keep(PromptReading(prompt="a sign hf_abcdefghijklmnopqrstuvwxyz012345"), "Ann")
    with pytest.raises(HoldsSecret):
        export_readings(store.readings, out)
    assert not out.exists()


def test_a_file_that_is_there_stays_without_force(store: Store, tmp_path: Path) -> None:
    store.readings.keep(read_prompt(PROMPTS[1]), "Ann")
    out = tmp_path / "out.yml"
    out.write_text("mine", "utf-8")
    with pytest.raises(BadRequest, match="is there already"):
        export_readings(store.readings, out)
    export_readings(store.readings, out, force=True)
    assert "collar" in out.read_text("utf-8")
