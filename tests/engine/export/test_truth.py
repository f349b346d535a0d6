"""Exports tell what is true of each question and where the judge is wrong; what people say stays
in records of its own.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from hallascope.data.requests import Answer
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.export import reader
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.export.importer import import_runs
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.store import Store
from tests.support.exports import NO_SECRETS, read_table

PROMPT = "a ladybug"
DRAWN = ["Two", "Green", "Four", "Long and narrow", "Two round ears"]
NAMES = ("truth", "truth_letter", "truth_source", "judge_is_wrong")


@pytest.fixture
def judged(make_services: Callable[..., Any]) -> Any:
    """Services with a run of a violated drawing, whose judge always says A."""
    services = make_services(lambda ask: Answer("A"))
    list(services.evaluate(EvaluateRequest(prompt=PROMPT, models=("primer/careless",))))
    return services


def send(services: Any, form: str, out: Path, **options: Any) -> None:
    runs = reader.select_runs(services.store, "all")
    source = ExportSource(services=services, runs=runs, **options)
    export(source, form, out, secrets=NO_SECRETS)


def test_the_table_of_verdicts_has_the_truth_in_columns_of_its_own(
    judged: Any, tmp_path: Path
) -> None:
    send(judged, "csv", tmp_path / "out")
    rows = read_table(tmp_path / "out" / "verdicts.csv")
    assert [row["truth"] for row in rows] == DRAWN
    assert [row["truth_letter"] for row in rows] == ["B", "B", "C", "A", "A"]
    assert {row["truth_source"] for row in rows} == {"drawn"}
    assert [row["judge_is_wrong"] for row in rows] == ["true", "true", "true", "false", "false"]
    send(judged, "parquet", tmp_path / "parquet")
    table = parquet.read_table(tmp_path / "parquet" / "verdicts.parquet", columns=list(NAMES))
    assert table.column("truth").to_pylist() == DRAWN
    assert table.column("judge_is_wrong").to_pylist() == [True, True, True, False, False]


def test_a_line_of_json_holds_the_truths_and_is_read_again(judged: Any, tmp_path: Path) -> None:
    send(judged, "jsonl", tmp_path / "out")
    lines = (tmp_path / "out" / "runs.jsonl").read_text("utf-8").splitlines()
    (record,) = [fields for line in lines if (fields := json.loads(line))["kind"] == "evaluation"]
    assert record["truths"][0] == {"letter": "B", "text": "Two", "source": "drawn"}
    other = Store(folder=tmp_path / "other")
    imported = import_runs(other, tmp_path / "out")
    assert not imported.faults
    run = reader.select_runs(other, "all")[0]
    assert list(reader.read_records(other, run)) == list(reader.read_records(judged.store, run))
    other.close()


def test_a_site_shows_the_truth_and_what_people_say_only_where_it_goes_along(
    make_services: Callable[..., Any], tmp_path: Path
) -> None:
    services = make_services(lambda ask: Answer("A"))
    careless = EvaluateRequest(prompt=PROMPT, models=("primer/careless",))
    list(services.evaluate(careless))
    path = services.view(services.runs()[0].id).shots[0].path
    upload = tmp_path / "mine.bmp"
    _without_the_truth(path, upload)
    list(services.evaluate(EvaluateRequest(prompt=PROMPT, images=(upload,))))
    shot = next(shot for shot in services.view(services.runs()[0].id).shots if shot.image)
    question = services.runs()[0].questions[0]
    about = f"{QUESTION}{question.text}"
    subject = RatingSubject(shot.image, IHALLA, PROMPT, about, "ann")
    services.store.ratings.keep(subject, question.choice("C"))
    send(services, "site", tmp_path / "with")
    send(services, "site", tmp_path / "without", people=False)
    texts = {
        name: "".join(page.read_text("utf-8") for page in (tmp_path / name).rglob("*.html"))
        for name in ("with", "without")
    }
    for text in texts.values():
        assert "drawn: Two · the judge is wrong" in text
        assert "The judge is wrong on 3 of 5 answers whose truth is known." in text
        assert "data-truth-switch" in text
    labeled = f"labeled: {question.choice('C')} · the judge is wrong"
    assert labeled in texts["with"]
    assert labeled not in texts["without"]


def _without_the_truth(path: Path, copy: Path) -> None:
    """Write the image as one that no model of this store drew."""
    from PIL import Image

    with Image.open(path) as image:
        image.convert("RGB").rotate(90).save(copy)
