"""A store of version 8 (0.1.0) or 17 gets the tables of a new one and keeps all that is in it;
stores of versions that were not released are refused.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import Engine, inspect, text
from sqlmodel import SQLModel

from hallascope.engine.errors import StoreError
from hallascope.engine.storage import migrations
from hallascope.engine.storage.database import Database, parse_url
from hallascope.engine.storage.ledger import Spending
from hallascope.engine.storage.people.labeling import LabeledQuestion
from hallascope.engine.storage.people.ratings import FINE
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import SCHEMA
from tests.engine.storage.test_store import PLACE, REQUEST, evaluation
from tests.support.board_rows import leaderboard_rows
from tests.support.every_answer import every_answer
from tests.support.ledger_rows import ModelTotal, add_spending, model_totals, run_spent
from tests.support.threads import run_at_once

PENGUIN, METHANE = "30525643da37", "41233a887a06"  # the runs of the store of version 17
POSTURE = "How does the animal hold its body in the image?"
# the tables whose primary key the database counts, which a copy of rows does not tell PostgreSQL
COUNTED_TABLE = "SELECT setval(pg_get_serial_sequence('evaluation', 'id'), 100)"


def run_file(engine: Engine, name: str) -> None:
    """Run the statements of a file in this folder."""
    file = Path(__file__).with_name(name).read_bytes()
    script = (gzip.decompress(file) if name.endswith(".gz") else file).decode()
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement.replace("%", "%%"))


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """The database of a store as version 17 left it."""
    engine = sqlalchemy.create_engine(parse_url(url))
    run_file(engine, f"version_17_{engine.dialect.name}.sql")
    run_file(engine, "version_17_rows.sql")
    if engine.dialect.name == "postgresql":
        with engine.begin() as connection:
            connection.execute(text(COUNTED_TABLE))
    yield engine
    engine.dispose()


@pytest.fixture
def engine_8(url: str) -> Iterator[Engine]:
    """The database of a store as version 8 left it."""
    engine = sqlalchemy.create_engine(parse_url(url))
    run_file(engine, f"version_8_{engine.dialect.name}.sql")
    run_file(engine, "version_8_rows.sql.gz")
    yield engine
    engine.dispose()


def shape(engine: Engine) -> dict[str, object]:
    """Tables with their columns, keys and indexes."""
    found = inspect(engine)
    return {
        name: (
            sorted((c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)),
            found.get_pk_constraint(name)["constrained_columns"],
            sorted(
                (k["constrained_columns"], k["referred_table"], k["referred_columns"])
                for k in found.get_foreign_keys(name)
            ),
            sorted(
                (i["name"] or "", i["column_names"], bool(i["unique"]))
                for i in found.get_indexes(name)
            ),
        )
        for name in sorted(found.get_table_names())
    }


@pytest.mark.parametrize("old", ["engine", "engine_8"])
def test_a_store_of_an_earlier_release_gets_the_tables_of_a_new_one(
    old: str, request: pytest.FixtureRequest, url: str, tmp_path: Path
) -> None:
    engine = request.getfixturevalue(old)
    Database(url, tmp_path).close()
    upgraded = shape(engine)
    with engine.begin() as connection:
        for table in reversed(SQLModel.metadata.sorted_tables):
            connection.execute(text(f"DROP TABLE {table.name}"))
    assert shape(engine) == {}
    Database(url, tmp_path).close()
    assert shape(engine) == upgraded


def test_a_store_of_version_17_opens_with_all_runs_labels_and_spending_and_takes_new_ones(
    engine: Engine, url: str, tmp_path: Path
) -> None:
    store = Store(url, tmp_path)
    assert [(record.id, record.state) for record in store.runs()] == [
        (METHANE, "finished"),
        (PENGUIN, "finished"),
    ]
    assert [len(record.questions) for record in store.runs()] == [5, 5]
    entry = store.catalog.find(METHANE)
    assert (entry.name, entry.is_pinned) == ("Methane", True)
    exact, hasty = store.generated_pictures(PENGUIN)
    assert (exact.model, hasty.model) == ("primer/exact", "primer/hasty")
    assert store.truth(str(exact.image)) is not None
    assert [one.report.score.value for one in store.evaluations(PENGUIN)] == [1.0, 0.6]
    assert [(row.model, row.value, row.n) for row in leaderboard_rows(store)] == [
        ("primer/exact", 1.0, 2),
        ("primer/hasty", 0.6, 1),
    ]

    assert {(one.subject.rater, one.subject.finding, one.value) for one in store.ratings.all()} == {
        ("Ann", f"question: {POSTURE}", "C"),
        ("", "", FINE),
    }
    (plan,) = store.labeling.plans()
    assert [image.image for image in plan.images] == [exact.image, hasty.image]
    assert [(r.rater, r.state, r.answers) for r in store.labeling.records(plan.id)] == [
        ("Ann", "labeled", (LabeledQuestion(POSTURE, "C", "C"),)),
        ("Ben", "skipped", ()),
    ]

    # 0.125 USD were held back for a call whose end nobody told
    assert run_spent(store.ledger, PENGUIN) == 0.375
    assert model_totals(store.ledger) == [
        ModelTotal(
            model="acme/painter", amount=0.5, calls=2, input_tokens=0, output_tokens=0, pictures=2
        ),
        ModelTotal(
            model="acme/judge",
            amount=0.375,
            calls=11,
            input_tokens=1000,
            output_tokens=100,
            pictures=0,
            unconfirmed=0.175,
        ),
    ]

    store.start_run("later", REQUEST, [PLACE])
    store.keep_evaluation("later", evaluation())
    assert store.evaluations("later") == [evaluation()]
    add_spending(store.ledger, [Spending(run="later", model="m/one", role="judge", amount=0.5)])
    assert run_spent(store.ledger, "later") == 0.5
    store.close()


@pytest.mark.full
def test_a_store_of_version_8_shows_the_same_leaderboards(
    engine_8: Engine, url: str, tmp_path: Path
) -> None:
    """Its answers come from the program of that time, which kept sums beside the scores."""
    store = Store(url, tmp_path)
    file = Path(__file__).with_name("version_8_answers.json.gz")
    wanted = json.loads(gzip.decompress(file.read_bytes()))
    shown = json.loads(json.dumps(every_answer(store)))
    store.close()
    assert shown.keys() == {name for name in wanted if name.startswith(("board ", "behind "))}
    for question, answer in shown.items():
        wanted_answer = wanted[question]
        assert about(answer, wanted_answer) == about(wanted_answer, wanted_answer), question


# Intervals and p are computed by other methods than those of version 8.
RECOMPUTED = {"low", "high", "p"}


def about(answer: object, wanted: object) -> object:
    """Return what version 8 says, too, with its numbers rounded: sums are added in another order.

    What it computed by another method is left out, and what it did not say at all.
    """
    if wanted is None:
        return None
    if isinstance(answer, float):
        return round(answer, 12) + 0.0
    if isinstance(answer, list) and isinstance(wanted, list) and len(answer) == len(wanted):
        return [about(one, other) for one, other in zip(answer, wanted, strict=True)]
    if isinstance(answer, dict) and isinstance(wanted, dict):
        return {
            name: about(one, wanted[name])
            for name, one in answer.items()
            if name in wanted and name not in RECOMPUTED
        }
    return answer


def test_an_upgrade_that_fails_leaves_everything_as_it_was(
    engine: Engine, url: str, tmp_path: Path
) -> None:
    before = shape(engine)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE blocker (run INTEGER)"))
        connection.execute(text("CREATE INDEX ix_owner_owner ON blocker (run)"))
    with pytest.raises(StoreError, match=r"could not be opened .*ix_owner_owner"):
        Store(url, tmp_path)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE blocker"))
        assert migrations.version(connection) == 17
    assert shape(engine) == before
    store = Store(url, tmp_path)
    assert store.run(PENGUIN).state == "finished"
    store.close()


@pytest.mark.parametrize(
    "version, reason",
    [
        (99, f"has version 99 and this program {SCHEMA}: use another database or folder"),
        (16, "has version 16, which was never released: use a new database or folder"),
    ],
)
def test_a_store_of_another_version_is_refused_and_left_alone(
    engine: Engine, url: str, tmp_path: Path, version: int, reason: str
) -> None:
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE schema SET version = {version}"))
    before = shape(engine)
    with pytest.raises(StoreError, match=rf"{reason} \(HALLASCOPE_HOME\)"):
        Store(url, tmp_path)
    assert shape(engine) == before


def test_tables_of_another_program_in_the_same_database_do_not_matter(
    url: str, tmp_path: Path
) -> None:
    engine = sqlalchemy.create_engine(parse_url(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
    engine.dispose()
    Store(url, tmp_path).close()


@pytest.mark.full
def test_several_threads_may_upgrade_one_database_at_once(
    engine: Engine, url: str, tmp_path: Path
) -> None:
    opened = run_at_once(*[lambda: Store(url, tmp_path)] * 4)
    assert [len(store.runs()) for store in opened] == [2] * 4
    for store in opened:
        store.close()
