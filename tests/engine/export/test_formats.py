"""Every format is there by its name, is written whole or not at all, and none writes what must not
leave.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Answer
from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.export import reader
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import FORMATS, ExportSource, export
from hallascope.engine.export.image_paths import shorten_paths
from hallascope.engine.export.importer import import_runs
from hallascope.engine.export.records import SharedRun
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.store import Store
from tests.support.exports import NO_SECRETS, SECRETS, Send, read_table
from tests.support.fig_run import FIG, sees
from tests.support.shared_runs import PROMPT, keep, keep_corrected, picture_of, rate
from tests.support.vision_metric import models


def test_the_site_counts_what_people_said_and_names_nobody(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    for rater in ("Ann Example", "Bo Example"):
        rate(store, rater=rater)
    written = send(store, "site")
    pages = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").rglob("*.html")}
    assert written.ratings == 8
    assert "2 people." in pages["run1.run1-0.html"]
    assert "<td>five (2)</td>" in pages["run1.run1-0.html"]
    assert "What people say" not in pages["run1.run1-1.html"]
    assert not any("Example" in said for said in pages.values())


def test_unknown_forms_and_runs_are_refused_in_one_sentence(home: Store, send: Send) -> None:
    with pytest.raises(
        BadRequest, match="There is no form 'xml' to export to: this version has csv, jsonl"
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


def test_a_folder_that_holds_something_is_left_alone_without_force(
    home: Store, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    for form in FORMATS:
        with pytest.raises(BadRequest, match="holds something already"):
            send(home, form)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_file_is_written_over_with_force_only(home: Store, send: Send, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("mine")
    with pytest.raises(BadRequest, match="is there already"):
        send(home, "csv", "one.csv")
    assert (tmp_path / "one.csv").read_text() == "mine"
    send(home, "csv", "one.csv", force=True)
    assert (tmp_path / "one.csv").read_text("utf-8").startswith("run,date,")


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_that_looks_like_a_key_leaves_in_any_form(
    form: str, home: Store, send: Send, tmp_path: Path
) -> None:
    for i, (_, environment) in enumerate(SECRETS):
        with pytest.raises(HoldsSecret, match="Nothing was written") as refused:
            send(home, form, runs=f"secret{i}", secrets=Secrets(environment))
        assert list(tmp_path.iterdir()) == []
        assert all(
            part not in str(refused.value)
            for part in ("abcdefgh", "hunter2", "correcthorse", "tok&en", "p%40ss")
        )


@pytest.mark.parametrize(
    "said",
    [
        "a sk-8 board",
        "hf_short",
        "the bearer of the ring",
        "https://example.org/a:b@c",
        "a risk-averse robot",
    ],
)
def test_ordinary_words_are_no_secrets(said: str) -> None:
    assert Secrets({"API_KEY": "x", "EMPTY_TOKEN": ""}).find(said) is None


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


def run(store: Store, script: Any = sees) -> tuple[Services, list[Any]]:
    services = Services(store, read_models(), models(script))
    return services, list(services.evaluate(FIG))


def test_what_an_older_version_kept_leaves_without_paths_too(store: Store) -> None:
    services, _ = run(store)
    (record,) = services.runs()
    (evaluation,) = store.evaluations(record.id)
    assert evaluation.report.evidence
    note = "The captioner failed: '/srv/lab/home/images/ab/cd.png' is gone; see https://example.org/a/b."
    evidence = replace(evaluation.report.evidence, notes=(note,))
    store.keep_evaluation(
        record.id, replace(evaluation, report=replace(evaluation.report, evidence=evidence))
    )
    (shared,) = reader.read_evaluations(store, record.id)
    assert shared.report.evidence
    assert shared.report.evidence.notes == (
        "The captioner failed: 'cd.png' is gone; see https://example.org/a/b.",
    )


LADYBUG = "a ladybug"
DRAWN = ["Two", "Green", "Four", "Long and narrow", "Two round ears"]
NAMES = ("truth", "truth_letter", "truth_source", "judge_is_wrong")


@pytest.fixture
def judged(make_services: Callable[..., Any]) -> Any:
    """Services with a run of a violated drawing, whose judge always says A."""
    services = make_services(lambda ask: Answer("A"))
    list(services.evaluate(EvaluateRequest(prompt=LADYBUG, models=("primer/careless",))))
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


def test_a_site_shows_the_truth_and_what_people_say_only_where_it_goes_along(
    make_services: Callable[..., Any], tmp_path: Path
) -> None:
    services = make_services(lambda ask: Answer("A"))
    careless = EvaluateRequest(prompt=LADYBUG, models=("primer/careless",))
    list(services.evaluate(careless))
    path = services.view(services.runs()[0].id).shots[0].path
    upload = tmp_path / "mine.bmp"
    _without_the_truth(path, upload)
    list(services.evaluate(EvaluateRequest(prompt=LADYBUG, images=(upload,))))
    shot = next(shot for shot in services.view(services.runs()[0].id).shots if shot.image)
    question = services.runs()[0].questions[0]
    about = f"{QUESTION}{question.text}"
    subject = RatingSubject(shot.image, IHALLA, LADYBUG, about, "ann")
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
