"""Every format is there by its name, is written whole or not at all, and none writes what must not
leave.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.requests import Answer
from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.events import UPLOADED, EvaluateRequest
from hallascope.engine.export import records
from hallascope.engine.export.folder import HoldsSecret, Secrets
from hallascope.engine.export.formats import FORMATS, read_selection
from hallascope.engine.export.importer import import_runs
from hallascope.engine.export.records import shorten_paths
from hallascope.engine.storage.store import PictureSlot, RunRecord, Store
from tests.support.exports import SECRETS, Send, export_runs, read_records, read_table
from tests.support.shared_runs import PROMPT, keep, keep_corrected, picture_of


def test_unknown_forms_and_runs_are_refused_in_one_sentence(home: Store, send: Send) -> None:
    with pytest.raises(
        BadRequest, match="There is no format 'xml' to export to: this version has csv, jsonl"
    ):
        send(home, "xml")
    with pytest.raises(UnknownRun, match="No run 'nope' is stored here"):
        send(home, "csv", runs="nope")


@pytest.mark.parametrize("form", ["site", "every-eval-ever"])
def test_who_corrected_a_reading_is_not_named_where_nobody_is(
    store: Store, send: Send, tmp_path: Path, form: str
) -> None:
    keep(store)
    keep_corrected(store)
    send(store, form)
    files = [path for path in (tmp_path / "out").rglob("*") if path.suffix in (".html", ".json")]
    texts = [path.read_text("utf-8") for path in files]
    assert any("corrected" in text for text in texts)
    assert not any("Example" in text for text in texts)


def test_what_is_there_is_written_over_with_force_only(
    home: Store, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    for form in FORMATS:
        with pytest.raises(BadRequest, match="holds something already"):
            send(home, form)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]
    (tmp_path / "one.csv").write_text("mine")
    with pytest.raises(BadRequest, match="is there already"):
        send(home, "csv", "one.csv")
    assert (tmp_path / "one.csv").read_text() == "mine"
    send(home, "csv", "one.csv", force=True)
    assert (tmp_path / "one.csv").read_text("utf-8").startswith("run,date,")


def test_ordinary_words_are_neither_secrets_nor_paths_of_this_machine() -> None:
    for said in ("a sk-8 board", "the bearer of the ring", "https://example.org/a:b@c"):
        assert Secrets({"API_KEY": "x", "EMPTY_TOKEN": ""}).find(said) is None
    for said in ("3/4 of it", "km/h and m/s", "https://a.org/b/c", "models/primer"):
        assert shorten_paths(said) == said
    # as older versions kept it
    note = "The captioner failed: '/srv/lab/home/images/ab/cd.png' is gone; see https://a.org/b."
    shown = "The captioner failed: 'cd.png' is gone; see https://a.org/b."
    assert shorten_paths(note) == shown


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_that_looks_like_a_key_leaves_in_any_form(
    form: str, home: Store, send: Send, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i, (_, environment) in enumerate(SECRETS):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(HoldsSecret, match="Nothing was written") as refused:
            send(home, form, runs=f"secret{i}")
        assert list(tmp_path.iterdir()) == []
        assert all(
            part not in str(refused.value)
            for part in ("abcdefgh", "hunter2", "correcthorse", "tok&en", "p%40ss")
        )


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
    run, *_ = read_records(other, "run1")
    assert isinstance(run, RunRecord)
    assert run.request == records.read_run(store, "run1").request


def test_brought_images_that_are_not_chosen_stay(store: Store, send: Send, tmp_path: Path) -> None:
    kept = [store.keep_image(picture_of(seed)) for seed in (7, 8)]
    slots = [PictureSlot(str(number), PROMPT, UPLOADED, "", 0, {}) for number in range(2)]
    request = EvaluateRequest(prompt=PROMPT, images=tuple(picture.path for picture in kept))
    store.start_run("run1", request, slots)
    for slot, picture in zip(slots, kept, strict=True):
        store.keep_picture(slot, picture)
    send(store, "jsonl", images=True, selection=read_selection(images=kept[0].sha256))
    assert [file.stem for file in (tmp_path / "out" / "images").iterdir()] == [kept[0].sha256]


LADYBUG = "a ladybug"
DRAWN = ["Two", "Green", "Four", "Long and narrow", "Two round ears"]
NAMES = ("truth", "truth_letter", "truth_source", "judge_is_wrong")


@pytest.fixture
def judged(make_services: Callable[..., Any]) -> Any:
    """Services with a run of a violated drawing, whose judge always says A."""
    services = make_services(lambda ask: Answer("A"))
    list(services.evaluate(EvaluateRequest(prompt=LADYBUG, models=("primer/careless",))))
    return services


def test_verdicts_have_the_truth_in_columns_of_their_own_and_on_the_site(
    judged: Any, tmp_path: Path
) -> None:
    store, send = judged.store, partial(export_runs, runs="all")
    send(store, "csv", tmp_path / "out")
    rows = read_table(tmp_path / "out" / "verdicts.csv")
    assert [row["truth"] for row in rows] == DRAWN
    assert [row["truth_letter"] for row in rows] == ["B", "B", "C", "A", "A"]
    assert {row["truth_source"] for row in rows} == {"drawn"}
    assert [row["judge_is_wrong"] for row in rows] == ["true", "true", "true", "false", "false"]
    send(store, "site", tmp_path / "site")
    pages = "".join(page.read_text("utf-8") for page in (tmp_path / "site").rglob("*.html"))
    assert "drawn: Two · the judge is wrong" in pages
    assert "The judge is wrong on 3 of 5 answers that can be checked." in pages
    assert "data-truth-switch" in pages
    send(store, "parquet", tmp_path / "parquet")
    table = parquet.read_table(tmp_path / "parquet" / "verdicts.parquet", columns=list(NAMES))
    assert table.column("truth").to_pylist() == DRAWN
    assert table.column("judge_is_wrong").to_pylist() == [True, True, True, False, False]
