"""Every step from the first tables to the newest leaves the same tables as a new store, with all
that was in them.
"""

import gzip
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text
from sqlmodel import SQLModel, func, select

from hallascope.data.records import Category, QuestionSet
from hallascope.data.requests import Answer
from hallascope.engine.errors import StoreError
from hallascope.engine.leaderboard.board import leaderboard_rows
from hallascope.engine.storage import address, migrations
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.ledger import Spending
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import SCHEMA, EvaluationRow, VerdictRow
from tests.engine.storage.test_store import PLACE, QUESTION, REQUEST, evaluation
from tests.support.every_answer import every_answer

ROOT = Path(__file__).parents[3]
FIRST = Path(__file__).with_name("version_1.sql")
# The file holds no sums, which are made from the rest.
VERSION_9 = Path(__file__).with_name("version_9.sql.gz")
VERSION_9_ANSWERS = Path(__file__).with_name("version_9.json.gz")
IMAGE = "1bba5c84bfbc913a2637913ff2e3b0cf05c03f79c8d8578bad56ae35fdb766cc"


def statements_of_version_9() -> str:
    return gzip.decompress(VERSION_9.read_bytes()).decode()


def fill(url: str, statements: int | None = None) -> None:
    """Make the first version's store, or only what its first statements made."""
    engine = sqlalchemy.create_engine(address.parse_url(url))
    said = FIRST.read_text(encoding="utf-8")
    if engine.dialect.name == "postgresql":
        said = said.replace("    id INTEGER NOT NULL", "    id SERIAL NOT NULL").replace(
            "    version INTEGER", "    version SERIAL"
        )
    with engine.begin() as connection:
        for statement in said.split(";\n")[:statements]:
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()


def differences(engine: Engine) -> list[object]:
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": migrations.MARK, "compare_server_default": False}
        )
        return list(compare_metadata(context, SQLModel.metadata))


def test_the_newest_step_is_the_version_of_the_program() -> None:
    steps = ScriptDirectory(str(ROOT / "engine" / "storage" / "migrations")).walk_revisions()
    assert [int(step.revision) for step in steps] == list(range(SCHEMA, 0, -1))


def test_a_new_store_has_the_tables_that_the_code_says_and_a_difference_is_seen(
    database: Database,
) -> None:
    assert differences(database.engine) == []
    with database.engine.begin() as connection:
        connection.execute(text("ALTER TABLE spending DROP COLUMN calls"))
        connection.execute(text("DROP INDEX ix_spending_run"))
    assert len(differences(database.engine)) == 2


def shape(engine: Engine) -> object:
    """Tables with their columns, keys and indexes."""
    found = inspect(engine)
    return {
        name: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)],
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
        for name in sorted(set(found.get_table_names()) - {migrations.MARK})
    }


def test_the_first_step_makes_what_the_first_version_made(url: str) -> None:
    fill(url)
    engine = sqlalchemy.create_engine(address.parse_url(url))
    made = shape(engine)
    tables = SQLModel.metadata.sorted_tables
    with engine.begin() as connection:
        for name in [*(table.name for table in reversed(tables)), "schema"]:
            connection.execute(text(f"DROP TABLE IF EXISTS {name}"))
    with engine.begin() as connection:
        migrations.upgrade(connection, 1)
    assert shape(engine) == made
    engine.dispose()


def test_a_store_of_the_first_version_comes_to_the_newest_with_all_that_is_in_it(
    url: str, tmp_path: Path
) -> None:
    fill(url)
    store = Store(url, tmp_path)
    assert differences(store.database.engine) == []
    record, (shot,) = store.run("r"), store.generated_pictures("r")
    assert (record.request, record.questions, record.notice, record.state) == (
        REQUEST,
        (QUESTION,),
        "A notice.",
        "finished",
    )
    assert (shot.generation, shot.seed, shot.state, shot.image, shot.seconds, shot.notes) == (
        "g1",
        7,
        "done",
        IMAGE,
        0.5,
        {"steps": 3},
    )
    assert store.evaluations("r") == [evaluation()]
    (row,) = leaderboard_rows(store)
    score = evaluation().report.score
    assert (row.model, row.value, row.answered) == ("m/one", score.value, score.counted)
    assert [found.group for found in leaderboard_rows(store, "coi")] == [QUESTION.coi]
    assert store.truth(IMAGE) == {"values": {"legs": 5}}
    assert store.question_sets() == [
        QuestionSet(
            prompt="A cat",
            questions=(QUESTION,),
            category=Category.BIOLOGY,
            domain="animal",
            source="made",
        )
    ]
    assert store.replies(["k"]) == {"k": Answer("B) Blue", (0.1, 0.9))}
    store.keep_evaluation("r", evaluation(trial=1))
    store.start_run("later", REQUEST, [PLACE._replace(id="g2", seed=2**40)])
    store.ledger.add([Spending(run="r", model="m/one", role="judge", amount=0.5)])
    assert store.ledger.day() == 0.5
    store.close()


