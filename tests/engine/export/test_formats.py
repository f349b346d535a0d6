"""Runs leave a store and come back the same: lines, tables, what is refused, what is left out and
said.
"""

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.files import human_verdicts
from hallascope.data.records import Score
from hallascope.data.requests import Failure
from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.export import reader
from hallascope.engine.export.columns import EVALUATIONS, TABLES, VERDICTS
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import FORMS, ExportSource, ExportSummary, export
from hallascope.engine.export.importer import ImportSummary, bring
from hallascope.engine.export.records import SharedRating, SharedRun, UnusableRecord, line, record
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.export.tables import cell
from hallascope.engine.services import Services
from hallascope.engine.storage.ratings import Rating
from hallascope.engine.storage.store import PictureSlot, Store
from tests.support import postgres as postgresql
from tests.support.shared_runs import EVIL, PROMPT, drawn_runs, keep, keep_drawn, picture_of, rate

Send = Callable[..., ExportSummary]
NO_SECRETS = Secrets({})
SECRETS: list[tuple[str, dict[str, str]]] = [
    ("sk-proj-abcdefghijklmnop1234", {}),
    ("hf_abcdefghijklmnopqrstuvwxyzABCDEF12", {}),
    ("Authorization: Bearer abcdefghijklmnop.qrstuv", {}),
    ("postgresql://me:hunter2@db.example/x", {}),
    ("a quite ordinary word: correcthorse", {"MY_SERVICE_KEY": "correcthorse"}),
    ('say "tok&en<1>"', {"HF_TOKEN": "tok&en<1>"}),
    ("p%40ssword1", {"HALLASCOPE_STORE": "postgresql://me:p%40ssword1@host/db"}),
]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store with its tables, which take a moment to make."""
    folder = tmp_path_factory.mktemp("empty")
    Store(folder=folder).close()
    return folder / "hallascope.db"


@contextmanager
def opened(folder: Path, empty: Path) -> Iterator[Store]:
    folder.mkdir()
    shutil.copy(empty, folder)
    store = Store(folder=folder)
    yield store
    store.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, empty: Path) -> Iterator[Store]:
    """A store with two runs and one more for each secret, which no test changes."""
    with opened(tmp_path_factory.mktemp("homes") / "home", empty) as store:
        keep(store, "run0", "another prompt")
        keep(store)
        for i, (said, _) in enumerate(SECRETS):
            keep(store, f"secret{i}", said, models=("primer/exact",))
        yield store


@pytest.fixture
def store(tmp_path: Path, empty: Path) -> Iterator[Store]:
    with opened(tmp_path / "home", empty) as store:
        yield store


@pytest.fixture
def other(tmp_path: Path, empty: Path) -> Iterator[Store]:
    with opened(tmp_path / "elsewhere", empty) as store:
        yield store


@pytest.fixture
def send(tmp_path: Path) -> Send:
    """Exports a run of a store to a name in a folder of the test."""

    def export_(
        store: Store, form: str, out: str = "out", runs: str = "run1", **options: Any
    ) -> ExportSummary:
        images = options.pop("images", False)
        source = ExportSource(
            services=Services(store, {}), runs=reader.select_runs(store, runs), images=images
        )
        return export(source, form, tmp_path / out, **{"secrets": NO_SECRETS, **options})

    return export_


def lines_of(store: Store, run: str = "run1") -> list[str]:
    """Everything of a run that can leave, as lines."""
    return [line(one) for one in reader.shared_records(store, run)]


def bytes_of(store: Store, run: str = "run1") -> list[bytes]:
    return [shot.path.read_bytes() for shot in store.shots(run) if shot.path]


# --- there and back
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_run_comes_back_as_it_left_with_its_pictures_and_again_changes_nothing(
    form: str, home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    assert send(home, form, images=True).images == 2
    found = bring(other, tmp_path / "out")
    assert found == ImportSummary(runs=1, pictures=3, evaluations=4, images=2)
    assert lines_of(other) == lines_of(home)
    assert bytes_of(other) == bytes_of(home)
    assert bring(other, tmp_path / "out") == ImportSummary(there=8)
    assert lines_of(other) == lines_of(home)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_run_comes_back_as_it_left(
    data: Any, store: Store, other: Store, tmp_path: Path
) -> None:
    png = picture_of(0)
    image = store.keep_image(png).sha256
    run = f"run{len(store.runs(10_000))}"
    keep_drawn(store, run, data.draw(drawn_runs(image)), png)
    form = data.draw(st.sampled_from(["jsonl", "parquet"]))
    export(
        ExportSource(services=Services(store, {}), runs=[run]),
        form,
        tmp_path / run,
        secrets=NO_SECRETS,
    )
    assert bring(other, tmp_path / run).faults == []
    assert list(reader.shared_records(other, run)) == list(reader.shared_records(store, run))


def test_postgresql_takes_in_what_sqlite_gave_and_gives_it_back(
    home: Store, postgres: postgresql.Server, send: Send, tmp_path: Path
) -> None:
    send(home, "jsonl")
    with postgres.database() as url:
        other = Store(url, tmp_path / "elsewhere")
        assert bring(other, tmp_path / "out").evaluations == 4
        assert bring(other, tmp_path / "out").there == 8
        assert lines_of(other) == lines_of(home)
        other.close()


def test_without_its_pictures_a_run_comes_all_the_same_and_they_can_follow(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "jsonl", "thin.jsonl")
    found = bring(other, tmp_path / "thin.jsonl")
    assert (found.evaluations, found.images, found.missing, found.faults) == (4, 0, 2, [])
    send(home, "jsonl", "full", images=True)
    found = bring(other, tmp_path / "full")
    assert (found.evaluations, found.images, found.missing) == (0, 2, 0)
    assert bytes_of(other) == bytes_of(home)


def test_what_is_here_already_stays_as_it_is(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    keep(other)
    mine = next(one for one in reader.evaluations(other, "run1") if one.judge)
    for judge in (mine.judge, "another/judge"):
        report = replace(mine.report, scores={"score": Score(0.125, 1, 0)})
        other.keep_evaluation(
            "run1",
            Evaluation(
                generation=mine.generation,
                model=mine.model,
                image=mine.image,
                metric=mine.metric,
                judge=judge,
                trial=0,
                report=report,
            ),
        )
    before = lines_of(other)
    send(home, "jsonl")
    assert bring(other, tmp_path / "out") == ImportSummary(there=8, missing=0)
    assert lines_of(other) == before


def test_a_picture_that_failed_here_is_taken_from_where_it_was_made(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    places = [
        PictureSlot(
            id=p.generation,
            prompt=p.prompt,
            model=p.model,
            revision=p.revision,
            seed=p.seed,
            settings=p.settings,
        )
        for p in reader.pictures(home, "run1")
    ]
    other.start_run("run1", home.run("run1").request, places)
    other.keep_failure(places[0], Failure("timeout", "It took too long: try again."))
    send(home, "jsonl", images=True)
    assert bring(other, tmp_path / "out").evaluations == 4
    assert [shot.state for shot in other.shots("run1")] == ["done", "done", "failed"]
    assert bytes_of(other) == bytes_of(home)


# --- what people said
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_what_people_said_comes_back_as_it_left_and_again_changes_nothing(
    form: str, store: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    rate(store)
    rate(store, rater="Bo")
    assert send(store, form).ratings == 8
    assert bring(other, tmp_path / "out").ratings == 8
    assert other.ratings.all() == store.ratings.all()
    assert bring(other, tmp_path / "out") == ImportSummary(there=8 + 8, missing=2)
    assert other.ratings.all() == store.ratings.all()


_SAID = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    st.builds(
        SharedRating,
        image=st.just("ab" * 32),
        metric=st.just("ihalla"),
        prompt=_SAID,
        finding=_SAID,
        rater=_SAID,
        value=_SAID.filter(str.strip),
        created=st.floats(0, 1e10),
    )
)
def test_whatever_a_person_said_is_read_as_it_was_written(said: SharedRating) -> None:
    assert record(line(said)) == said


@pytest.mark.parametrize(
    "wrong",
    [
        {"image": "../x"},
        {"value": " "},
        {"metric": ""},
        {"created": "yesterday"},
        {"created": 2**70},
    ],
)
def test_what_a_person_cannot_have_said_is_refused(wrong: dict[str, Any]) -> None:
    said = json.loads(
        line(
            SharedRating(
                image="ab" * 32,
                metric="grade",
                prompt=PROMPT,
                finding="",
                rater="Ann",
                value="6",
                created=0.0,
            )
        )
    )
    with pytest.raises(UnusableRecord):
        record(json.dumps(said | wrong))


def test_of_what_the_same_person_said_here_and_there_the_last_stands(
    store: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    rate(store)
    send(store, "jsonl")
    before = {one.about: one for one in store.ratings.all()}
    earlier, later, *_ = before
    other.ratings.keep_all(
        [
            Rating(earlier, "two", before[earlier].created - 1),
            Rating(later, "three", before[later].created + 1),
        ]
    )
    found = bring(other, tmp_path / "out")
    assert (found.ratings, found.there) == (3, 1)
    after = {one.about: one.value for one in other.ratings.all()}
    assert (after[earlier], after[later]) == (before[earlier].value, "three")


def test_a_picture_of_two_runs_brings_what_people_said_of_it_once(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    keep(store, "run2")
    rate(store)
    assert send(store, "csv", runs="run1,run2").ratings == 4
    assert len(table(tmp_path / "out" / "people.csv")) == 4


def test_people_have_a_table_of_their_own_which_the_people_tab_reads_and_stand_in_no_other(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    send(store, "csv", "before")
    rate(store, rater="=Ann")
    send(store, "csv", "after")
    found, complaints = human_verdicts.read_verdicts(tmp_path / "after" / "people.csv")
    assert complaints == []
    assert [replace(one, when=0.0) for one in found] == [
        replace(ratings.plain(one), when=0.0) for one in store.ratings.all()
    ]
    for name in ("verdicts.csv", "evaluations.csv"):
        assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes()


def test_what_was_exported_before_people_were_is_still_read(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "parquet")
    (tmp_path / "out" / "people.parquet").unlink()
    assert bring(other, tmp_path / "out").evaluations == 4


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


# --- faulty lines
# --------------------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (1, lambda f: f.update(id="../../etc"), "names the run '../../etc'"),
        (1, lambda f: f.update(format=99), "has the format 99"),
        (2, lambda f: f.update(image="../../../x"), "which is no SHA-256"),
        (2, lambda f: f.update(seed=2**70), "more than 64 bits"),
        (5, lambda f: f.update(generation="elsewhere"), "no line above says that it lies there"),
        (5, lambda f: f.update(kind="gossip"), "has the kind 'gossip'"),
        (5, lambda f: f["report"].update(verdicts=7), "something at 'report.verdicts'"),
        (
            5,
            lambda f: f["report"].update(prompt="another"),
            "a report of another metric, picture or prompt",
        ),
        (5, lambda f: f["report"].update(scores={}), "a report without a score"),
        (
            6,
            lambda f: (
                f["report"]["verdicts"][0].update(answer="E")
                or f["report"]["verdicts"][0]["question"].update(choices=["a", "b"])
            ),
            "'E' that is none",
        ),
        (
            5,
            lambda f: f.update(metric="taste") or f["report"].update(metric="taste"),
            "names the metric 'taste', which this version does not",
        ),
        (5, lambda f: f.update(run="nowhere"), "belongs to the run 'nowhere'"),
    ],
)
def test_a_faulty_line_is_named_with_its_number_and_the_rest_is_read(
    number: int, change: Change, said: str, home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "jsonl", "whole.jsonl", "run0")
    send(home, "jsonl", "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    fields = json.loads(lines[number - 1])
    change(fields)
    lines[number - 1] = json.dumps(fields)
    whole = (tmp_path / "whole.jsonl").read_text("utf-8")
    (tmp_path / "out.jsonl").write_text("\n".join(lines) + f"\n\n{whole}", encoding="utf-8")
    found = bring(other, tmp_path / "out.jsonl")
    assert (found.faults[0].line, found.faults[0].file) == (number, "out.jsonl")
    assert said in str(found.faults[0])
    assert str(found.faults[0]).startswith(f"out.jsonl, line {number}: ")
    assert lines_of(other, "run0") == lines_of(home, "run0")
    if number == 5:
        assert (len(found.faults), found.evaluations) == (1, 7)


def test_the_place_of_another_picture_is_not_taken(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    keep(other, models=("primer/exact",))
    send(home, "jsonl")
    found = bring(other, tmp_path / "out")
    assert str(found.faults[0]).startswith(
        "runs.jsonl, line 3: puts a picture in the place 'run1-1'"
    )
    assert [shot.model for shot in other.shots("run1")][:2] == ["primer/exact", "primer/careless"]


@given(st.binary(max_size=200))
def test_no_line_whatever_makes_the_reader_stumble(said: bytes) -> None:
    with pytest.raises(UnusableRecord):
        record(said)


_FIELDS = st.sampled_from(["kind", "format", "id", "run", "request", "report"])
_LEAVES = (
    st.none()
    | st.booleans()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["run", "evaluation", 1])
)
_JSON = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_FIELDS, inner, max_size=6)
)


@settings(max_examples=50)
@given(_JSON)
def test_no_json_whatever_makes_the_reader_stumble(said: object) -> None:
    with pytest.raises(UnusableRecord):
        record(json.dumps(said))


def test_a_picture_that_is_not_what_its_name_says_is_left_out_and_named(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "jsonl", images=True)
    first, second = sorted((tmp_path / "out" / "images").iterdir())
    first.write_bytes(second.read_bytes())
    found = bring(other, tmp_path / "out")
    assert (found.images, found.missing) == (1, 1)
    assert str(found.faults[0]).startswith(f"images/{first.name}: does not hold what its name says")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "neither runs.jsonl nor runs.parquet"),
        ("absent.jsonl", "cannot be read"),
        ("verdicts.parquet", "one table of several"),
    ],
)
def test_what_cannot_be_read_at_all_is_one_sentence(
    name: str, said: str, other: Store, tmp_path: Path
) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(BadRequest, match=said):
        bring(other, tmp_path / name)


def test_a_damaged_table_is_one_sentence(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "parquet")
    (tmp_path / "out" / "pictures.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(BadRequest, match=r"pictures\.parquet cannot be read"):
        bring(other, tmp_path / "out")


# --- tables
# --------------------------------------------------------------------------------------------------


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_table_of_verdicts_has_a_row_for_every_verdict_and_finding(
    home: Store, send: Send, tmp_path: Path
) -> None:
    written = send(home, "csv")
    rows = table(tmp_path / "out" / "verdicts.csv")
    assert written.verdicts == len(rows) == 2 * (2 + 3)
    assert list(rows[0]) == [column.name for column in VERDICTS]
    wrong = next(
        row for row in rows if row["model"] == "primer/hasty" and row["kind"] == "question"
    )
    told = [
        wrong[name]
        for name in (
            "coi",
            "wanted",
            "seen",
            "gold",
            "answer",
            "value",
            "raw",
            "seed",
            "trial",
            "prompt",
            "category",
        )
    ]
    assert told == ["counting", "four", "three", "B", "A", "0", EVIL, "1", "0", PROMPT, "Physics"]
    left_out = next(row for row in rows if row["state"] == "failed")
    assert (left_out["value"], left_out["answer"], left_out["note"]) == (
        "",
        "",
        "The judge did not answer: ask again.",
    )
    assert [row["asked"] for row in rows if row["kind"] == "color"] == ["a red molecule"] * 2


def test_the_table_of_evaluations_has_a_row_for_each_with_what_it_counted(
    home: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "csv")
    rows = table(tmp_path / "out" / "evaluations.csv")
    assert list(rows[0]) == [column.name for column in EVALUATIONS]
    assert [
        (row["score"], row["counted"], row["left_out"]) for row in rows if row["metric"] == "ihalla"
    ] == [
        ("1.0", "1", "1"),
        ("0.0", "1", "1"),
    ]
    assert json.loads(rows[0]["scores"])["chair_i"] == {"value": None, "counted": 0, "left_out": 0}


@pytest.mark.parametrize("said", ["=1+1", "+1", "-1", "@x", "\tx", "a\r\nb", 'a "b", c', "'x", "-"])
def test_a_text_that_a_spreadsheet_would_run_is_kept_as_a_text(said: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(
        [cell(said), cell(None), cell(True), cell(0.1), cell(3)]
    )
    found, *others = next(csv.reader(io.StringIO(stream.getvalue(), newline="")))
    assert others == ["", "true", "0.1", "3"]
    assert not found.startswith(("=", "+", "-", "@", "\t"))
    assert found in (said, f"'{said}")


def test_the_same_rows_stand_in_parquet(home: Store, send: Send, tmp_path: Path) -> None:
    import pandas as pd

    send(home, "parquet")
    send(home, "parquet", "alone.parquet")
    found = pd.read_parquet(tmp_path / "out" / "verdicts.parquet")
    assert list(found.columns) == [column.name for column in VERDICTS]
    assert (len(found), found["value"].sum(), found["value"].count()) == (10, 3, 8)
    pd.testing.assert_frame_equal(found, pd.read_parquet(tmp_path / "alone.parquet"))


def test_every_column_is_explained_in_the_documentation_and_no_other() -> None:
    said = (Path(__file__).parents[3] / "docs" / "exports.md").read_text("utf-8")
    for columns in TABLES.values():
        assert (
            "\n".join(f"| `{column.name}` | {column.type} | {column.about} |" for column in columns)
            in said
        )


# --- what is refused
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_folder_that_holds_something_is_left_alone_without_force(
    form: str, home: Store, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(BadRequest, match="holds something already"):
        send(home, form)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_with_force_files_of_the_same_name_are_replaced_and_others_stay(
    home: Store, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    (tmp_path / "out" / "runs.jsonl").write_text("old")
    send(home, "jsonl", force=True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["mine.txt", "runs.jsonl"]
    assert (tmp_path / "out" / "runs.jsonl").read_text("utf-8").startswith('{"kind":"run"')
    assert not list(tmp_path.glob(".hallascope-*"))


def test_a_file_is_written_over_with_force_only(home: Store, send: Send, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("mine")
    with pytest.raises(BadRequest, match="is there already"):
        send(home, "csv", "one.csv")
    assert (tmp_path / "one.csv").read_text() == "mine"
    send(home, "csv", "one.csv", force=True)
    assert (tmp_path / "one.csv").read_text("utf-8").startswith("run,date,")


def test_unknown_forms_and_runs_are_refused_in_one_sentence(home: Store, send: Send) -> None:
    with pytest.raises(
        BadRequest, match="There is no form 'xml' to export to: this version has csv, jsonl"
    ):
        send(home, "xml")
    with pytest.raises(UnknownRun, match="No run 'nope' is stored here"):
        send(home, "csv", runs="nope")


@pytest.mark.parametrize("form", FORMS)
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
    assert Secrets({"API_KEY": "x", "EMPTY_TOKEN": ""}).sort(said) is None


# --- no path of this machine
# --------------------------------------------------------------------------------------------------


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
    )
    store.start_run("run1", request, [])
    send(store, "jsonl", images=True)
    assert str(tmp_path) not in (tmp_path / "out" / "runs.jsonl").read_text("utf-8")
    found = bring(other, tmp_path / "out")
    assert (found.images, found.missing) == (3, 0)
    theirs = other.run("run1").request
    assert theirs.reference
    assert theirs.factual
    assert theirs.factual.concepts[0].reference
    brought = theirs.images[0], theirs.reference, theirs.factual.concepts[0].reference.path
    assert [path.read_bytes() for path in brought] == [picture_of(7), picture_of(8), picture_of(9)]
    run, *_ = reader.shared_records(other, "run1")
    assert isinstance(run, SharedRun)
    assert run.request == reader.head(store, "run1").request
