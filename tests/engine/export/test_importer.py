"""An imported run is as it left; what is faulty is named, and what is here stays."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.data.records import Score
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation
from hallascope.engine.export import records
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.export.importer import ImportSummary, import_runs
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support import postgres as postgresql
from tests.support.exports import Send, bytes_of, lines_of, read_records
from tests.support.ratings import rating_of
from tests.support.shared_runs import drawn_runs, keep, keep_drawn, picture_of, rate


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_run_comes_back_as_it_left_with_its_pictures_and_again_changes_nothing(
    form: str, home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    assert send(home, form, images=True).images == 2
    found = import_runs(other, tmp_path / "out")
    assert found == ImportSummary(runs=1, pictures=3, evaluations=4, images=2)
    assert lines_of(other) == lines_of(home)
    assert bytes_of(other) == bytes_of(home)
    assert import_runs(other, tmp_path / "out") == ImportSummary(there=8)
    assert lines_of(other) == lines_of(home)


@pytest.mark.full
def test_postgresql_takes_in_what_sqlite_gave_and_gives_it_back(
    home: Store, postgres: postgresql.Server, send: Send, tmp_path: Path
) -> None:
    send(home, "jsonl")
    with postgres.database() as url:
        other = Store(url, tmp_path / "elsewhere")
        assert import_runs(other, tmp_path / "out").evaluations == 4
        assert import_runs(other, tmp_path / "out").there == 8
        assert lines_of(other) == lines_of(home)
        other.close()


def test_what_is_here_already_stays_as_it_is(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    keep(other)
    mine = next(one for one in records.read_evaluations(other, "run1") if one.judge)
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
    assert import_runs(other, tmp_path / "out") == ImportSummary(there=8, missing=0)
    assert lines_of(other) == before


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_what_people_said_comes_back_as_it_left_and_again_changes_nothing(
    form: str, store: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    rate(store)
    rate(store, rater="Bo")
    assert send(store, form).ratings == 8
    assert import_runs(other, tmp_path / "out").ratings == 8
    assert other.ratings.all() == store.ratings.all()
    assert import_runs(other, tmp_path / "out") == ImportSummary(there=8 + 8, missing=2)
    assert other.ratings.all() == store.ratings.all()


def test_of_what_the_same_person_said_here_and_there_the_last_stands(
    store: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    rate(store)
    send(store, "jsonl")
    before = {one.subject: one for one in store.ratings.all()}
    earlier, later, *_ = before
    other.ratings.keep_all(
        [
            rating_of(earlier, "two", before[earlier].created - 1),
            rating_of(later, "three", before[later].created + 1),
        ]
    )
    found = import_runs(other, tmp_path / "out")
    assert (found.ratings, found.there) == (3, 1)
    after = {one.subject: one.value for one in other.ratings.all()}
    assert (after[earlier], after[later]) == (before[earlier].value, "three")


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    "number, change, said",
    [
        (1, lambda f: f.update(id="../../etc"), "names the run or place '../../etc'"),
        (1, lambda f: f.update(format=99), "has the format 99"),
        (2, lambda f: f.update(image="../../../x"), "which is no SHA-256"),
        (5, lambda f: f.update(generation="elsewhere"), "no line above says that it lies there"),
        (5, lambda f: f["report"].update(verdicts=7), "something at 'report.verdicts'"),
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
    ],
)
def test_a_faulty_line_is_named_with_its_number_and_the_rest_is_read(
    number: int, change: Change, said: str, home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "jsonl", "whole.jsonl", runs="run0")
    send(home, "jsonl", "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    fields = json.loads(lines[number - 1])
    change(fields)
    lines[number - 1] = json.dumps(fields)
    whole = (tmp_path / "whole.jsonl").read_text("utf-8")
    (tmp_path / "out.jsonl").write_text("\n".join(lines) + f"\n\n{whole}", encoding="utf-8")
    found = import_runs(other, tmp_path / "out.jsonl")
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
    found = import_runs(other, tmp_path / "out")
    assert str(found.faults[0]).startswith(
        "runs.jsonl, line 3: puts an image in the place 'run1-1'"
    )
    assert [shot.model for shot in other.generated_pictures("run1")][:2] == [
        "primer/exact",
        "primer/careless",
    ]


def test_a_picture_that_is_not_what_its_name_says_is_left_out_and_named(
    home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "jsonl", images=True)
    first, second = sorted((tmp_path / "out" / "images").iterdir())
    first.write_bytes(second.read_bytes())
    found = import_runs(other, tmp_path / "out")
    assert (found.images, found.missing) == (1, 1)
    assert str(found.faults[0]).startswith(f"images/{first.name}: does not hold what its name says")


@pytest.mark.parametrize(
    "name, said",
    [
        ("nothing", "neither runs.jsonl nor runs.parquet"),
        ("absent.jsonl", "cannot be read"),
        ("verdicts.parquet", "one table of several"),
        ("damaged", r"pictures\.parquet cannot be read"),
    ],
)
def test_what_cannot_be_read_at_all_is_one_sentence(
    name: str, said: str, home: Store, other: Store, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "nothing").mkdir()
    send(home, "parquet", "damaged")
    (tmp_path / "damaged" / "pictures.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(BadRequest, match=said):
        import_runs(other, tmp_path / name)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.full
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
    )
    assert import_runs(other, tmp_path / run).faults == []
    assert list(read_records(other, run)) == list(read_records(store, run))