@pytest.mark.full
def test_a_store_of_version_9_shows_the_same_leaderboards(url: str, tmp_path: Path) -> None:
    """Its answers come from the program of that version, which kept sums beside the scores."""
    engine = sqlalchemy.create_engine(address.parse_url(url))
    with engine.begin() as connection:
        migrations.upgrade(connection, 9)
        for statement in statements_of_version_9().split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement.replace("%", "%%"))
    engine.dispose()
    store = Store(url, tmp_path)
    assert differences(store.database.engine) == []
    wanted = json.loads(gzip.decompress(VERSION_9_ANSWERS.read_bytes()))
    shown = json.loads(json.dumps(every_answer(store)))
    assert shown.keys() == wanted.keys()
    for question, answer in wanted.items():
        assert about(shown[question], answer) == about(answer, answer), question
    with store.database.read_transaction() as session:
        verdicts, evaluations = (
            session.exec(select(func.count()).select_from(t)).one()
            for t in (VerdictRow, EvaluationRow)
        )
    statements = statements_of_version_9()
    assert (verdicts, evaluations) == (
        statements.count("INSERT INTO verdict "),
        statements.count("INSERT INTO evaluation "),
    )
    store.close()


# Intervals and p are computed by other methods than those of version 9.
RECOMPUTED = {"low", "high", "p"}


def about(answer: object, wanted: object) -> object:
    """Return what version 9 says, too, with its numbers rounded: sums are added in another order.

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


@pytest.mark.parametrize("statements", [1, 7, 13, 19])
def test_a_first_version_that_was_killed_while_it_was_made_is_completed(
    url: str, tmp_path: Path, statements: int
) -> None:
    fill(url, statements)
    database = Database(url, tmp_path)
    assert differences(database.engine) == []
    database.close()


def test_a_step_that_fails_leaves_everything_as_it_was(url: str, tmp_path: Path) -> None:
    fill(url)
    engine = sqlalchemy.create_engine(address.parse_url(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE blocker (run INTEGER)"))
        connection.execute(text("CREATE INDEX ix_spending_run ON blocker (run)"))
    with pytest.raises(StoreError, match=r"could not be opened .*ix_spending_run"):
        Store(url, tmp_path)
    assert {"spending", migrations.MARK}.isdisjoint(inspect(engine).get_table_names())
    with engine.begin() as connection:
        assert migrations.version(connection) == 1
        connection.execute(text("DROP TABLE blocker"))
    engine.dispose()
    store = Store(url, tmp_path)
    assert store.run("r").state == "finished"
    store.close()


def test_a_store_of_a_newer_version_is_left_alone(url: str, tmp_path: Path) -> None:
    store = Store(url, tmp_path)
    with store.database.engine.begin() as connection:
        connection.execute(text("update schema set version = 99"))
    with pytest.raises(StoreError, match=f"has version 99 and this program {SCHEMA}"):
        Store(url, tmp_path)
    store.close()


def test_the_mark_of_another_program_in_the_same_database_does_not_matter(
    url: str, tmp_path: Path
) -> None:
    engine = sqlalchemy.create_engine(address.parse_url(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('of another')"))
    engine.dispose()
    Store(url, tmp_path).close()


@pytest.mark.full
def test_a_store_that_is_up_to_date_opens_without_the_library(url: str, tmp_path: Path) -> None:
    Store(url, tmp_path).close()
    code = (
        "import sys; from pathlib import Path; from hallascope.engine.storage.store import Store;"
        " Store(sys.argv[1], Path(sys.argv[2])).close()"
    )
    command = [sys.executable, "-c", f"{code}; print('alembic' in sys.modules)", url, str(tmp_path)]
    assert (
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        == "False\n"
    )


@pytest.mark.full
def test_several_threads_may_bring_up_several_databases_at_once(tmp_path: Path) -> None:
    opened: list[Database] = []
    threads = [
        threading.Thread(target=lambda n=n: opened.append(Database(None, tmp_path / str(n % 3))))
        for n in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [differences(database.engine) for database in opened] == [[]] * 12
    for database in opened:
        database.close()
